"""Who works on which core."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograder.cores import cores, shared_out
from autograder.course import Course
from autograder.workers import Workers
from tests.toy import copy_of_the_course

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="workers are kept to cores on Linux")


@pytest.fixture
def toy(tmp_path: Path) -> Course:
    return copy_of_the_course(tmp_path / "course")


@pytest.fixture
def four(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which this process may use four cores of many."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {9, 2, 4, 7})


def test_only_the_cores_that_this_process_may_use_are_counted(four: None) -> None:
    assert cores() == [2, 4, 7, 9]


def test_as_many_workers_as_cores_have_one_each(four: None) -> None:
    assert shared_out(4) == [2, 4, 7, 9]


def test_fewer_workers_go_where_there_is_room(four: None) -> None:
    assert shared_out(3) == [None, None, None]


def test_more_workers_than_cores_are_spread_evenly(four: None) -> None:
    assert shared_out(6) == [2, 4, 7, 9, 2, 4]


def test_a_worker_stays_on_its_core_and_so_does_whoever_takes_its_place(toy: Course) -> None:
    here = set(cores())
    with Workers(toy.root, len(here)) as workers:
        for _ in range(2):
            found = [workers.submit(os.sched_getaffinity, 0) for _ in here]
            assert {core for future in found for core in future.result()} == here
            assert all(len(future.result()) == 1 for future in found)
            for future in [workers.submit(os._exit, 1) for _ in here]:
                future.exception()


def test_a_single_worker_among_several_cores_is_free(toy: Course) -> None:
    if len(cores()) == 1:
        pytest.skip("there is one core only")
    with Workers(toy.root, 1) as workers:
        assert workers.submit(os.sched_getaffinity, 0).result() == set(cores())
