"""Everything in OUT that people look at: feedback for each student, the report on the class, written work."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote

import msgspec
from markupsafe import Markup

from autograder.course import Course, Lab
from autograder.record import Grade
from autograder.reports.feedback import feedback_on, texts
from autograder.reports.html import TEMPLATES, digest_of, page_name, write_page
from autograder.reports.overview import LabOverview, troubles
from autograder.reports.written import written_work
from autograder.submission import Rejected, contents

MOST_TROUBLED = 50
COLUMNS = ("submission", "lab", "status", "score", "possible", "pending", "look at")
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
    overviews: dict[str, LabOverview] = {}
    rows: list[list[object]] = []
    for number, grade in enumerate(grades, 1):
        lab = course.labs[grade.lab]
        write_feedback(grade, lab, out, published)
        if lab.pending and grade.status == "graded" and grade.file in paths:
            write_written(grade, lab, paths[grade.file], out)
        if lab.name not in overviews:
            overviews[lab.name] = LabOverview(lab, texts(lab))
        overviews[lab.name].add(grade)
        rows.append(_row(number, grade, names))
        if not names:
            _lead_to_feedback(number, grade, out)
    _write_report(list(overviews.values()), rows, out, names)


def write_feedback(grade: Grade, lab: Lab, out: Path, published: bool = False) -> None:
    """`feedback/<file>.html`: what this student may read, by the lab's policy."""
    told = feedback_on(grade, lab, published=published)
    content = {"lab": lab, "file": grade.file, "told": told}
    write_page(out / "feedback" / page_name(grade.file), "feedback.html", digest_of(grade.file, told), content)


def write_written(grade: Grade, lab: Lab, path: Path, out: Path) -> None:
    """`written/<file>.html`: plots and answers beside the rubric, for a person to mark."""
    try:
        work = written_work(contents(path), lab)
    except Rejected:
        return
    questions = [question for question in lab.questions.values() if question.kind == "written"]
    content = {"lab": lab, "submission": grade, "questions": questions, "work": work}
    write_page(out / "written" / page_name(grade.file), "written.html", digest_of(grade.file, grade.sha256), content)


def _row(number: int, grade: Grade, names: bool) -> list[object]:
    label = f"{grade.student} ({grade.file})" if names else f"no. {number}"
    page = f"feedback/{quote(page_name(grade.file))}" if names else f"rows/{number}.html"
    look = "; ".join(troubles(grade))
    look = look if names else _FILE.sub(" a file", look).strip()
    return [label, grade.lab, grade.status, grade.score, grade.possible, grade.pending, look, page]


_FILE = re.compile(r"[^:;,()]*\.(?:ipynb|zip)\b")
"""A file's name, which may be a student's, and what stands between it and the last mark."""


def _lead_to_feedback(number: int, grade: Grade, out: Path) -> None:
    """`rows/<number>.html` leads on to the feedback, so that the report itself holds no file's name."""
    page = quote(page_name(grade.file))
    write_page(out / "rows" / f"{number}.html", "row.html", digest_of(page), {"page": f"../feedback/{page}"})


def _write_report(overviews: list[LabOverview], rows: list[list[object]], out: Path, names: bool) -> None:
    script = (TEMPLATES / "report.js").read_text(encoding="utf-8")
    troubled = [row for row in rows if row[6]]
    columns = [{"name": name, "number": name in NUMBERS} for name in COLUMNS]
    summaries = [overview.summary() for overview in overviews]
    data = msgspec.json.encode({"columns": columns, "rows": rows}).decode().replace("<", "\\u003c")
    content = {
        "title": ", ".join(overview.lab.title for overview in overviews),
        "labs": summaries,
        "troubled": [{"label": r[0], "why": r[6], "href": r[7]} for r in troubled[:MOST_TROUBLED]],
        "more_troubled": max(0, len(troubled) - MOST_TROUBLED),
        "statuses": sorted({str(row[2]) for row in rows}),
        "columns": columns,
        "names": names,
        "data": Markup(data),
        "script": Markup(script),
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    }
    write_page(out / "report.html", "report.html", digest_of(repr(summaries), data, script, names), content)
