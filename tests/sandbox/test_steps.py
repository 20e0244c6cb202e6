"""How far a cell has come is read only when somebody asks."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from autograder.sandbox.steps import Steps, note


@pytest.fixture
def steps() -> Iterator[Steps]:
    steps = Steps()
    yield steps
    steps.close()


def test_the_last_statement_is_told_once(steps: Steps) -> None:
    assert steps.last() is None
    for number in (0, 3, 7):
        note(steps.pipe, number)
    assert steps.last() == 7
    assert steps.last() is None


def test_a_full_pipe_keeps_nobody_waiting(steps: Steps) -> None:
    for number in range(100_000):
        note(steps.pipe, number)
    assert 0 < (steps.last() or 0) < 100_000
    note(steps.pipe, 5)
    assert steps.last() == 5


def test_what_a_notebook_writes_there_is_some_number(steps: Steps) -> None:
    os.write(steps.pipe, b"\xff" * 7)
    assert steps.last() == 2**32 - 1


def test_who_writes_without_end_is_not_listened_to_without_end(steps: Steps, monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless:
        def read(self, size: int) -> bytes:
            return b"\x02\0\0\0"

        def close(self) -> None:
            pass

    steps.close()
    monkeypatch.setattr(steps, "_reader", Endless())
    assert steps.last() == 2


def test_a_process_that_has_gone_is_not_waited_for(steps: Steps) -> None:
    note(steps.pipe, 4)
    steps.hand_over()
    assert steps.last() == 4
    assert steps.last() is None
