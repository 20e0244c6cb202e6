"""Feedback in Markdown: what a student may read of a grade, by the lab's policy, wherever it is shown."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from autograder.course import Lab
from autograder.record import CheckResult, Grade, QuestionResult


def markdown(grade: Grade, lab: Lab, *, published: bool = False) -> str:
    """A submission's feedback; `published` once its grades are. Points are counted over what is shown alone."""
    shown = [(question, checks) for question in grade.questions if (checks := _shown(question, lab, published))]
    told = asked(lab)
    parts = [
        _unreadable(grade),
        _list("Cells that did not run to their end", _cells(grade) if _is_open(lab.feedback.public, published) else []),
        _table(shown),
        *(_question(question, checks, told) for question, checks in shown),
        _list("Notes", map(plain, grade.notes) if _tells_all(grade, lab, published) else []),
        f"{grade.pending} more points are given by a person." if grade.pending else "",
        "" if shown or grade.reason else "There is no feedback yet.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def asked(lab: Lab) -> Mapping[tuple[str, str], str]:
    """(question, check) -> what the check asks, in words that a student may read: its test's docstring."""
    suites = [(name, suite(name)) for name in lab.questions for suite in (lab.public_suite, lab.hidden_suite)]
    return _docstrings(tuple(suites))


def standing(grade: Grade, lab: Lab, *, published: bool = False) -> str:
    """One sentence: the points of what is shown, and of the whole lab."""
    checks = [check for question in grade.questions for check in _shown(question, lab, published)]
    shown = f"{_points(checks)} points"
    if len(checks) == sum(len(question.checks) for question in grade.questions):
        return f"{shown}."
    return f"{shown} in the checks shown here; the whole lab has {lab.possible + lab.pending}, and the rest follows."


def is_silent(grade: Grade, lab: Lab, *, published: bool = False) -> bool:
    """Whether there is nothing yet that a student may read."""
    return not grade.reason and not any(_shown(question, lab, published) for question in grade.questions)


def tells_hidden(grade: Grade, lab: Lab, *, published: bool = False) -> bool:
    """Whether what a student may read tells of hidden checks."""
    return any(not check.visible for question in grade.questions for check in _shown(question, lab, published))


@cache
def _docstrings(suites: tuple[tuple[str, Path], ...]) -> Mapping[tuple[str, str], str]:
    told: dict[tuple[str, str], str] = {}
    for question, suite in suites:
        for node in ast.parse(suite.read_text(encoding="utf-8")).body if suite.is_file() else ():
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                told[question, node.name.removeprefix("test_")] = " ".join((ast.get_docstring(node) or "").split())
    return told


def plain(text: str) -> str:
    """One line of text as Markdown that shows it as it stands: `code` stays code, all else is only text.

    Messages hold words of students' own: they must not become links, pictures, headings, mentions or HTML.
    """
    pieces = re.split(r"`([^`]*)`", " ".join(text.split()))
    return "".join(f"`{piece}`" if odd else _SPECIAL.sub(_escaped, piece) for piece, odd in _alternately(pieces))


_SPECIAL = re.compile(r"[\\`*_\[\]#|<>~&@$]|(?<=:)/(?=/)|(?<=www)\.")


def _escaped(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"


def _alternately(pieces: list[str]) -> Iterator[tuple[str, bool]]:
    return ((piece, position % 2 == 1) for position, piece in enumerate(pieces) if piece)


def _shown(question: QuestionResult, lab: Lab, published: bool) -> list[CheckResult]:
    feedback = lab.feedback
    return [c for c in question.checks if _is_open(feedback.public if c.visible else feedback.hidden, published)]


def _is_open(policy: str, published: bool) -> bool:
    return policy == "now" or (published and policy == "after_publication")


def _tells_all(grade: Grade, lab: Lab, published: bool) -> bool:
    """Notes on follow-through tell of hidden checks: they wait for these."""
    hidden = any(not check.visible for question in grade.questions for check in question.checks)
    return _is_open(lab.feedback.hidden if hidden else lab.feedback.public, published)


def _unreadable(grade: Grade) -> str:
    return f"**This submission could not be read:** {plain(grade.reason)}" if grade.reason else ""


def _table(shown: list[tuple[QuestionResult, list[CheckResult]]]) -> str:
    rows = [f"| {question.name} | {_points(checks)} |" for question, checks in shown]
    return "\n".join(["| question | points |", "|---|---|", *rows]) if rows else ""


def _points(checks: list[CheckResult]) -> str:
    marked = [check for check in checks if check.status != "pending"]
    return f"{sum(check.score for check in marked)} of {sum(check.possible for check in marked)}"


def _question(question: QuestionResult, checks: list[CheckResult], told: Mapping[tuple[str, str], str]) -> str:
    failed = [check for check in checks if check.status != "passed"]
    return _list(question.name, (_failed(check, told.get((question.name, check.name), "")) for check in failed))


def _failed(check: CheckResult, asks: str) -> str:
    asks = f" *{plain(asks)}*" if asks else ""
    return f"**{check.name.replace('_', ' ')}** ({_cost(check)}):{asks} {plain(check.message)}"


def _cost(check: CheckResult) -> str:
    points = f"{check.possible} point{'s' * (check.possible != 1)}"
    return f"{points}, given by a person" if check.status == "pending" else points


def _cells(grade: Grade) -> Iterator[str]:
    return (f"Cell {cell.index + 1}: {plain(cell.message)}" for cell in grade.cells)


def _list(heading: str, items: Iterator[str] | list[str]) -> str:
    lines = [f"- {item}" for item in items]
    return "\n".join([f"### {heading}", "", *lines]) if lines else ""
