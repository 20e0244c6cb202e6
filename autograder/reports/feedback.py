"""What a student may read of a grade, by the lab's policy: one structure, shown as Markdown, as a page, or by parts.

Whatever the place, a check that did not pass says what it asked for, what came back, and what to do next. A cause that
was named is told once a question, for it explains all of its checks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from autograder.course import Lab, suite_of
from autograder.master import MasterError, cases_of
from autograder.record import BY_HAND, CellResult, CheckResult, Grade, QuestionResult

Sentences = Mapping[tuple[str, str], str]
"""(question, name) -> text."""

UNWRITTEN = "is not written yet"
"""Stands in the message of a check that met a stub."""

MOST_PLACES = 6
"""Cells that are listed with one message."""


@dataclass(frozen=True)
class Texts:
    """What a lab says about its checks and about its misconceptions, in words that a student may read."""

    asks: Sentences
    hints: Sentences


@dataclass(frozen=True)
class Item:
    """Checks of one question that did not pass, for the same reason: usually one. `checks` are (name, what it asks)."""

    checks: tuple[tuple[str, str], ...]
    cost: str
    found: str


@dataclass(frozen=True)
class Section:
    """A question in which something is not right yet."""

    question: str
    points: str
    cause: str
    items: tuple[Item, ...]
    next_step: str


@dataclass(frozen=True)
class Row:
    """The points of one question."""

    question: str
    score: int
    possible: int
    pending: int

    @property
    def points(self) -> str:
        if not self.possible:
            return f"{self.pending} wait for a person"
        return f"{self.score} of {self.possible}" + (f", {self.pending} wait for a person" if self.pending else "")


@dataclass(frozen=True)
class Feedback:
    """All that one student may read now."""

    unreadable: str
    standing: str
    stopped: tuple[str, ...]
    rows: tuple[Row, ...]
    sections: tuple[Section, ...]
    notes: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return not self.rows and not self.unreadable


def texts(lab: Lab) -> Texts:
    """The docstrings of a lab's tests and the hints of its misconceptions; those that are not there are left out."""
    return Texts(asked(lab), _hints(lab.master.parent / "misconceptions"))


def asked(lab: Lab) -> Sentences:
    """(question, check) -> what the check asks, in words that a student may read: its test's docstring."""
    return _docstrings(lab.root, lab.name, tuple(lab.questions))


def feedback_on(grade: Grade, lab: Lab, *, published: bool = False) -> Feedback:
    """A submission's feedback; `published` once its grades are. Points are counted over what is shown alone."""
    shown = [(question, checks) for question in grade.questions if (checks := _shown(question, lab, published))]
    by_hand = [
        question for question in grade.questions if not question.checks and _is_of_a_person(question, grade, lab)
    ]
    told = texts(lab)
    return Feedback(
        unreadable=grade.reason or "",
        standing="" if grade.reason else standing(grade, lab, published=published),
        stopped=tuple(_stopped(grade.cells)) if _is_open(lab.feedback.public, published) else (),
        rows=(
            *(_row(question, checks) for question, checks in shown),
            *(_row(question, []) for question in by_hand),
        ),
        sections=tuple(section for question, checks in shown for section in _sections(question, checks, told)),
        notes=tuple(_merged(grade.notes)) if _tells_all(grade, lab, published) else (),
    )


def standing(grade: Grade, lab: Lab, *, published: bool = False) -> str:
    """One sentence: the points of what is shown, and of the whole lab."""
    checks = [_shown(question, lab, published) for question in grade.questions]
    rows = [_row(question, some) for question, some in zip(grade.questions, checks, strict=True)]
    shown = f"{sum(row.score for row in rows)} of {sum(row.possible for row in rows)} points"
    if all(len(some) == len(question.checks) for question, some in zip(grade.questions, checks, strict=True)):
        return f"{shown}." + (f" {grade.pending} more are given by a person." if grade.pending else "")
    return f"{shown} in the checks shown here; the whole lab has {lab.possible + lab.pending}, and the rest follows."


def is_silent(grade: Grade, lab: Lab, *, published: bool = False) -> bool:
    """Whether there is nothing yet that a student may read."""
    return not grade.reason and not any(_shown(question, lab, published) for question in grade.questions)


def tells_hidden(grade: Grade, lab: Lab, *, published: bool = False) -> bool:
    """Whether what a student may read tells of hidden checks."""
    return any(not check.visible for question in grade.questions for check in _shown(question, lab, published))


def finding(question: str, check: CheckResult, told: Texts) -> tuple[str, str]:
    """What a check found, and the cause that was named; the record holds both in one message."""
    hint = told.hints.get((question, check.misconception or ""), "")
    if hint and check.message.endswith(hint):
        return check.message.removesuffix(hint).strip(), hint
    return check.message, ""


def next_step(question: str, checks: Iterable[CheckResult]) -> str:
    """What to do about a question some of whose checks, these, did not pass."""
    checks = [check for check in checks if check.status not in ("passed", "pending") and check.name != BY_HAND]
    again = f'run `grader.check("{question}")` in the notebook'
    if not checks:
        return ""
    if all(UNWRITTEN in check.message for check in checks):
        return f"Write it, then {again}."
    if any(check.misconception for check in checks):
        return f"Read what the text says about it, mend it, and {again}."
    if any(check.visible for check in checks):
        return f"Mend it, then {again}."
    return f"Read the text of `{question}` once more, and try what it says on an example in the notebook."


# --- as Markdown ----------------------------------------------------------------------------------------------------


def markdown(grade: Grade, lab: Lab, *, published: bool = False) -> str:
    """`feedback_on` as Markdown."""
    told = feedback_on(grade, lab, published=published)
    parts = [
        f"**This submission could not be read:** {plain(told.unreadable)}" if told.unreadable else "",
        _list("First: cells that did not run to their end", map(plain, told.stopped)),
        _table(told.rows),
        *map(_as_markdown, told.sections),
        _list("Good to know", map(plain, told.notes)),
        "There is no feedback yet." if told.is_empty else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def check_markdown(question: str, check: CheckResult, told: Texts) -> str:
    """One check for places that show each by itself: what it asks; if it did not pass, the rest as well."""
    asks = told.asks.get((question, check.name), "")
    found, cause = finding(question, check, told)
    parts = [f"*{plain(asks)}*" if asks else "", plain(found), plain(cause), plain(next_step(question, [check]))]
    return " ".join(part for part in parts if part)


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


def _table(rows: Iterable[Row]) -> str:
    lines = [f"| {row.question} | {row.points} |" for row in rows]
    return "\n".join(["| question | points |", "|---|---|", *lines]) if lines else ""


def _as_markdown(section: Section) -> str:
    lines = [f"- {_item(item)}" for item in section.items]
    cause = f"**What we think it is:** {plain(section.cause)}" if section.cause else ""
    after = f"**Next:** {plain(section.next_step)}" if section.next_step else ""
    parts = [f"### {section.question}: {section.points}", cause, "\n".join(lines), after]
    return "\n\n".join(part for part in parts if part)


def _item(item: Item) -> str:
    named = [f"**{name}**{{}}:" + (f" *{plain(asks)}*" if asks else "") for name, asks in item.checks]
    if len(named) == 1:
        return f"{named[0].format(f' ({item.cost})')} {plain(item.found)}".rstrip()
    return "\n  - ".join([f"{plain(item.found)} ({item.cost})", *(text.format("") for text in named)])


def _list(heading: str, items: Iterable[str]) -> str:
    lines = [f"- {item}" for item in items]
    return "\n".join([f"### {heading}", "", *lines]) if lines else ""


# --- what is shown --------------------------------------------------------------------------------------------------


def _shown(question: QuestionResult, lab: Lab, published: bool) -> list[CheckResult]:
    feedback = lab.feedback
    return [c for c in question.checks if _is_open(feedback.public if c.visible else feedback.hidden, published)]


def _is_of_a_person(question: QuestionResult, grade: Grade, lab: Lab) -> bool:
    """Whether a question without checks is for a person to mark; of a file that nobody could read, whether one has."""
    return question.score > 0 if grade.reason else lab.questions[question.name].kind == "written"


def _is_open(policy: str, published: bool) -> bool:
    return policy == "now" or (published and policy == "after_publication")


def _tells_all(grade: Grade, lab: Lab, published: bool) -> bool:
    """Notes on follow-through tell of hidden checks: they wait for these."""
    hidden = any(not check.visible for question in grade.questions for check in question.checks)
    return _is_open(lab.feedback.hidden if hidden else lab.feedback.public, published)


def _row(question: QuestionResult, checks: list[CheckResult]) -> Row:
    """The question's own points where all its checks are shown, for a person may have changed them."""
    if len(checks) == len(question.checks):
        return Row(question.name, question.score, question.possible, question.pending)
    waiting = [check for check in checks if check.status == "pending"]
    marked = [check for check in checks if check.status != "pending"]
    score, possible = sum(check.score for check in marked), sum(check.possible for check in marked)
    return Row(question.name, score, possible, sum(check.possible for check in waiting))


def _sections(question: QuestionResult, checks: list[CheckResult], told: Texts) -> Iterator[Section]:
    failed = [check for check in checks if check.status != "passed" or check.message]
    if failed:
        found = {check.name: finding(question.name, check, told) for check in failed}
        cause = next((cause for _, cause in found.values() if cause), "")
        groups: dict[tuple[str, str], list[CheckResult]] = {}
        for check in failed:
            groups.setdefault((check.status, found[check.name][0]), []).append(check)
        items = tuple(_grouped(question.name, group, text, told) for (_, text), group in groups.items())
        points = _row(question, checks).points
        yield Section(question.name, points, cause, items, next_step(question.name, failed))


def _grouped(question: str, checks: list[CheckResult], found: str, told: Texts) -> Item:
    names = [check.name.replace("_", " ") for check in checks]
    if UNWRITTEN in found:  # what each check asks is of no use yet
        return Item(((", ".join(names), ""),), _cost(checks), found)
    asks = [told.asks.get((question, check.name), "") for check in checks]
    return Item(tuple(zip(names, asks, strict=True)), _cost(checks), found)


def _cost(checks: list[CheckResult]) -> str:
    """What the checks are worth; of a person's points, how many were given."""
    possible, score = sum(check.possible for check in checks), sum(check.score for check in checks)
    points = f"{possible} point{'s' * (possible != 1)}"
    if any(check.name == BY_HAND for check in checks):
        return f"{score} of {points}, given by a person"
    return f"{points}, given by a person" if checks[0].status == "pending" else points


def _stopped(cells: Iterable[CellResult]) -> Iterator[str]:
    """The cells that did not run to their end, those of one message together, the first one first."""
    places: dict[str, list[str]] = {}
    for cell in cells:
        places.setdefault(cell.message, []).append(str(cell.index + 1))
    for message, numbers in places.items():
        more = f" and {len(numbers) - MOST_PLACES} more" if len(numbers) > MOST_PLACES else ""
        yield f"Cell{'s' * (len(numbers) > 1)} {', '.join(numbers[:MOST_PLACES])}{more}: {message}"


def _merged(notes: Iterable[str]) -> Iterator[str]:
    """Notes that say the same of several questions, as one."""
    questions: dict[str, list[str]] = {}
    for note in notes:
        question, colon, rest = note.partition(": ")
        named = colon and question.isidentifier()
        questions.setdefault(rest if named else note, []).extend([question] if named else [])
    for text, names in questions.items():
        yield f"{_and(names)}: {text}" if names else text


def _and(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


# --- the lab's texts ------------------------------------------------------------------------------------------------


@cache
def _docstrings(root: Path, lab: str, questions: tuple[str, ...]) -> Sentences:
    told: dict[tuple[str, str], str] = {}
    for question, side in product(questions, ("public", "hidden")):
        suite = root / suite_of(side, lab, question)
        for node in ast.parse(suite.read_text(encoding="utf-8-sig")).body if suite.is_file() else ():
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                told[question, node.name.removeprefix("test_")] = " ".join((ast.get_docstring(node) or "").split())
    return told


@cache
def _hints(folder: Path) -> Sentences:
    try:
        return {(case.question, case.name): case.hint for case in cases_of(folder)}
    except MasterError:
        return {}
