"""One submission, one grade, wherever it is marked: here, under `otter run`, in `otter grade`, on Gradescope.

Runs real containers (`make test-containers`): root, Debian or Ubuntu, and a few minutes.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from autograder.bundle import autograder_zip
from autograder.course import Lab, load_course

pytestmark = [pytest.mark.containers, pytest.mark.slow]

ROOT = Path(__file__).parent.parent
COURSE = load_course(ROOT)
SCRIPT = ROOT / "scripts" / "otter-grade-containers"
OTHER_COLUMNS = ("file", "total_points_earned", "percent_correct", "grading_status")
LABS = [pytest.param(lab, id=lab.name) for lab in COURSE.labs.values()]

OVERWRITING = """
import os, time

if os.fork() == 0:
    if hasattr(os, "setsid"):
        os.setsid()
    for _ in range(600):
        for name in ("results.json", "results.pkl"):
            for folder in ("/autograder/results", "../results", "../../results"):
                try:
                    with open(os.path.join(folder, name), "w") as file:
                        file.write('{"score": 60, "tests": []}')
                except OSError:
                    pass
        time.sleep(0.1)
    os._exit(0)
"""

Points = dict[str, dict[str, float]]
"""Submission -> question -> points."""


@dataclass(frozen=True)
class Outcome:
    """What one lab's submissions earn in each of the four places."""

    lab: Lab
    here: Points
    run: Points
    grade: Points
    gradescope: Points
    status: dict[str, str]
    measured: list[dict[str, str]]
    folder: Path


@pytest.fixture(scope="module", params=LABS)
def outcome(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """All samples of a lab, one that attacks the results and one cut off half way, marked in all four places."""
    lab: Lab = request.param
    folder = tmp_path_factory.mktemp(lab.name)
    archive = folder / lab.name / "autograder.zip"
    archive.parent.mkdir()
    archive.write_bytes(autograder_zip(lab, lab.handout.read_bytes()))
    files = [*samples(lab), overwriting(lab, folder), cut_off(lab, folder)]
    in_containers(archive, folder / "grade", files)
    in_containers(archive, folder / "gradescope", files, "--gradescope")
    rows = read_csv(folder / "grade" / "final_grades.csv")
    return Outcome(
        lab=lab,
        here=graded_here(lab, files, folder / "here"),
        run=under_otter_run(archive, [file for file in files if otter_can_read(file)], folder / "run"),
        grade={row["file"]: questions_of(row) for row in rows if row["file"] != "points-per-question"},
        gradescope={file.name: per_question(lab, folder / "gradescope" / f"{file.name}.json") for file in files},
        status={row["file"]: row["grading_status"] for row in rows},
        measured=read_csv(folder / "gradescope" / "measured.csv"),
        folder=folder,
    )


def samples(lab: Lab) -> list[Path]:
    folder = ROOT / "tests" / "submissions" / lab.name
    found = sorted(path for path in folder.iterdir() if path.suffix in (".ipynb", ".zip"))
    assert found, f"{lab.name} has no sample submissions"
    return found


def perfect(lab: Lab) -> Path:
    return ROOT / "tests" / "submissions" / lab.name / "perfect.ipynb"


def cut_off(lab: Lab, folder: Path) -> Path:
    """A submission whose upload stopped half way."""
    path = folder / "cut off.ipynb"
    path.write_bytes(perfect(lab).read_bytes()[:2000])
    return path


def overwriting(lab: Lab, folder: Path) -> Path:
    """A submission whose process goes on after its cells and writes results of its own."""
    notebook = nbformat.read(perfect(lab), as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(OVERWRITING))
    path = folder / "overwriting.ipynb"
    nbformat.write(notebook, path)
    return path


def otter_can_read(file: Path) -> bool:
    """Plain `otter run` reads one notebook that is valid JSON in UTF-8, alone or at the top of a zip."""
    if file.suffix == ".zip":
        with zipfile.ZipFile(file) as packed:
            return len([name for name in packed.namelist() if "/" not in name and name.endswith(".ipynb")]) == 1
    try:
        nbformat.reads(file.read_text(encoding="utf-8"), as_version=nbformat.NO_CONVERT)
    except Exception:
        return False
    return True


def in_containers(archive: Path, out: Path, files: list[Path], *options: str) -> None:
    command = [str(SCRIPT), *options, str(archive), str(out), *map(str, files)]
    subprocess.run(command, check=True, env=os.environ | {"PYTHON": sys.executable})


def graded_here(lab: Lab, files: list[Path], out: Path) -> Points:
    command = [sys.executable, "-m", "autograder", "grade", "--lab", lab.name, "-o", str(out), *map(str, files)]
    assert subprocess.run(command, cwd=ROOT, capture_output=True).returncode in (0, 1)
    rows = read_csv(out / "grades.csv")
    return {Path(row["file"]).name: {name: float(row[name]) for name in lab.questions} for row in rows}


def under_otter_run(archive: Path, files: list[Path], out: Path) -> Points:
    def run(file: Path) -> tuple[str, dict[str, float]]:
        here = out / file.name
        here.mkdir(parents=True)
        command = [sys.executable, "-m", "otter", "run", "--no-logo", "-a", str(archive), "-o", str(here), str(file)]
        subprocess.run(command, check=True, capture_output=True, cwd=here)
        tests = json.loads((here / "results.json").read_text())["tests"]
        return file.name, {test["name"]: test["score"] for test in tests if "score" in test}

    with ThreadPoolExecutor(2) as pool:
        return dict(pool.map(run, files))


def per_question(lab: Lab, results: Path) -> dict[str, float]:
    """Gradescope's tests, one a check, added up by question."""
    tests = json.loads(results.read_text())["tests"]
    return {name: sum(t.get("score", 0) for t in tests if t["name"].split(":")[0] == name) for name in lab.questions}


def questions_of(row: dict[str, str]) -> dict[str, float]:
    return {name: float(points) for name, points in row.items() if name not in OTHER_COLUMNS}


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_grade_is_the_same_wherever_it_is_given(outcome: Outcome) -> None:
    assert outcome.grade == outcome.here
    assert outcome.gradescope == outcome.here
    assert outcome.run == {file: outcome.here[file] for file in outcome.run}
    assert len(outcome.run) >= len(outcome.here) / 2


def test_one_broken_submission_costs_no_column(outcome: Outcome) -> None:
    assert any("could not be read" in status for status in outcome.status.values())
    assert {frozenset(row) for row in outcome.grade.values()} == {frozenset(outcome.lab.questions)}


def test_results_written_by_a_submission_change_nothing(outcome: Outcome) -> None:
    full = {name: question.points * (question.kind == "auto") for name, question in outcome.lab.questions.items()}
    assert outcome.grade["overwriting.ipynb"] == full
    assert json.loads((outcome.folder / "gradescope" / "overwriting.ipynb.json").read_text())["tests"] != []


def test_the_image_is_built_in_three_minutes(outcome: Outcome) -> None:
    (image,) = [row for row in outcome.measured if row["what"] == "image"]
    assert float(image["seconds"]) < 180


def test_grading_keeps_within_gradescopes_default_container(outcome: Outcome) -> None:
    """Half a core and 768 MB, a kill when they are passed: the labs without torch stay far below."""
    most = max(int(row["megabytes"]) for row in outcome.measured if row["megabytes"])
    print(f"\n{outcome.lab.name}: {most} MB at most, of files' pages and processes together")
    assert most < (700 if "torch" in outcome.lab.warm else 400)


def test_half_a_core_adds_at_most_three_seconds_to_the_grading_itself(outcome: Outcome) -> None:
    """Start and imports on Gradescope's half core; the quickest that was graded tells what they cost."""
    extra = []
    for row in outcome.measured:
        results = outcome.folder / "gradescope" / f"{row['what']}.json"
        graded_in = json.loads(results.read_text())["execution_time"] if results.is_file() else 0
        if graded_in and not row["what"].startswith("container "):
            extra.append(float(row["seconds"]) - graded_in)
    print(f"\n{outcome.lab.name}: on half a core {min(extra):.1f} s beside the grading")
    if "torch" in outcome.lab.warm and min(extra) >= 3:
        pytest.xfail("torch is imported and warmed up for one submission: not met for this lab")
    assert min(extra) < 3


def test_a_container_adds_at_most_three_seconds(outcome: Outcome) -> None:
    """Over the same command on the same cores without a container, start and imports included; the quickest of each."""
    first, *_ = samples(outcome.lab)
    inside = min(float(row["seconds"]) for row in outcome.measured if row["what"].startswith("container "))
    outside = min(seconds_here(outcome.lab, first, outcome.folder / f"cold {turn}") for turn in range(3))
    print(f"\n{outcome.lab.name}: {inside:.1f} s in a container, {outside:.1f} s without")
    assert inside - outside < 3


def seconds_here(lab: Lab, file: Path, out: Path) -> float:
    started = time.perf_counter()
    graded_here(lab, [file], out)
    return time.perf_counter() - started
