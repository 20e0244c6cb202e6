"""A push to a student's repository: the template's own workflow, run step by step on real git repositories."""

from __future__ import annotations

import ast
import base64
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from autograder.cli import main
from autograder.course import Lab, load_course
from autograder.github import (
    Push,
    cell_lines,
    course_folder,
    find_notebook,
    grade_push,
    hand_over,
    public_lab,
    tell,
    untouched,
)
from autograder.grade import Judge
from autograder.kits import classroom50, github_template
from autograder.master import answer, cases_of, read_master, without_handout
from autograder.reports.feedback import plain
from autograder.reports.github import command, fenced
from autograder.reports.table import as_csv, csv_rows
from autograder.submission import Rejected
from tests.actions import Command, Run, Runner, actionlint, commands, python_for

ROOT = Path(__file__).resolve().parents[1]
COURSE = load_course(ROOT)
LABS = [name for name, lab in COURSE.labs.items() if lab.handout.is_file()]
LAB = "numpy_block"
SAMPLES = ROOT / "tests" / "submissions"
TOKEN = "ghs_0123456789abcdefghijklmnopqrstuvwxyz"
FORGED = "::notice title=Autograding complete::Points 60/60"


# --- repositories ---------------------------------------------------------------------------------------------------


def template_of(lab: Lab) -> dict[str, bytes]:
    handed_out = {path.name: path.read_bytes() for path in lab.handout.parent.iterdir() if path.is_file()}
    return github_template(lab, read_master(lab.master), handed_out)


def bundle_of(lab: Lab) -> dict[str, bytes]:
    """What Classroom 50 publishes."""
    return classroom50(lab, read_master(lab.master))


def laid_out(files: dict[str, bytes], folder: Path) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture(scope="module", params=LABS)
def lab(request: pytest.FixtureRequest) -> Lab:
    return COURSE.labs[request.param]


@pytest.fixture(scope="module")
def template(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lab's template as a student's checkout."""
    return laid_out(template_of(lab), tmp_path_factory.mktemp(lab.name))


@pytest.fixture(scope="module")
def judge(template: Path) -> Iterator[Judge]:
    folder = course_folder(template)
    assert folder is not None
    judge = Judge(public_lab(load_course(folder), template, None))
    yield judge
    judge.close()


def notebook_of(lab: Lab) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(lab.handout.read_text(encoding="utf-8"))
    return document


def solved(lab: Lab) -> bytes:
    """The handout with every answer of the master in place of the stub that asks for it."""
    document = notebook_of(lab)
    for answered in (cell for cell in read_master(lab.master).cells if cell.is_solution):
        source = answer(answered.source).strip("\n")
        stub = next(cell for cell in document["cells"] if defined(cell) >= names_in(source))
        stub["source"] = source
    return json.dumps(document, indent=1).encode()


def defined(cell: dict[str, Any]) -> set[str]:
    return names_in("".join(cell["source"])) if cell["cell_type"] == "code" else set()


def names_in(source: str) -> set[str]:
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return set()
    names = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
    return names | {target.id for target in targets if isinstance(target, ast.Name)}


def with_cell(raw: bytes, source: str) -> bytes:
    """A notebook with one more code cell at its end."""
    document = json.loads(raw)
    cell = {"cell_type": "code", "id": "own", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
    document["cells"].append(cell)
    return json.dumps(document, indent=1).encode()


# --- what is in the template ----------------------------------------------------------------------------------------


def test_the_template_holds_the_assignment_the_public_tests_a_devcontainer_and_the_workflow(lab: Lab) -> None:
    files = template_of(lab)
    assert {f"{lab.name}.ipynb", "README.md", "requirements.txt", ".github/workflows/classroom.yml"} <= files.keys()
    assert json.loads(files[".devcontainer/devcontainer.json"])["name"] == lab.title
    for question in lab.public().questions:
        assert f".autograder/tests/public/{lab.name}/test_{question}.py" in files
    assert not any("hidden" in name or "misconceptions" in name for name in files)


def test_the_template_is_the_same_whenever_it_is_made(lab: Lab) -> None:
    assert template_of(lab) == template_of(lab)


@pytest.mark.parametrize("kit", ["template", "bundle"])
def test_nothing_secret_is_in_what_students_or_anybody_can_read(lab: Lab, kit: str) -> None:
    """Line by line: no hidden suite, no answer, no misconception and no alternative; and none by name."""
    files = {"template": template_of, "bundle": bundle_of}[kit](lab)
    texts = {name: data.decode() for name, data in unpacked(files).items()}
    lines = {line.strip(): name for name, text in texts.items() for line in text.replace("\\n", "\n").splitlines()}
    lines |= {line.strip('", ').replace('\\"', '"'): name for line, name in lines.items()}
    assert "import numpy as np" in lines, "this test reads the template wrongly"
    shown = {line: lines[line] for line in secret_lines(lab) if line in lines}
    assert not shown
    words = {name: set(re.findall(r"\w+", text)) for name, text in texts.items()}
    tests = {f"test_{check.name}" for check in lab.checks if not check.visible} - public_tests(lab)
    assert not [name for name, held in words.items() if held & tests]
    ours = set().union(*(held for name, held in words.items() if ".whl/" not in name))
    assert not ours & secret_names(lab)


def public_tests(lab: Lab) -> set[str]:
    return {f"test_{check.name}" for check in lab.checks if check.visible}


def unpacked(files: dict[str, bytes]) -> dict[str, bytes]:
    """All files, and those inside the wheel."""
    (wheel,) = (name for name in files if name.endswith(".whl"))
    with zipfile.ZipFile(io.BytesIO(files[wheel])) as archive:
        inside = {f"{wheel}/{name}": archive.read(name) for name in archive.namelist()}
    return {name: data for name, data in (files | inside).items() if name != wheel}


def secret_lines(lab: Lab) -> set[str]:
    """What only staff may read, and what does not also stand where students may read it."""
    blocks = re.findall(r"# BEGIN SOLUTION(.*?)# END SOLUTION", lab.master.read_text(encoding="utf-8"), re.S)
    cases = [path for side in ("misconceptions", "alternatives") for path in (lab.master.parent / side).glob("*.py")]
    secret = [*blocks, *texts_in(ROOT / "tests" / "hidden" / lab.name), *(path.read_text() for path in cases)]
    return long_lines(secret) - long_lines(shown_texts(lab))


def shown_texts(lab: Lab) -> list[str]:
    """Of the master and the public suites, what students may read."""
    cells = "\n".join(without_handout(cell.source) for cell in read_master(lab.master).cells)
    shown = re.sub(r"# BEGIN SOLUTION.*?# END SOLUTION", "", cells, flags=re.S)
    return [shown, *texts_in(ROOT / "tests" / "public" / lab.name)]


def texts_in(folder: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]


def long_lines(texts: list[str]) -> set[str]:
    lines = {line.strip() for text in texts for line in text.splitlines()}
    return {line for line in lines if len(line) >= 20 and not line.startswith(("from ", "import "))}


def secret_names(lab: Lab) -> set[str]:
    """Hidden checks' and misconceptions' names, but for plain words and for what the handout calls by the same name."""
    names = {check.name for check in lab.checks} | {c.name for c in cases_of(lab.master.parent / "misconceptions")}
    shown = set(re.findall(r"\w+", "\n".join(shown_texts(lab)))) | {
        test.removeprefix("test_") for test in public_tests(lab)
    }
    return {name for name in names if "_" in name} - shown - set(lab.questions)


# --- the grader in the template -------------------------------------------------------------------------------------


def points_everywhere(push: Push, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[int, int]]:
    """Points and possible points, in every place where a push's are told."""
    output, summary = folder / "output", folder / "summary"
    for name, path in (("GITHUB_OUTPUT", output), ("GITHUB_STEP_SUMMARY", summary)):
        path.write_text("")
        monkeypatch.setenv(name, str(path))
    for name, value in CLASSROOM_50.items():
        monkeypatch.setenv(name, value)
    log = "\n".join(tell(push))
    hand_over(push, folder)
    told = points_told(log, result_in(output.read_text()), summary.read_text())
    return told | points_in_classroom_50(folder) | points_in_the_table(push)


def points_in_classroom_50(folder: Path) -> dict[str, tuple[int, int]]:
    """Of its two files, once the result is sure to be as its schema asks."""
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert faults_in(result) == []
    tests = result["tests"]
    head = re.search(r"public part: (\d+) of (\d+);", (folder / "release-body.md").read_text(encoding="utf-8"))
    assert head
    return {
        "Classroom 50": (result["score"], result["max-score"]),
        "its tests": (sum(test["score"] for test in tests), sum(test["max-score"] for test in tests)),
        "its release": (int(head[1]), int(head[2])),
    }


def points_in_the_table(push: Push) -> dict[str, tuple[int, int]]:
    table = b"".join(as_csv(csv_rows([push.grade], list(push.lab.questions)))).decode()
    (row,) = csv.DictReader(table.splitlines())
    questions = sum(int(row[name]) for name in push.lab.questions)
    return {
        "grades.csv": (int(row["score"]), int(row["possible"])),
        "its columns": (questions, int(row["possible"])),
    }


CLASSROOM_50 = {
    "CLASSROOM": "transformers",
    "ASSIGNMENT": "lab-1",
    "ASSIGNMENT_TYPE": "individual",
    "OWNER": "ada",
    "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
    "COMMIT_URL": "https://github.com/course/transformers-lab-1-ada/commit/a1b2c3d",
    "RELEASE_URL": "https://github.com/course/transformers-lab-1-ada/releases/tag/submit%2F2026",
    "REVIEW_URL": "https://github.com/course/transformers-lab-1-ada/compare/000...a1b2c3d",
}
"""What its runner tells an autograder."""


def faults_in(result: dict[str, Any]) -> list[str]:
    """Where a result is not what `classroom50/result/v1` asks for."""
    texts = ["classroom", "assignment", "owner", "commit", "release", "review"]
    keys = {"schema", *texts, "assignment_type", "submission", "datetime", "score", "max-score", "tests"}
    faults = [f"key {key}" for key in keys ^ result.keys()]
    faults += [name for name in texts if not (isinstance(result[name], str) and result[name])]
    faults += ["schema"] * (result["schema"] != "classroom50/result/v1")
    faults += ["assignment_type"] * (result["assignment_type"] not in ("individual", "group"))
    faults += ["submission"] * (not result["submission"].startswith("submit/"))
    faults += ["datetime"] * (not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", result["datetime"]))
    for scored in (result, *result["tests"]):
        whole = type(scored["score"]) is type(scored["max-score"]) is int
        faults += [f"points of {scored}"] * (not (whole and 0 <= scored["score"] <= scored["max-score"]))
    for test in result["tests"]:
        named = isinstance(test["test-name"], str) and test["test-name"] != ""
        faults += [f"test {test}"] * (not (named and isinstance(test["passed"], bool)))
    return faults


def points_told(log: str, result: dict[str, Any], summary: str) -> dict[str, tuple[int, int]]:
    notices = {c.properties["title"]: c.text for c in commands(log) if c.name == "notice"}
    report = json.loads(notices["Autograding report"])
    head = re.search(r"public part: (\d+) of (\d+); the full lab has (\d+)", summary)
    rows = re.findall(r"^\| \w+ \| (\d+) of (\d+) \|$", summary, re.M)
    complete = re.fullmatch(r"Points (\d+)/(\d+)", notices["Autograding complete"])
    assert head and complete
    passing = sum(test["status"] == "pass" for test in result["tests"])
    told = {
        "complete": (int(complete[1]), int(complete[2])),
        "report": (report["totalPoints"], report["maxPoints"]),
        "result": (sum(test["score"] for test in result["tests"]), result["max_score"]),
        "the reporter's own table": (passing * result["max_score"] / len(result["tests"]), result["max_score"]),
        "summary": (int(head[1]), int(head[2])),
    }
    return told | ({"rows": (sum(int(a) for a, _ in rows), sum(int(b) for _, b in rows))} if rows else {})


def result_in(output: str) -> dict[str, Any]:
    (line,) = output.splitlines()
    result: dict[str, Any] = json.loads(base64.b64decode(line.removeprefix("result=")))
    return result


def samples(lab: Lab) -> dict[str, bytes]:
    """The sample class; of each lab, too, the handout as it came and with every answer filled in."""
    files = {path.name: path.read_bytes() for path in sorted((SAMPLES / lab.name).glob("*")) if path.is_file()}
    return files | {"as it came": lab.handout.read_bytes(), "all answered": solved(lab)}


def test_points_agree_wherever_they_are_told_for_every_sample_submission(
    lab: Lab, template: Path, judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = {}
    for name, raw in samples(lab).items():
        (template / f"{lab.name}.ipynb").write_bytes(raw)
        push = grade_push(template, judge.lab, judge)
        told = points_everywhere(push, tmp_path, monkeypatch)
        assert set(told.values()) == {(push.grade.score, lab.public().possible)}, (name, told)
        points[name] = push.grade.score
    assert points["as it came"] == 0
    assert points["all answered"] == lab.public().possible


@pytest.mark.slow
def test_the_same_points_come_out_when_the_class_is_graded_at_once(
    lab: Lab, template: Path, judge: Judge, tmp_path: Path
) -> None:
    """`autograder grade` with the public part of the course, against what each student was told at a push."""
    laid_out({f"{name}": raw for name, raw in samples(lab).items() if "." in name}, tmp_path / "class")
    course = ["--course", str(course_folder(template)), "grade", "-j", "2", "--lab", lab.name]
    CliRunner().invoke(main, [*course, str(tmp_path / "class"), "-o", str(tmp_path / "graded")])
    with (tmp_path / "graded" / "grades.csv").open(newline="", encoding="utf-8-sig") as file:
        rows = {row["file"]: (int(row["score"]), int(row["possible"])) for row in csv.DictReader(file)}
    told = {}
    for file in rows:
        shutil.copy(tmp_path / "class" / file, template / f"{lab.name}.ipynb")
        grade = grade_push(template, judge.lab, judge).grade
        told[file] = (grade.score, grade.possible)
    assert rows == told
    assert len(rows) >= 4


def test_a_check_that_fails_says_why_at_its_cell(
    template: Path, judge: Judge, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = next(iter(lab.questions.values()))
    raw = with_cell(solved(lab), f"def {question.functions[0]}():\n    pass\n\n\n1 / 0")
    (template / f"{lab.name}.ipynb").write_bytes(raw)
    push = grade_push(template, judge.lab, judge)
    found = [c for c in commands("\n".join(tell(push))) if c.name in ("error", "warning")]
    lines = raw.decode().splitlines()
    stopped = next(c for c in found if "ZeroDivisionError" in c.text)
    assert '"cell_type": "code"' in "".join(lines[int(stopped.properties["line"]) - 1 :][:3])
    wrong = next(c for c in found if c.properties["title"] == question.name)
    assert wrong.properties["line"] == stopped.properties["line"], "the last definition counts"
    assert all(len([c for c in found if c.name == kind]) <= 10 for kind in ("error", "warning"))


# --- the workflow, step by step -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def student_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What setup-python brings, with pip and all that the grader's own requirements ask for, and nothing else."""
    requirements = template_of(COURSE.labs[LAB])[".autograder/requirements.txt"].decode()
    return python_for(requirements, tmp_path_factory.mktemp("python"))


class Repository:
    """A student's repository on the server, and a clone to work in."""

    def __init__(self, folder: Path, files: dict[str, bytes]) -> None:
        self.server, self.clone = folder / "server.git", folder / "clone"
        git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(self.server))
        git(folder, "clone", "--quiet", str(self.server), str(self.clone))
        self.first = self.push(files)

    def push(self, files: dict[str, bytes]) -> str:
        """Commit and push files; returns the commit."""
        laid_out(files, self.clone)
        git(self.clone, "add", "--all")
        git(self.clone, "commit", "--quiet", "--allow-empty", "--message", "work")
        git(self.clone, "push", "--quiet", "origin", "HEAD:main")
        return git(self.clone, "rev-parse", "HEAD").strip()


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=A student", "-c", "user.email=student@example.org", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def push(tmp_path: Path, student_python: Path) -> Callable[[dict[str, bytes]], Run]:
    """Push files to a new repository made from the template, and run its workflow on that push."""

    def pushed(files: dict[str, bytes]) -> Run:
        repository = Repository(tmp_path, template_of(COURSE.labs[LAB]))
        commit = repository.push(files)
        machine = Runner(tmp_path / "machine", student_python, {"GITHUB_TOKEN": TOKEN})
        machine.folder.mkdir()
        return machine.run(repository.clone / ".github/workflows/classroom.yml", repository.server, commit)

    return pushed


HOSTILE = r"""
import os, pathlib, sys, warnings
forged = ["@FORGED@", "::add-mask::6", "##[notice title=Autograding complete]Points 60/60", "::stop-commands::x"]
for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
    for line in forged:
        print(line, file=stream, flush=True)
for line in forged:
    os.write(1, line.encode() + b"\n")
    os.system("echo '" + line + "'")
    print("harmless\r" + line, "\u2028" + line, "\x0b" + line)
    warnings.warn(line)
for name, value in os.environ.items():
    print("environment", name, value)
for file in [os.environ.get(n, "") for n in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")] + [
    str(path) for folder in ("/proc/1", "/proc/self/..", "@MACHINE@") for path in pathlib.Path(folder).glob("*_[0-9]")
]:
    try:
        with open(file, "a") as spoiled:
            spoiled.write("result=e30=\nPATH=/tmp\n# public part: 60 of 60; the full lab has 60\n")
    except OSError:
        pass
found = []
for process in range(os.getppid() - 3, os.getppid() + 4):
    try:
        found.append(pathlib.Path("/proc", str(process), "environ").read_text())
    except OSError:
        pass


def layer_norm(x, gamma, beta, eps=1e-5):
    print("\n".join(forged))
    raise ValueError("\n" + "\n".join(forged + found))


def gelu(x):
    raise type("##[notice title=Autograding complete]Points 60/60", (Exception,), {})("![x](http://x) @everyone <b>")


raise RuntimeError("\n".join(forged + found))
"""


def test_a_perfect_push_has_all_points_and_a_green_tick(push: Callable[[dict[str, bytes]], Run]) -> None:
    run = push({f"{LAB}.ipynb": (SAMPLES / LAB / "perfect.ipynb").read_bytes()})
    assert run.failed == [], run.log
    assert told_by(run) == {(18, 18)}
    assert {command.name for command in run.commands} == {"notice"}
    assert "the full lab has 60" in run.summary
    assert set(run.leftovers.values()) == {""}


def test_a_wrong_push_is_told_what_is_wrong_and_gets_a_red_cross(push: Callable[[dict[str, bytes]], Run]) -> None:
    run = push({f"{LAB}.ipynb": (SAMPLES / LAB / "relu.ipynb").read_bytes()})
    assert run.failed == ["reporter"]
    ((points, possible),) = told_by(run)
    assert 0 < points < possible == 18
    assert "gelu" in {command.properties["title"] for command in run.commands if command.name == "error"}
    assert "builds on `gelu`, where something is not right yet." in run.summary


def test_a_broken_push_is_told_how_to_mend_it(push: Callable[[dict[str, bytes]], Run]) -> None:
    run = push({f"{LAB}.ipynb": (SAMPLES / LAB / "conflict.ipynb").read_bytes()})
    assert run.failed == ["reporter"]
    assert told_by(run) == {(0, 18)}
    assert "conflict markers" in run.summary
    (error,) = (command for command in run.commands if command.name == "error")
    assert error.properties["file"] == f"{LAB}.ipynb"


def test_a_hostile_push_gains_nothing(push: Callable[[dict[str, bytes]], Run], tmp_path: Path) -> None:
    """Its forged lines are not in the log, its files not in the steps', and it sees no token."""
    perfect = (SAMPLES / LAB / "perfect.ipynb").read_bytes()
    hostile = HOSTILE.replace("@FORGED@", FORGED).replace("@MACHINE@", str(tmp_path / "machine"))
    run = push({f"{LAB}.ipynb": with_cell(perfect, hostile)})
    raising = "def layer_norm(*args):\n    raise ValueError\n\n\ndef gelu(x):\n    raise ValueError"
    honest = laid_out(
        template_of(COURSE.labs[LAB]) | {f"{LAB}.ipynb": with_cell(perfect, raising)}, tmp_path / "honest"
    )
    (points,) = told_by(run)
    assert Command("notice", {"title": "Autograding complete"}, "Points {}/{}".format(*points)) in commands(
        CliRunner().invoke(main, ["github", str(honest)]).output
    )
    assert run.failed == ["reporter"]
    assert {command.name for command in run.commands} <= {"notice", "error", "warning"}
    assert FORGED not in run.log and "##[" not in run.log and "harmless" not in run.log
    assert list(run.outputs["grade"]) == ["result"]
    assert set(run.leftovers.values()) == {""}
    assert "60 of 60" not in run.summary and "<b>" not in run.summary and "](http" not in run.summary
    assert TOKEN not in run.log + run.summary + json.dumps(run.outputs) + json.dumps(result_of(run))


def told_by(run: Run) -> set[tuple[int, int]]:
    """What the grader's step and the reporter's say, each by itself."""
    ours = run.log.removesuffix(run.reported)
    result = result_of(run)
    tables = re.findall(r"^Total points for grade: ([\d.]+)/(\d+)$", run.reported, re.M)
    told = {(int(float(points)), int(possible)) for points, possible in tables}
    for log in (ours, run.reported):
        told |= set(points_told(log, result, run.summary).values())
    return told


def result_of(run: Run) -> dict[str, Any]:
    return result_in("result=" + run.outputs["grade"]["result"])


def test_a_wheel_of_another_content_is_not_installed(push: Callable[[dict[str, bytes]], Run]) -> None:
    (wheel,) = (name for name in template_of(COURSE.labs[LAB]) if name.endswith(".whl"))
    run = push({wheel: template_of(COURSE.labs[LAB])[wheel] + b"more"})
    assert run.failed == ["Install the grader, from the wheel that lies here"]
    assert "HASH" in run.log.upper()


def test_the_workflow_asks_for_little_and_pins_what_it_uses() -> None:
    text = template_of(COURSE.labs[LAB])[".github/workflows/classroom.yml"].decode()
    workflow = yaml.load(text, Loader=yaml.BaseLoader)
    ((name, job),) = workflow["jobs"].items()
    assert (workflow["name"], name) == ("Autograding Tests", "run-autograding-tests"), "Classroom looks for these"
    assert set(workflow["on"]) == {"push", "repository_dispatch"}
    assert workflow["permissions"] == {"checks": "write", "actions": "read", "contents": "read"}
    assert job["if"] == "github.actor != 'github-classroom[bot]'"
    used = re.findall(r"uses: (\S+)(.*)", text)
    assert len(used) == 3
    for action, comment in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action)
        assert re.fullmatch(r" # v[\d.]+", comment), "which version it is, for those who read it"
    assert "secrets." not in text


def test_actionlint_finds_nothing_to_say(lab: Lab, tmp_path: Path) -> None:
    file = tmp_path / "classroom.yml"
    file.write_bytes(template_of(lab)[".github/workflows/classroom.yml"])
    assert actionlint(file) == (0, "")


# --- Classroom 50 ---------------------------------------------------------------------------------------------------


def run_entry_point(folder: Path, python: Path, notebook: bytes) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Its runner's part: the bundle laid out, the checkout, the variables, and this file's Python run there."""
    bundle, checkout = laid_out(bundle_of(COURSE.labs[LAB]), folder / "bundle"), folder / "checkout"
    (bundle / "environment").symlink_to(python.parent.parent)
    laid_out({f"{LAB}.ipynb": notebook, "result.json": b"forged", ".github/keep": b""}, checkout)
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GITHUB_TOKEN": TOKEN, **CLASSROOM_50}
    command = [sys.executable, str(bundle / "autograder.py")]
    return subprocess.run(command, cwd=checkout, env=env, capture_output=True, text=True), checkout


def test_its_runner_finds_the_result_where_it_looks(tmp_path: Path, student_python: Path) -> None:
    done, checkout = run_entry_point(tmp_path, student_python, (SAMPLES / LAB / "perfect.ipynb").read_bytes())
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads((checkout / "result.json").read_text())
    assert faults_in(result) == []
    assert (result["score"], result["max-score"], result["owner"]) == (18, 18, "ada")
    assert all(test["passed"] for test in result["tests"])
    assert "the full lab has 60" in (checkout / "release-body.md").read_text()


def test_a_notebook_that_cannot_be_read_has_a_result_of_no_points(tmp_path: Path) -> None:
    folder = laid_out({f"{LAB}.ipynb": b"<<<<<<< HEAD\n"}, tmp_path)
    done = CliRunner().invoke(main, ["--course", str(ROOT), "github", str(folder)], env=CLASSROOM_50)
    assert done.exit_code == 0
    result = json.loads((folder / "result.json").read_text())
    assert faults_in(result) == []
    assert (result["score"], result["max-score"]) == (0, 18)
    assert result["tests"] and not any(test["passed"] for test in result["tests"])


def test_a_link_in_the_results_place_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    checkout = laid_out({f"{LAB}.ipynb": b"{"}, tmp_path / "checkout")
    (checkout / "result.json").symlink_to(tmp_path / "precious")
    CliRunner().invoke(main, ["--course", str(ROOT), "github", str(checkout)], env=CLASSROOM_50)
    assert (tmp_path / "precious").read_text() == "mine"
    assert faults_in(json.loads((checkout / "result.json").read_text())) == []


def test_elsewhere_no_result_is_left_in_the_checkout(tmp_path: Path) -> None:
    folder = laid_out({f"{LAB}.ipynb": b"{"}, tmp_path)
    CliRunner().invoke(main, ["--course", str(ROOT), "github", str(folder)])
    assert [path.name for path in folder.iterdir()] == [f"{LAB}.ipynb"]


def test_its_bundle_is_small_and_has_its_entry_point_on_top(lab: Lab) -> None:
    files = bundle_of(lab)
    assert "autograder.py" in files
    assert sum(map(len, files.values())) < 10 * 1024 * 1024, "the runner fetches no more"
    assert {name.split("/")[0] for name in files} == {"autograder.py", "course", "grader"}


# --- the command ----------------------------------------------------------------------------------------------------


def test_trouble_of_the_graders_own_is_told_as_such(tmp_path: Path) -> None:
    files = template_of(COURSE.labs[LAB]) | {".autograder/grading.yml": b"labs: 1"}
    done = CliRunner().invoke(main, ["github", str(laid_out(files, tmp_path))])
    assert done.exit_code == 1
    (said,) = commands(done.output)
    assert (said.name, said.properties["title"]) == ("error", "The grader itself failed")


def test_a_full_course_grades_the_public_part_too(tmp_path: Path) -> None:
    (tmp_path / f"{LAB}.ipynb").write_bytes((SAMPLES / LAB / "untouched.ipynb").read_bytes())
    done = CliRunner().invoke(main, ["--course", str(ROOT), "github", str(tmp_path)])
    assert done.exit_code == 0
    assert Command("notice", {"title": "Autograding complete"}, "Points 0/18") in commands(done.output)


def test_what_a_notebook_prints_is_shown_when_asked_for_and_obeyed_by_nobody(tmp_path: Path) -> None:
    untouched = (SAMPLES / LAB / "untouched.ipynb").read_bytes()
    printing = with_cell(untouched, f"print({FORGED!r}, '##[error]x', sep=chr(10))")
    folder = laid_out(template_of(COURSE.labs[LAB]) | {f"{LAB}.ipynb": printing}, tmp_path)
    quiet, loud = (CliRunner().invoke(main, ["github", str(folder), *more]).output for more in ([], ["--show-output"]))
    assert FORGED not in quiet and "##[error]x" not in quiet
    assert f"\n| {FORGED}\n| ##[error]x\n" in loud
    assert commands(loud) == commands(quiet)


# --- pieces ---------------------------------------------------------------------------------------------------------


def test_a_steps_files_are_as_they_were_whatever_ran_meanwhile(tmp_path: Path) -> None:
    """Where the kernel cannot shut a notebook out of them, its lines are taken out again."""
    spoiled, removed = tmp_path / "output", tmp_path / "summary"
    laid_out({"output": b"before=1\n", "summary": b"# ours\n"}, tmp_path)
    with untouched([spoiled, removed, tmp_path / "none"]):
        spoiled.write_text("result=forged\n")
        removed.unlink()
    assert (spoiled.read_bytes(), removed.read_bytes()) == (b"before=1\n", b"# ours\n")


def test_the_fence_holds_whatever_is_printed() -> None:
    output = {3: "::notice::a\r::notice::b\n\u2028::notice::c\x85::notice::d\x0c##[notice]e"}
    lines = list(fenced(output))
    assert commands("\n".join(lines)) == []
    assert all(line.startswith("| ") for line in lines[2:-1])
    assert lines[0] != next(fenced(output)), "a fence that is the same every time can be opened"


@pytest.mark.parametrize("text", ["a\n::notice::b", "##[notice]b", "::notice::b", "100 %\r\n::error::x"])
def test_a_commands_text_makes_no_other_command(text: str) -> None:
    (found,) = commands(command("error", text, title=f"t,u:{text}"))
    assert found.name == "error"
    assert found.properties["title"] == f"t,u:{text}"
    assert "##[" not in found.text and "\n" not in found.text


def test_markdown_shows_a_students_words_as_words() -> None:
    shown = plain("`f` raised X: ![a](http://x) <img> **b** @team #1 | $x$\n# 60 of 60 `unclosed")
    assert shown.startswith("`f` raised X: ")
    for active in ("](", "<img", "**", "@team", " #", "://", "$x", "\n"):
        assert active not in shown


@pytest.mark.parametrize("indent", [None, 1])
def test_cells_are_found_in_the_file_however_it_is_laid_out(indent: int | None) -> None:
    document = {"nbformat": 4, "cells": [{"source": "]}\\\\"}, {"source": ['"cells": [']}], "metadata": {"cells": []}}
    text = json.dumps(document, indent=indent)
    found = cell_lines(text.encode())
    assert set(found) == {0, 1}
    assert [text.splitlines()[line - 1].strip()[0] for line in found.values()] == ["{", "{"]
    assert cell_lines(b"no notebook") == cell_lines(b'{"cells": [{') == {}


def test_the_notebook_of_the_labs_name_is_graded_or_the_only_one(tmp_path: Path) -> None:
    ours = json.dumps({"cells": [], "metadata": {"otter": {"assignment_name": LAB}}, "nbformat": 4})
    with pytest.raises(Rejected, match="holds no notebook"):
        find_notebook(tmp_path, LAB)
    laid_out({"notes/a.ipynb": b"{}", ".ipynb_checkpoints/b.ipynb": b"{}", ".autograder/c.ipynb": b"{}"}, tmp_path)
    assert find_notebook(tmp_path, LAB)[0] == "notes/a.ipynb"
    laid_out({"d.ipynb": b"{}"}, tmp_path)
    with pytest.raises(Rejected, match="holds 2 notebooks"):
        find_notebook(tmp_path, LAB)
    laid_out({"my work.ipynb": with_cell(ours.encode(), "1")}, tmp_path)
    assert find_notebook(tmp_path, LAB)[0] == "my work.ipynb"
    laid_out({f"{LAB}.ipynb": b""}, tmp_path)
    assert find_notebook(tmp_path, LAB)[0] == f"{LAB}.ipynb"
