"""Whatever is killed, and whenever: the gradebook ends up as if nothing had happened.

A file that loses its grader is graded again, once. So the moments are random, but for one thing: nothing is killed
before the files that were under way at the last kill are in the gradebook, however slow the machine.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from tests.toy import copy_of_the_course, write_class

pytestmark = pytest.mark.mishaps

KILLS = 20
CLASS = 60
UNDER_WAY = 5
"""Files that may be graded at once, or wait beside a grader; two processes take two each, and one may be finished."""

PAUSE = "import time; time.sleep(0.05)"
"""In every notebook, so that a kill finds several of them under way."""


def command(course: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "autograder", "--course", str(course), "grade", *arguments]


def rows(out: Path) -> dict[str, Any]:
    """What the gradebook says of each file: all but times, and numbers that count up."""
    found: dict[str, Any] = {}
    with sqlite3.connect(out / "gradebook.sqlite") as db:
        db.row_factory = sqlite3.Row
        for row in map(dict, db.execute("SELECT * FROM grades ORDER BY number")):
            record = msgspec.json.decode(row.pop("record"))
            record["seconds"] = 0
            for question in record["questions"]:
                for check in question["checks"]:
                    check["seconds"] = 0
            row.pop("number")
            assert row["file"] not in found, "a file was graded and kept twice"
            found[row["file"]] = row | {"record": record}
    db.close()
    return found


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_of_the_course(tmp_path_factory.mktemp("mishaps") / "course").root


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_class(tmp_path_factory.mktemp("class"), CLASS, PAUSE)


@pytest.fixture(scope="module")
def undisturbed(course: Path, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    out = tmp_path_factory.mktemp("undisturbed")
    subprocess.run(command(course, str(folder), "-o", str(out), "-j", "2"), check=True, timeout=600)
    return rows(out)


def below(pid: int) -> Iterator[int]:
    """All processes below this one."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, task.read_text().split()):
                yield child
                yield from below(child)


def running(pid: int, *words: str) -> list[int]:
    """Processes below this one whose command line holds one of the words."""
    found = []
    for child in below(pid):
        with contextlib.suppress(OSError):
            line = Path(f"/proc/{child}/cmdline").read_bytes().decode(errors="replace")
            found += [child] if any(word in line for word in words) else []
    return found


def warm_processes(pid: int) -> list[int]:
    """The workers' sandboxes, without the notebooks' own processes, which may end at any time."""
    return [child for worker in running(pid, "spawn_main") for child in running(worker, "sandbox.zygote")[:1]]


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def kept(out: Path) -> set[str]:
    """Files that are in the gradebook already, as a copy of it tells: its grader lets nobody else read it."""
    with tempfile.TemporaryDirectory() as folder:
        for path in out.glob("gradebook.sqlite*"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(path, folder)
        with contextlib.closing(sqlite3.connect(Path(folder) / "gradebook.sqlite")) as db:
            try:
                return {file for (file,) in db.execute("SELECT file FROM grades")}
            except sqlite3.DatabaseError:  # it is only just being made
                return set()


def disturbed(command: list[str], out: Path, victims: Callable[[int], list[int]], chance: random.Random) -> int:
    """Run a grader until it has finished, killing something at random moments; returns how often."""
    kills = 0
    under_way: set[str] = set()
    everything = [f"student-{number:03}.ipynb" for number in range(CLASS)]
    while True:
        grader = subprocess.Popen([*command, "-o", str(out)], stderr=subprocess.PIPE)
        while grader.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                grader.wait(chance.uniform(0.05, 1.0))
            done = kept(out)
            mended = under_way <= done != set(everything)
            doomed = victims(grader.pid) if mended else []
            if grader.poll() is None and doomed:
                under_way = set([file for file in everything if file not in done][:UNDER_WAY])
                kill(chance.choice(doomed))
                kills += 1
        _, errors = grader.communicate()
        if grader.returncode != -signal.SIGKILL:
            assert grader.returncode == 0, errors.decode()
            assert b"Traceback" not in errors, errors.decode()
            return kills


def test_graders_and_workers_killed_at_random_moments_change_nothing(
    course: Path, folder: Path, undisturbed: dict[str, Any], tmp_path: Path
) -> None:
    """Each time it is the grader, one of its workers, or a worker's sandbox."""
    chance = random.Random(9)

    def victims(grader: int) -> list[int]:
        kind = chance.choice(["grader", "spawn_main", "warm"])
        return [grader] if kind == "grader" else warm_processes(grader) if kind == "warm" else running(grader, kind)

    kills = rounds = 0
    while kills < KILLS:
        out = tmp_path / f"out-{rounds}"
        kills += disturbed(command(course, str(folder), "-j", "2"), out, victims, chance)
        rounds += 1
        assert rows(out) == undisturbed
        assert (out / "grades.csv").read_text().count("\n") == CLASS + 1


class Dask(NamedTuple):
    """A cluster's address, its scheduler, and the process that keeps its two workers alive."""

    address: str
    scheduler: subprocess.Popen[bytes]
    nannies: subprocess.Popen[bytes]


@contextlib.contextmanager
def cluster() -> Iterator[Dask]:
    """A Dask cluster on this machine.

    Both workers are there: if one is killed before it was ever there, that process gives up.
    """
    distributed = pytest.importorskip("distributed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--host", address]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nworkers", "2", "--nthreads", "1"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen(dask, **quiet)
    nannies = subprocess.Popen([*worker, "--no-dashboard", "--host", "127.0.0.1"], **quiet)
    try:
        with distributed.Client(address, timeout=30) as client:
            client.wait_for_workers(2, timeout=60)
        yield Dask(address, scheduler, nannies)
    finally:
        for process in (nannies, scheduler):
            process.terminate()
            process.wait(30)


def test_dask_workers_killed_at_random_moments_change_nothing(
    course: Path, folder: Path, undisturbed: dict[str, Any], tmp_path: Path
) -> None:
    chance = random.Random(9)
    kills = rounds = 0
    with cluster() as dask:

        def victims(grader: int) -> list[int]:
            kind = chance.choice(["grader", "worker", "worker"])
            return [grader] if kind == "grader" else running(dask.nannies.pid, "spawn_main")

        while kills < KILLS:
            out = tmp_path / f"out-{rounds}"
            kills += disturbed(command(course, str(folder), "--scheduler", dask.address), out, victims, chance)
            rounds += 1
            assert rows(out) == undisturbed
