"""What the grader's own tests share: the course, a judge for each lab, and notebooks made of cells."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.course import Course, load_course
from autograder.grade import Judge
from autograder.master import read_master
from autograder.record import CheckResult, Grade
from autograder.submission import Cell, Submission

ROOT = Path(__file__).resolve().parents[1]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The suites run against a submission, not by themselves."""
    is_suite = collection_path.parent == ROOT / "tests" and collection_path.name in ("public", "hidden")
    return True if is_suite and config.getoption("submission", None) is None else None


@pytest.fixture(scope="session")
def course() -> Course:
    return load_course(ROOT)


@pytest.fixture(scope="session")
def judges(course: Course) -> Iterator[Callable[[str], Judge]]:
    """One judge a lab, started when a test first asks for it."""
    started: dict[str, Judge] = {}

    def judge(lab: str) -> Judge:
        if lab not in started:
            started[lab] = Judge(course.labs[lab])
        return started[lab]

    yield judge
    for each in started.values():
        each.close()


@pytest.fixture(scope="session")
def judge(judges: Callable[[str], Judge]) -> Judge:
    """The judge of Lab 1."""
    return judges("numpy_block")


@pytest.fixture(scope="session")
def answers(judge: Judge) -> dict[str, str]:
    """Question -> the right answer's cell, in Lab 1."""
    master = read_master(judge.lab.master)
    return {"given": master.given_source()} | {name: master.solution_source(name) for name in judge.lab.questions}


def submission(*sources: str, file: str = "hw.ipynb") -> Submission:
    """A notebook of these code cells."""
    cells = tuple(Cell(index, source, (), "code") for index, source in enumerate(sources))
    digest = hashlib.sha256("\0".join(sources).encode()).hexdigest()
    return Submission(file=file, sha256=digest, lab="numpy_block", cells=cells, notes=(), warnings=(), build=None)


def points(grade: Grade) -> dict[str, int]:
    """Question -> points."""
    return {question.name: question.score for question in grade.questions}


def lost(grade: Grade) -> dict[str, int]:
    """Question -> points lost, where there are any."""
    return {q.name: q.possible - q.score for q in grade.questions if q.score < q.possible}


def check(grade: Grade, question: str, name: str) -> CheckResult:
    """One check of a grade."""
    (found,) = [q for q in grade.questions if q.name == question]
    (result,) = [c for c in found.checks if c.name == name]
    return result
