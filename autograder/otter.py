"""Otter and Gradescope: the same grades, in the places where they look for them.

Otter's kernel never runs student code. Under `otter run` the `Plugin` hands Otter an empty notebook, grades
the real one in the sandbox and installs every question's result. In a container (`otter grade`, Gradescope)
the zip's own `run_autograder` calls `main`, which reads what Otter cannot and needs no kernel and no Otter.
"""

from __future__ import annotations

import json
import os
import pickle
import struct
import sys
import tempfile
import traceback
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.classroom import Grader, Task
from autograder.course import Course, Feedback, load_course
from autograder.files import write_whole
from autograder.protections import VARIABLE, insist, named
from autograder.record import CheckResult, Grade, QuestionResult
from autograder.reports import gradescope
from autograder.sandbox.slots import own_uid

COURSE_ZIP = "requirements.course.zip"
"""The course in the autograder zip; Otter's image build lays only `requirements.*` beside `setup.sh`."""

COURSE_FOLDER = Path("/opt/autograder/course")
"""Where `setup.sh` unpacks it, for root alone."""


class Plugin:
    """What `otter_config.json` names as `autograder.otter.Plugin`; `otter run` calls its events in order.

    Otter asks a plugin for the events it has and for nothing else: no class of Otter's is needed here.
    """

    def __init__(self, submission_path: str, submission_metadata: dict[str, Any], config: dict[str, Any]) -> None:
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
                loaded = load_course(course)
                grade = graded(loaded, self.path)
                install(results, grade, loaded.labs[grade.lab].feedback)
        except Exception as error:
            results._catastrophic_error = error


def main(home: Path = Path("/autograder"), course: Path = COURSE_FOLDER) -> int:
    """`run_autograder`, as root: grade `submission/`, write `results.json` and, for Otter, `results.pkl`."""
    try:
        keep_from_students(home)
        loaded = load_course(course)
        grade = graded(loaded, home / "submission")
        write_whole(home / "results" / "results.json", _json(gradescope.results(grade, loaded.labs[grade.lab])))
        write_whole(home / "results" / "results.pkl", pickled_results(grade))
    except Exception:
        return _report_failure(home, traceback.format_exc())
    return 0


def keep_from_students(home: Path) -> None:
    """Make everything in the container's folder readable by its owner alone, whoever unpacked it."""
    for folder in ("source", "submission", "results"):
        (home / folder).chmod(0o700)


@contextmanager
def unpacked_course(archive: Path) -> Iterator[Path]:
    """The course of an autograder zip, in a folder for its owner alone, as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="autograder_course_") as folder:
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
        yield Path(folder)


def graded(course: Course, path: Path) -> Grade:
    """The grade of a file, or of a folder that holds one submission's files, for a course of one lab.

    Raises ProtectionError where less is on than the environment demands.
    """
    insist(named(os.environ.get(VARIABLE, "")))
    (lab,) = course.labs
    with _as_file(path) as file, Grader(course, own_uid()) as grader:
        return grader.grade(Task(file.name, file, lab))


@contextmanager
def _as_file(path: Path) -> Iterator[Path]:
    """A submission as one file: several (Gradescope unpacks zips) become a zip again, read as any other."""
    if path.is_file():
        yield path
        return
    files = [file for file in sorted(path.rglob("*")) if file.is_file() and not file.is_symlink()]
    if len(files) == 1:
        yield files[0]
        return
    with tempfile.TemporaryDirectory(prefix="autograder_submission_") as folder:
        packed = Path(folder, "submission.zip")
        with zipfile.ZipFile(packed, "w") as archive:
            for file in files:
                archive.write(file, file.relative_to(path))
        yield packed


# --- Otter's objects ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Object:
    """An object by its class, arguments and attributes: enough to pickle it where there is no Otter."""

    kind: str
    attributes: dict[str, Any]
    arguments: tuple[str, ...] = ()


KINDS = {
    "Exception": "builtins",
    "GradingResults": "otter.test_files",
    "ExceptionTestFile": "otter.test_files.exception_test",
    "TestCase": "otter.test_files.abstract_test",
    "TestCaseResult": "otter.test_files.abstract_test",
}


def install(results: Any, grade: Grade, feedback: Feedback) -> None:
    """Put every question of a grade into Otter's results, in place of whatever is there.

    Otter shows public results at once; where the lab's policy keeps them, it is told to hide everything.
    """
    ours = pickle.loads(pickled_results(grade))
    results.results = ours.results
    results._catastrophic_error = None
    results.output = _unreadable(grade) if grade.reason else None
    if feedback.public == "never" or (feedback.public, feedback.hidden) == ("after_publication", "never"):
        results.hide_everything()


def pickled_results(grade: Grade) -> bytes:
    """`results.pkl` as `otter grade` reads it: a `GradingResults` with every question.

    A pickle names classes and holds attributes. So the container needs neither Otter nor its many packages,
    and what leaves it names four classes of Otter's and nothing else. The reason why a submission could not be
    read stands where `otter grade` looks for the status of its row.
    """
    unreadable = _Object("Exception", {}, (_unreadable(grade),)) if grade.reason else None
    results = _Object(
        "GradingResults",
        {
            "results": {question.name: _test_file(question, grade) for question in grade.questions},
            "output": None,
            "all_hidden": False,
            "pdf_error": None,
            "notebook": None,
            "_catastrophic_error": unreadable,
            "_plugin_data": {},
        },
    )
    return b"\x80\x02" + _pickled(results) + b"."


def _test_file(question: QuestionResult, grade: Grade) -> _Object:
    results = [_case(check) for check in question.checks] or [_whole(question, grade)]
    attributes = {
        "name": question.name,
        "path": f"{question.name}.py",
        "test_cases": [result.attributes["test_case"] for result in results],
        "all_or_nothing": False,
        "test_case_results": results,
        "_score": question.score,
    }
    return _Object("ExceptionTestFile", attributes)


def _case(check: CheckResult) -> _Object:
    passed = check.status == "passed"
    points = 0 if check.status == "pending" else check.possible
    message = "✅ Test case passed" if passed else f"❌ {check.status}: {check.message}"
    return _case_result(check.name, not check.visible, points, message, passed)


def _whole(question: QuestionResult, grade: Grade) -> _Object:
    """One case for a question without checks: nothing could be read, or a person marks it."""
    message = _unreadable(grade) if grade.reason else f"A person marks it: {question.pending} points."
    return _case_result(question.name, not grade.reason, question.possible, message, False)


def _case_result(name: str, hidden: bool, points: int, message: str, passed: bool) -> _Object:
    case = {"name": name, "body": "", "hidden": hidden, "points": points}
    case |= {"success_message": None, "failure_message": None}
    attributes = {"test_case": _Object("TestCase", case), "message": message, "passed": passed}
    return _Object("TestCaseResult", attributes)


def _unreadable(grade: Grade) -> str:
    return f"This submission could not be read: {grade.reason}"


def _pickled(value: Any) -> bytes:
    """A value in pickle's second protocol, as `pickletools.dis` shows it."""
    match value:
        case None:
            return b"N"
        case bool():
            return b"\x88" if value else b"\x89"
        case int():
            return b"J" + struct.pack("<i", value)
        case str():
            data = value.encode(errors="replace")
            return b"X" + struct.pack("<I", len(data)) + data
        case list():
            return b"](" + b"".join(map(_pickled, value)) + b"e"
        case dict():
            return b"}(" + b"".join(_pickled(part) for item in value.items() for part in item) + b"u"
        case tuple():
            return b"(" + b"".join(map(_pickled, value)) + b"t"
        case _Object(kind, attributes, arguments):
            name = f"c{KINDS[kind]}\n{kind}\n".encode()
            return name + _pickled(arguments) + b"\x81" + _pickled(attributes) + b"b"
    raise TypeError(f"{type(value).__name__} has no place in Otter's results")


# --- Files ----------------------------------------------------------------------------------------


def _report_failure(home: Path, problem: str) -> int:
    """Tell staff what happened, in the file that Gradescope reads; the status tells `otter grade`."""
    print(problem, file=sys.stderr)
    write_whole(home / "results" / "results.json", _json(gradescope.failure(problem)))
    return 1


def _json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


if __name__ == "__main__":
    sys.exit(main())
