"""The sample class gets the grades it is made for, and is what its script writes today."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.grade import Judge
from autograder.record import Grade
from autograder.submission import Rejected, find_submissions, read_submission

from .submissions.make import CLASS, HERE, LAB, ROOT

FOLDER = HERE / LAB


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    judge = Judge(load_course(ROOT).labs[LAB])
    yield judge
    judge.close()


def lost(grade: Grade) -> dict[str, int]:
    return {q.name: q.possible - q.score for q in grade.questions if q.score != q.possible}


@pytest.mark.parametrize("file", CLASS)
def test_each_student_loses_what_the_slip_is_worth_and_nothing_else(judge: Judge, file: str) -> None:
    expected = CLASS[file].loses
    if expected is None:
        with pytest.raises(Rejected):
            read_submission(FOLDER / file)
        return
    submission = read_submission(FOLDER / file)
    assert submission.lab == LAB
    assert lost(judge.grade(submission)) == expected


@pytest.mark.parametrize("file", CLASS)
def test_each_file_is_what_the_script_writes(file: str) -> None:
    assert (FOLDER / file).read_bytes() == CLASS[file].bytes(), "run: python tests/submissions/make.py"


def test_nobody_else_is_in_the_class() -> None:
    assert [name for name, _ in find_submissions([FOLDER], Path("graded"))] == sorted(CLASS)
    assert len(CLASS) >= 14
