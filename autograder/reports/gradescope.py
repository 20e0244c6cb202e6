"""A grade as Gradescope's `results.json`: one test a check, shown to students when the lab's policy says so.

Keys and values are those of Gradescope's autograder specification. There is no leaderboard.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.course import Lab
from autograder.record import CheckResult, Grade, QuestionResult

VISIBILITY = {"now": "visible", "after_publication": "after_published", "never": "hidden"}
STAFF_ONLY = "hidden"


def results(grade: Grade, lab: Lab) -> dict[str, Any]:
    """The content of `results.json` for one submission, graded or rejected."""
    return _results(
        score=grade.score,
        seconds=grade.seconds,
        output=_summary(grade),
        tests=[*_tests(grade, lab), *_notes(grade, lab), *_for_staff(grade.warnings)],
    )


def failure(problem: str, seconds: float = 0.0) -> dict[str, Any]:
    """The content of `results.json` when the grader itself failed; `problem` is for staff."""
    output = (
        "The grader stopped before it could mark this submission. That says nothing about your work: "
        "your instructors can see why, and will have it graded again."
    )
    return _results(score=0, seconds=seconds, output=output, tests=list(_for_staff([problem])))


def _results(score: int, seconds: float, output: str, tests: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "score": score,
        "execution_time": round(seconds, 3),
        "output": output,
        "output_format": "md",
        "test_output_format": "md",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": STAFF_ONLY,
        "tests": tests,
    }


def _summary(grade: Grade) -> str:
    """What every student may read at once: nothing here depends on a hidden check."""
    if grade.status == "rejected":
        return f"**This submission could not be read:** {_plain(grade.reason or '')}"
    lines = [f"- Cell {cell.index + 1} did not run to its end: {_plain(cell.message)}" for cell in grade.cells]
    if grade.pending:
        lines.append(f"- {grade.pending} more points are given by a person and are not in this score.")
    return "\n".join(lines)


def _tests(grade: Grade, lab: Lab) -> Iterator[dict[str, Any]]:
    for question in grade.questions:
        for check in question.checks:
            yield _check(question, check, lab)
        if not question.checks:
            yield _unread(question) if question.possible else _by_a_person(question)


def _check(question: QuestionResult, check: CheckResult, lab: Lab) -> dict[str, Any]:
    policy = lab.feedback.public if check.visible else lab.feedback.hidden
    test: dict[str, Any] = {
        "name": f"{question.name}: {check.name}",
        "output": _plain(check.message),
        "visibility": VISIBILITY[policy],
    }
    if check.status == "pending":
        return test | {"output": f"{check.possible} points wait for a person. {_plain(check.message)}".strip()}
    status = "passed" if check.status == "passed" else "failed"
    return test | {"score": check.score, "max_score": check.possible, "status": status}


def _unread(question: QuestionResult) -> dict[str, Any]:
    test = {"name": question.name, "output": "The submission could not be read.", "visibility": "visible"}
    return test | {"score": 0, "max_score": question.possible, "status": "failed"}


def _by_a_person(question: QuestionResult) -> dict[str, Any]:
    points = f"{question.pending} points, marked by a person."
    return {"name": question.name, "output": points, "visibility": "visible"}


def _notes(grade: Grade, lab: Lab) -> Iterator[dict[str, Any]]:
    """Repairs and follow-through; the latter tells of hidden checks, so both wait for their publication."""
    if grade.notes:
        output = "\n".join(f"- {_plain(note)}" for note in grade.notes)
        yield {"name": "Notes", "output": output, "visibility": VISIBILITY[lab.feedback.hidden]}


def _for_staff(texts: list[str]) -> Iterator[dict[str, Any]]:
    for text in texts:
        yield {"name": "For staff", "output": _plain(text), "visibility": STAFF_ONLY}


def _plain(text: str) -> str:
    """Text whose HTML, if a student put any in it, shows as written."""
    return text.replace("&", "&amp;").replace("<", "&lt;")
