"""Grades in SQLite: nothing graded is lost, and nothing unchanged is graded again.

Each grade is one row and one transaction, written when it is there, so that a grader that is killed loses no more
than what it was working on. Rows are never changed: of a file's rows the newest counts, and the one before it tells
what a regrade has changed.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from autograder.errors import Explained
from autograder.fingerprint import Fingerprint
from autograder.record import Grade

SCHEMA = 1
"""Kept in the file as `user_version`; raised when the tables change."""

APPLICATION = 0x47524144
"""Kept in the file as `application_id`: another program's database is not taken for a gradebook."""

_TABLES = """
CREATE TABLE grades (
    number INTEGER PRIMARY KEY,   -- counts up: of one file, the highest is the one that counts
    file TEXT NOT NULL,
    lab TEXT NOT NULL,
    asked TEXT NOT NULL,          -- the lab named on the command line; empty where the notebook said it
    submission TEXT NOT NULL,     -- sha256 of the file
    suite TEXT NOT NULL,
    rubric TEXT NOT NULL,
    answers TEXT NOT NULL,
    grader TEXT NOT NULL,
    status TEXT NOT NULL,
    record BLOB NOT NULL          -- JSON, autograder/grade/v1
);
CREATE INDEX newest ON grades (file, number);
"""


REJECTED = ""
"""Stands for a lab in the fingerprints: refusals hang on no lab."""


class GradebookError(Explained):
    """The gradebook cannot be used; the text says why, and what to do. The file is as it was."""


class Graded(NamedTuple):
    """A grade, and all that it hangs on."""

    grade: Grade
    asked: str
    on: Fingerprint


class Change(NamedTuple):
    """One question of one file whose points differ from the grade before; None where it was not there."""

    file: str
    question: str
    before: int | None
    after: int | None
    why: str


class Gradebook:
    """One OUT's grades. Use as a context manager: meanwhile no other grader may open it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Gradebook:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise GradebookError(
                f"{self.path.parent} cannot be made: {error.strerror}. Name another folder with --out."
            ) from None
        with self._explained():
            self._db = _opened(self.path)
        return self

    def __exit__(self, *exc: object) -> None:
        with contextlib.suppress(sqlite3.Error):  # what is written is safe, in the file itself or beside it
            self._db.close()

    def add(self, graded: Graded) -> None:
        """Keep a grade. Raises GradebookError when it cannot be written; then none is lost but this."""
        grade, asked, on = graded
        values = (grade.file, grade.lab, asked, grade.sha256, *msgspec.structs.astuple(on), grade.status)
        with self._explained(), self._db:
            self._db.execute(
                "INSERT INTO grades (file, lab, asked, submission, suite, rubric, answers, grader, status, record) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*values, msgspec.json.encode(grade)),
            )

    def has(self, file: str, asked: str, submission: str, on: dict[str, Fingerprint]) -> bool:
        """Whether this content of a file has its grade under the present fingerprints; it then counts again.

        `on` has one for each lab, and under REJECTED that of refusals.
        """
        with self._explained():
            rows = self._db.execute(
                "SELECT number, CASE status WHEN 'graded' THEN lab ELSE '' END, suite, rubric, answers, grader "
                "FROM grades WHERE file = ? AND asked = ? AND submission = ? ORDER BY number DESC",
                (file, asked, submission),
            ).fetchall()
            for number, lab, *parts in rows:
                if on.get(lab) == Fingerprint(*parts):
                    self._make_newest(number, file)
                    return True
        return False

    def newest(self, file: str, lab: str | None = None) -> Grade | None:
        """The grade that counts for a file, in one lab or in whichever was graded last."""
        return next(self._history(file, lab), None)

    def changes(self, file: str, lab: str | None = None) -> list[Change] | None:
        """What the newest grade of a file changed against the one before; None if that was its first."""
        with self._explained():
            rows = self._db.execute(
                "SELECT submission, suite, rubric, answers, grader, record FROM grades "
                "WHERE file = ?1 AND lab = (SELECT lab FROM grades WHERE file = ?1 AND lab = coalesce(?2, lab) "
                "ORDER BY number DESC LIMIT 1) ORDER BY number DESC LIMIT 2",
                (file, lab),
            ).fetchall()
        if len(rows) < 2:
            return None
        (*now, after), (*then, before) = rows
        names = ("submission", "suite", "rubric", "answers", "grader")
        why = " and ".join(name for name, a, b in zip(names, now, then, strict=True) if a != b)
        old, new = (_points(_decode(record)) for record in (before, after))
        return [
            Change(file, question, old.get(question), new.get(question), why or "graded afresh")
            for question in dict.fromkeys([*new, *old])
            if old.get(question) != new.get(question)
        ]

    def __len__(self) -> int:
        with self._explained():
            return int(self._db.execute("SELECT count(*) FROM (SELECT DISTINCT file, lab FROM grades)").fetchone()[0])

    def _history(self, file: str, lab: str | None) -> Iterator[Grade]:
        with self._explained():
            rows = self._db.execute(
                "SELECT record FROM grades WHERE file = ?1 AND lab = coalesce(?2, lab) ORDER BY number DESC",
                (file, lab),
            )
            for (record,) in rows:
                yield _decode(record)

    def _make_newest(self, number: int, file: str) -> None:
        with self._db:
            self._db.execute(
                "UPDATE grades SET number = (SELECT max(number) + 1 FROM grades) WHERE number = ?1 "
                "AND number < (SELECT max(number) FROM grades WHERE file = ?2)",
                (number, file),
            )

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _explained(self.path, error) from None
        except msgspec.MsgspecError:
            raise GradebookError(_DAMAGED.format(path=self.path)) from None


def _decode(record: bytes) -> Grade:
    return msgspec.json.decode(record, type=Grade)


def _points(grade: Grade) -> dict[str, int]:
    return {question.name: question.score for question in grade.questions}


# --- opening --------------------------------------------------------------------------------------------------------


def _opened(path: Path) -> sqlite3.Connection:
    """Look at a file before anything is written to it, and only then use it; nobody else can until it is closed."""
    fresh = not path.exists() or path.stat().st_size == 0
    db = sqlite3.connect(path, timeout=1)
    try:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        if fresh:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(
                f"BEGIN EXCLUSIVE; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA}; "
                f"{_TABLES} COMMIT;"
            )
        _look(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")  # with WAL: a killed process loses nothing, a power cut the last few
        db.executescript("BEGIN EXCLUSIVE; COMMIT;")
    except BaseException:
        db.close()
        raise
    return db


def _look(db: sqlite3.Connection, path: Path) -> None:
    application, version = (
        int(db.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("application_id", "user_version")
    )
    if application != APPLICATION:
        raise GradebookError(
            f"{path} is no gradebook of this program's. Name another folder with --out, or move it away."
        )
    if version > SCHEMA:
        raise GradebookError(
            f"{path} was written by a newer autograder (its tables are version {version}, this one knows {SCHEMA}). "
            "Install that one, or name another folder with --out."
        )
    if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise GradebookError(_DAMAGED.format(path=path))


_DAMAGED = (
    "{path} is damaged. Put a copy of it back if you have one; else move it away, and everything is graded again."
)


def _explained(path: Path, error: sqlite3.Error) -> GradebookError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or code == sqlite3.SQLITE_IOERR:
        return GradebookError(
            f"{path} cannot be written: {error}. Its earlier grades are safe. Make room on the disk; the same command "
            "then goes on where it stopped."
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return GradebookError(_DAMAGED.format(path=path))
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return GradebookError(f"{path} cannot be written: {error}. Look at the permissions of its folder.")
    if code == sqlite3.SQLITE_BUSY:
        return GradebookError(
            f"another grader is at work on {path.parent}. Wait until it ends, or name another folder with --out."
        )
    return GradebookError(f"{path}: {error}. Move it away to have everything graded again.")
