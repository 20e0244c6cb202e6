"""A call that an earlier check has made alike is not made again, where that is sure to make no difference."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from autograder.sandbox import codec, wire
from autograder.sandbox.notebook import Budget, RunningNotebook
from autograder.sandbox.student import CallError, Student


class Draws(Student):
    """A student whose functions return what nobody has drawn yet; `made` counts the calls."""

    made = 0
    kind: Any = wire.Returned

    def _ask_now(self, name: str, sent: bytes) -> wire.Reply | CallError:
        self.made += 1
        said: wire.Reply | CallError = self.kind(*(codec.encode(self.made), None, ""))
        return said

    def check(self, *calls: tuple[str, bytes]) -> list[Any]:
        """What a check is told that makes these calls."""
        self.exchanges = []
        return [self.ask(*call) for call in calls]


@pytest.fixture
def student() -> Draws:
    return Draws(cast(RunningNotebook, SimpleNamespace(lends=True, said={}, calls=Budget(1.0))))


def test_a_later_check_is_told_what_an_earlier_one_was(student: Draws) -> None:
    (first,) = student.check(("gelu", b"x"))
    assert student.check(("gelu", b"x")) == [first]
    assert student.made == 1


def test_within_a_check_the_second_call_is_made_so_that_a_random_draw_is_seen(student: Draws) -> None:
    student.check(("gelu", b"x"))
    first, second = student.check(("gelu", b"x"), ("gelu", b"x"))
    assert first != second
    assert student.made == 2


@pytest.mark.parametrize("other", [("silu", b"x"), ("gelu", b"y")])
def test_another_function_or_other_arguments_are_asked_for(student: Draws, other: tuple[str, bytes]) -> None:
    (first,) = student.check(("gelu", b"x"))
    assert student.check(other) != [first]


def test_other_stand_ins_are_asked_anew(student: Draws) -> None:
    (first,) = student.check(("block", b"x"))
    student.bound = {"FeedForward": "ToyNetwork"}
    assert student.check(("block", b"x")) != [first]


@pytest.mark.parametrize(("names", "beside"), [({"attention"}, set()), ({"gelu"}, {"gelu"}), ({"gelu"}, set())])
def test_functions_that_ask_the_judge_are_asked_anew(student: Draws, names: set[str], beside: set[str]) -> None:
    (first,) = student.check(("block", b"x"))
    student.consultant = cast(Any, SimpleNamespace(names=frozenset({"gelu"}), beside=frozenset()))
    (second,) = student.check(("block", b"x"))
    assert second != first
    student.consultant = cast(Any, SimpleNamespace(names=frozenset(names), beside=frozenset(beside)))
    same = names == {"gelu"} and not beside
    assert (student.check(("block", b"x")) == [second]) is same


def test_a_notebook_that_lends_no_more_is_asked_anew(student: Draws) -> None:
    (first,) = student.check(("gelu", b"x"))
    cast(Any, student.notebook).lends = False
    assert student.check(("gelu", b"x")) != [first]


def test_a_call_that_brought_nothing_is_made_again(student: Draws) -> None:
    student.kind = lambda *said: CallError("timeout", "The call took too long.")
    student.check(("gelu", b"x"))
    student.check(("gelu", b"x"))
    assert student.made == 2
