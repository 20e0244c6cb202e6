"""What people add to the automatic grades: `marks.csv` for what waits for them, `overrides.csv` for the rest.

    marks.csv       file,question,points,comment     points for what is pending
    overrides.csv   file,question,points,reason      a question's points, whatever the checks say

Both lie in OUT and are applied whenever results are written, marks first, so that they survive regrading. The
gradebook itself holds what was marked automatically.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from autograder.course import Course
from autograder.record import BY_HAND, CheckResult, Grade, QuestionResult
from autograder.reports.table import harmless
from autograder.sheets import Row, read_sheet

MARKS = "marks.csv"
OVERRIDES = "overrides.csv"
_Key = tuple[str, str]


class Corrections:
    """The two tables of one OUT; either may be missing."""

    def __init__(self, out: Path, course: Course) -> None:
        """Read them. Raises SheetError for points that are none, and for questions that no lab has."""
        self._course = course
        self.marks = _table(out / MARKS, "comment", course)
        self.overrides = _table(out / OVERRIDES, "reason", course)
        self._used: set[int] = set()

    def applied(self, grade: Grade) -> Grade:
        """The grade with its marks and overrides; itself if it has none.

        Raises SheetError for points that are more than the question is worth in this file's lab, or than wait in it.
        """
        questions, notes = [], list(grade.notes)
        for question in grade.questions:
            key = _key(grade.file, question.name)
            mark, override = self.marks.get(key), self.overrides.get(key)
            if mark is not None and question.pending:
                self._used.add(id(mark))
                question = _marked(question, _points_that_wait(mark, question), mark["comment"])
            if override is not None:
                self._used.add(id(override))
                full = self._worth(grade.lab, question)
                points = _points_within(override, full, grade.lab)
                notes.append(f"{question.name}: {question.score} points became {points}. {override['reason']}".strip())
                question = replace(question, score=points, possible=full, pending=0)
            questions.append(question)
        if questions == grade.questions:
            return grade
        return replace(
            grade,
            questions=questions,
            notes=notes,
            score=sum(question.score for question in questions),
            possible=sum(question.possible for question in questions),
            pending=sum(question.pending for question in questions),
        )

    def _worth(self, lab: str, question: QuestionResult) -> int:
        """What a question is worth in a lab; the record of a file that could not be read does not say it."""
        known = self._course.labs[lab].questions.get(question.name)
        return known.points if known else question.possible + question.pending

    def unused(self) -> list[str]:
        """Rows that changed nothing, each as a sentence; ask when all grades have passed by."""
        marks = [row for row in self.marks.values() if id(row) not in self._used]
        overrides = [row for row in self.overrides.values() if id(row) not in self._used]
        return [
            f"{row.path}:{row.line}: nothing of {row['question']} in {row['file']} waits for these points."
            for row in marks
        ] + [
            f"{row.path}:{row.line}: no question {row['question']} of {row['file']} was graded here."
            for row in overrides
        ]


def _marked(question: QuestionResult, points: int, comment: str) -> QuestionResult:
    """A person's points, given to the pending checks in turn, or to one that stands for the written question."""
    checks: Iterable[CheckResult] = question.checks or [
        CheckResult(name=BY_HAND, visible=True, status="pending", score=0, possible=question.pending)
    ]
    left, marked = points, []
    for check in checks:
        if check.status == "pending":
            score = min(left, check.possible)
            left -= score
            status = "passed" if score == check.possible else "failed"
            check = replace(check, status=status, score=score, message=comment)
        marked.append(check)
    return replace(
        question,
        score=question.score + points,
        possible=question.possible + question.pending,
        pending=0,
        checks=marked,
    )


def _key(file: str, question: str) -> _Key:
    """File and question as they are compared: a Mac composes the accents of a file's name in another way."""
    return unicodedata.normalize("NFC", harmless(file)), question


def _points_that_wait(mark: Row, question: QuestionResult) -> int:
    points, place = mark.whole_number("points"), f"{mark['question']} of {mark['file']}"
    if points > question.pending:
        raise mark.error(f"{points} points are more than the {question.pending} that wait in {place}", "Write fewer")
    return points


def _points_within(override: Row, full: int, lab: str) -> int:
    points = override.whole_number("points")
    if points > full:
        raise override.error(
            f"{points} points are more than the {full} of {override['question']} in {lab}", "Write fewer"
        )
    return points


def _table(path: Path, remark: str, course: Course) -> dict[_Key, Row]:
    if not path.exists():
        return {}
    table: dict[_Key, Row] = {}
    for row in read_sheet(path, ["file", "question", "points"], optional=[remark]):
        worth = [
            lab.questions[row["question"]].points for lab in course.labs.values() if row["question"] in lab.questions
        ]
        if not worth:
            raise row.error(f"there is no question {row['question']}", "Write its name as in grading.yml")
        if row.whole_number("points") > max(worth):
            raise row.error(f"{row['points']} points are more than the question's {max(worth)}", "Write fewer")
        key = _key(row["file"], row["question"])
        if key in table:
            raise row.error(f"this file and question stand in line {table[key].line} already", "Keep one of the two")
        table[key] = row
    return table
