"""What stands in for a function stands wherever the notebook has put that function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.sandbox.aliases import Substitute, is_own

NOTEBOOK = """
from functools import partial
import numpy as np

def gelu(x): return "own"
def other(x): return "other"
act = gelu
halved = partial(gelu, 2)
ACTS, LISTED = {"gelu": gelu, "other": other}, [other, gelu]
def layer(x, act=gelu): return act(x)
def named(x, *, act=gelu): return act(x)
class Net:
    act = staticmethod(other)
    kind = gelu
    bare = staticmethod(gelu)
    def run(self, x, act=gelu): return act(x)
"""


@pytest.fixture
def space() -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(NOTEBOOK, space)
    return space


def answers(space: dict[str, Any]) -> list[str]:
    net = space["Net"]()
    return [
        space["act"](1), space["halved"](), space["ACTS"]["gelu"](1), space["LISTED"][1](1), space["layer"](1),
        space["named"](1), space["Net"].kind(1), net.run(1), net.bare(1),
    ]  # fmt: skip


def standin(*args: object) -> str:
    return "stand-in"


def state(space: dict[str, Any]) -> list[Any]:
    """All that a namespace holds, and what is in it."""
    net, named = dict(vars(space["Net"])), space["named"].__kwdefaults__
    defaults = [function.__defaults__ for function in (space["layer"], net["run"])]
    return [dict(space), net, defaults, dict(named), dict(space["ACTS"]), list(space["LISTED"])]


def test_every_way_to_it_leads_to_the_stand_in_and_back(space: dict[str, Any]) -> None:
    before = state(space)
    substitute = Substitute(space, "gelu", standin)
    assert set(answers(space)) == {"stand-in"} and space["gelu"](1) == "stand-in"
    assert (space["other"](1), space["ACTS"]["other"](1), space["LISTED"][0](1)) == ("other",) * 3
    substitute.undo()
    assert set(answers(space)) == {"own"} and state(space) == before


def test_one_stand_in_may_stand_for_two_functions(space: dict[str, Any]) -> None:
    before = state(space)
    substitutes = [Substitute(space, name, standin) for name in ("gelu", "other")]
    assert {space["other"](1), space["gelu"](1), *(act(1) for act in space["LISTED"])} == {"stand-in"}
    for substitute in reversed(substitutes):
        substitute.undo()
    assert state(space) == before


def test_two_names_of_one_function_get_a_stand_in_each(space: dict[str, Any]) -> None:
    before = state(space)
    substitutes = [Substitute(space, "gelu", standin), Substitute(space, "act", print)]
    assert (space["gelu"], space["act"]) == (standin, print)
    for substitute in reversed(substitutes):
        substitute.undo()
    assert state(space) == before


@pytest.mark.parametrize(
    ("source", "call"),
    [
        ("PAIR = (gelu, 1)", "PAIR[0](1)"),
        ("PAIRS = [(1, gelu)]", "PAIRS[0][1](1)"),
        ("DEEP = {'a': {'b': [gelu]}}", "DEEP['a']['b'][0](1)"),
        ("from types import SimpleNamespace\nops = SimpleNamespace(act=gelu)", "ops.act(1)"),
        ("class Ops:\n    def __init__(self): self.act = gelu\nops = Ops()", "ops.act(1)"),
        ("class Ops:\n    act = partial(gelu, 1)", "Ops.act()"),
        ("class Ops:\n    class Inner:\n        act = staticmethod(gelu)", "Ops.Inner.act(1)"),
        ("class Ops:\n    @staticmethod\n    def run(x, act=gelu): return act(x)", "Ops.run(1)"),
        ("class Ops:\n    @classmethod\n    def run(cls, x, act=gelu): return act(x)", "Ops.run(1)"),
        ("def run(x, act=partial(gelu)): return act(x)", "run(1)"),
        ("def make(act):\n    return lambda x: act(x)\nrun = make(gelu)", "run(1)"),
        ("def run(act, x): return act(x)\nrun = partial(run, gelu)", "run(1)"),
        ("def run(x, act): return act(x)\nrun = partial(run, act=gelu)", "run(1)"),
        ("gelu = np.vectorize(gelu, otypes=[object])\ndef run(x, act=gelu): return act(x)", "run(1)"),
        ("gelu = partial(gelu)\nrun = gelu", "run(1)"),
        ("class Gelu:\n    def __call__(self, x): return 'own'\ngelu = Gelu()\nrun = gelu", "run(1)"),
    ],
)
def test_rarer_ways_lead_there_and_back_as_well(space: dict[str, Any], source: str, call: str) -> None:
    exec(source, space)
    assert eval(call, space) == "own"
    substitute = Substitute(space, "gelu", standin)
    assert eval(call, space) == "stand-in"
    substitute.undo()
    assert eval(call, space) == "own"


def test_super_still_finds_the_class_that_something_stands_in_for(space: dict[str, Any]) -> None:
    exec("class Layer(Net):\n    def run(self, x): return super().run(x)\nlayer = Layer()", space)
    Substitute(space, "Layer", standin)
    assert space["Layer"] is standin and space["layer"].run(1) == "own"


def test_a_list_of_itself_and_one_of_data_are_no_trouble(space: dict[str, Any]) -> None:
    exec("ring = [gelu]\nring.append(ring)\ndata = list(range(1_000_000)) + [gelu]", space)
    substitute = Substitute(space, "gelu", standin)
    assert space["ring"][1][0] is standin and space["data"][-1](1) == "own"
    substitute.undo()
    assert space["ring"][1][0](1) == "own"


@pytest.mark.parametrize("name", ["layer_norm", "np"])
def test_a_name_that_is_missing_or_anybodys_is_put_back_as_well(space: dict[str, Any], name: str) -> None:
    before = state(space)
    substitute = Substitute(space, name, standin)
    assert space[name] is standin
    substitute.undo()
    assert state(space) == before


def test_a_place_that_is_gone_is_let_be(space: dict[str, Any]) -> None:
    substitute = Substitute(space, "gelu", standin)
    space["LISTED"].clear()
    substitute.undo()
    assert space["gelu"](1) == "own" and space["LISTED"] == []


@pytest.mark.parametrize("value", [np.tanh, len, None, 3, dict, "text"])
def test_what_others_may_use_is_not_the_notebooks_own(value: object) -> None:
    """A notebook that calls `np.tanh` its `gelu` still means `np.tanh` elsewhere."""
    assert not is_own(value)


def test_a_notebooks_functions_and_classes_are_its_own(space: dict[str, Any]) -> None:
    assert is_own(space["gelu"]) and is_own(space["Net"])


def test_a_class_that_refuses_stays_as_it_is(space: dict[str, Any]) -> None:
    exec(
        "class Frozen(type):\n    def __setattr__(cls, name, value): raise AttributeError(name)\n"
        "class Parts(metaclass=Frozen):\n    kind = gelu\n",
        space,
    )
    own = space["gelu"]
    substitute = Substitute(space, "gelu", print)
    assert space["Parts"].kind is own and space["act"] is print
    substitute.undo()
    assert space["Parts"].kind is own and space["act"] is own
