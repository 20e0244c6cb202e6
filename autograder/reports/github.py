"""A grade as GitHub's workflows read it: workflow commands, a job summary, and the result for Classroom's reporter.

Workflow commands are lines of the log. A text of a student's gets into one only as its message, escaped, so that it
can neither begin a line nor hold the older form of a command, which the runner finds anywhere in a line.
"""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from autograder.course import Lab
from autograder.record import CheckResult, Grade, QuestionResult
from autograder.reports.feedback import markdown

MAX_ANNOTATIONS = 10
"""GitHub shows so many of one kind for a step."""

LONGEST_MESSAGE = 1000
"""Characters of one message: the reporter gets all of them in one environment variable, which holds 128 KiB."""

STATUS = {"passed": "pass", "failed": "fail"}
"""The reporter's word for a check's status; whatever else happened is an `error`, whose message it shows."""


def runner_result(grade: Grade, lab: Lab, sentences: Mapping[tuple[str, str], str], file: str) -> dict[str, Any]:
    """The result of a test runner, as `autograding-grading-reporter` reads it.

    `sentences` says what a (question, check) asks for, `file` is the notebook. The reporter's own table counts tests,
    not points: so each point is a test, and all its totals are the grade's.
    """
    tests = [
        _test(question, check, part, sentences.get((question, check.name), ""), file, lab)
        for question, check in counted(grade, lab)
        for part in range(check.possible)
    ]
    status = "error" if grade.reason else "pass" if grade.score == grade.possible else "fail"
    return {"version": 1, "status": status, "max_score": grade.possible, "tests": tests}


def encoded(result: Mapping[str, Any]) -> str:
    """A result as a step's output holds it: base64 of JSON, in one line."""
    return base64.b64encode(json.dumps(result, ensure_ascii=False).encode()).decode()


def notices(grade: Grade) -> list[str]:
    """The two commands in which Classroom looks for a submission's points."""
    totals = json.dumps({"totalPoints": grade.score, "maxPoints": grade.possible}, separators=(",", ":"))
    return [
        command("notice", f"Points {grade.score}/{grade.possible}", title="Autograding complete"),
        command("notice", totals, title="Autograding report"),
    ]


def cell_annotations(
    grade: Grade, lab: Lab, file: str, lines: Mapping[int, int], homes: Mapping[str, int]
) -> list[str]:
    """Commands that show, at the cells of the notebook, what did not run and what is not right yet.

    `lines` are the lines at which cells begin in the file, by index; `homes` the cells that answer a question.
    """
    if grade.reason:
        return [command("error", grade.reason, file=file, line=1, title="This notebook could not be read")]
    if lab.feedback.public != "now":
        return []
    stopped = [
        command("warning", cell.message, **_place(file, lines, cell.index), title=f"Cell {cell.index + 1} stopped")
        for cell in grade.cells
    ]
    wrong = [
        command("error", _wrong(question), **_place(file, lines, homes.get(question.name)), title=question.name)
        for question in grade.questions
        if question.score < question.possible
    ]
    return stopped[:MAX_ANNOTATIONS] + wrong[:MAX_ANNOTATIONS]


def summary(grade: Grade, lab: Lab) -> str:
    """The job's summary, in Markdown, for a grade of the public part."""
    head = f"## public part: {grade.score} of {grade.possible}; the full lab has {lab.whole}"
    return f"{head}\n\n{markdown(grade, lab)}\n{_SAYS_LITTLE}\n"


_SAYS_LITTLE = (
    "These are the checks that `grader.check` runs in the notebook. Your grade is made elsewhere, with all checks; "
    "there, a slip that an earlier answer causes is charged only once."
)


def command(name: str, message: str, **properties: object) -> str:
    """A workflow command: one line, whatever the message holds."""
    listed = ",".join(f"{key}={_escaped(str(value), ':,')}" for key, value in properties.items())
    return f"::{name} {listed}::{_escaped(harmless(message))}"


def fenced(output: Mapping[int, str]) -> Iterator[str]:
    """What a notebook printed, by cell, as lines of a log in which no command is obeyed."""
    token = secrets.token_hex(16)
    yield f"::stop-commands::{token}"
    for index, text in sorted(output.items()):
        for number, line in enumerate(text.splitlines()):
            if number == 0:
                yield f"Cell {index + 1} printed:"
            yield "| " + "".join(char if char.isprintable() else " " for char in line)
    yield f"::{token}::"


def harmless(text: str) -> str:
    """One line of text that no runner takes for a command, wherever it is printed."""
    return " ".join(text.split()).replace("##[", "## [").replace("::", ": :")[:LONGEST_MESSAGE]


def _escaped(text: str, more: str = "") -> str:
    for char in "%\r\n" + more:
        text = text.replace(char, f"%{ord(char):02X}")
    return text


def counted(grade: Grade, lab: Lab) -> Iterator[tuple[str, CheckResult]]:
    """All checks that count automatically, also of a notebook that could not be read."""
    if grade.reason:
        for check in lab.checks:
            yield (
                check.question,
                CheckResult(
                    name=check.name,
                    visible=check.visible,
                    status="error",
                    score=0,
                    possible=check.points,
                    message=grade.reason,
                ),
            )
    for question in grade.questions:
        for result in question.checks:
            if result.status != "pending":
                yield question.name, result


def _test(question: str, check: CheckResult, part: int, sentence: str, file: str, lab: Lab) -> dict[str, Any]:
    part_of = f" ({part + 1} of {check.possible})" if check.possible > 1 else ""
    return {
        "name": f"{question}: {check.name}{part_of}",
        "status": STATUS.get(check.status, "error"),
        "score": check.score // check.possible,
        "message": harmless(check.message) if lab.feedback.public == "now" else "",
        "test_code": sentence,
        "filename": file,
        "line_no": 0,
        "duration": check.seconds,
    }


def _wrong(question: QuestionResult) -> str:
    failed = [check for check in question.checks if check.status not in ("passed", "pending")]
    more = f" ({len(failed) - 1} more in the summary)" if len(failed) > 1 else ""
    return f"{failed[0].name}: {failed[0].message}{more}" if failed else ""


def _place(file: str, lines: Mapping[int, int], cell: int | None) -> dict[str, object]:
    return {"file": file, "line": lines.get(-1 if cell is None else cell, 1)}
