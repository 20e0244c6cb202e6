"""The time and the room that a running notebook has: all that its processes are asked for and all that they answer is
counted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from autograder.course import load_course
from autograder.grade import Judge
from tests import toy
from tests.conftest import submission

TOTAL = 2.5
"""Seconds that the calls of a notebook may take here; each call may take one."""

TOO_LONG = "Getting the notebook ready for the call took more than 1 seconds and was stopped."
USED_UP = "The time for the whole notebook was used up before this check."

KEEPS = "calls = []\ndef both(x):\n    calls.append(x)\n    return center(wave(x))\n"
"""A function that keeps something: it is called in copies of the notebook's process."""

HANGS_WHEN_COPIED = """
import os, time
os.register_at_fork({when}=lambda: time.sleep(1000))
"""

HANGS_WHEN_BOUND = """
import time
from functools import partial
center = partial(center)
class Sleepy(type):
    def __setattr__(cls, name, value):
        time.sleep(1000)
class Parts(metaclass=Sleepy):
    center = center
"""


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    lab = load_course(toy.COURSE).labs["toy"]
    judge = Judge(replace(lab, limits=replace(lab.limits, total_seconds=TOTAL)))
    yield judge
    judge.close()


def errors(judge: Judge, *cells: str, asking: tuple[str, ...] = ()) -> list[str]:
    """What four calls bring in a notebook with these cells, where functions named in `asking` ask the reference."""
    with judge.running(submission(*cells)) as marking:
        consultant = judge.answers.consultant(asking, frozenset()) if asking else None
        with marking.student(consultant=consultant, call_seconds=1.0) as student:
            return [str(student.observe("both", (np.ones(3),), {}).error) for _ in range(4)]


@pytest.mark.parametrize("when", ["before", "after_in_child", "after_in_parent"])
def test_the_time_in_which_a_copy_hangs_is_counted(judge: Judge, when: str) -> None:
    said = errors(judge, *toy.RIGHT, KEEPS, HANGS_WHEN_COPIED.format(when=when))
    assert said == [TOO_LONG, TOO_LONG, USED_UP, USED_UP]


@pytest.mark.parametrize("cells", [(), (KEEPS,)], ids=["in its own process", "in copies"])
def test_the_time_in_which_a_stand_in_hangs_is_counted(judge: Judge, cells: tuple[str, ...]) -> None:
    said = errors(judge, *toy.RIGHT, *cells, HANGS_WHEN_BOUND, asking=("center",))
    assert said == [TOO_LONG, TOO_LONG, USED_UP, USED_UP]


@pytest.mark.parametrize(
    "value",
    ["np.zeros(2**21)", "[x, np.zeros(2**21)]", "[[] for _ in range(99_000)]", "print('x' * 2**16)"],
)
def test_a_notebook_that_returns_without_end_fills_no_judge(
    judge: Judge, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.sandbox.student.MOST_KEPT", 2**16)
    said = errors(judge, *toy.RIGHT, f"def both(x):\n    return {value}\n")
    assert said[0] == "None" and set(said[2:]) == {"The notebook had returned more than 0 MB in all before this call."}
