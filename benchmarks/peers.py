"""What others take for the same notebooks: stock `otter run` with the public tests alone, and nbgrader's autograde.

Otter is this environment's. nbgrader gets an environment of its own, made in a temporary folder and thrown away, for
its requirements and ours do not go together.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from autograder.course import Lab

NBGRADER = Path(__file__).with_name("nbgrader.txt")


def otter_zip(lab: Lab, folder: Path) -> Path:
    """A stock autograder zip that holds the handout's own tests, which are the public ones."""
    handout = json.loads(lab.handout.read_text(encoding="utf-8"))
    tests = folder / "tests"
    tests.mkdir(parents=True)
    for name, source in handout["metadata"]["otter"]["tests"].items():
        (tests / f"{name}.py").write_text(source, encoding="utf-8")
    made = folder / "stock.zip"
    command = [sys.executable, "-m", "otter", "generate", "-t", str(tests), "-o", str(made)]
    subprocess.run([*command, "--no-config", "--no-requirements", "--no-environment"], check=True, cwd=folder)
    return made


def otter_run(zip_: Path, notebook: Path, out: Path) -> float:
    """Seconds that `otter run` takes for one notebook. Raises if it writes no results."""
    out.mkdir(exist_ok=True)
    (out / "results.json").unlink(missing_ok=True)
    command = [sys.executable, "-m", "otter", "run", "--no-logo", "-a", str(zip_), "-o", str(out), str(notebook)]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if not (out / "results.json").is_file():
        raise RuntimeError(f"otter run wrote no results: {done.stderr[-2000:]}")
    return seconds


class NbGrader:
    """nbgrader's own API, in one process that grades one student after the other. Use as a context manager."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        self.lab = lab
        self.folder = folder
        self.course = folder / "course"
        self._checks = _test_cells(lab)

    def __enter__(self) -> NbGrader:
        venv = self.folder / "venv"
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        self.python = venv / "bin" / "python"
        pip = [str(self.python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-compile"]
        subprocess.run([*pip, "-r", str(NBGRADER)], check=True)
        self.course.mkdir()
        (self.course / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'bench'\n")
        source = self.course / "source" / "ps1" / "lab.ipynb"
        source.parent.mkdir(parents=True)
        source.write_text(json.dumps(self._notebook(["import numpy as np"])))
        activated = os.environ | {"PATH": f"{self.python.parent}{os.pathsep}{os.environ['PATH']}"}  # it calls alembic
        command = [str(self.python), "-c", _DRIVER]
        self._process = subprocess.Popen(
            command, cwd=self.course, env=activated, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._read()
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.communicate()

    def seconds(self, notebook: Path) -> float:
        """How long it takes for one student's notebook."""
        student = notebook.stem
        cells = [cell["source"] for cell in json.loads(notebook.read_text())["cells"]]
        handed_in = self.course / "submitted" / student / "ps1" / "lab.ipynb"
        handed_in.parent.mkdir(parents=True)
        handed_in.write_text(json.dumps(self._notebook(cells)))
        assert self._process.stdin is not None
        self._process.stdin.write(f"{student}\n")
        self._process.stdin.flush()
        return float(self._read())

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith("seconds "):
            raise RuntimeError(f"nbgrader does not grade: {line}{self._process.communicate()[0]}")
        return line.removeprefix("seconds ")

    def _notebook(self, answers: list[str]) -> dict[str, Any]:
        cells = [_code(f"answer-{i}", source) for i, source in enumerate(answers)]
        for name, source in self._checks.items():
            locked = {
                "grade": True,
                "grade_id": name,
                "locked": True,
                "points": 1,
                "schema_version": 3,
                "solution": False,
            }
            cells.append(
                _code(name, source) | {"metadata": {"nbgrader": locked | {"task": False, "cell_type": "code"}}}
            )
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}


_DRIVER = """
import sys, time
from nbgrader.apps import NbGraderAPI
api = NbGraderAPI()
made = api.generate_assignment("ps1", create=True, force=True)
print("seconds 0" if made["success"] else made["log"], flush=True)
for student in sys.stdin:
    started = time.perf_counter()
    done = api.autograde("ps1", student.strip(), create=True, force=True)
    print(f"seconds {time.perf_counter() - started}" if done["success"] else done["log"], flush=True)
"""


def _test_cells(lab: Lab) -> dict[str, str]:
    """Each public check as nbgrader has it: a locked cell of asserts that calls the student's names."""
    cells = {}
    for question in lab.questions.values():
        path = lab.public_suite(question.name)
        for test in ast.parse(path.read_text()).body if path.is_file() else []:
            if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
                names = ", ".join(argument.arg for argument in test.args.args)
                cells[f"{question.name}-{test.name}"] = f"{ast.unparse(test)}\n\n{test.name}({names})\n"
    return cells


def _code(identifier: str, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": "code",
        "id": identifier[:60].replace("_", "-"),
        "metadata": {},
        "execution_count": None,
    }
    return cell | {"outputs": [], "source": source}
