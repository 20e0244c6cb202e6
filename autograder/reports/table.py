"""`grades.csv`, `grades.jsonl` and `changes.csv`: one row, one line a submission or a change.

All are made a piece at a time, so that a class of any size fits.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from autograder.record import Grade

COLUMNS = ("file", "student", "lab", "status", "score", "possible", "pending", "percent")
CHANGES = ("file", "question", "before", "after", "why")


def csv_rows(grades: Iterable[Grade], questions: Sequence[str]) -> Iterator[Sequence[object]]:
    """The header, then a row a grade; every question has its column, whatever the grade holds."""
    yield [*COLUMNS, *questions]
    for grade in grades:
        scores = {question.name: question.score for question in grade.questions}
        percent = f"{100 * grade.score / grade.possible:.1f}" if grade.possible else ""
        head = [grade.file, grade.student, grade.lab, grade.status]
        counts = [grade.score, grade.possible, grade.pending, percent]
        yield [*map(harmless, head), *counts, *(scores.get(name, "") for name in questions)]


def as_csv(rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    """Rows as CSV in UTF-8, with the quoting of RFC 4180."""
    for row in rows:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(row)
        yield text.getvalue().encode()


def as_json_lines(grades: Iterable[Grade]) -> Iterator[bytes]:
    """`grades.jsonl`."""
    return (msgspec.json.encode(grade) + b"\n" for grade in grades)


def harmless(text: str) -> str:
    """A spreadsheet takes some cells for formulas; a quote in front makes them text. `-rf.ipynb` is none of them."""
    return f"'{text}" if _FORMULA.match(text) else text


_FORMULA = re.compile(r"[=+@\t\r]|-.*[^\w .()-]")
