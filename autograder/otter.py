"""Otter and Gradescope: the same grades, in the places where they look for them.

Otter's kernel never runs student code. Under `otter run` the `Plugin` hands Otter an empty notebook, grades
the real one in the sandbox and installs every question's result. In a container (`otter grade`, Gradescope)
the zip's own `run_autograder` calls `main`, which reads what Otter cannot and needs no kernel at all.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from autograder.course import Lab, load_course
from autograder.grade import Judge, rejected
from autograder.record import CheckResult, Grade, QuestionResult
from autograder.reports import gradescope
from autograder.submission import Rejected, read_submission

COURSE_ZIP = "requirements.course.zip"
"""The course in the autograder zip; Otter's image build lays only `requirements.*` beside `setup.sh`."""

COURSE_FOLDER = Path("/opt/autograder/course")
"""Where `setup.sh` unpacks it, for root alone."""

STUDENT_UID = 61_000
"""Whom a submission's code runs as, where root may choose."""


class Plugin:
    """What `otter_config.json` names as `autograder.otter.Plugin`; `otter run` calls its events in order.

    Otter asks a plugin for the events it has and for nothing else: no class of Otter's is needed here.
    """

    def __init__(
        self, submission_path: str, submission_metadata: dict[str, Any], config: dict[str, Any]
    ) -> None:
        self.path = Path(submission_path)
        self.source = self.path.parent.parent / "source"

    def before_grading(self, config: Any) -> None:
        """Delete the submission's log unread: Otter would unpickle it, and it comes from the student."""
        (self.path.parent / ".OTTER_LOG").unlink(missing_ok=True)

    def before_execution(self, submission: Any) -> Any:
        """Nothing of the notebook is left for Otter's kernel to run."""
        submission.update(cells=[], metadata={})
        return submission

    def after_grading(self, results: Any) -> None:
        """Replace Otter's results by ours; a failure of our own is reported as one, never as a zero."""
        try:
            with unpacked_course(self.source / COURSE_ZIP) as course:
                install(results, graded(only_lab(course), self.path))
        except Exception as error:
            results._catastrophic_error = error


def main(home: Path = Path("/autograder"), course: Path = COURSE_FOLDER) -> int:
    """`run_autograder`, as root: grade `submission/`, write `results.json` and, for Otter, `results.pkl`."""
    try:
        keep_from_students(home)
        lab = only_lab(course)
        grade = graded(lab, home / "submission")
        _write(home / "results" / "results.json", _json(gradescope.results(grade, lab)))
        _write(home / "results" / "results.pkl", pickle.dumps(grading_results(grade)))
    except Exception:
        return _report_failure(home, traceback.format_exc())
    return 0


def keep_from_students(home: Path) -> None:
    """Make everything in the container's folder readable by its owner alone, whoever unpacked it."""
    for folder in ("source", "submission", "results"):
        (home / folder).chmod(0o700)


def only_lab(course: Path) -> Lab:
    """The one lab of a packed course."""
    (lab,) = load_course(course).labs.values()
    return lab


@contextmanager
def unpacked_course(archive: Path) -> Iterator[Path]:
    """The course of an autograder zip, in a folder for its owner alone, as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="autograder_course_") as folder:
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
        yield Path(folder)


def graded(lab: Lab, path: Path) -> Grade:
    """The grade of a file, or of a folder that holds one submission's files."""
    try:
        with _as_file(path) as (file, name):
            submission = read_submission(file, name, lab=lab.name)
    except Rejected as reason:
        return rejected(lab, path.name, reason)
    with closing(Judge(lab, STUDENT_UID if os.geteuid() == 0 else None)) as judge:
        return judge.grade(submission)


@contextmanager
def _as_file(path: Path) -> Iterator[tuple[Path, str]]:
    """A submission as one file: several (Gradescope unpacks zips) become a zip again, read as any other."""
    if path.is_file():
        yield path, path.name
        return
    files = [file for file in sorted(path.rglob("*")) if file.is_file() and not file.is_symlink()]
    if len(files) == 1:
        yield files[0], files[0].name
        return
    with tempfile.TemporaryDirectory(prefix="autograder_submission_") as folder:
        packed = Path(folder, "submission.zip")
        with zipfile.ZipFile(packed, "w") as archive:
            for file in files:
                archive.write(file, file.relative_to(path))
        yield packed, packed.name


# --- Otter's objects ------------------------------------------------------------------------------


def install(results: Any, grade: Grade) -> None:
    """Put every question of a grade into Otter's results, in place of whatever is there."""
    ours = grading_results(grade)
    results.results = ours.results
    results._catastrophic_error = None
    results.output = f"This submission could not be read: {grade.reason}" if grade.reason else None


def grading_results(grade: Grade) -> Any:
    """A grade as Otter's `GradingResults`, of Otter's own classes alone: its reader has no others."""
    from otter.test_files import GradingResults

    return GradingResults([_test_file(question, grade) for question in grade.questions])


def _test_file(question: QuestionResult, grade: Grade) -> Any:
    from otter.test_files.abstract_test import TestCaseResult
    from otter.test_files.exception_test import ExceptionTestFile

    cases = [_case(check) for check in question.checks] or [_whole(question, grade)]
    file = ExceptionTestFile(
        question.name, f"{question.name}.py", [case for case, *_ in cases], all_or_nothing=False
    )
    file.test_case_results = [TestCaseResult(case, message, passed) for case, message, passed in cases]
    file.update_score(question.score)
    return file


def _case(check: CheckResult) -> tuple[Any, str, bool]:
    passed = check.status == "passed"
    points = 0 if check.status == "pending" else check.possible
    message = "✅ Test case passed" if passed else f"❌ {check.status}: {check.message}"
    return _test_case(check.name, hidden=not check.visible, points=points), message, passed


def _whole(question: QuestionResult, grade: Grade) -> tuple[Any, str, bool]:
    """One case for a question without checks: a person marks it, or nothing could be read."""
    message = f"The submission could not be read: {grade.reason}" if grade.reason else "A person marks it."
    return _test_case(question.name, hidden=not grade.reason, points=question.possible), message, False


def _test_case(name: str, hidden: bool, points: int) -> Any:
    from otter.test_files import TestCase

    return TestCase(
        name=name, body="", hidden=hidden, points=points, success_message=None, failure_message=None
    )


# --- Files ----------------------------------------------------------------------------------------


def _report_failure(home: Path, problem: str) -> int:
    """Tell staff what happened, in the file that Gradescope reads; the status tells `otter grade`."""
    target = home / "results" / "results.json"
    print(problem, file=sys.stderr)
    _write(target, _json(gradescope.failure(problem)))
    return 1


def _json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{time.monotonic_ns()}")
    draft.write_bytes(data)
    draft.replace(path)


if __name__ == "__main__":
    sys.exit(main())
