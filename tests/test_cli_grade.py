"""`autograder grade` as an instructor meets it: what it writes, says and returns."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from autograder.cli import SHOWN, main
from autograder.cluster import is_address
from autograder.course import Course, load_course
from autograder.progress import Tally, Watch, duration
from autograder.results import natural
from autograder.roster import Roster
from autograder.sheets import SheetError
from tests.test_gradebook import grade as a_grade
from tests.test_mishaps import below, kept
from tests.toy import BOTH, CENTER, POINTS, RIGHT, WAVE, WRONG_CENTER, copy_of_the_course, notebook

ODD = b'odd \xff\nname, "quoted".ipynb'
"""A file's name with a byte that is no UTF-8, a line break, a comma and quotes."""


def run(course: Course, *arguments: str | Path) -> Result:
    command = ["--course", str(course.root), "grade", "-j", "1", *map(str, arguments)]
    return CliRunner().invoke(main, command)


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def records(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "grades.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return copy_of_the_course(tmp_path / "course")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    (folder / "two").mkdir(parents=True)
    (folder / "b.ipynb").write_bytes(notebook())
    (folder / "two" / "a.ipynb").write_bytes(notebook(RIGHT[0], WRONG_CENTER, WAVE, BOTH))
    (folder / "c.ipynb").write_text("no notebook")
    return folder


def test_a_class_becomes_rows_and_records(course: Course, folder: Path, tmp_path: Path) -> None:
    (folder / os.fsdecode(ODD)).write_bytes(notebook())
    out = tmp_path / "out"
    result = run(course, folder, "-o", out)

    assert result.exit_code == 1, "one was rejected"
    assert "c.ipynb: rejected: " in result.output
    assert f"3 graded, 1 rejected. Results: {out}/grades.csv" in result.output

    rows = table(out / "grades.csv")
    head = ["file", "student", "lab", "status", "score", "possible", "pending", "percent"]
    assert list(rows[0]) == [*head, "center", "wave", "both"]
    names = [row["file"] for row in rows]
    assert names == sorted(names)
    assert names[0] == "b.ipynb"
    assert names[-1] == "two/a.ipynb"
    odd = next(row for row in rows if row["file"].startswith("odd"))
    assert odd["file"].isprintable()
    assert [row["status"] for row in rows if row["file"] == "c.ipynb"] == ["rejected"]
    assert [rows[1][name] for name in ("score", "pending", "percent", "center", "wave", "both")] == [
        "0",
        "0",
        "0.0",
        *"000",
    ]
    assert [rows[0][name] for name in ("score", "possible", "percent")] == [str(POINTS), str(POINTS), "100.0"]
    assert rows[-1]["center"] == "0"
    assert [record["file"] for record in records(out)] == names
    assert {record["schema"] for record in records(out)} == {"autograder/grade/v1"}
    assert not (out / "changes.csv").exists(), "nothing was graded before"

    # The same again: nothing is graded, and the results are the same.
    before = (out / "grades.csv").read_bytes()
    again = run(course, folder, "-o", out)
    assert again.exit_code == 1
    assert "0 graded, 1 rejected, 3 unchanged since they were graded" in again.output
    assert (out / "grades.csv").read_bytes() == before

    # A part of it: rows are the submissions of the call, the gradebook keeps all.
    part = run(course, folder / "two", "-o", out)
    assert part.exit_code == 0
    assert [row["file"] for row in table(out / "grades.csv")] == ["a.ipynb"]
    assert "2 unchanged" in run(course, folder / "b.ipynb", folder / "c.ipynb", folder / "two", "-o", out).output


def test_what_was_made_for_another_lab_or_is_no_notebook_is_named(course: Course, folder: Path, tmp_path: Path) -> None:
    (folder / "b.ipynb").write_bytes(notebook().replace(b'"toy"', b'"elsewhere"'))
    for name in ("essay.pdf", "two/answers.py", ".hidden"):
        (folder / name).write_text("...")
    said = " ".join(run(course, folder, "-o", tmp_path / "out", "--lab", "toy").output.split())
    assert "b.ipynb: It was made for elsewhere, and graded as toy." in said
    assert "2 other files left out, by name no notebook: answers.py, essay.pdf" in said
    assert "left out" not in run(course, folder / "b.ipynb", "-o", tmp_path / "out", "--lab", "toy").output


def test_folders_that_were_not_searched_are_named(course: Course, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "late").symlink_to(folder)
    said = " ".join(run(course, tmp_path / "elsewhere", "-o", tmp_path / "out").output.split())
    assert "elsewhere (1 folder left out: late (a link)). Name a folder that holds some." in said
    (tmp_path / "elsewhere" / "b.ipynb").write_bytes(notebook())
    said = " ".join(run(course, tmp_path / "elsewhere", "-o", tmp_path / "out").output.split())
    assert "1 folder left out: late (a link). Name them, or make them readable, to have them graded." in said


def test_what_cannot_be_opened_is_refused_once_and_again_only_for_another_reason(
    course: Course, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    (folder / "link.ipynb").symlink_to(folder / "b.ipynb")
    os.mkfifo(folder / "pipe.ipynb")
    assert "3 graded" not in run(course, folder, "-o", out).output
    again = " ".join(run(course, folder, "-o", out).output.split())
    assert "0 graded, 3 rejected, 2 unchanged" in again and "regrade" not in again

    (folder / "link.ipynb").unlink()
    os.mkfifo(folder / "link.ipynb")
    assert "link.ipynb: rejected: this is not an ordinary file" in run(course, folder, "-o", out).output
    (folder / "link.ipynb").unlink()
    (folder / "link.ipynb").write_bytes(notebook())
    assert "1 graded, 2 rejected" in run(course, folder, "-o", out).output


def test_what_only_staff_can_do_about_a_file_is_told_to_staff_and_not_to_the_student(
    course: Course, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    (folder / "b.ipynb").write_bytes(notebook().replace(b'"toy"', b'"elsewhere"'))
    said = " ".join(run(course, folder, "-o", out, "--names").output.split())
    assert "handed out to you, with your answers in it. Name a lab with --lab to have it graded: toy." in said
    assert "--lab" in (out / "report.html").read_text()
    page = (out / "feedback" / "b.ipynb.html").read_text()
    assert "which is no lab here" in page and "handed out to you" in page and "--lab" not in page


def test_of_many_lines_of_one_kind_the_first_are_told_and_then_that_there_are_more(
    course: Course, tmp_path: Path
) -> None:
    (tmp_path / "class").mkdir()
    for number in range(SHOWN + 2):
        (tmp_path / "class" / f"{number:02}.ipynb").write_text("no notebook")
    lines = run(course, tmp_path / "class", "-o", tmp_path / "out").output.splitlines()
    (place,) = [number for number, line in enumerate(lines) if line.startswith("… and 2 more like these")]
    assert [line[:2] for line in lines[place - SHOWN : place]] == [f"{number:02}" for number in range(SHOWN)]


def test_a_page_that_cannot_be_written_is_named(course: Course, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "feedback").write_text("a file where a folder should be")
    result = run(course, folder / "b.ipynb", "-o", out)
    assert result.exit_code == 2 and "b.ipynb.html cannot be written" in " ".join(result.output.split())


def test_a_changed_suite_grades_the_class_again_and_lists_the_changes(
    course: Course, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    (folder / "b.ipynb").write_bytes(notebook(RIGHT[0], f"{CENTER.rstrip()} + 1e-9", WAVE, BOTH))
    run(course, folder, "-o", out)
    suite = course.root / "tests" / "public" / "toy" / "test_center.py"
    suite.write_text(suite.read_text() + '\n    assert got[0, 1] == 0, "stricter now"\n')
    result = run(course, folder, "-o", out)
    assert "2 graded, 1 rejected. Results" in result.output
    said = " ".join(result.output.split())
    assert f"The regrade changed 1 question of 1 file: {out}/changes.csv" in said
    assert "regrade" not in run(course, folder, "-o", out).output, "nothing was graded"
    assert table(out / "changes.csv") == [
        {"file": "b.ipynb", "question": "center", "before": "3", "after": "2", "why": "suite"}
    ]
    said = " ".join(run(course, folder, "-o", out, "--fresh").output.split())
    assert "2 graded" in said and "The regrade changed no question's points" in said
    assert table(out / "changes.csv") == []


def test_marks_and_overrides_are_laid_over_the_grades_and_survive_regrading(
    course: Course, folder: Path, tmp_path: Path
) -> None:
    rubric = course.root / "grading.yml"
    rubric.write_text(rubric.read_text() + '      plots: {kind: written, points: 4, rubric: ["labelled"]}\n')
    course = load_course(course.root)
    out = tmp_path / "out"
    run(course, folder, "-o", out)
    assert [row["pending"] for row in table(out / "grades.csv")] == ["4", "0", "4"]

    (out / "marks.csv").write_text("file;question;points;comment\nb.ipynb;plots;3;no legend\n", encoding="utf-8-sig")
    (out / "overrides.csv").write_text(
        'file,question,points,reason\ntwo/a.ipynb,center,3,"the mean was right, see e-mail"\nno such.ipynb,wave,1,x\n'
    )
    result = run(course, folder, "-o", out)
    assert "no such.ipynb" in result.output
    rows = {row["file"]: row for row in table(out / "grades.csv")}
    b, a = rows["b.ipynb"], rows["two/a.ipynb"]
    assert [b["score"], b["possible"], b["pending"], b["plots"]] == [str(POINTS + 3), str(POINTS + 4), "0", "3"]
    assert [a["center"], a["pending"], a["plots"]] == ["3", "4", "0"]
    record = next(r for r in records(out) if r["file"] == "b.ipynb")
    (check,) = record["questions"][-1]["checks"]
    assert (check["name"], check["score"], check["message"]) == ("by_hand", 3, "no legend")
    assert any("see e-mail" in note for r in records(out) for note in r["notes"])

    run(course, folder, "-o", out, "--fresh")
    assert {row["file"]: row for row in table(out / "grades.csv")} == rows


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ("file,question\nb.ipynb,wave\n", "marks.csv:1: there is no column points"),
        ("file,question,points\nb.ipynb,wave,2.5\n", ":2: points: '2.5' is no whole number"),
        ("file,question,points\nb.ipynb,wave,-1\n", ":2: points: '-1' is no whole number"),
        ("file,question,points\nb.ipynb,wavy,1\n", ":2: there is no question wavy"),
        ("file,question,points\n\nb.ipynb,wave,99\n", ":3: 99 points are more than the question's 5"),
        ("file,question,points\nb.ipynb,wave,1\nb.ipynb,wave,2\n", ":3: this file and question stand in line 2"),
        ("file,question,points\nb.ipynb,,1\n", ":2: question is empty"),
        ('file,question,points\nb.ipynb,wave,"1\n', "this is not CSV"),
    ],
)
def test_a_sheet_with_a_mistake_is_refused_before_anything_is_graded(
    course: Course, folder: Path, tmp_path: Path, sheet: str, said: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "marks.csv").write_text(sheet)
    result = run(course, folder, "-o", out)
    assert result.exit_code == 2
    assert said in result.output
    assert not (out / "gradebook.sqlite").exists()


ROSTER = """\
student,file
Jane Doe,doejane
Ravi Kumar,lab-1-rkumar/*
Li Wei,team 7/*
Ana Souza,TEAM 7/*
Zoë Ñandú,
Sam Moodle,
Gus Scope,submission_123456
Nobody Here,nobody
"""


def test_a_roster_names_students_as_bulk_downloads_do(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    roster = Roster(tmp_path / "roster.csv")
    assert roster.of("doejane_24681_135792_hw-2.ipynb") == ("Jane Doe",)  # Canvas
    assert roster.of("doejane_LATE_24681_135792_hw.ipynb") == ("Jane Doe",)
    assert roster.of("Sam Moodle_1234567_assignsubmission_file_/hw.ipynb") == ("Sam Moodle",)  # Moodle
    assert roster.of("submission_123456/hw.ipynb") == ("Gus Scope",)  # Gradescope
    assert roster.of("lab-1-rkumar/numpy_block.ipynb") == ("Ravi Kumar",)  # GitHub Classroom
    assert roster.of("team 7/hw.ipynb") == ("Li Wei", "Ana Souza")
    assert roster.of("zoë ñandú.ipynb") == ("Zoë Ñandú",)
    assert roster.of("stranger.ipynb") == ()
    with pytest.raises(SheetError, match="there is no column student"):
        (tmp_path / "bad.csv").write_text("name,mail\nx,y\n")
        Roster(tmp_path / "bad.csv")


def test_of_several_attempts_the_rubrics_rule_picks_one_and_the_roster_names_it(course: Course, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    half = notebook(RIGHT[0], CENTER)
    (folder / "hw.ipynb").write_bytes(notebook())
    (folder / "hw (2).ipynb").write_bytes(half)
    (folder / "hw (10).ipynb").write_bytes(notebook(RIGHT[0], CENTER, WAVE))
    (folder / "hw (11).ipynb").write_text("damaged")
    (folder / "other.ipynb").write_bytes(half)
    (tmp_path / "roster.csv").write_text("student,file\nJane,hw\nLi,hw (2)*\nLi,other\nAna,ana\n")
    out = tmp_path / "out"
    rubric = course.root / "grading.yml"
    without_a_rule = rubric.read_text()

    def picked(rule: str, *more: str | Path) -> list[tuple[str, str]]:
        rubric.write_text(without_a_rule.replace("    title: Waves\n", f"    title: Waves\n{rule}"))
        said = run(load_course(course.root), folder, "-o", out, *more).output
        assert "Traceback" not in said
        return [(row["file"], row["student"]) for row in table(out / "grades.csv")]

    assert len(picked("")) == 5, "without a rule every attempt is listed"
    assert picked("    attempts: last\n") == [("hw (10).ipynb", "hw"), ("other.ipynb", "other")]
    assert picked("    attempts: best\n") == [("hw.ipynb", "hw"), ("other.ipynb", "other")]
    assert picked("    attempts: best\n", "--roster", tmp_path / "roster.csv") == [
        ("hw.ipynb", "Jane"),
        ("other.ipynb", "Li"),
    ]
    said = run(load_course(course.root), folder, "-o", out, "--roster", tmp_path / "roster.csv").output
    assert "3 attempts set aside: another one of the same student counts." in said
    assert "1 of the roster handed in nothing: Ana" in said


def test_submissions_in_nobodys_name_are_named(course: Course, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    for name in ("ana", "bo", "cy", "di", "ed"):
        (folder / f"{name}.ipynb").write_text("no notebook")
    (tmp_path / "roster.csv").write_text("student,file\nAna,ana\n")
    said = run(course, folder, "-o", tmp_path / "out", "--roster", tmp_path / "roster.csv").output
    assert "4 submissions in nobody's name on the roster: bo.ipynb, cy.ipynb, di.ipynb, …" in " ".join(said.split())


def test_attempts_are_in_the_order_of_their_numbers() -> None:
    names = ["hw.ipynb", "hw (2).ipynb", "hw (10).ipynb"]
    assert natural(names[0]) < natural(names[1]) < natural(names[2])
    assert natural("doe_LATE_12_3456_hw-2.ipynb") == natural("doe_12_3456_hw-2.ipynb")


def test_mistakes_of_the_user_are_told_in_a_sentence(course: Course, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for arguments, said in (
        ([folder, "--lab", "nolab"], "--lab nolab: there is no such lab. Labs here: toy."),
        ([tmp_path / "empty"], "no notebook or zip lies in"),
        ([tmp_path / "missing"], "does not exist"),
    ):
        result = run(course, *arguments, "-o", tmp_path / "out")
        assert result.exit_code == 2
        assert said in result.output


def test_without_distributed_a_scheduler_is_refused_with_the_remedy(
    course: Course, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run(course, folder, "-o", tmp_path / "out", "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "pip install 'autograder[cluster]'" in result.output


@pytest.mark.parametrize("address", ["x", "tcp://x", "nonsense://x:1", "tcp://:8786", "tcp://x:port", "x:8786:1", ""])
def test_a_scheduler_without_host_and_port_is_refused_at_once(
    course: Course, folder: Path, tmp_path: Path, address: str
) -> None:
    started = time.monotonic()
    result = run(course, folder, "-o", tmp_path / "out", "--scheduler", address)
    assert result.exit_code == 2
    assert "is no scheduler's address. Name its host and port" in " ".join(result.output.split())
    assert time.monotonic() - started < 5
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "tls://host.example.org:1/", "[::1]:8786", "host:8786"])
def test_addresses_of_schedulers_are_known(address: str) -> None:
    assert is_address(address)


def test_a_scheduler_that_does_not_answer_leaves_no_folder(
    course: Course, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("autograder.cluster.CONNECT_SECONDS", 1)
    result = run(course, folder, "-o", tmp_path / "out", "--scheduler", "tcp://127.0.0.1:1")
    assert "no Dask cluster with workers answers at tcp://127.0.0.1:1" in " ".join(result.output.split())
    assert not (tmp_path / "out").exists()


def test_a_broken_check_stops_the_class_and_is_named(course: Course, folder: Path, tmp_path: Path) -> None:
    suite = course.root / "tests" / "hidden" / "toy" / "test_center.py"
    suite.write_text(suite.read_text() + "    undefined_name\n")
    result = run(course, folder, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "test_each_row: the check itself failed" in result.output


def test_a_check_that_asks_for_what_nothing_provides_is_told_so(course: Course, folder: Path, tmp_path: Path) -> None:
    suite = course.root / "tests" / "hidden" / "toy" / "test_center.py"
    suite.write_text(suite.read_text().replace("(student, reference)", "(student, referense)"))
    result = run(course, folder, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "test_each_row: the check itself asks for referense, which nothing provides. Mend the check." in (
        " ".join(result.output.split())
    )


def test_a_suite_that_cannot_be_imported_stops_the_class_and_is_named(
    course: Course, folder: Path, tmp_path: Path
) -> None:
    suite = course.root / "tests" / "hidden" / "toy" / "test_center.py"
    suite.write_text(f"import no_such_module\n{suite.read_text()}")
    result = run(course, folder, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "test_center.py: the suite cannot be imported: ModuleNotFoundError" in result.output


def test_an_interrupt_keeps_what_is_graded_and_says_how_to_go_on(course: Course, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number:02}.ipynb").write_bytes(notebook(*RIGHT, f"import time; time.sleep(0.3)  # {number}"))
    out = tmp_path / "out"
    command = [sys.executable, "-m", "autograder", "--course", str(course.root), "grade", str(folder), "-o", str(out)]
    grader = subprocess.Popen([*command, "-j", "1"], stderr=subprocess.PIPE, text=True, start_new_session=True)
    journal = out / "gradebook.sqlite-wal"
    deadline = time.monotonic() + 120
    while not (journal.exists() and journal.stat().st_size > 60_000) and time.monotonic() < deadline:
        time.sleep(0.1)
    os.killpg(grader.pid, signal.SIGINT)  # as a terminal does: to the workers too
    _, said = grader.communicate(timeout=120)
    assert grader.returncode == 130
    assert "Stopping when what is being graded is done" in said
    assert "of 40 were graded and are kept. The same command goes on from there." in said
    assert "Traceback" not in said
    assert not (out / "grades.csv").exists()

    for number in range(12, 40):  # the rest need not be waited for
        (folder / f"{number:02}.ipynb").unlink()
    done = subprocess.run([*command, "-j", "1"], capture_output=True, text=True, timeout=300, check=True)
    assert "unchanged since they were graded" in done.stderr
    assert len(table(out / "grades.csv")) == 12


def test_an_interrupt_outside_of_grading_is_told_in_a_sentence(
    course: Course, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("autograder.reports.pages.write_pages", interrupted)
    before = signal.getsignal(signal.SIGINT)
    result = run(course, folder, "-o", tmp_path / "out")
    signal.signal(signal.SIGINT, before)
    assert result.exit_code == 130
    assert "Interrupted. What was finished is kept, grades among it: run the same command again." in result.output
    assert kept(tmp_path / "out") == {"b.ipynb", "c.ipynb", "two/a.ipynb"}


def test_an_interrupt_while_the_command_is_read_is_told_as_well() -> None:
    code = (
        "import sys\nclass Interrupted:\n    def find_spec(self, name, *more):\n"
        "        if name == 'autograder.cli': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\nfrom autograder.__main__ import main\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 130
    assert done.stderr == "Interrupted. What was finished is kept, grades among it: run the same command again.\n"


def nap(seconds: float, number: int = 0) -> bytes:
    return notebook(*RIGHT, f"import time; time.sleep({seconds})  # {number}")


def wait_until(true: Callable[[], bool], seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.1)
    assert true()


def lives(process: int) -> bool:
    """Whether a process is there, and is not one that has ended and that nobody has asked about."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@pytest.mark.parametrize(("number", "presses"), [(signal.SIGINT, 2), (signal.SIGTERM, 2), (signal.SIGINT, 6)])
def test_a_second_interrupt_ends_what_is_being_graded_at_once_and_more_change_nothing(
    course: Course, tmp_path: Path, number: signal.Signals, presses: int
) -> None:
    folder, out = tmp_path / "class", tmp_path / "out"
    folder.mkdir()
    (folder / "0.ipynb").write_bytes(notebook())
    rubric = course.root / "grading.yml"
    rubric.write_text(rubric.read_text().replace("cell_seconds: 1,", "cell_seconds: 20,"))
    for name in range(1, 5):
        (folder / f"{name}.ipynb").write_bytes(nap(60, name))
    command = [sys.executable, "-m", "autograder", "--course", str(course.root), "grade", str(folder), "-o", str(out)]
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch).chmod(0o711)
        there = {"env": os.environ | {"TMPDIR": scratch}, "start_new_session": True}
        grader = subprocess.Popen([*command, "-j", "2"], stderr=subprocess.PIPE, text=True, **there)  # type: ignore[call-overload]
        wait_until(lambda: kept(out) == {"0.ipynb"})
        time.sleep(1)
        started = time.monotonic()
        processes = set(below(grader.pid))
        for _ in range(presses):
            if grader.poll() is None:
                grader.send_signal(number)
            time.sleep(0.2)
        _, said = grader.communicate(timeout=120)
        assert time.monotonic() - started < 10, "the cells' own limits are longer"
        assert not list(Path(scratch).glob("autograder-*"))
    assert grader.returncode == 130
    assert "Stopped: 1 of 5 were graded and are kept. The same command goes on from there." in said
    assert "Traceback" not in said and "semaphore" not in said
    assert len(processes) >= 4, "two workers, each with a sandbox"
    wait_until(lambda: not any(map(lives, processes)), 5)
    assert kept(out) == {"0.ipynb"}


# --- progress -------------------------------------------------------------------------------------------------------


def test_without_a_terminal_there_is_a_line_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0

    def clock() -> float:
        return now

    tally = Tally(300, clock)
    with Watch(Console(stderr=True), tally, clock) as watch:
        for number in range(100):
            now += 1.0
            grade = a_grade(f"{number}.ipynb", status="graded" if number % 50 else "rejected")
            grade.seconds = 20.0 if number == 7 else 0.1
            watch.add(grade)
    said = capsys.readouterr().err.splitlines()
    assert said == ["60 of 300, 1.0 a second, 4 min left, 2 rejected, 1 slow"]
    assert tally.slow == ["7.ipynb"]


def test_on_a_terminal_there_is_a_bar_with_rate_and_trouble() -> None:
    console = Console(force_terminal=True, width=120, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    with Watch(console, Tally(10)) as watch:
        watch.add(a_grade(status="rejected"))
    shown = console.export_text()
    console.file.close()
    assert "1/10" in shown
    assert "/s" in shown
    assert "1 rejected" in shown


@pytest.mark.parametrize(("seconds", "said"), [(4, "4 s"), (89, "89 s"), (600, "10 min"), (9000, "2.5 h")])
def test_durations_are_short(seconds: float, said: str) -> None:
    assert duration(seconds) == said


# --- imports --------------------------------------------------------------------------------------------------------

HEAVY = "numpy torch pytest IPython otter jupytext nbformat matplotlib distributed dask jinja2 traitlets".split()


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_the_command_itself_imports_nothing_heavy() -> None:
    """Handing out work and skipping what is graded needs no numpy, and none of the peers' packages."""
    assert loaded_by("import autograder.cli").isdisjoint(HEAVY)


def test_a_worker_imports_what_its_lab_needs_and_no_more() -> None:
    """Reading a master needs jupytext, the suites pytest; a NumPy lab needs no torch, and nobody needs Otter."""
    loaded = loaded_by("import autograder.grade, autograder.workers")
    assert loaded.isdisjoint({"torch", "otter", "matplotlib", "IPython", "distributed", "dask"})


def test_the_sandbox_imports_no_part_of_the_judge() -> None:
    loaded = loaded_by("import autograder.sandbox.zygote")
    assert loaded.isdisjoint({"torch", "otter", "matplotlib", "pytest", "jupytext", "nbformat", "yaml"})
