"""The pages in OUT: what they say, what they keep to themselves, and when they are written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from autograder.course import Course
from autograder.notebook import Rejected
from autograder.record import CellResult, CheckResult, Grade, QuestionResult, rejected
from autograder.reports.html import page_name
from autograder.reports.overview import troubles
from autograder.reports.pages import write_pages
from autograder.reports.written import written_work

LAB = "numpy_block"


@pytest.fixture
def grade(course: Course) -> Grade:
    """A submission whose `gelu` is a ReLU, with a script in its file name and in a message."""
    questions = []
    for question in course.labs[LAB].questions.values():
        checks = [
            CheckResult(
                name=check.name,
                visible=check.visible,
                status="failed" if check.question == "gelu" else "passed",
                score=0 if check.question == "gelu" else check.points,
                possible=check.points,
                message="<script>alert(1)</script> off" if check.question == "gelu" else "",
                misconception="relu" if check.question == "gelu" else None,
            )
            for check in question.checks
        ]
        score = sum(check.score for check in checks)
        questions.append(
            QuestionResult(name=question.name, score=score, possible=question.points, pending=0, checks=checks)
        )
    return Grade(
        lab=LAB, file="a/<b>hw.ipynb", student="Ada", sha256="0" * 64, status="graded", reason=None, score=56,
        possible=60, pending=0, seconds=0.1, protections=[], warnings=["Cell 3 is odd"], notes=[],
        cells=[CellResult(index=2, status="timeout", message="too long")], questions=questions,
    )  # fmt: skip


def pages(grades: list[Grade], course: Course, out: Path, **settings: Any) -> dict[str, str]:
    write_pages(grades, course, {}, out, settings.get("names", False))
    return {str(p.relative_to(out)): p.read_text() for p in out.rglob("*.html")}


def test_feedback_shows_what_the_policy_allows_and_no_markup_of_a_students(
    grade: Grade, course: Course, tmp_path: Path
) -> None:
    page = pages([grade], course, tmp_path)["feedback/a__<b>hw.ipynb.html"]
    assert "known values" in page and "exact constants" not in page
    assert "17 of 18 points in the checks shown here" in page
    assert "<script>" not in page and "<b>hw" not in page


def test_the_report_tells_what_to_teach_again(grade: Grade, course: Course, tmp_path: Path) -> None:
    report = pages([grade, grade], course, tmp_path)["report.html"]
    assert "Teach again:" in report and "gelu (the class earned 0 % of it, most often for relu (2 students))" in report
    assert 'aria-label="Histogram of points: 2 from 54 to 57."' in report or "<p>Histogram" in report
    assert "took too long" in report and "Cell 3 is odd" in report


def test_names_are_shown_only_when_asked_for(grade: Grade, course: Course, tmp_path: Path) -> None:
    def shown(names: bool) -> str:
        report = pages([grade], course, tmp_path / str(names), names=names)["report.html"]
        data = re.search(r'id="data">(.*?)</script>', report, re.S)
        assert data is not None
        return str(json.loads(data[1])["rows"][0][0])

    assert shown(False) == "no. 1"
    assert shown(True).startswith("Ada")


def test_a_rejected_submission_has_a_page_with_its_reason(course: Course, tmp_path: Path) -> None:
    refused = rejected(course.labs[LAB], "x.ipynb", Rejected("it stops half way", "Hand in the new file"))
    assert "it stops half way" in pages([refused], course, tmp_path)["feedback/x.ipynb.html"]
    assert troubles(refused) == ["could not be read: it stops half way. Hand in the new file."]


def test_a_page_is_written_again_only_when_it_would_change(grade: Grade, course: Course, tmp_path: Path) -> None:
    pages([grade], course, tmp_path)
    page = tmp_path / "feedback" / page_name(grade.file)
    before = page.stat().st_mtime_ns
    pages([grade], course, tmp_path)
    assert page.stat().st_mtime_ns == before
    grade.questions[2].checks[0].message = "another"
    pages([grade], course, tmp_path)
    assert page.stat().st_mtime_ns != before


def test_page_names_are_flat_and_never_too_long() -> None:
    assert page_name("a/b/hw.ipynb") == "a__b__hw.ipynb.html"
    assert len(page_name("ü" * 300).encode()) < 255
    assert page_name("ü" * 300) != page_name("ü" * 301)


def test_written_work_is_found_between_otters_marks(course: Course) -> None:
    lab = course.labs.get("torch_block")
    if lab is None:
        pytest.skip("this course has no lab with written questions")
    image = {"output_type": "display_data", "data": {"image/png": "aGVsbG8="}}
    evil = {"output_type": "display_data", "data": {"image/png": '"><script>', "text/html": "<script>"}}
    cells = [
        {"cell_type": "markdown", "source": ["<!-- BEGIN QUESTION -->\n", "## Plots"]},
        {"cell_type": "code", "source": "plt.plot()", "outputs": [image, evil, 3]},
        {"cell_type": "markdown", "source": "<!-- END QUESTION -->"},
        {"cell_type": "markdown", "source": "between"},
        {"cell_type": "markdown", "source": "<!-- BEGIN QUESTION -->"},
        {"cell_type": "markdown", "source": "Warm up. <!-- END QUESTION -->"},
    ]
    work = written_work(json.dumps({"cells": cells}).encode(), lab)
    assert [piece.text for piece in work["plots"]] == ["plt.plot()", "aGVsbG8="]
    assert [piece.text for piece in work["interpretation"]] == ["Warm up."]
    assert written_work(b"no json", lab) == {"plots": [], "interpretation": []}
