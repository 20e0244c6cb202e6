"""Grading on a Dask cluster that goes away in the middle, and reaching one that cannot be reached."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.classroom import ClassroomError
from autograder.cluster import insist_there
from tests.test_cli_grade import nap, wait_until
from tests.test_mishaps import Dask, below, cluster, command, kept
from tests.toy import copy_of_the_course


@contextlib.contextmanager
def grading(dask: Dask, folder: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A grader at work on a class that takes longer than any test; and its OUT, which holds a grade already."""
    course, out = copy_of_the_course(folder / "course"), folder / "out"
    (folder / "class").mkdir()
    for number in range(60):
        (folder / "class" / f"{number}.ipynb").write_bytes(nap(0.6, number))
    words = command(course.root, str(folder / "class"), "-o", str(out), "--scheduler", dask.address)
    grader = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: bool(kept(out)), 60)
        yield grader, out
    finally:
        grader.kill()
        grader.communicate()


def kill(process: subprocess.Popen[bytes]) -> None:
    """With all that it has started, at once."""
    for pid in [process.pid, *below(process.pid)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_that_no_workers_are_left_is_said_and_one_signal_is_then_enough(tmp_path: Path) -> None:
    with cluster() as dask, grading(dask, tmp_path) as (grader, out):
        kill(dask.nannies)
        assert grader.stderr is not None
        assert "No workers are left. New ones are waited for, 60 s at most." in grader.stderr.readline()
        grader.terminate()
        _, said = grader.communicate(timeout=30)
        assert grader.returncode == 130
        assert f"Stopped: {len(kept(out))} of 60 were graded and are kept." in said
        assert "Traceback" not in said


def test_a_scheduler_that_has_gone_ends_it_in_a_sentence(tmp_path: Path) -> None:
    with cluster() as dask, grading(dask, tmp_path) as (grader, out):
        kill(dask.scheduler)
        _, said = grader.communicate(timeout=20)
        assert grader.returncode == 2
        assert f"the cluster's scheduler at {dask.address} has gone. What was graded is kept: start it anew" in said
        assert "Traceback" not in said
        assert kept(out)


def test_a_scheduler_that_does_not_answer_any_more_ends_it_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from autograder.cluster import Cluster

    monkeypatch.setattr("autograder.cluster.ANSWER_SECONDS", 1)
    monkeypatch.setattr("autograder.cluster.COUNT_SECONDS", 0)
    with cluster() as dask:
        started = time.monotonic()
        with (
            pytest.raises(ClassroomError, match="has gone"),
            Cluster(dask.address, copy_of_the_course(tmp_path / "course")) as hall,
        ):
            assert not hall.is_deserted
            dask.scheduler.send_signal(signal.SIGSTOP)
            assert hall.is_deserted
        dask.scheduler.send_signal(signal.SIGCONT)
        assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tls://127.0.0.1:1", r"Set distributed\.comm\.tls\.ca-file \(DASK_DISTRIBUTED__COMM__TLS__CA_FILE\) and"),
        ("wss://127.0.0.1:1", "Dask's configuration names none"),
        ("ws://127.0.0.1:1", "no Dask cluster with workers answers at ws://127.0.0.1:1"),
    ],
)
def test_an_address_that_dask_cannot_use_as_it_is_set_up_is_told_in_a_sentence(
    address: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("autograder.cluster.CONNECT_SECONDS", 2)
    with pytest.raises(ClassroomError, match=said):
        insist_there(address, ())


def test_an_unencrypted_address_where_dask_insists_on_encryption_is_told_in_a_sentence() -> None:
    dask = pytest.importorskip("dask")
    pytest.importorskip("distributed")
    with (
        dask.config.set({"distributed.comm.require-encryption": True}),
        pytest.raises(ClassroomError, match=r"insists on encryption\. Name the scheduler by tls://…"),
    ):
        insist_there("tcp://127.0.0.1:1", ())
