"""Everything in OUT that people look at: feedback for each student, the report on the class, written work."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import msgspec
from markupsafe import Markup

from autograder.course import Course, Lab
from autograder.record import Grade
from autograder.rejected import SAVE_AS_NOTEBOOK, SEND_ZIP
from autograder.reports.feedback import feedback_on, texts
from autograder.reports.html import TEMPLATES, digest_of, page_name, write_page
from autograder.reports.overview import LabOverview, troubles
from autograder.reports.table import as_csv, harmless
from autograder.reports.written import written_work
from autograder.submission import QUOTED, ZIP_AGAIN, Rejected, notebook_in

MOST_TROUBLED = 50
COLUMNS = ("submission", "lab", "status", "score", "possible", "pending", "look at")
MARKS_COLUMNS = ("file", "question", "points", "comment")
NUMBERS = frozenset({"score", "possible", "pending"})


def write_pages(
    grades: Iterable[Grade],
    course: Course,
    paths: Mapping[str, Path],
    out: Path,
    names: bool,
    published: bool = False,
) -> None:
    """Write `feedback/`, `written/` and `report.html` below OUT.

    `paths` tells where each file lies; `names` shows students' and files' names in the report; once grades are
    `published`, feedback shows what waits for that.
    """
    report = Report(course, names)
    for grade in grades:
        lab = course.labs[grade.lab]
        write_feedback(grade, lab, out, published)
        if lab.pending and grade.status == "graded" and grade.file in paths:
            write_written(grade, lab, paths[grade.file], out)
        report.add(grade)
        if not names:
            _lead_to_feedback(len(report.rows), grade, out)
    report.write(out)


def write_feedback(grade: Grade, lab: Lab, out: Path, published: bool = False) -> None:
    """`feedback/<file>.html`: what this student may read, by the lab's policy."""
    told = feedback_on(grade, lab, published=published)
    content = {"lab": lab, "file": grade.file, "told": told}
    write_page(out / "feedback" / page_name(grade.file), "feedback.html", digest_of(grade.file, told), content)


def write_written(grade: Grade, lab: Lab, path: Path, out: Path) -> None:
    """`written/<file>.html`: plots and answers beside the rubric, for a person to mark."""
    try:
        work = written_work(notebook_in(path, lab.name), lab)
    except Rejected:
        return
    questions = [question for question in lab.questions.values() if question.kind == "written"]
    rows = [(harmless(grade.file), question.name, f"0 to {question.points}", "") for question in questions]
    lines = [row.decode().strip() for row in as_csv([MARKS_COLUMNS, *rows])]
    content = {"lab": lab, "submission": grade, "questions": questions, "work": work, "lines": lines}
    write_page(
        out / "written" / page_name(grade.file),
        "written.html",
        digest_of(grade.sha256, lines, repr(questions), repr(work)),
        content,
    )


def _row(number: int, grade: Grade, names: bool) -> list[object]:
    label = f"{grade.student} ({grade.file})" if names else f"no. {number}"
    page = f"feedback/{quote(page_name(grade.file))}" if names else f"rows/{number}.html"
    look = "; ".join(troubles(grade) if names else map(_without_names, troubles(grade)))
    return [label, grade.lab, grade.status, grade.score, grade.possible, grade.pending, look, page]


def _without_names(look: str) -> str:
    """The same, but for what may be a name: files' in the student's zip, and the lab that a notebook names itself."""
    look = _FILES.sub("files", QUOTED.sub("a file", _LAB.sub("another lab", look)))
    parts = _OWN_WORDS.split(look)
    return "".join(part if place % 2 else _FILE.sub(" a file", part) for place, part in enumerate(parts)).strip()


_FILES = re.compile(r"a file(?:, (?:a file|…))+")
_LAB = re.compile(r"(?<=made for )[\w. -]+(?=, and graded as )|(?<=notebook is for )[\w. -]+(?=, which is no lab)")


_OWN_WORDS = re.compile(f"({'|'.join(map(re.escape, (SAVE_AS_NOTEBOOK, SEND_ZIP, ZIP_AGAIN)))})")
"""Sentences of the grader's own that name a kind of file."""

_FILE = re.compile(r"[^:;,()]*\.(?:ipynb|zip)\b", re.IGNORECASE)
"""A file's name that nobody quoted, which may be a student's, and what stands between it and the last mark."""


def _lead_to_feedback(number: int, grade: Grade, out: Path) -> None:
    """`rows/<number>.html` leads on to the feedback, so that the report itself holds no file's name."""
    page = quote(page_name(grade.file))
    write_page(out / "rows" / f"{number}.html", "row.html", digest_of(page), {"page": f"../feedback/{page}"})


@dataclass
class Report:
    """`report.html`: gathers what it needs of grades while they stream by."""

    course: Course
    names: bool
    overviews: dict[str, LabOverview] = field(default_factory=dict)
    rows: list[list[object]] = field(default_factory=list)

    def add(self, grade: Grade) -> None:
        """One more submission."""
        if grade.lab not in self.overviews:
            lab = self.course.labs[grade.lab]
            self.overviews[grade.lab] = LabOverview(lab, texts(lab))
        self.overviews[grade.lab].add(grade)
        self.rows.append(_row(len(self.rows) + 1, grade, self.names))

    def write(self, out: Path) -> None:
        """Write it into OUT, unless it would not change."""
        script = (TEMPLATES / "report.js").read_text(encoding="utf-8")
        columns = [{"name": name, "number": name in NUMBERS} for name in COLUMNS]
        data = msgspec.json.encode({"columns": columns, "rows": self.rows}).decode().replace("<", "\\u003c")
        labs = [overview.summary() for overview in self.overviews.values()]
        troubled = [row for row in self.rows if row[6]]
        content = {
            "title": ", ".join(overview.lab.title for overview in self.overviews.values()),
            "labs": labs,
            "troubled": [{"label": row[0], "why": row[6], "href": row[7]} for row in troubled[:MOST_TROUBLED]],
            "more_troubled": max(0, len(troubled) - MOST_TROUBLED),
            "statuses": sorted({str(row[2]) for row in self.rows}),
            "columns": columns,
            "names": self.names,
            "data": Markup(data),
            "script": Markup(script),
            "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        }
        write_page(out / "report.html", "report.html", digest_of(repr(labs), data, script, self.names), content)
