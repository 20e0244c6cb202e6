"""`grades.csv` and `grades.jsonl`: one row, one line a submission."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

import msgspec

from autograder.record import Grade

COLUMNS = ("file", "student", "lab", "status", "score", "possible", "pending", "percent")


def csv_rows(grades: Iterable[Grade], questions: list[str]) -> Iterator[list[str]]:
    """The header, then a row a grade; every question has its column, whatever the grade holds."""
    yield [*COLUMNS, *questions]
    for grade in grades:
        scores = {question.name: str(question.score) for question in grade.questions}
        percent = f"{100 * grade.score / grade.possible:.1f}" if grade.possible else ""
        head = [grade.file, grade.student, grade.lab, grade.status]
        counts = [str(grade.score), str(grade.possible), str(grade.pending), percent]
        yield [*map(_harmless, head), *counts, *(scores.get(name, "") for name in questions)]


def as_csv(grades: Iterable[Grade], questions: list[str]) -> str:
    """`grades.csv`, with the quoting of RFC 4180."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(csv_rows(grades, questions))
    return text.getvalue()


def as_json_lines(grades: Iterable[Grade]) -> bytes:
    """`grades.jsonl`."""
    return b"".join(msgspec.json.encode(grade) + b"\n" for grade in grades)


def _harmless(text: str) -> str:
    """A spreadsheet takes a cell that starts with =, +, - or @ for a formula; a quote in front makes it text."""
    return f"'{text}" if text[:1] in ("=", "+", "@", "\t", "\r") else text
