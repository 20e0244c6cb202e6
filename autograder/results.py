"""The grades of one call as everyone shall see them, and the files that hold them.

The gradebook keeps what was marked automatically. Here the roster's names, people's marks and overrides, and the rule
for several attempts of one student are laid over it. Grades are read one at a time, each time anew: a class of any
size needs no memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from autograder.corrections import Corrections
from autograder.course import Course
from autograder.files import write_whole
from autograder.gradebook import Change, Gradebook
from autograder.origin import STRAY
from autograder.record import Grade
from autograder.reports.table import CHANGES, as_csv, as_json_lines, csv_rows, harmless
from autograder.roster import Roster, folded

SEPARATOR = "; "
"""Between the students of one file."""


@dataclass
class Results:
    """The submissions `files` (in path order) of one OUT. Iterate over them as often as needed."""

    book: Gradebook
    course: Course
    files: Sequence[str]
    lab: str | None
    corrections: Corrections
    roster: Roster | None = None
    unknown: list[str] = field(default_factory=list)
    """Files that the roster has no student for."""
    set_aside: int = 0
    """Attempts that do not count: the lab's rule takes another one of the same student."""
    rejected: dict[str, str] = field(default_factory=dict)
    """Files that could not be graded: why, and what staff can do."""
    strays: dict[str, str] = field(default_factory=dict)
    """Files that were made for another lab than the one they were graded as, in a sentence each."""
    absent: list[str] = field(default_factory=list)
    """Students of the roster who handed in nothing."""

    def __post_init__(self) -> None:
        self._students = self._counting_attempts()

    def __iter__(self) -> Iterator[Grade]:
        for file in self.files:
            students = self._students.get(file, ())
            if students is not None:
                grade = self._grade(file)
                yield replace(grade, student=SEPARATOR.join(students)) if students else grade

    @property
    def questions(self) -> list[str]:
        """All questions of the labs that occur, in the rubric's order."""
        labs = {grade.lab for grade in self}
        names = [name for lab in self.course.labs.values() if lab.name in labs for name in lab.questions]
        return list(dict.fromkeys(names))

    def changes(self) -> list[Change] | None:
        """What the last regrade changed; None where no file was graded before."""
        found = [self.book.changes(file, self.lab) for file in self.files]
        known = [changes for changes in found if changes is not None]
        return [change for changes in known for change in changes] if known else None

    def write(self, out: Path) -> None:
        """Write `grades.csv`, `grades.jsonl` and, after a regrade, `changes.csv`."""
        write_whole(out / "grades.csv", as_csv(csv_rows(self, self.questions)))
        write_whole(out / "grades.jsonl", as_json_lines(self))
        changes = self.changes()
        if changes is None:
            (out / "changes.csv").unlink(missing_ok=True)
        else:
            rows = ((harmless(c.file), c.question, c.before, c.after, c.why) for c in changes)
            write_whole(out / "changes.csv", as_csv([CHANGES, *rows]))

    def _grade(self, file: str) -> Grade:
        grade = self.book.newest(file, self.lab)
        assert grade is not None, file
        return self.corrections.applied(grade)

    def _counting_attempts(self) -> dict[str, tuple[str, ...] | None]:
        """File -> the students for whom it counts; None where another attempt counts for all of them.

        Files of labs that count every attempt have only the roster's names, if any.
        """
        students: dict[str, tuple[str, ...] | None] = {}
        best: dict[tuple[str, str], tuple[tuple[object, ...], str]] = {}
        handed_in: dict[str, tuple[str, ...]] = {}
        for file in self.files:
            grade = self._grade(file)
            if grade.status == "rejected":
                self.rejected[file] = " ".join([grade.reason or "", *grade.warnings])
            for warning in grade.warnings:
                if warning.startswith(STRAY):
                    self.strays[file] = warning
            named = self.roster.of(file) if self.roster else ()
            if self.roster and not named:
                self.unknown.append(file)
            rule = self.course.labs[grade.lab].attempts
            if rule is None:
                students[file] = named
                continue
            handed_in[file] = named or (grade.student,)
            rank = _rank(grade, rule)
            for student in handed_in[file]:
                key = grade.lab, folded(student)
                best[key] = max(best.get(key, (rank, file)), (rank, file))
        counting: dict[str, set[str]] = {}
        for (_, student), (_, file) in best.items():
            counting.setdefault(file, set()).add(student)
        for file, named in handed_in.items():
            students[file] = tuple(s for s in named if folded(s) in counting.get(file, ())) or None
        self.set_aside = sum(named is None for named in students.values())
        if self.roster:
            present = {student for file in self.files for student in self.roster.of(file)}
            self.absent = [student for student in self.roster.students if student not in present]
        return students


def _rank(grade: Grade, rule: str) -> tuple[object, ...]:
    """Attempts in order: readable ones above the rest, then by score where the best counts, then by name."""
    return grade.status == "graded", grade.score if rule == "best" else 0, natural(grade.file)


def natural(file: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts `hw.ipynb` before `hw (2).ipynb` before `hw (10).ipynb`, and late ones as any."""
    stem = re.sub(r"(\.ipynb|\.txt|\.zip)+$", "", file).replace("_LATE_", "_")
    parts = re.findall(r"\d+|\D+", stem)
    return tuple((0, int(part), "") if part.isdecimal() and part.isascii() else (1, 0, part) for part in parts)
