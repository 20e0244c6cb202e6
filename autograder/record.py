"""The record of one submission, which everything else reads: one line of `grades.jsonl`."""

from __future__ import annotations

import msgspec

from autograder.course import Lab
from autograder.submission import Rejected, student_name

SCHEMA = "autograder/grade/v1"

BY_HAND = "by_hand"
"""The check that stands for a written question once a person has marked it."""


class CheckResult(msgspec.Struct, kw_only=True):
    """One check. `status`: passed, failed, error, timeout, skipped or pending (for a person)."""

    name: str
    visible: bool
    status: str
    score: int
    possible: int
    message: str = ""
    misconception: str | None = None
    follow_through: bool = False
    seconds: float = 0.0


class QuestionResult(msgspec.Struct, kw_only=True):
    """One question: `possible` counts what is marked automatically, `pending` what waits for a person."""

    name: str
    score: int
    possible: int
    pending: int
    checks: list[CheckResult]


class CellResult(msgspec.Struct, kw_only=True):
    """A cell that did not run to its end; `index` counts from 0. `status`: error, timeout or killed."""

    index: int
    status: str
    message: str


class Grade(msgspec.Struct, kw_only=True):
    """One submission. `warnings` are for staff alone, `notes` for students too."""

    schema: str = SCHEMA
    lab: str
    file: str
    student: str
    sha256: str
    status: str
    reason: str | None
    score: int
    possible: int
    pending: int
    seconds: float
    protections: list[str]
    warnings: list[str]
    notes: list[str]
    cells: list[CellResult]
    questions: list[QuestionResult]


def rejected(lab: Lab, file: str, reason: Rejected) -> Grade:
    """The record of a submission that could not be read: every question is there, with zero points."""
    questions = [
        QuestionResult(
            name=question.name,
            score=0,
            possible=question.points if question.kind == "auto" else 0,
            pending=0,
            checks=[],
        )
        for question in lab.questions.values()
    ]
    return Grade(
        lab=lab.name,
        file=file,
        student=student_name(file),
        sha256=reason.sha256,
        status="rejected",
        reason=str(reason),
        score=0,
        possible=sum(question.possible for question in questions),
        pending=0,
        seconds=0.0,
        protections=[],
        warnings=[reason.for_staff] if reason.for_staff else [],
        notes=[],
        cells=[],
        questions=questions,
    )
