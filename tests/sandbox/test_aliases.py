"""What stands in for a function stands wherever the notebook has put that function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.sandbox.aliases import Substitute, as_it_is, in_order, is_own

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
    substitutes = [Substitute(space, "gelu", standin), Substitute(space, "act", lambda x: "another")]
    assert (space["gelu"](1), space["act"](1)) == ("stand-in", "another")
    for substitute in reversed(substitutes):
        substitute.undo()
    assert state(space) == before


def assert_leads_there_and_back(space: dict[str, Any], call: str) -> None:
    assert eval(call, space) == "own"
    substitute = Substitute(space, "gelu", standin)
    assert eval(call, space) == "stand-in"
    substitute.undo()
    assert eval(call, space) == "own"


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
        ("class Ops:\n    __slots__ = ('act',)\n    def __init__(self): self.act = gelu\nops = Ops()", "ops.act(1)"),
        ("class Ops:\n    act = gelu\n    def run(self, x): return type(self).act(x)\nrun = Ops().run", "run(1)"),
        (
            "class Ops:\n    def __init__(self): self.act = gelu\n    def go(self, x): return self.act(x)\nrun = Ops().go",  # noqa: E501
            "run(1)",
        ),
        ("from typing import NamedTuple\nclass Ops(NamedTuple):\n    act: object\nops = Ops(gelu)", "ops.act(1)"),
        ("from collections import OrderedDict\nops = OrderedDict(act=gelu)", "ops['act'](1)"),
        ("class Ops(dict):\n    pass\nops = Ops(act=gelu)", "ops['act'](1)"),
        ("class Ops(list):\n    pass\nops = Ops([gelu])", "ops[0](1)"),
        ("gelu = np.vectorize(gelu, otypes=[object])\ndef run(x, act=gelu): return act(x)", "run(1)"),
        ("gelu = partial(gelu)\nrun = gelu", "run(1)"),
        ("class Gelu:\n    def __call__(self, x): return 'own'\ngelu = Gelu()\nrun = gelu", "run(1)"),
    ],
)
@pytest.mark.parametrize("kind", ["", "class Gelu:\n    def __call__(self, x): return 'own'\ngelu = Gelu()\n"])
def test_rarer_ways_lead_there_and_back_as_well(space: dict[str, Any], kind: str, source: str, call: str) -> None:
    """Of a function, and of an object that is called."""
    exec(kind + source, space)
    assert_leads_there_and_back(space, call)


def test_super_still_finds_the_class_that_something_stands_in_for(space: dict[str, Any]) -> None:
    exec("class Layer(Net):\n    def run(self, x): return super().run(x)\nlayer = Layer()", space)
    Substitute(space, "Layer", standin)
    assert space["Layer"] is standin and space["layer"].run(1) == "own"


@pytest.mark.parametrize(
    ("source", "call"),
    [
        ("ONE_OF = frozenset([gelu])", "next(iter(ONE_OF))(1)"),
        ("ARRAY = np.array([gelu])", "ARRAY[0](1)"),
        ("other.act = gelu", "other.act(1)"),
        ("from collections import deque\nops = deque([gelu])", "ops[0](1)"),
        ("act = np.vectorize(gelu, otypes=[object])", "act(1)"),
        (
            "def closed_over(own):\n    def gelu(x): return own\n    return gelu\ngelu = act = closed_over('own')",
            "act(1)",
        ),
        ("def gelu(x, *, word='own'): return word\nact = gelu", "act(1)"),
        ("data = list(range(1_000_000)) + [gelu]", "data[-1](1)"),
    ],
)
def test_whoever_has_a_plain_function_has_what_stands_in_for_it(space: dict[str, Any], source: str, call: str) -> None:
    exec(source, space)
    assert_leads_there_and_back(space, call)


def test_what_else_a_function_is_stays(space: dict[str, Any]) -> None:
    """A block may count the calls of its helper, or ask for its name."""
    exec("gelu.calls = 0\ndef run(x):\n    gelu.calls += 1\n    return gelu(x), gelu.__name__", space)
    Substitute(space, "gelu", standin)
    assert space["run"](1) == ("stand-in", "gelu")


def test_what_a_function_did_can_still_be_called(space: dict[str, Any]) -> None:
    exec(
        "def closed(own):\n    def gelu(x, *, more=1): return own * more\n    return gelu\ngelu = closed('own')",
        space,
    )
    own = as_it_is(space["gelu"])
    Substitute(space, "gelu", standin)
    assert (own(1), own(1, more=2), space["gelu"](1)) == ("own", "ownown", "stand-in")


@pytest.mark.parametrize(
    ("parameters", "args", "kwargs", "expected"),
    [
        ("x, g, b, epsilon=1e-5", (1,), {"b": 3, "g": 2}, ((1, 2, 3), {})),
        ("x, g, b, epsilon=1e-5", (1, 2), {"b": 3, "epsilon": 1e-6}, ((1, 2, 3, 1e-6), {})),
        ("x, g, b, axis=-1, eps=1e-5", (1, 2, 3), {"axis": -1}, ((1, 2, 3), {})),
        ("x, g, b, axis=-1, eps=1e-5", (1, 2, 3), {"eps": 1e-6}, ((1, 2, 3), {"eps": 1e-6})),
        ("x, *more, g", (1, 2), {"g": 3}, ((1, 2), {"g": 3})),
        ("x, g", (1,), {"gamma": 3}, ((1,), {"gamma": 3})),
    ],
)
def test_arguments_are_told_by_their_places(
    parameters: str, args: tuple[Any, ...], kwargs: dict[str, Any], expected: object
) -> None:
    """What the notebook calls them means nothing to anybody else."""
    assert in_order(eval(f"lambda {parameters}: None"), args, kwargs) == expected


def test_a_class_that_is_built_on_another_is_built_on_what_stands_in_for_it(space: dict[str, Any]) -> None:
    exec("class Deep(Net):\n    def deep(self, x): return self.run(x)", space)

    class Standin:
        def run(self, x: object) -> str:
            return "stand-in"

    substitute = Substitute(space, "Net", Standin)
    assert space["Deep"]().deep(1) == "stand-in"
    substitute.undo()
    assert space["Deep"]().deep(1) == "own"


CALLED = "class Gelu:\n    def __call__(self, x): return 'own'\ngelu = act = Gelu()\n"


def test_a_list_of_itself_and_one_of_data_are_no_trouble(space: dict[str, Any]) -> None:
    exec(f"{CALLED}ring = [gelu]\nring.append(ring)\ndata = list(range(1_000_000)) + [gelu]", space)
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
        f"{CALLED}class Frozen(type):\n    def __setattr__(cls, name, value): raise AttributeError(name)\n"
        "class Parts(metaclass=Frozen):\n    kind = gelu\n",
        space,
    )
    own = space["gelu"]
    substitute = Substitute(space, "gelu", print)
    assert space["Parts"].kind is own and space["act"] is print
    substitute.undo()
    assert space["Parts"].kind is own and space["act"] is own


def test_a_decorated_functions_own_names_are_known(space: dict[str, Any]) -> None:
    exec("@np.errstate(all='ignore')\ndef norm(x, gain, shift): return x", space)
    assert in_order(as_it_is(space["norm"]), (1,), {"shift": 3, "gain": 2}) == ((1, 2, 3), {})
