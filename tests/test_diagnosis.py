"""A case is ruled out by what is known of it already, if that can be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pytest

from autograder.diagnosis import Clue, _fits, alike, close
from autograder.master import Case
from autograder.reference import Answers
from autograder.sandbox import codec
from autograder.sandbox.student import Observation

CASE = Case("halved", "layer_norm", "", "")


@dataclass
class Halved:
    """Answers whose one case returns half of what is right; what `known` names was computed before."""

    known: frozenset[str] = frozenset()
    computed: list[str] = field(default_factory=list)

    def misconception(self, case: Case, bound: Any) -> Halved:
        return self

    def recalled(self, call: Observation) -> Observation | None:
        return Observation(call.name, call.sent, 0.5) if call.name in self.known.union(self.computed) else None

    def repeat(self, call: Observation) -> Observation:
        self.computed.append(call.name)
        return Observation(call.name, call.sent, 0.5)


def clue(name: str, value: float) -> Clue:
    """A call that gives `value`, and should give 1."""
    return Clue(Observation(name, b"", value), Observation(name, b"", 1.0), {}, 1e-9, is_wrong=value != 1)


def fits(answers: Halved, *clues: Clue) -> bool:
    return _fits(CASE, clues, cast(Answers, answers))


def test_nothing_is_computed_where_a_known_output_differs() -> None:
    answers = Halved(frozenset({"late"}))
    assert not fits(answers, clue("early", 0.5), clue("late", 0.7))
    assert answers.computed == []


def test_what_is_not_known_is_computed_in_the_order_of_the_calls_since_a_case_may_keep_something() -> None:
    answers = Halved(frozenset({"known"}))
    assert fits(answers, clue("first", 0.5), clue("known", 0.5), clue("second", 0.5), clue("third", 0.5))
    assert answers.computed == ["first", "second", "third"]


def test_a_case_fits_only_if_all_calls_agree_whatever_is_known() -> None:
    wrong = [clue("one", 0.5), clue("other", 0.5)]
    for known in ((), ("one",), ("other",), ("one", "other")):
        answers = Halved(frozenset(known))
        assert fits(answers, *wrong)
        assert set(answers.computed) == {"one", "other"} - set(known)
        assert not fits(Halved(frozenset(known)), *wrong, clue("third", 1.0))


@pytest.mark.parametrize("known", [frozenset[str](), frozenset({"one"})], ids=["nothing known", "all known"])
def test_a_second_call_that_is_alike_counts_as_well(known: frozenset[str]) -> None:
    """An answer that drifts is not the case, whether or not that one's output is known by then."""
    assert not fits(Halved(known), clue("one", 0.5), clue("one", 0.7))
    assert fits(Halved(known), clue("one", 0.5), clue("one", 0.5))


def test_sizes_are_compared_whatever_the_parameters_are_called() -> None:
    mine, theirs = {"fc1.weight": (32, 8), "fc1.bias": (32,)}, {"net.0.weight": (32, 8), "net.0.bias": (32,)}
    assert close(mine, theirs)
    assert not close(mine, theirs | {"net.0.weight": (16, 8)})
    assert not close(mine, {"net.0.weight": (32, 8)})


@pytest.mark.parametrize("value", [0.5, np.ones(3), "a", [1, 2]], ids=str)
def test_names_that_are_asked_for_count(value: object) -> None:
    assert close({"dWq": value}, {"dWq": value})
    assert not close({"dWq": value}, {"Wq": value})


def test_a_function_that_was_passed_may_be_of_any_type() -> None:
    function, instance, changed = (
        Observation("helper", b"", 1.0, codec.encode(((codec.Opaque(name), numbers), {})))
        for name, numbers in (("function", [1]), ("Norm", [1]), ("function", [2]))
    )
    assert alike(function, instance)
    assert not alike(function, changed)
