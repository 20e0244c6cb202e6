"""The pages in OUT: what they say, what they keep to themselves, and when they are written."""

from __future__ import annotations

import html
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from autograder.corrections import Corrections
from autograder.course import Course
from autograder.files import FileError
from autograder.record import CellResult, CheckResult, Grade, QuestionResult, rejected
from autograder.rejected import SAVE_AS_NOTEBOOK, SEND_ZIP, Rejected
from autograder.reports.feedback import markdown, next_step, texts
from autograder.reports.html import page_name
from autograder.reports.overview import LabOverview, troubles
from autograder.reports.pages import write_pages
from autograder.reports.written import written_work
from autograder.submission import ZIP_AGAIN, read_submission

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
    assert "<strong>Teach gelu again:</strong> the class earned 0 % of its points" in report
    assert "2 of 2 submissions lost some." in report
    assert "The commonest known cause is “relu” (2 submissions): This is ReLU: negative numbers become" in report
    assert "Its hardest check is “known values”, which 0 % passed. gelu at -1, 0, 1 and 3" in report
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


def test_points_given_to_what_could_not_be_read_are_shown(course: Course, tmp_path: Path) -> None:
    """An override counts in the table, so the student reads of it."""
    refused = rejected(course.labs[LAB], "x.ipynb", Rejected("it stops half way", "Hand in the new file"))
    assert "points</h2>" not in pages([refused], course, tmp_path / "before")["feedback/x.ipynb.html"].lower()
    (tmp_path / "overrides.csv").write_text("file,question,points,reason\nx.ipynb,gelu,3,shown in the office\n")
    given = Corrections(tmp_path, course).applied(refused)
    page = pages([given], course, tmp_path / "after")["feedback/x.ipynb.html"]
    assert "3 of 4" in page and "shown in the office" in page and "layer_norm" not in page


def test_calls_that_hang_are_worth_a_look(grade: Grade) -> None:
    grade.questions[2].checks[1].status = "timeout"
    assert troubles(grade) == ["cell 3 took too long", "a call took too long in gelu", "Cell 3 is odd"]


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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a/b.ipynb", "a__b.ipynb"),
        ("a_/b.ipynb", "a/_b.ipynb"),
        ("a/b/c.ipynb", "a/b__c.ipynb"),
        ("Jane_1_assignsubmission_file_/hw.ipynb", "Jane_1_assignsubmission_file___hw.ipynb"),
    ],
)
def test_no_two_files_share_a_page(one: str, other: str) -> None:
    assert page_name(one) == f"{one.replace('/', '__')}.html" != page_name(other)
    assert page_name(other).startswith(other.replace("/", "__"))


def test_a_page_that_cannot_take_its_place_leaves_nothing_behind(grade: Grade, course: Course, tmp_path: Path) -> None:
    (tmp_path / "report.html").mkdir()
    with pytest.raises(FileError, match=r"report\.html cannot be written"):
        pages([grade], course, tmp_path)
    assert not list(tmp_path.glob(".*"))


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
    assert [piece.text for piece in work["plots"][:2]] == ["plt.plot()", "aGVsbG8="]
    assert [piece.kind for piece in work["plots"]] == ["text", "image", "note"]
    assert [piece.text for piece in work["interpretation"]] == ["Warm up."]
    assert written_work(b"no json", lab) == {"plots": [], "interpretation": []}


def test_a_class_that_knows_everything_is_taught_nothing_again(grade: Grade, course: Course, tmp_path: Path) -> None:
    for question in grade.questions:
        question.score = question.possible
    report = pages([grade], course, tmp_path)["report.html"]
    assert "Nothing needs to be taught again" in report and "Teach gelu" not in report


def test_without_names_no_files_name_stands_anywhere_in_the_report(
    grade: Grade, course: Course, tmp_path: Path
) -> None:
    grade.file = "lovelace #1.ipynb"
    grade.warnings = ["Entries that are links were refused: 1, such as Ada Lovelace.ipynb."]
    report = pages([grade], course, tmp_path / "without")["report.html"]
    assert "ovelace" not in report and "such as" not in report and "were refused: 1, a file." in report
    assert "../feedback/lovelace%20%231.ipynb.html" in (tmp_path / "without/rows/1.html").read_text()
    named = pages([grade], course, tmp_path / "with", names=True)["report.html"]
    assert "feedback/lovelace%20%231.ipynb.html" in named and "such as Ada Lovelace.ipynb" in named


@pytest.mark.parametrize("remedy", [SAVE_AS_NOTEBOOK, SEND_ZIP, ZIP_AGAIN])
def test_without_names_the_graders_own_words_stay_whole(remedy: str, course: Course, tmp_path: Path) -> None:
    refused = rejected(course.labs[LAB], "Ada.ipynb", Rejected("Ada Lovelace.ipynb holds nothing", remedy))
    report = html.unescape(pages([refused], course, tmp_path)["report.html"])
    assert remedy in report and "Lovelace" not in report


@pytest.mark.parametrize(
    "held",
    [
        ["Jane Doe essay.docx"],
        ["Doe, Jane.ipynb", "Doe: Jane; (2).IPYNB"],
        ["Jane Doe” in the zip: “Doe.ipynb"],
        ["Jane Doe " * 20],
        ["Jane Doe/a.ipynb", "Jane Doe/b.ipynb", "Jane Doe/c.ipynb", "Jane Doe/d.ipynb"],
        ["../Jane Doe"],
    ],
)
def test_no_name_from_a_students_zip_stands_in_a_report_without_names(
    held: list[str], course: Course, tmp_path: Path
) -> None:
    path = tmp_path / "hw.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number, name in enumerate(held):
            cell = {"cell_type": "code", "source": f"x = {number}"}
            archive.writestr(name, json.dumps({"cells": [cell] if len(held) > 2 else []}))
    with pytest.raises(Rejected) as caught:
        read_submission(path)
    refused = rejected(course.labs[LAB], "Jane Doe.zip", caught.value)
    without = html.unescape(pages([refused], course, tmp_path / "without")["report.html"])
    assert "Jane" not in without and "Doe" not in without
    assert "could not be read: " in without and caught.value.remedy in without
    if "../Jane Doe" not in held:
        assert "Jane Doe" in pages([refused], course, tmp_path / "with", names=True)["report.html"]


def test_the_lab_that_a_notebook_names_itself_may_be_a_name(grade: Grade, course: Course, tmp_path: Path) -> None:
    grade.warnings = [f"It was made for Jane Doe, and graded as {LAB}."]
    refused = rejected(course.labs[LAB], "x", Rejected("the notebook is for Jane Doe, which is no lab here", "Name it"))
    report = pages([grade, refused], course, tmp_path)["report.html"]
    assert "Jane" not in report
    assert f"It was made for another lab, and graded as {LAB}." in report
    assert "the notebook is for another lab, which is no lab here. Name it." in report


def with_written_work(course: Course, essays: list[int | None]) -> list[Grade]:
    """A class of Lab 2 in which all checks passed; what each earned for `plots`, None where that waits, as the rest."""
    lab = course.labs["torch_block"]
    grades = []
    for number, points in enumerate(essays):
        grade = rejected(lab, f"{number}.ipynb", Rejected("", ""))
        grade.status, grade.reason = "graded", None
        for question in grade.questions:
            worth = lab.questions[question.name].points
            question.score = question.possible
            question.pending = worth - question.possible
            if question.name == "plots" and points is not None:
                question.score, question.possible, question.pending = points, worth, 0
        grade.score = sum(question.score for question in grade.questions)
        grade.possible = sum(question.possible for question in grade.questions)
        grade.pending = sum(question.pending for question in grade.questions)
        grades.append(grade)
    return grades


def test_points_that_a_person_gave_are_in_the_histogram_and_in_what_is_possible(course: Course, tmp_path: Path) -> None:
    worth, auto = course.labs["torch_block"].questions["plots"].points, course.labs["torch_block"].possible
    report = pages(with_written_work(course, [worth, worth, worth - 1]), course, tmp_path)["report.html"]
    assert f"{auto + worth - 1 / 3:.1f} of {auto + worth}</strong>" in report
    told = re.search(r"Histogram of points: ([^.]*)[.]", report)
    assert told is not None and sum(int(part.split(" from ")[0]) for part in told[1].split(", ")) == 3
    assert f"to {auto + worth}" in told[1]


def test_written_work_that_waits_counts_nowhere_as_nought(course: Course) -> None:
    lab = course.labs["torch_block"]
    overview = LabOverview(lab, texts(lab))
    for grade in with_written_work(course, [3, None, 1, None]):
        overview.add(grade)
    told: dict[str, Any] = overview.summary()
    plots = next(question for question in told["questions"] if question["name"] == "plots")
    assert (plots["mean"], plots["marked"], plots["waiting"]) == (2, 2, 2)
    assert told["possible"] == f"{lab.possible} to {lab.possible + lab.questions['plots'].points}"


def test_the_report_says_how_many_wait(course: Course, tmp_path: Path) -> None:
    report = pages(with_written_work(course, [3, None, 1, None]), course, tmp_path)["report.html"]
    text = " ".join(re.sub(r"<[^>]+>", " ", report).split())
    worth = course.labs["torch_block"].questions
    assert f"plots 2 wait for a person {200 / worth['plots'].points:.0f} % 2.00" in text
    assert f"interpretation 4 wait for a person – {worth['interpretation'].points} –" in text


def test_checks_that_wait_do_not_count_as_failed(grade: Grade, course: Course) -> None:
    lab = course.labs[LAB]
    overview = LabOverview(lab, texts(lab))
    check = grade.questions[0].checks[0]
    overview.add(grade)
    check.status, grade.questions[0].pending = "pending", check.possible
    overview.add(grade)
    told: dict[str, Any] = overview.summary()
    assert next(c for c in told["checks"] if c["name"] == check.name)["passed"] == 1


def test_once_grades_are_published_feedback_shows_hidden_checks_too(
    grade: Grade, course: Course, tmp_path: Path
) -> None:
    write_pages([grade], course, {}, tmp_path, names=False, published=True)
    page = (tmp_path / "feedback" / page_name(grade.file)).read_text()
    assert "exact constants" in page and "56 of 60 points." in page


def test_a_cause_is_told_once_and_a_common_finding_once(grade: Grade, course: Course) -> None:
    hint = texts(course.labs[LAB]).hints["gelu", "relu"]
    for check in grade.questions[2].checks:
        check.message = f"`gelu` is off. {hint}"
    text = markdown(grade, course.labs[LAB], published=True)
    assert text.count(hint.partition(":")[0]) == 1 and text.count("is off.") == 1
    assert "### gelu: 0 of 4" in text
    assert '**Next:** Read what the text says about it, mend it, and run `grader.check("gelu")`' in text


def test_cells_of_one_message_and_notes_of_one_text_stand_together(grade: Grade, course: Course) -> None:
    grade.cells = [CellResult(index=i, status="error", message="NameError: x") for i in (3, 5, 9)]
    grade.notes = ["block: marked as if `gelu` were right.", "stack: marked as if `gelu` were right.", "Repaired."]
    text = markdown(grade, course.labs[LAB], published=True)
    assert "- Cells 4, 6, 10: NameError: x\n" in text
    assert "- block and stack: marked as if `gelu` were right.\n- Repaired.\n" in text


def test_a_stub_is_to_be_written_and_a_hidden_slip_to_be_thought_about(grade: Grade) -> None:
    stub, hidden = grade.questions[2].checks[0], grade.questions[2].checks[1]
    hidden.misconception = None
    stub.message = "`gelu` is not written yet: it still raises NotImplementedError."
    assert next_step("gelu", [stub]).startswith("Write it, then run `grader.check")
    assert next_step("gelu", [hidden]).startswith("Read the text of `gelu` once more")
    assert next_step("layer_norm", grade.questions[0].checks) == ""
