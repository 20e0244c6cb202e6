"""Feedback, back to where the work came from: a comment on the very commit that was graded.

What a comment tells is the lab's policy's to say. It is never said twice, and what hidden checks found is told of one
repository only once in `hours_between` hours: or else pushing and waiting would find out what they test.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import msgspec

from autograder.collection import Collection, CollectionError, Entry
from autograder.course import Course, Lab
from autograder.files import write_whole
from autograder.github_api import Api, Refused
from autograder.record import Grade
from autograder.reports.feedback import is_silent, markdown, standing, tells_hidden

FILE = "published.json"
LONGEST = 60_000
"""Characters of one comment; GitHub takes 65,536."""

PAUSE = 1.0
"""Seconds between comments: GitHub asks for that much."""

Outcome = Literal["published", "known", "silent", "waiting", "stale", "refused"]


class Told(msgspec.Struct):
    """What one repository was told last: the digest of it, and when it heard of hidden checks."""

    digest: str
    hidden: datetime | None = None


@dataclass
class Publisher:
    """Publishes grades of one collection, which lies in `folder`; `grades_are_out` opens what waits for that."""

    api: Api
    collection: Collection
    folder: Path
    course: Course
    now: datetime
    grades_are_out: bool = False

    def __post_init__(self) -> None:
        self._told = _load(self.folder / FILE)

    def publish(self, grades: Iterable[Grade]) -> Iterator[tuple[Entry, Outcome, str]]:
        """Each repository's entry, what became of its feedback, and why if it was refused. Raises GitHubError."""
        numbers = {entry.file: number for number, entry in self.collection.repositories.items() if entry.file}
        for grade in grades:
            if grade.file in numbers:
                number = numbers[grade.file]
                entry = self.collection.repositories[number]
                try:
                    yield entry, self._publish(number, entry, grade), ""
                except Refused as refused:
                    if refused.status == 401:
                        raise
                    yield entry, "refused", str(refused)

    def _publish(self, number: str, entry: Entry, grade: Grade) -> Outcome:
        lab = self.course.labs[grade.lab]
        hidden = tells_hidden(grade, lab, published=self.grades_are_out)
        before = self._told.get(number)
        text = comment(entry, grade, lab, self.grades_are_out)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if grade.sha256 != entry.sha256:
            return "stale"
        if is_silent(grade, lab, published=self.grades_are_out):
            return "silent"
        if before and before.digest == digest:
            return "known"
        if (
            hidden
            and before
            and before.hidden
            and self.now - before.hidden < timedelta(hours=lab.feedback.hours_between)
        ):
            return "waiting"
        self.api.post(
            f"repos/{self.collection.organisation}/{entry.name}/commits/{entry.commit}/comments", {"body": text}
        )
        self._told[number] = Told(digest, self.now if hidden else before.hidden if before else None)
        write_whole(self.folder / FILE, msgspec.json.format(msgspec.json.encode(self._told), indent=1) + b"\n")
        self.api.sleep(PAUSE)
        return "published"


def read_grades(graded: Path) -> Iterator[Grade]:
    """The grades of a folder that `autograder grade` wrote. Raises CollectionError."""
    path = graded / "grades.jsonl"
    try:
        with path.open("rb") as file:
            for line in file:
                yield msgspec.json.decode(line, type=Grade)
    except OSError as error:
        raise CollectionError(f"{path} cannot be read: {error.strerror}. Grade first, or look at --graded.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise CollectionError(f"{path} is damaged. Run `autograder grade` again; it grades nothing twice.") from None


def comment(entry: Entry, grade: Grade, lab: Lab, grades_are_out: bool) -> str:
    """The comment on a commit: what the student may read of the grade, and which push it is for."""
    head = f"## {lab.title}: {standing(grade, lab, published=grades_are_out)}"
    pushed = f", pushed {entry.pushed:%Y-%m-%d %H:%M} UTC" if entry.pushed else ""
    foot = f"For `{entry.path}` as of commit {str(entry.commit)[:12]}{pushed}."
    text = markdown(grade, lab, published=grades_are_out)
    if len(text) > LONGEST:
        text = text[:LONGEST].rpartition("\n")[0] + "\n\nThe rest is too long for a comment. Ask your instructor.\n"
    return f"{head}\n\n{text}\n{foot}\n"


def _load(path: Path) -> dict[str, Told]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Told])
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CollectionError(f"{path} cannot be read: {error.strerror}. Look at its permissions.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise CollectionError(
            f"{path} is damaged, so nobody knows who was told what. Put a copy of it back; or move it away, and "
            "everybody may be told once more."
        ) from None
