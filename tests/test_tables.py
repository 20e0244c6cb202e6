"""The tables that people keep in a spreadsheet, roster, marks and overrides, in the forms that spreadsheets save."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from autograder.corrections import Corrections
from autograder.course import Course, Lab
from autograder.record import Grade, QuestionResult, rejected
from autograder.rejected import Rejected
from autograder.reports.feedback import feedback_on
from autograder.roster import Roster
from autograder.sheets import SheetError, read_sheet
from tests.toy import course_with

MAC = unicodedata.normalize("NFD", "José Peña")
OTHERS = unicodedata.normalize("NFC", MAC)


@pytest.fixture
def toy(tmp_path: Path) -> Course:
    """The toy course with a written question, and a second lab whose `center` is worth more."""
    essay = '      essay: {kind: written, points: 4, rubric: ["names the cause"]}\n'
    other = '  big:\n    title: Big\n    questions:\n      center: {kind: written, points: 9, rubric: ["x"]}\n'
    return course_with(tmp_path / "course", essay + other)


def graded(lab: Lab, file: str = "hw.ipynb") -> Grade:
    """A submission that earned nothing yet."""
    grade = rejected(lab, file, Rejected("it stops half way", "Hand in the new file"))
    grade.status, grade.reason, grade.pending = "graded", None, lab.pending
    grade.questions = [
        QuestionResult(
            name=question.name,
            score=0,
            possible=question.points if question.kind == "auto" else 0,
            pending=question.points if question.kind == "written" else 0,
            checks=[],
        )
        for question in lab.questions.values()
    ]
    return grade


def corrections(folder: Path, course: Course, table: str, *rows: str) -> Corrections:
    remark = "comment" if table == "marks.csv" else "reason"
    text = "".join(f"{row}\n" for row in (f"file,question,points,{remark}", *rows))
    (folder / table).write_text(text, encoding="utf-8")
    return Corrections(folder, course)


# --- forms of a table -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["sep=,", "sep=;", '"sep=;"', "sep=\t", "sep=;;;"])
def test_excels_line_about_the_delimiter_is_read(first: str, tmp_path: Path) -> None:
    delimiter = first.strip('"')[4]
    header, row = delimiter.join(["student", "file"]), delimiter.join(["Jane, Doe" if delimiter != "," else "J", "x"])
    (tmp_path / "r.csv").write_text(f"\ufeff{first}\r\n{header}\r\n{row}\r\n", encoding="utf-8")
    (found,) = read_sheet(tmp_path / "r.csv", ["student", "file"])
    assert (found["file"], found.line) == ("x", 3)


def test_a_table_that_lacks_a_column_is_told_by_the_line_that_should_name_it(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("sep=;\nname;mail\n")
    with pytest.raises(SheetError, match=r"r\.csv:2: there is no column student"):
        read_sheet(tmp_path / "r.csv", ["student"])


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x0b", "\x0c", "\x85", "\x1c"])
def test_characters_that_end_a_line_elsewhere_break_no_row(odd: str, tmp_path: Path) -> None:
    (tmp_path / "o.csv").write_text(f"file,reason\na,one{odd}two\nb,three\n", encoding="utf-8")
    rows = read_sheet(tmp_path / "o.csv", ["file", "reason"])
    assert [(row["file"], row["reason"], row.line) for row in rows] == [("a", f"one{odd}two", 2), ("b", "three", 3)]


def test_a_reason_may_have_several_lines(tmp_path: Path) -> None:
    (tmp_path / "o.csv").write_bytes(b'file,reason\r\na,"one\r\ntwo"\r\nb,three\r\n')
    assert [row["reason"] for row in read_sheet(tmp_path / "o.csv", ["file", "reason"])] == ["one\ntwo", "three"]


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mine", "theirs"), [(MAC, OTHERS), (OTHERS, MAC)])
def test_a_name_is_the_same_however_its_accents_are_composed(
    mine: str, theirs: str, toy: Course, tmp_path: Path
) -> None:
    (tmp_path / "roster.csv").write_text(f"student,file\n{mine},\nTeam,{mine} team/*\n", encoding="utf-8")
    roster = Roster(tmp_path / "roster.csv")
    assert roster.of(f"{theirs}.ipynb") == (mine,)
    assert roster.of(f"{theirs} team/hw.ipynb") == ("Team",)
    given = corrections(tmp_path, toy, "overrides.csv", f"{mine}.ipynb,center,2,")
    assert given.applied(graded(toy.labs["toy"], f"{theirs}.ipynb")).score == 2
    marked = corrections(tmp_path, toy, "marks.csv", f"{mine}.ipynb,essay,3,")
    assert marked.applied(graded(toy.labs["toy"], f"{theirs}.ipynb")).score == 3 + 2
    assert not marked.unused()


def test_a_bracket_in_a_roster_is_only_a_bracket(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("student,file\nJane,team [7]/*\nLi,hw[a]\n")
    roster = Roster(tmp_path / "roster.csv")
    assert roster.of("team [7]/hw.ipynb") == ("Jane",) and roster.of("hw[a].ipynb") == ("Li",)
    assert roster.of("team 7/hw.ipynb") == () and roster.of("hwa.ipynb") == ()


# --- points ---------------------------------------------------------------------------------------------------------


def test_points_for_written_work_of_an_unreadable_file_count_as_possible_too(toy: Course, tmp_path: Path) -> None:
    lab = toy.labs["toy"]
    refused = rejected(lab, "x.ipynb", Rejected("it stops half way", "Hand in the new file"))
    given = corrections(tmp_path, toy, "overrides.csv", "x.ipynb,essay,3,seen on paper").applied(refused)
    assert (given.score, given.possible, given.pending) == (3, lab.possible + 4, 0)
    (row,) = feedback_on(given, lab).rows
    assert row.points == "3 of 4"


def test_an_override_may_not_exceed_what_the_question_is_worth_in_the_files_own_lab(
    toy: Course, tmp_path: Path
) -> None:
    given = corrections(tmp_path, toy, "overrides.csv", "hw.ipynb,center,9,")
    assert given.applied(graded(toy.labs["big"])).score == 9
    with pytest.raises(SheetError, match=r"overrides\.csv:2: 9 points are more than the 3 of center in toy\. Write"):
        given.applied(graded(toy.labs["toy"]))


def test_a_mark_may_not_exceed_what_waits_in_the_file(toy: Course, tmp_path: Path) -> None:
    given = corrections(tmp_path, toy, "marks.csv", "hw.ipynb,essay,4,", "hw.ipynb,center,9,")
    assert given.applied(graded(toy.labs["toy"])).score == 4
    assert "nothing of center in hw.ipynb waits" in given.unused()[0]
    partly = graded(toy.labs["toy"])
    partly.questions[-1].pending = 2
    with pytest.raises(SheetError, match=r"marks\.csv:2: 4 points are more than the 2 that wait in essay of hw\.ipynb"):
        given.applied(partly)
