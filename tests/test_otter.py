"""Otter and Gradescope: the same grades as ours, in the forms they read, and nothing told too early."""

from __future__ import annotations

import io
import json
import pickle
import pickletools
import re
import shutil
import subprocess
import sys
import warnings
import zipfile
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from autograder import otter
from autograder.build import build
from autograder.bundle import autograder_zip, packed_course, zipped
from autograder.classroom import Grader, Task
from autograder.course import Course, Feedback, Lab, load_course
from autograder.record import CellResult, CheckResult, Grade, QuestionResult
from autograder.reports import gradescope

with warnings.catch_warnings():  # of what Otter itself imports
    warnings.simplefilter("ignore")
    from otter.run import AutograderConfig
    from otter.test_files import GradingResults, abstract_test, exception_test

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "tests" / "submissions" / "numpy_block"


@pytest.fixture(scope="module")
def lab() -> Lab:
    return load_course(ROOT).labs["numpy_block"]


@pytest.fixture(scope="module")
def archive(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lab's autograder zip."""
    path = tmp_path_factory.mktemp("dist") / "autograder.zip"
    path.write_bytes(autograder_zip(lab, lab.handout.read_bytes()))
    return path


@pytest.fixture(scope="module")
def course(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The course as it lies in a container: this lab alone."""
    folder = tmp_path_factory.mktemp("course")
    with zipfile.ZipFile(io.BytesIO(zipped(packed_course(lab, lab.handout.read_bytes())))) as packed:
        packed.extractall(folder)
    return load_course(folder)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A container's `/autograder`."""
    for name in ("source", "submission", "results"):
        (tmp_path / name).mkdir()
    return tmp_path


def a_grade(**changes: Any) -> Grade:
    """A grade with one check of every kind."""
    checks = [
        CheckResult(name="worked_example", visible=True, status="passed", score=1, possible=1),
        CheckResult(name="small_tokens", visible=False, status="failed", score=0, possible=2, message="Too large <b>."),
        CheckResult(name="margin", visible=False, status="pending", score=0, possible=3, message="Not met."),
    ]
    questions = [
        QuestionResult(name="layer_norm", score=1, possible=3, pending=3, checks=checks),
        QuestionResult(name="plots", score=0, possible=0, pending=4, checks=[]),
    ]
    content: dict[str, Any] = {
        "lab": "numpy_block",
        "file": "hw.ipynb",
        "student": "hw",
        "sha256": "0" * 64,
        "status": "graded",
        "reason": None,
        "score": 1,
        "possible": 3,
        "pending": 7,
        "seconds": 0.5,
        "protections": [],
        "warnings": ["Cell 3 assigns to a library's own name; please look at it."],
        "notes": ["layer_norm: your torch tensor was read as an array."],
        "cells": [CellResult(index=4, status="error", message="NameError: x")],
        "questions": questions,
    }
    return Grade(**(content | changes))


def grades_of(results: Any) -> dict[str, tuple[float, float]]:
    return {name: (file.score, file.possible) for name, file in results.results.items()}


# --- Gradescope ---------------------------------------------------------------------------------


Shown = Literal["hidden", "after_due_date", "after_published", "visible"]
Format = Literal["text", "html", "simple_format", "md", "ansi"]


class GradescopeTest(msgspec.Struct, forbid_unknown_fields=True):
    """One entry of `tests`, as Gradescope's specification has it."""

    name: str
    visibility: Shown
    output: str
    score: float | None = None
    max_score: float | None = None
    status: Literal["passed", "failed"] | None = None


class GradescopeResults(msgspec.Struct, forbid_unknown_fields=True):
    """`results.json`, as Gradescope's specification has it; without a leaderboard."""

    score: float
    execution_time: float
    output: str
    output_format: Format
    test_output_format: Format
    test_name_format: Format
    visibility: Shown
    stdout_visibility: Shown
    tests: list[GradescopeTest]


def as_gradescope(content: dict[str, Any]) -> GradescopeResults:
    return msgspec.json.decode(json.dumps(content), type=GradescopeResults)


def with_feedback(lab: Lab, public: Any, hidden: Any) -> Lab:
    return msgspec.structs.replace(lab, feedback=Feedback(public=public, hidden=hidden))


def test_results_follow_gradescopes_specification(lab: Lab) -> None:
    results = as_gradescope(gradescope.results(a_grade(), lab))
    assert results.score == 1
    assert results.execution_time == 0.5
    assert results.stdout_visibility == "hidden"
    assert results.output_format == results.test_output_format == "md"


def test_each_check_is_a_test_and_their_points_are_the_score(lab: Lab) -> None:
    results = as_gradescope(gradescope.results(a_grade(), lab))
    assert [test.name for test in results.tests[:3]] == [
        "layer_norm: worked_example",
        "layer_norm: small_tokens",
        "layer_norm: margin",
    ]
    assert sum(test.score or 0 for test in results.tests) == 1
    assert sum(test.max_score or 0 for test in results.tests) == 3


def test_points_that_wait_for_a_person_are_in_no_denominator(lab: Lab) -> None:
    results = as_gradescope(gradescope.results(a_grade(), lab))
    waiting = [test for test in results.tests if "person" in test.output]
    assert [(test.score, test.max_score, test.status) for test in waiting] == [(None, None, None)] * 2
    assert "7 more points are given by a person" in results.output


@pytest.mark.parametrize(
    ("public", "hidden", "expected"),
    [
        ("now", "after_publication", ("visible", "after_published")),
        ("after_publication", "never", ("after_published", "hidden")),
        ("now", "now", ("visible", "visible")),
    ],
)
def test_students_see_what_the_labs_policy_says(lab: Lab, public: str, hidden: str, expected: tuple[str, str]) -> None:
    results = as_gradescope(gradescope.results(a_grade(), with_feedback(lab, public, hidden)))
    assert (results.tests[0].visibility, results.tests[1].visibility) == expected


def test_nothing_that_is_visible_at_once_tells_of_hidden_checks(lab: Lab) -> None:
    results = as_gradescope(gradescope.results(a_grade(), lab))
    visible = results.output + "".join(f"{t.name}{t.output}" for t in results.tests if t.visibility == "visible")
    for secret in ("small_tokens", "margin", "Too large", "torch tensor", "Cell 3 assigns"):
        assert secret not in visible
    assert "Cell 5: NameError: x" in visible


def test_warnings_are_for_staff_alone(lab: Lab) -> None:
    results = as_gradescope(gradescope.results(a_grade(), lab))
    assert [t.visibility for t in results.tests if "Cell 3 assigns" in t.output] == ["hidden"]


def test_a_check_says_what_it_asks_and_html_in_a_message_is_not_rendered(lab: Lab) -> None:
    results = as_gradescope(gradescope.results(a_grade(), lab))
    assert results.tests[0].output.startswith("*&#91;2, -1, 4, 3&#93; comes out")
    assert "Too large &#60;b&#62;." in results.tests[1].output


def test_a_rejected_submission_keeps_its_denominator_and_says_why(course: Course) -> None:
    with Grader(course) as grader:
        grade = grader.grade(Task("truncated.ipynb", SAMPLES / "truncated.ipynb", "numpy_block"))
    results = as_gradescope(gradescope.results(grade, course.labs["numpy_block"]))
    assert results.score == 0
    assert sum(test.max_score or 0 for test in results.tests) == 60
    assert "could not be read" in results.output


# --- Otter's results ----------------------------------------------------------------------------


def test_the_pickle_has_the_attributes_of_otters_own_objects() -> None:
    made = pickle.loads(otter.pickled_results(a_grade()))
    case = abstract_test.TestCase(name="", body="", hidden=False, points=1, success_message=None, failure_message=None)
    file = made.results["layer_norm"]
    assert type(made) is GradingResults and vars(made).keys() == vars(GradingResults([])).keys()
    assert (
        type(file) is exception_test.ExceptionTestFile
        and vars(file).keys() == vars(exception_test.ExceptionTestFile("", "", [])).keys()
    )
    assert vars(file.test_cases[0]).keys() == vars(case).keys()
    assert vars(file.test_case_results[0]).keys() == vars(abstract_test.TestCaseResult(case, None, True)).keys()


def test_the_pickle_names_otters_classes_and_nothing_else() -> None:
    operations = pickletools.genops(otter.pickled_results(a_grade(status="rejected", reason="it is torn")))
    named = {argument for operation, argument, _ in operations if operation.name == "GLOBAL"}
    assert named == {
        "builtins Exception",
        "otter.test_files GradingResults",
        "otter.test_files.abstract_test TestCase",
        "otter.test_files.abstract_test TestCaseResult",
        "otter.test_files.exception_test ExceptionTestFile",
    }


def test_otter_reads_our_points_and_hides_hidden_checks() -> None:
    made = pickle.loads(otter.pickled_results(a_grade()))
    assert grades_of(made) == {"layer_norm": (1, 3), "plots": (0, 0)}
    assert (made.total, made.possible) == (1, 3)
    assert "small_tokens" not in made.summary(public_only=True)
    assert "small_tokens" in made.summary()


def test_otter_shows_nothing_where_the_policy_hides_all() -> None:
    results = GradingResults([])
    otter.install(results, a_grade(), Feedback(public="after_publication", hidden="never"))
    shown = results.to_gradescope_dict(AutograderConfig())
    assert {test["visibility"] for test in shown["tests"]} == {"hidden"}


def test_a_rejected_submission_says_why_where_otter_grade_shows_its_status() -> None:
    made = pickle.loads(otter.pickled_results(a_grade(status="rejected", reason="it is torn", score=0)))
    assert str(made.catastrophic_error) == "This submission could not be read: it is torn"
    assert made.results.keys() == {"layer_norm", "plots"}


# --- `otter run` --------------------------------------------------------------------------------


def otter_run(archive: Path, submission: Path, out: Path) -> Any:
    """The real command, in a process of its own; Otter's results as it wrote them."""
    out.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "otter", "run", "--no-logo", "-a", str(archive), "-o", str(out), str(submission)]
    subprocess.run(command, check=True, capture_output=True, cwd=out)
    return json.loads((out / "results.json").read_text())


def test_otter_run_gives_our_grades(archive: Path, course: Course, tmp_path: Path) -> None:
    submission = SAMPLES / "half.ipynb"
    with Grader(course) as grader:
        ours = grader.grade(Task("half.ipynb", submission, "numpy_block"))
    theirs = otter_run(archive, submission, tmp_path / "out")
    points = {test["name"]: (test["score"], test["max_score"]) for test in theirs["tests"] if "score" in test}
    assert points == {question.name: (question.score, question.possible) for question in ours.questions}


def test_a_log_that_comes_with_a_submission_is_never_unpickled(archive: Path, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (tmp_path / "sprung",)

    handed_in = tmp_path / "hw.zip"
    with zipfile.ZipFile(handed_in, "w") as packed:
        packed.write(SAMPLES / "perfect.ipynb", "hw.ipynb")
        packed.writestr(".OTTER_LOG", pickle.dumps(Trap()))
    otter_run(archive, handed_in, tmp_path / "out")
    assert not (tmp_path / "sprung").exists()


def test_otters_kernel_is_given_nothing_to_run() -> None:
    import nbformat

    notebook = nbformat.reads((SAMPLES / "exit.ipynb").read_text(encoding="utf-8"), as_version=4)
    plugin = otter.Plugin("/nowhere/autograder/submission/exit.ipynb", {}, {})
    assert plugin.before_execution(notebook).cells == []


def test_trouble_of_our_own_is_no_students_zero(tmp_path: Path) -> None:
    results = GradingResults([])
    otter.Plugin(str(tmp_path / "submission" / "hw.ipynb"), {}, {}).after_grading(results)
    assert isinstance(results.catastrophic_error, FileNotFoundError)


# --- In a container -----------------------------------------------------------------------------


def read(home: Path) -> GradescopeResults:
    return msgspec.json.decode((home / "results" / "results.json").read_bytes(), type=GradescopeResults)


def test_a_container_writes_both_results(home: Path, course: Course) -> None:
    shutil.copy(SAMPLES / "half.ipynb", home / "submission" / "my homework.ipynb")
    assert otter.main(home, course.root) == 0
    made = pickle.loads((home / "results" / "results.pkl").read_bytes())
    assert read(home).score == made.total == 30
    assert {path.name for path in (home / "results").iterdir()} == {"results.json", "results.pkl"}


def test_what_otter_cannot_read_is_graded_all_the_same(home: Path, course: Course) -> None:
    shutil.copy(SAMPLES / "bom and crlf.ipynb", home / "submission")
    assert otter.main(home, course.root) == 0
    assert read(home).score == 60


def test_an_unpacked_zip_is_read_as_a_zip(home: Path, course: Course) -> None:
    (home / "submission" / "__MACOSX").mkdir()
    (home / "submission" / "__MACOSX" / "._hw.ipynb").write_bytes(b"\x00\x05")
    shutil.copy(SAMPLES / "perfect.ipynb", home / "submission" / "hw.ipynb")
    (home / "submission" / "link.ipynb").symlink_to("/etc/passwd")
    assert otter.main(home, course.root) == 0
    assert read(home).score == 60


@pytest.mark.parametrize("name", ["", "truncated.ipynb"])
def test_what_nobody_can_read_gets_zeros_and_a_reason(home: Path, course: Course, name: str) -> None:
    if name:
        shutil.copy(SAMPLES / name, home / "submission")
    assert otter.main(home, course.root) == 0
    assert read(home).score == 0
    assert "could not be read" in read(home).output


def test_a_crash_of_our_own_is_written_for_staff(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert otter.main(home, tmp_path / "no course here") == 1
    results = read(home)
    assert "says nothing about your work" in results.output
    (staff,) = results.tests
    assert staff.visibility == "hidden" and "grading.yml" in staff.output
    assert "grading.yml" in capsys.readouterr().err
    assert not (home / "results" / "results.pkl").exists()


def test_results_and_sources_are_for_their_owner_alone(home: Path, course: Course) -> None:
    otter.main(home, course.root)
    for name in ("source", "submission", "results"):
        assert (home / name).stat().st_mode & 0o077 == 0


# --- The zip ------------------------------------------------------------------------------------


def entries(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def test_the_same_sources_give_the_same_zip(lab: Lab) -> None:
    handout = lab.handout.read_bytes()
    assert autograder_zip(lab, handout) == autograder_zip(lab, handout)


def test_a_zip_depends_on_contents_and_not_on_their_order_or_age() -> None:
    assert zipped({"a": b"1", "b": b"2"}) == zipped({"b": b"2", "a": b"1"})
    with zipfile.ZipFile(io.BytesIO(zipped({"setup.sh": b""}))) as packed:
        (entry,) = packed.infolist()
    assert entry.date_time == (1980, 1, 1, 0, 0, 0)
    assert entry.external_attr >> 16 == 0o100755


def test_the_zip_holds_all_that_otters_image_build_adds(archive: Path) -> None:
    dockerfile = (resources.files("otter.grade") / "Dockerfile").read_text()
    names = set(entries(archive))
    for line in re.findall(r"^ADD (.+) \S+$", dockerfile, re.M):
        for wanted in line.split():
            pattern = re.escape(wanted).replace(r"\*", ".*")
            assert any(re.match(rf"{pattern}(/|$)", name) for name in names), wanted


def test_secrets_lie_in_the_packed_course_alone(archive: Path, lab: Lab) -> None:
    outside = {name: data for name, data in entries(archive).items() if name != otter.COURSE_ZIP}
    for check in lab.checks:
        if not check.visible and "_" in check.name:
            assert not [name for name, data in outside.items() if check.name.encode() in data], check.name


def test_the_packed_course_is_one_lab_whole(course: Course, lab: Lab) -> None:
    assert list(course.labs) == ["numpy_block"]
    packed = course.labs["numpy_block"]
    assert packed.checks == lab.checks
    assert packed.feedback == lab.feedback


def test_a_lab_that_waits_for_another_can_be_packed_alone(tmp_path: Path) -> None:
    backward = load_course(ROOT).labs["block_backward"]
    for name, data in packed_course(backward, b"{}").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert load_course(tmp_path).labs["block_backward"].checks == backward.checks


def test_containers_need_neither_otter_nor_conda_nor_a_browser(archive: Path) -> None:
    files = entries(archive)
    wanted = (files["setup.sh"] + files["requirements.txt"]).decode()
    for unwanted in ("otter-grader", "conda", "mamba", "playwright", "texlive", "torch"):
        assert unwanted not in wanted


def test_every_wanted_package_is_pinned(archive: Path) -> None:
    files = entries(archive)
    pins = {line.split("==")[0].lower().replace("_", "-") for line in files["requirements.pins.txt"].decode().split()}
    for line in files["requirements.txt"].decode().splitlines():
        assert re.match(r"[\w-]+", line)[0].lower() in pins  # type: ignore[index]


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder"])
def test_the_scripts_are_bash_without_a_blank_left_to_fill(archive: Path, script: str) -> None:
    source = entries(archive)[script]
    subprocess.run(["bash", "-n"], input=source, check=True)
    assert not re.search(rb"@[A-Z]+@", source)


@pytest.mark.parametrize(
    ("grader", "status"), [("sleep 60", 124), ("kill -9 $$", 137), ("exit 127", 127)], ids=["hangs", "killed", "absent"]
)
def test_a_grader_ended_from_outside_leaves_results_for_staff(
    archive: Path, tmp_path: Path, grader: str, status: int
) -> None:
    (tmp_path / "python").write_text(f"#!/bin/sh\n{grader}\n")
    (tmp_path / "python").chmod(0o755)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "results.json").write_text("an old one")
    script = entries(archive)["run_autograder"].decode()
    script = script.replace("/opt/autograder/venv/bin/python", str(tmp_path / "python"))
    script = re.sub(
        r"(timeout --kill-after=10) \d+", r"\1 1", script.replace("/autograder/results", f"{tmp_path}/results")
    )
    assert subprocess.run(["bash", "-c", script], capture_output=True).returncode == status
    results = read(tmp_path)
    assert results.score == 0
    assert [test.visibility for test in results.tests] == ["hidden"]
    assert "ended from outside" in results.tests[0].output


def test_build_lays_the_zip_out_and_withholds_what_is_not_released(tmp_path: Path) -> None:
    report = build(load_course(ROOT), ["block_backward"], check=True)
    assert report.withheld == ("block_backward",)
    assert not any(path.startswith("dist/block_backward") for path in (*report.current, *report.stale))
