"""The sample classes get the grades they are made for, and are what their script writes today."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.grade import Judge
from autograder.submission import Rejected, find_submissions, read_submission
from tests.conftest import lost
from tests.submissions.make import CLASSES, HERE

FILES = [(lab, file) for lab, students in CLASSES.items() for file in students]


@pytest.mark.parametrize(("lab", "file"), FILES)
def test_each_student_loses_what_the_slip_is_worth_and_nothing_else(
    judges: Callable[[str], Judge], lab: str, file: str
) -> None:
    expected = CLASSES[lab][file].loses
    if expected is None:
        with pytest.raises(Rejected):
            read_submission(HERE / lab / file)
        return
    submission = read_submission(HERE / lab / file)
    assert submission.lab == lab
    assert lost(judges(lab).grade(submission)) == expected


@pytest.mark.parametrize(("lab", "file"), FILES)
def test_each_file_is_what_the_script_writes(lab: str, file: str) -> None:
    assert (HERE / lab / file).read_bytes() == CLASSES[lab][file].bytes(), "run: python tests/submissions/make.py"


@pytest.mark.parametrize("lab", CLASSES)
def test_nobody_else_is_in_the_class(lab: str) -> None:
    assert [name for name, _ in find_submissions([HERE / lab], Path("graded"))] == sorted(CLASSES[lab])


def test_the_first_class_is_large_enough_to_look_at() -> None:
    assert len(CLASSES["numpy_block"]) >= 14
