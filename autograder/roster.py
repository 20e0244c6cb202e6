"""Who handed in what: `roster.csv` names the students behind the files of a bulk download.

    student,file
    Jane Doe,doejane
    Ravi Kumar,lab-rkumar/*
    Li Wei,team 7/*
    Ana Souza,team 7/*

`file` is the name that a learning platform puts in a file's path (Canvas: doejane, Moodle: Jane Doe, Gradescope:
submission_123456, GitHub Classroom: the account), or a pattern for the whole path with * and ?. Without it, the
student's own name is looked for. A file may belong to several students, and a student may have several rows.
"""

from __future__ import annotations

import re
import unicodedata
from fnmatch import translate
from pathlib import Path

from autograder.sheets import read_sheet
from autograder.submission import student_name


class Roster:
    """The students of a class. Names are compared without regard to case, and to how a system composes accents."""

    def __init__(self, path: Path) -> None:
        """Raises SheetError when the table cannot be used."""
        self._named: dict[str, list[str]] = {}
        self._patterns: list[tuple[re.Pattern[str], str]] = []
        self.students: list[str] = []
        for row in read_sheet(path, ["student"], optional=["file"]):
            student, file = row["student"], row["file"] or row["student"]
            self.students.append(student)
            if any(sign in file for sign in "*?"):
                self._patterns.append((re.compile(translate(folded(file).replace("[", "[[]"))), student))
            else:
                self._named.setdefault(folded(file), []).append(student)
        self.students = list(dict.fromkeys(self.students))

    def of(self, file: str) -> tuple[str, ...]:
        """The students of a file, in the roster's order; none if it knows nobody."""
        path, name = folded(file), folded(student_name(file))
        found = {*self._named.get(name, ()), *self._named.get(path, ())}
        found.update(student for pattern, student in self._patterns if pattern.match(path))
        return tuple(student for student in self.students if student in found)


def folded(name: str) -> str:
    """A name as it is compared: in one case, its accents composed (a Mac hands over `é` as `e` and an accent)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
