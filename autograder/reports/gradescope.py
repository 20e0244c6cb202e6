"""A grade as Gradescope's `results.json`: one test a check, shown to students when the lab's policy says so.

Keys and values are those of Gradescope's autograder specification. There is no leaderboard.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograder.course import Lab
from autograder.record import CheckResult, Grade, QuestionResult
from autograder.reports.feedback import Texts, check_markdown, plain, texts

VISIBILITY = {"now": "visible", "after_publication": "after_published", "never": "hidden"}
STAFF_ONLY = "hidden"


def results(grade: Grade, lab: Lab) -> dict[str, Any]:
    """The content of `results.json` for one submission, graded or rejected."""
    return _results(
        score=grade.score,
        seconds=grade.seconds,
        output=_summary(grade),
        tests=[*_tests(grade, lab), *_remarks(grade, lab), *(_for_staff(plain(text)) for text in grade.warnings)],
    )


def failure(problem: str) -> dict[str, Any]:
    """The content of `results.json` when the grader itself failed; `problem` is for staff."""
    output = (
        "The grader stopped before it could mark this submission. That says nothing about your work: "
        "your instructors can see why, and will have it graded again."
    )
    return _results(score=0, seconds=0.0, output=output, tests=[_for_staff(f"```\n{problem}\n```")])


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
    """What every student may read at once: nothing here depends on a check."""
    if grade.reason:
        return f"**This submission could not be read:** {plain(grade.reason)}"
    return f"{grade.pending} more points are given by a person and are not in this score." if grade.pending else ""


def _tests(grade: Grade, lab: Lab) -> Iterator[dict[str, Any]]:
    told = texts(lab)
    for question in grade.questions:
        for check in question.checks:
            yield _check(question.name, check, told, _visibility(lab, check.visible))
        if not question.checks:
            yield _unread(question) if question.possible else _by_a_person(question)


def _visibility(lab: Lab, public: bool) -> str:
    return VISIBILITY[lab.feedback.public if public else lab.feedback.hidden]


def _check(question: str, check: CheckResult, told: Texts, visibility: str) -> dict[str, Any]:
    waits = f"{check.possible} points wait for a person." if check.status == "pending" else ""
    output = " ".join(part for part in (check_markdown(question, check, told), waits) if part)
    test: dict[str, Any] = {"name": f"{question}: {check.name}", "output": output, "visibility": visibility}
    if check.status == "pending":
        return test
    status = "passed" if check.status == "passed" else "failed"
    return test | {"score": check.score, "max_score": check.possible, "status": status}


def _unread(question: QuestionResult) -> dict[str, Any]:
    test = {"name": question.name, "output": "The submission could not be read.", "visibility": "visible"}
    return test | {"score": 0, "max_score": question.possible, "status": "failed"}


def _by_a_person(question: QuestionResult) -> dict[str, Any]:
    points = f"{question.pending} points, marked by a person."
    return {"name": question.name, "output": points, "visibility": "visible"}


def _remarks(grade: Grade, lab: Lab) -> Iterator[dict[str, Any]]:
    """Cells that failed, as soon as public checks are shown; notes with the hidden ones, of which they may tell."""
    cells = [f"- Cell {cell.index + 1}: {plain(cell.message)}" for cell in grade.cells]
    if cells:
        yield _remark("Cells that did not run to their end", cells, _visibility(lab, public=True))
    if grade.notes:
        yield _remark("Notes", [f"- {plain(note)}" for note in grade.notes], _visibility(lab, public=False))


def _remark(name: str, lines: list[str], visibility: str) -> dict[str, Any]:
    return {"name": name, "output": "\n".join(lines), "visibility": visibility}


def _for_staff(output: str) -> dict[str, Any]:
    return {"name": "For staff", "output": output, "visibility": STAFF_ONLY}
