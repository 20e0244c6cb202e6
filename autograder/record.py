"""The record of one submission, which everything else reads: one line of `grades.jsonl`."""

from __future__ import annotations

import msgspec

SCHEMA = "autograder/grade/v1"


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
