"""A small course to try the machinery on, and notebooks for it; a right one has POINTS in `tests/attacks/course`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from autograder.course import Course, load_course

COURSE = Path(__file__).parent / "attacks" / "course"
POINTS = 11

CENTER = "def center(x):\n    return x - x.mean(axis=-1, keepdims=True)\n"
WAVE = "def wave(x):\n    return x * np.tanh(0.7390851332 * x) + halve(x)\n"
BOTH = "def both(x):\n    return center(wave(x))\n"
RIGHT = ("import numpy as np\n", CENTER, WAVE, BOTH)
WRONG_CENTER = CENTER.replace("mean", "max")


def copy_of_the_course(folder: Path) -> Course:
    """A course of one's own, to be changed at will."""
    shutil.copytree(COURSE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return load_course(folder)


def course_with(folder: Path, lines: str) -> Course:
    """A course of one's own with more lines at the end of its rubric: questions, or labs."""
    root = copy_of_the_course(folder).root
    rubric = root / "grading.yml"
    rubric.write_text(rubric.read_text() + lines)
    return load_course(root)


def notebook(*cells: str) -> bytes:
    """A notebook of these code cells; without any, one with all answers right."""
    made = [
        {"cell_type": "code", "id": f"c{i}", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for i, source in enumerate(cells or RIGHT)
    ]
    metadata = {"otter": {"assignment_name": "toy"}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": made}).encode()


def write_class(folder: Path, size: int, *more: str) -> Path:
    """`size` notebooks that differ, every third with a slip; `more` cells go on top of each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(size):
        cells = list(RIGHT)
        if number % 3 == 2:
            cells[1] = WRONG_CENTER
        (folder / f"student-{number:03}.ipynb").write_bytes(notebook(f"mine = {number}\n", *cells, *more))
    return folder
