"""`--require`: with less than is demanded nothing is graded and nothing written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from autograder import protections
from autograder.classroom import ClassroomError
from autograder.cli import main
from autograder.cluster import packed
from autograder.course import load_course
from autograder.otter import graded
from autograder.protections import PURPOSES, VARIABLE, ProtectionError, insist, missing, named
from autograder.sandbox.confine import Probe, probe
from tests.toy import COURSE, POINTS, RIGHT, copy_of_the_course, notebook

ON = ",".join(name for name, layer in probe().items() if layer.on)


@pytest.fixture
def without_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    off = {**probe(), "landlock": Probe(False, "the kernel refuses: made up")}
    monkeypatch.setattr(protections, "probe", lambda: off)


@pytest.fixture
def grade(tmp_path: Path) -> Callable[..., Result]:
    """`autograder grade` of one right notebook, into the folder "out"."""
    (tmp_path / "hw.ipynb").write_bytes(notebook())

    def run(*arguments: str, **environment: str) -> Result:
        command = ["--course", str(COURSE), "grade", str(tmp_path / "hw.ipynb"), "-j", "1"]
        command += ["-o", str(tmp_path / "out"), *arguments]
        return CliRunner(env=environment).invoke(main, command)

    return run


def test_every_layer_has_a_purpose() -> None:
    assert list(PURPOSES) == list(probe())


def test_what_is_on_may_be_required_and_is_in_the_record(grade: Callable[..., Result], tmp_path: Path) -> None:
    result = grade("--require", ON)
    assert result.exit_code == 0, result.output
    record = json.loads((tmp_path / "out" / "grades.jsonl").read_text())
    assert record["score"] == POINTS
    assert set(ON.split(",")) <= set(record["protections"])


def test_a_required_layer_that_is_off_stops_everything_with_a_reason_and_a_remedy(
    grade: Callable[..., Result], without_landlock: None, tmp_path: Path
) -> None:
    result = grade("--require", "rlimits, landlock")
    assert result.exit_code == 2
    assert "nothing was graded: landlock is required, and off here: the kernel refuses: made up." in result.output
    assert "Linux 5.13" in result.output
    assert "rlimits is" not in result.output, "what is on is not complained of"
    assert not (tmp_path / "out").exists()


def test_a_layer_that_is_off_and_not_required_stops_nothing(
    grade: Callable[..., Result], without_landlock: None
) -> None:
    assert grade("--require", "rlimits").exit_code == 0


def test_an_unknown_layer_is_a_slip_of_the_users_and_the_known_ones_are_listed(
    grade: Callable[..., Result], tmp_path: Path
) -> None:
    result = grade("--require", "landlock,selinux")
    assert result.exit_code == 2
    assert "Usage:" in result.output
    assert "'selinux'" in result.output
    assert all(name in result.output for name in PURPOSES)
    assert not (tmp_path / "out").exists()


def test_the_environment_may_require_it_too(
    grade: Callable[..., Result], without_landlock: None, tmp_path: Path
) -> None:
    assert grade(**{VARIABLE: "landlock"}).exit_code == 2
    assert not (tmp_path / "out").exists()


def test_otter_and_gradescope_refuse_as_well(
    without_landlock: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hw.ipynb"
    path.write_bytes(notebook(*RIGHT))
    course = copy_of_the_course(tmp_path / "course")
    assert graded(course, path).score == POINTS
    monkeypatch.setenv(VARIABLE, "landlock")
    with pytest.raises(ProtectionError, match="landlock is required"):
        graded(course, path)


def test_a_workflow_is_told_that_the_grader_itself_failed(without_landlock: None, tmp_path: Path) -> None:
    (tmp_path / "toy.ipynb").write_bytes(notebook())
    command = ["--course", str(COURSE), "github", str(tmp_path), "--require", "landlock"]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 1
    assert result.output.startswith("::error ")
    assert "landlock is required" in result.output


def test_a_cluster_is_asked_on_its_own_machines(
    grade: Callable[..., Result], without_landlock: None, tmp_path: Path
) -> None:
    """Here the workers run in this process, which is told that Landlock is off."""
    distributed = pytest.importorskip("distributed")
    here = {"processes": False, "n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**here, host="tcp://127.0.0.1", local_directory=str(tmp_path)) as cluster:
        result = grade("--require", "landlock", "--scheduler", cluster.scheduler_address)
        assert result.exit_code == 2, result.output
        assert "at the cluster's worker" in result.output
        assert not (tmp_path / "out").exists()
        assert grade("--require", "rlimits", "--scheduler", cluster.scheduler_address).exit_code == 0


def test_a_machine_that_joins_the_cluster_later_grades_nothing_either(without_landlock: None, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    from autograder import cluster_worker

    bundle = packed(load_course(COURSE))
    name = hashlib.sha256(bundle).hexdigest()
    plugin = cluster_worker.CoursePlugin(name, bundle, {}, ("landlock",))
    worker = SimpleNamespace(local_directory=str(tmp_path))
    plugin.setup(worker)
    with pytest.raises(ClassroomError, match="landlock is required"):
        cluster_worker.grade(name, "hw.ipynb", "toy", notebook())
    plugin.teardown(worker)


def test_nothing_required_is_nothing_missing(without_landlock: None) -> None:
    insist(named(""))
    assert missing(()) == ""
    assert missing(("rlimits",)) == ""
