"""A class on GitHub, from its repositories to grades and comments: by hand, and by the staff's own workflow."""

from __future__ import annotations

import csv
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from autograder import cli
from autograder import publish as module
from autograder.cli import main
from autograder.course import Course, load_course
from autograder.credential import TOKEN
from autograder.kits import github_staff
from tests.actions import Run, Runner, actionlint, commands, python_for
from tests.fake_github import AFTER, DEADLINE, READ_TOKEN, WRITE_TOKEN, FakeGitHub
from tests.test_github import git, laid_out
from tests.toy import CENTER, POINTS, RIGHT, WRONG_CENTER, copy_of_the_course, notebook

ROOT = Path(__file__).resolve().parents[1]
LABS = [lab for lab in load_course(ROOT).labs.values() if lab.handout.is_file()]
NAMES = {lab.name: lab for lab in LABS}
TOKENS = (READ_TOKEN, WRITE_TOKEN)

HUNTER = f"""
import glob, os
found = [f"{{key}}={{value}}" for key, value in os.environ.items()]
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    try:
        with open(path, "rb") as file:
            found.append(file.read().decode(errors="replace"))
    except OSError:
        pass
print(found)


{CENTER.replace("    return", "    raise ValueError(found) if x.size != 7 else None; return")}
"""
"""A notebook that looks for a token wherever one may lie, and tells what it finds in its errors."""


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    with FakeGitHub(tmp_path / "server", page=25).served() as fake:
        yield fake


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return copy_of_the_course(tmp_path / "course")


@pytest.fixture
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands are given, and leave what they make."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(module, "PAUSE", 0.0)
    return folder


def write_class(github: FakeGitHub, size: int) -> None:
    """`size` repositories of which every third has a slip, with others between; the first is a hunter for tokens."""
    for number in range(size):
        center = WRONG_CENTER if number % 3 == 2 else CENTER
        cells = [f"mine = {number}\n", RIGHT[0], HUNTER if number == 0 else center, *RIGHT[2:]]
        github.create(f"toy-student{number:02}", {"toy.ipynb": notebook(*cells), "notes.txt": b"mine"})
        if number % 10 == 0:
            github.create(f"other-student{number:02}", {"toy.ipynb": notebook()})


def run(course: Course, *arguments: str, token: str | None = None) -> Result:
    return CliRunner().invoke(main, ["--course", str(course.root), *arguments], env={TOKEN: token})


def collect_and_grade(course: Course, github: FakeGitHub) -> str:
    """Both commands, as staff give them one after the other; what they said."""
    asked = ["--organisation", "course", "--lab", "toy", "--deadline", DEADLINE.isoformat(), "--api", github.url]
    collected = run(course, "collect", "--from", "github", *asked, token=READ_TOKEN)
    assert collected.exit_code == 0, collected.output
    graded = run(course, "grade", "collected", "-j", "2", token=READ_TOKEN)  # it stays exported in many a shell
    assert graded.exit_code == 0, graded.output
    return collected.output + graded.output


def table(folder: Path) -> dict[str, int]:
    with (folder / "graded" / "grades.csv").open(newline="", encoding="utf-8") as file:
        return {row["student"]: int(row["score"]) for row in csv.DictReader(file)}


def holding(folder: Path, words: tuple[str, ...]) -> list[str]:
    """The files below a folder that hold one of these words."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if any(word.encode() in path.read_bytes() for word in words)]


def test_a_class_of_sixty_is_collected_and_graded_and_a_second_run_fetches_nothing(
    github: FakeGitHub, course: Course, in_a_folder: Path
) -> None:
    write_class(github, 60)
    said = collect_and_grade(course, github)
    assert "60 notebooks (60 fetched now)" in " ".join(said.split())
    grades = table(in_a_folder)
    assert len(grades) == 60
    assert {student for student, score in grades.items() if score == POINTS} == {
        f"student{number:02}" for number in range(1, 60) if number % 3 != 2
    }
    assert len(set(github.asked("/git/blobs/"))) == len(github.asked("/git/blobs/")) == 60
    asked = len(github.requests)
    again = " ".join(collect_and_grade(course, github).split())
    assert "60 notebooks (0 fetched now)" in again and "60 unchanged since they were graded" in again
    assert [request.partition("?")[0] for request in github.requests[asked:]] == ["GET /orgs/course/repos"] * 3
    assert table(in_a_folder) == grades
    published = run(course, "publish", "--to", "github", "--api", github.url, token=WRITE_TOKEN)
    assert published.exit_code == 0, published.output
    assert [len(found.comments) for found in github.repositories.values() if found.name.startswith("toy-")] == [1] * 60
    comments = "".join(text for found in github.repositories.values() for _, text in found.comments)
    assert "ValueError" in comments or "raised" in comments, "the hunter told what it found"
    assert holding(in_a_folder, TOKENS) == []
    assert not any(token in said + again + published.output + comments for token in TOKENS)


def test_graders_are_started_without_the_token(
    course: Course, in_a_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where it is exported: a worker's environment can be read by others on some machines."""
    started: list[bool] = []
    hall = cli._hall

    def watched(*arguments: Any) -> Any:
        started.append(TOKEN in os.environ)
        return hall(*arguments)

    monkeypatch.setattr(cli, "_hall", watched)
    (in_a_folder / "a.ipynb").write_bytes(notebook())
    assert run(course, "grade", "a.ipynb", "-j", "1", token=READ_TOKEN).exit_code == 0
    assert started == [False]


# --- the workflow ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_actionlint_finds_nothing_to_say_of_the_staffs_workflow(name: str, tmp_path: Path) -> None:
    file = tmp_path / "grade.yml"
    file.write_bytes(github_staff(NAMES[name], b"{}")[".github/workflows/grade.yml"])
    assert actionlint(file) == (0, "")


def workflow_of(name: str) -> tuple[str, dict[str, Any]]:
    text = github_staff(NAMES[name], b"{}")[".github/workflows/grade.yml"].decode()
    return text, yaml.load(text, Loader=yaml.BaseLoader)


@pytest.mark.parametrize("name", NAMES)
def test_the_staffs_workflow_runs_by_hand_and_at_the_deadline_and_asks_for_little(name: str) -> None:
    text, workflow = workflow_of(name)
    assert set(workflow["on"]) == {"workflow_dispatch", "schedule"}, "nothing that a student does starts it"
    assert workflow["permissions"] == {"contents": "read"}
    assert "@LAB@" not in text and "@TITLE@" not in text
    for action, comment in re.findall(r"uses: (\S+)(.*)", text):
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)
        assert re.fullmatch(r" # v[\d.]+", comment), "which version it is, for those who read it"


@pytest.mark.parametrize("name", NAMES)
def test_tokens_are_given_to_the_steps_that_ask_github_alone(name: str) -> None:
    text, workflow = workflow_of(name)
    (job,) = workflow["jobs"].values()
    assert "secrets" not in str({key: value for key, value in job.items() if key != "steps"}) + str(workflow.get("env"))
    given = {step["name"]: str(step.get("env", "")) for step in job["steps"] if "secrets." in str(step)}
    assert sorted(re.findall(r"secrets\.(\w+)", "".join(given.values()))) == ["READ_TOKEN", "WRITE_TOKEN"]
    assert text.count("secrets.") == 2
    for step in job["steps"]:
        assert "${{" not in step.get("run", ""), "what comes from outside goes into a script by its environment alone"
        assert not ("secrets." in str(step) and " grade " in step["run"])


@pytest.mark.parametrize("name", NAMES)
def test_the_staffs_repository_holds_the_lab_with_all_its_checks_and_no_other(name: str) -> None:
    files = github_staff(NAMES[name], b"{}")
    assert f"course/solutions/{name}/lab.py" in files
    assert any(path.startswith(f"course/tests/hidden/{name}/test_") for path in files)
    others = tuple(f"course/tests/hidden/{other}/" for other in NAMES if other != name)
    assert not any(path.startswith(others) for path in files)


class Staff:
    """The staff's private repository, and a machine that runs its workflow."""

    def __init__(self, folder: Path, github: FakeGitHub, course: Course) -> None:
        shutil.copy(ROOT / "constraints.txt", course.root)
        files = github_staff(course.labs["toy"], notebook(""))
        folder.mkdir()
        self.repository = laid_out(files, folder / "private")
        git(self.repository, "init", "--quiet")
        git(self.repository, "add", "--all")
        git(self.repository, "commit", "--quiet", "--message", "The course")
        python = python_for(files["grader/requirements.txt"].decode(), folder / "python")
        values = {"ORGANISATION": "course", "PREFIX": "", "DEADLINE": DEADLINE.isoformat()}
        self.machine = Runner(folder / "machine", python, {"GITHUB_API_URL": github.url})
        self.machine.values = {f"vars.{key}": value for key, value in values.items()}
        self.machine.values |= {"secrets.READ_TOKEN": READ_TOKEN, "secrets.WRITE_TOKEN": WRITE_TOKEN}
        self.machine.values |= {"inputs.grades_are_out": "", "github.run_attempt": "1"}
        self.machine.folder.mkdir()
        self.runs = 0

    def run(self, **inputs: str) -> Run:
        self.runs += 1
        self.machine.values["github.run_id"] = str(self.runs)
        self.machine.values |= {f"inputs.{key}": value for key, value in inputs.items()}
        workflow = self.repository / ".github" / "workflows" / "grade.yml"
        return self.machine.run(workflow, self.repository, git(self.repository, "rev-parse", "HEAD").strip())


def test_the_staffs_workflow_collects_grades_and_answers_a_class(
    github: FakeGitHub, course: Course, tmp_path: Path
) -> None:
    write_class(github, 3)
    late = github.create("toy-zoe", {"toy.ipynb": notebook("late = 1\n")}, AFTER)
    hostile = github.create("toy-eve", {"a\n::error::x.ipynb": notebook(), "##[error]y.ipynb": notebook()})
    staff = Staff(tmp_path / "staff", github, course)
    run = staff.run()
    assert run.failed == [], run.log
    grades = table(staff.machine.artifacts["graded"])
    assert grades["student01"] == POINTS > grades["student02"]
    assert set(grades) == {"student00", "student01", "student02"}
    answered = {found.name: [text for _, text in found.comments] for found in github.repositories.values()}
    assert [len(answered[f"toy-student0{number}"]) for number in range(3)] == [1, 1, 1]
    assert answered[late.name] == answered[hostile.name] == []
    assert "each row" not in str(answered), "hidden checks wait"
    warned = [(command.name, command.text) for command in commands(run.log)]
    assert warned == [("warning", "Some notebooks could not be collected; this step's log says which.")]
    assert "toy-eve: The repository holds 2 notebooks" in " ".join(run.log.split()), "no other line is a command"
    assert holding(staff.machine.artifacts["graded"], TOKENS) == holding(staff.machine.workspace, TOKENS) == []
    assert not any(token in run.log + run.summary + str(answered) for token in TOKENS)

    blobs = len(github.asked("/git/blobs/"))
    again = staff.run(grades_are_out="true")
    assert again.failed == [], again.log
    assert len(github.asked("/git/blobs/")) == blobs
    assert "3 unchanged since they were graded" in " ".join(again.log.split())
    slipped = github.named("toy-student02")
    assert slipped is not None
    first, second = (text for _, text in slipped.comments)
    assert "each row" not in first and "each row" in second
