"""One push: the checkout's notebook, graded by the public checks in a workflow of the student's own.

A student can edit that workflow and read its secrets. So nothing here is secret, and nothing that comes out is more
than a first look. Still, what a notebook prints must not pass for what the grader says: it goes nowhere unless it is
asked for, and the files by which a workflow's steps speak are put back as they were before it ran.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from autograder.checkout import choose, may_be_graded
from autograder.course import Course, CourseError, Lab
from autograder.files import write_whole
from autograder.grade import Judge
from autograder.handout import GRADER
from autograder.notebook import read_notebook
from autograder.record import Grade, rejected
from autograder.reports import classroom50, github
from autograder.sandbox.slots import own_uid
from autograder.submission import Cell, Rejected, contents, find_submissions, read_submission

STEP_FILES = ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY")
"""Variables that name the files by which a step speaks to those after it, and to whoever reads the run."""


@dataclass(frozen=True)
class Push:
    """What one push came to: its grade, and what it takes to show it at the right places of the notebook."""

    lab: Lab
    file: str
    grade: Grade
    lines: Mapping[int, int] = field(default_factory=dict)
    homes: Mapping[str, int] = field(default_factory=dict)
    output: Mapping[int, str] = field(default_factory=dict)


def course_folder(checkout: Path) -> Path | None:
    """The course that a student's repository brings along, if it does."""
    folder = checkout / GRADER
    return folder if (folder / "grading.yml").is_file() else None


def public_lab(course: Course, checkout: Path, name: str | None) -> Lab:
    """The public part of the lab that is asked for, or of the one that the checkout holds. Raises `CourseError`."""
    here = [lab for lab in course.labs if (checkout / f"{lab}.ipynb").is_file()]
    names = [name] if name else here if len(here) == 1 else list(course.labs)
    if len(names) != 1 or names[0] not in course.labs:
        raise CourseError("which lab is to be graded is not clear", f"Name it with --lab: {', '.join(course.labs)}")
    return course.labs[names[0]].public()


def grade_push(checkout: Path, lab: Lab, judge: Judge | None = None) -> Push:
    """Grade the checkout's notebook, whatever state it is in, by a judge of this lab: the caller's, or one of its own.

    Raises SandboxError or SuiteError where the grader itself is at fault.
    """
    file = f"{lab.name}.ipynb"
    try:
        file, path = find_notebook(checkout, lab.name)
        submission = read_submission(path, file, lab=lab.name)
    except Rejected as reason:
        return Push(lab, file, rejected(lab, file, reason))
    grader = judge or Judge(lab, own_uid())
    try:
        with untouched(step_files().values()):
            grade = grader.grade(submission)
    finally:
        if judge is None:
            grader.close()
    lines = cell_lines(contents(path))
    return Push(lab, file, grade, lines, homes(lab, submission.cells), grader.output)


def find_notebook(checkout: Path, lab: str) -> tuple[str, Path]:
    """The notebook to grade: that of the lab's name, the only one that says it is of the lab, or the only one.

    Returns its name in the checkout, and its path. Raises Rejected.
    """
    found = {file: path for file, path in find_submissions([checkout], checkout / GRADER) if may_be_graded(file)}
    chosen = choose(lab, found, lambda file: _is_of(lab, found[file]))
    return chosen, found[chosen]


def tell(push: Push, show_output: bool = False) -> Iterator[str]:
    """Write the step's output and the job's summary; yields the lines of the log."""
    grade, lab, files = push.grade, push.lab, step_files()
    result = github.runner_result(grade, lab, sentences(lab), push.file)
    if "GITHUB_OUTPUT" in files:
        _append(files["GITHUB_OUTPUT"], f"result={github.encoded(result)}\n")
    if "GITHUB_STEP_SUMMARY" in files:
        _append(files["GITHUB_STEP_SUMMARY"], github.summary(grade, lab))
    yield f"{github.harmless(push.file)}: public part: {grade.score} of {grade.possible} points"
    if show_output:
        yield from github.fenced(push.output)
    yield from github.cell_annotations(grade, lab, push.file, push.lines, push.homes)
    yield from github.notices(grade)


def hand_over(push: Push, checkout: Path) -> None:
    """Write what Classroom 50's runner looks for in the checkout, if it is this that runs here."""
    whose = classroom50.identity(os.environ)
    if whose is not None:
        result = classroom50.result(push.grade, push.lab, whose, datetime.now(UTC))
        write_whole(checkout / classroom50.RESULT, json.dumps(result, indent=2, ensure_ascii=False).encode() + b"\n")
        write_whole(checkout / classroom50.BODY, github.summary(push.grade, push.lab).encode())


# --- what GitHub's files hold ---------------------------------------------------------------------------------------


def step_files() -> dict[str, Path]:
    """The files that this step was given to speak through; none where no workflow runs."""
    return {name: Path(os.environ[name]) for name in STEP_FILES if os.environ.get(name)}


@contextlib.contextmanager
def untouched(files: Iterable[Path]) -> Iterator[None]:
    """Whatever happens meanwhile, these files hold afterwards what they held before."""
    before = {path: path.read_bytes() for path in files if path.is_file()}
    try:
        yield
    finally:
        for path, held in before.items():
            if not path.is_file() or path.read_bytes() != held:
                path.write_bytes(held)


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


# --- where things stand in the notebook -----------------------------------------------------------------------------


def sentences(lab: Lab) -> dict[tuple[str, str], str]:
    """(question, check) -> what the public test's docstring says it asks for."""
    found = {}
    for name in lab.questions:
        for node in ast.parse(lab.public_suite(name).read_text(encoding="utf-8-sig")).body:
            if isinstance(node, ast.FunctionDef):
                said = ast.get_docstring(node) or ""
                found[name, node.name.removeprefix("test_")] = said.partition("\n")[0]
    return found


def homes(lab: Lab, cells: Iterable[Cell]) -> dict[str, int]:
    """Question -> the index of the last cell that defines a name it asks for."""
    found = {}
    for cell in cells:
        for question in lab.questions.values():
            names = "|".join((*question.functions, *question.values))
            if re.search(rf"^(?:(?:async )?def|class)[ \t]+(?:{names})\b|^(?:{names})[ \t]*=", cell.source, re.M):
                found[question.name] = cell.index
    return found


def cell_lines(raw: bytes) -> dict[int, int]:
    """Cell's index -> the line of the file at which it begins; nothing where the file is not plain JSON."""
    try:
        text = raw.decode("utf-8-sig")
        return {
            index: text.count("\n", 0, start) + 1
            for key, (start, end) in _members(text, text.index("{"))
            if key == "cells"
            for index, (start, _) in enumerate(_items(text, start))
        }
    except (ValueError, RecursionError):
        return {}


_decoder = json.JSONDecoder(strict=False)
_GAP = re.compile(r"[\s,:]*")


def _members(text: str, start: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """The keys of the object that begins at `start`, and from where to where their values stand."""
    position = _skip(text, start + 1)
    while text[position : position + 1] == '"':
        key, position = _decoder.raw_decode(text, position)
        position = _skip(text, position)
        _, end = _decoder.raw_decode(text, position)
        yield key, (position, end)
        position = _skip(text, end)


def _items(text: str, start: int) -> Iterator[tuple[int, int]]:
    """From where to where the items of the array that begins at `start` stand."""
    position = _skip(text, start + 1)
    while text[position : position + 1] not in ("]", ""):
        _, end = _decoder.raw_decode(text, position)
        yield position, end
        position = _skip(text, end)


def _skip(text: str, position: int) -> int:
    gap = _GAP.match(text, position)
    assert gap is not None
    return gap.end()


def _is_of(lab: str, path: Path) -> bool:
    """Whether a notebook's own metadata names the lab."""
    try:
        return read_notebook(contents(path)).lab == lab
    except Rejected:
        return False
