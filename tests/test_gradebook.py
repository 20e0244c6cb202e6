"""The gradebook: what is kept, what is skipped, and what no mishap may damage."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.fingerprint import NOTHING, Fingerprint
from autograder.gradebook import REJECTED, SCHEMA, Gradebook, GradebookError, Graded
from autograder.record import CheckResult, Grade, QuestionResult

ON = Fingerprint("suite", "rubric", "answers", "grader")
NOW = {"lab": ON, REJECTED: Fingerprint("", "labs", "", "grader")}


def grade(file: str = "a.ipynb", sha256: str = "1", lab: str = "lab", status: str = "graded", **scores: int) -> Grade:
    questions = [
        QuestionResult(
            name=name,
            score=score,
            possible=10,
            pending=0,
            checks=[CheckResult(name="only", visible=True, status="passed", score=score, possible=10)],
        )
        for name, score in (scores or {"norm": 3}).items()
    ]
    return Grade(
        lab=lab,
        file=file,
        student=Path(file).stem,
        sha256=sha256,
        status=status,
        reason=None if status == "graded" else "it is no notebook",
        score=sum(scores.values()),
        possible=10 * len(questions),
        pending=0,
        seconds=0.1,
        protections=[],
        warnings=[],
        notes=[],
        cells=[],
        questions=questions,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "out" / "gradebook.sqlite"


def test_a_grade_is_there_when_the_gradebook_is_opened_again(path: Path) -> None:
    with Gradebook(path) as book:
        book.add(Graded(grade(), "", ON))
    with Gradebook(path) as book:
        assert book.newest("a.ipynb") == grade()
        assert book.newest("b.ipynb") is None
        assert len(book) == 1


def test_file_names_of_any_kind_are_kept(path: Path) -> None:
    names = ["'; DROP TABLE grades; --.ipynb", "a\\x0ab.ipynb", "Zoë/ñ 你好 🎉.ipynb", "%_*.ipynb", ""]
    with Gradebook(path) as book:
        for name in names:
            book.add(Graded(grade(name), "", ON))
        assert [book.newest(name).file for name in names] == names  # type: ignore[union-attr]


def test_what_has_not_changed_has_its_grade(path: Path) -> None:
    with Gradebook(path) as book:
        book.add(Graded(grade(), "", ON))
        assert book.has("a.ipynb", "", "1", NOW)
        assert not book.has("b.ipynb", "", "1", NOW), "another file"
        assert not book.has("a.ipynb", "lab", "1", NOW), "another way to name the lab"
        assert not book.has("a.ipynb", "", "2", NOW), "other content"


@pytest.mark.parametrize("part", ["suite", "rubric", "answers", "grader"])
def test_whatever_a_grade_hangs_on_makes_it_stale(path: Path, part: str) -> None:
    changed = Fingerprint(**{name: "new" if name == part else getattr(ON, name) for name in ON.__struct_fields__})
    with Gradebook(path) as book:
        book.add(Graded(grade(norm=3), "", ON))
        assert not book.has("a.ipynb", "", "1", NOW | {"lab": changed})
        book.add(Graded(grade(norm=5), "", changed))
        assert [(c.question, c.before, c.after, c.why) for c in book.changes("a.ipynb") or []] == [("norm", 3, 5, part)]


def test_a_refusal_is_kept_until_reading_changes_and_a_mishap_is_not(path: Path) -> None:
    with Gradebook(path) as book:
        book.add(Graded(grade(status="rejected"), "", NOW[REJECTED]))
        assert book.has("a.ipynb", "", "1", NOW)
        assert not book.has("a.ipynb", "", "1", NOW | {REJECTED: Fingerprint("", "other labs", "", "grader")})
        book.add(Graded(grade("b.ipynb", status="rejected"), "", NOTHING))
        assert not book.has("b.ipynb", "", "1", NOW)


def test_a_suite_that_comes_back_brings_back_its_grades(path: Path) -> None:
    other = Fingerprint("other", "rubric", "answers", "grader")
    with Gradebook(path) as book:
        book.add(Graded(grade(norm=3), "", ON))
        book.add(Graded(grade(norm=5), "", other))
        assert book.has("a.ipynb", "", "1", NOW)
        assert book.newest("a.ipynb").questions[0].score == 3  # type: ignore[union-attr]
        assert [(c.before, c.after) for c in book.changes("a.ipynb") or []] == [(5, 3)]


def test_changes_name_questions_that_came_and_went(path: Path) -> None:
    other = Fingerprint("suite", "other", "other", "grader")
    with Gradebook(path) as book:
        book.add(Graded(grade(norm=3, gate=1, old=2), "", ON))
        assert book.changes("a.ipynb") is None, "a first grade changes nothing"
        book.add(Graded(grade(norm=3, gate=2, new=4), "", other))
        why = "rubric and answers"
        assert [tuple(c) for c in book.changes("a.ipynb") or []] == [
            ("a.ipynb", "gate", 1, 2, why),
            ("a.ipynb", "new", None, 4, why),
            ("a.ipynb", "old", 2, None, why),
        ]


def test_two_labs_of_one_file_do_not_mix(path: Path) -> None:
    with Gradebook(path) as book:
        book.add(Graded(grade(lab="lab", norm=1), "lab", ON))
        book.add(Graded(grade(lab="two", gate=2), "two", ON))
        assert book.newest("a.ipynb", "lab").lab == "lab"  # type: ignore[union-attr]
        assert book.newest("a.ipynb").lab == "two"  # type: ignore[union-attr]
        assert book.changes("a.ipynb") is None
        assert len(book) == 2


def test_a_second_grader_is_told_of_the_first(path: Path) -> None:
    with Gradebook(path):
        second = subprocess.run(
            [sys.executable, "-c", _OPEN, str(path)], capture_output=True, text=True, timeout=60, check=False
        )
        assert "another grader is at work" in second.stderr
    with Gradebook(path) as book:
        assert len(book) == 0


def test_a_killed_grader_leaves_its_grades_and_no_lock(path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", _ADD_FOR_EVER, str(path)], stdout=subprocess.PIPE) as grader:
        assert grader.stdout is not None
        for _ in range(50):
            added = int(grader.stdout.readline())
        grader.send_signal(signal.SIGKILL)
    with Gradebook(path) as book:
        assert len(book) >= added


_OPEN = """
import sys
from pathlib import Path
from autograder.gradebook import Gradebook, GradebookError
try:
    with Gradebook(Path(sys.argv[1])):
        pass
except GradebookError as error:
    sys.exit(str(error))
"""

_ADD_FOR_EVER = """
import sys
from pathlib import Path
from autograder.gradebook import Gradebook, Graded
from tests.test_gradebook import ON, grade
with Gradebook(Path(sys.argv[1])) as book:
    for number in range(1, 100_000):
        book.add(Graded(grade(f"{number}.ipynb"), "", ON))
        print(number, flush=True)
"""


# --- gradebooks that cannot be used ---------------------------------------------------------------------------------


def trouble(path: Path) -> str:
    """The error that opening this gives; the file must be as it was."""
    before = path.read_bytes()
    with pytest.raises(GradebookError) as caught, Gradebook(path):
        pass
    assert path.read_bytes() == before
    return str(caught.value)


@pytest.fixture
def filled(path: Path) -> Path:
    with Gradebook(path) as book:
        for number in range(40):
            book.add(Graded(grade(f"{number}.ipynb"), "", ON))
    return path


def test_a_newer_gradebook_is_left_alone(filled: Path) -> None:
    with sqlite3.connect(filled) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    db.close()
    assert "written by a newer autograder" in trouble(filled)


def test_another_programs_database_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE grades (mine)")
    db.close()
    assert "is no gradebook" in trouble(path)


def test_something_that_is_no_database_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("file,student\n" * 100)
    assert "is damaged" in trouble(path)


@pytest.mark.parametrize("place", [0, 100, 4096])
def test_a_corrupt_gradebook_is_left_alone(filled: Path, place: int) -> None:
    data = bytearray(filled.read_bytes())
    data[place : place + 16] = b"\xff" * 16
    filled.write_bytes(data)
    assert "is damaged" in trouble(filled)


def test_a_truncated_gradebook_is_left_alone(filled: Path) -> None:
    filled.write_bytes(filled.read_bytes()[:-6000])
    assert "is damaged" in trouble(filled)


def test_a_record_that_is_no_record_is_reported(filled: Path) -> None:
    with sqlite3.connect(filled) as db:
        db.execute("UPDATE grades SET record = '{}' WHERE file = '3.ipynb'")
    db.close()
    with Gradebook(filled) as book, pytest.raises(GradebookError, match="is damaged"):
        book.newest("3.ipynb")


def test_a_full_disk_costs_the_grade_in_hand_and_no_other(filled: Path) -> None:
    with Gradebook(filled) as book:
        pages = book._db.execute("PRAGMA page_count").fetchone()[0]
        book._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(GradebookError, match=r"full.*Its earlier grades are safe"):
            for number in range(200):
                book.add(Graded(grade(f"more {number}.ipynb"), "", ON))
    with Gradebook(filled) as book:
        assert book.newest("39.ipynb") is not None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_reported(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(GradebookError, match="cannot be"), Gradebook(tmp_path / "out" / "gradebook.sqlite"):
        pass


def test_an_out_that_is_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(GradebookError, match="cannot be made"), Gradebook(tmp_path / "out" / "gradebook.sqlite"):
        pass
