"""Which definition of a name counts, whatever a notebook does to it afterwards."""

from __future__ import annotations

import marshal
from typing import Any

import pytest

from autograder.sandbox import wire
from autograder.sandbox.namespace import Ledger
from autograder.sandbox.shell import CellShell

GIVEN = "import numpy as np\n\n\ndef softmax(x):\n    np.exp(x)\n    return 'given'\n"


@pytest.fixture
def run() -> Any:
    """Run cells and rebuild the namespace, as a worker does."""
    shell = CellShell()

    def run(*cells: str) -> dict[str, Any]:
        shell.ledger = Ledger(shell.user_ns, frozenset({"gelu", "norm"}), frozenset({"concepts"}))
        for number, cell in enumerate(cells):
            shell.run(number, cell)
            shell.ledger.after_cell()
        shell.ledger.rebuild(marshal.loads(wire.code_of(GIVEN, "<given cells>")))
        return shell.user_ns

    return run


@pytest.mark.parametrize(
    "afterwards",
    [
        "gelu = 3",
        "gelu = ...",
        "del gelu",
        "%reset -f",
        "for gelu in (len, max):\n    pass",
        "with open('/dev/null') as gelu:\n    pass",
        "from math import *",
        "1 / 0",
    ],
)
def test_a_definition_outlives_what_is_no_definition(run: Any, afterwards: str) -> None:
    assert run("def gelu(x):\n    return 'mine'", afterwards)["gelu"](0) == "mine"


@pytest.mark.parametrize(
    "again",
    [
        "def gelu(x):\n    return 'last'",
        "gelu = lambda x: 'last'",
        "if True:\n    def gelu(x):\n        return 'last'",
        "%%time\ndef gelu(x):\n    return 'last'",
        "class gelu:\n    def __new__(cls, x):\n        return 'last'",
        "try:\n    import nothing_of_that_name\nexcept ImportError:\n    def gelu(x):\n        return 'last'",
        "norm, gelu = len, lambda x: 'last'",
    ],
)
def test_the_last_definition_counts(run: Any, again: str) -> None:
    assert run("def gelu(x):\n    return 'first'", again)["gelu"](0) == "last"


def test_a_definition_counts_although_its_cell_fails_below(run: Any) -> None:
    assert run("def gelu(x):\n    return 'mine'\nraise NotImplementedError")["gelu"](0) == "mine"


def test_a_name_that_only_an_import_binds_is_used_for_want_of_a_definition(run: Any) -> None:
    assert run("from math import floor as gelu")["gelu"](1.5) == 1


def test_the_last_assignment_of_a_value_counts(run: Any) -> None:
    assert run("concepts = {'a': 1}", "concepts = {'a': 2}\nconcepts['b'] = 3")["concepts"] == {"a": 2, "b": 3}


def test_modules_and_given_names_get_their_originals_back(run: Any) -> None:
    space = run("import numpy as np\nimport math as m", "np = m = 5\nsoftmax = None")
    assert space["np"].__name__ == "numpy" and space["m"].__name__ == "math"
    assert space["softmax"](0) == "given"


def test_a_given_function_that_is_what_it_was_stays_the_object_that_other_names_mean(run: Any) -> None:
    space = run(GIVEN, "soft = softmax\ndef gelu(x, act=softmax):\n    return act(x)")
    assert space["soft"] is space["softmax"] is space["gelu"].__defaults__[0]


@pytest.mark.parametrize(
    "change",
    [
        "def softmax(x):\n    return 'mine'",
        "def softmax(x, y=0):\n    return 'given'",
        "def softmax(x, *, y=0):\n    return 'given'",
        "softmax.__code__ = (lambda x: 'mine').__code__",
        "softmax.__defaults__ = (0,)",
        "import types\nsoftmax = types.FunctionType(softmax.__code__, {})",
        "class softmax:\n    pass",
    ],
)
def test_another_function_under_a_given_name_keeps_its_other_names(run: Any, change: str) -> None:
    space = run(GIVEN, change, "mine = softmax")
    assert space["softmax"](0) == "given"
    assert space["mine"] is not space["softmax"]


@pytest.mark.parametrize("shadow", ["sum = 5", "from numpy import *", "def sum(x):\n    return 'mine'"])
def test_a_builtin_shadowed_afterwards_costs_nothing(run: Any, shadow: str) -> None:
    space = run("def gelu(x):\n    return sum(i for i in x)", shadow)
    assert space["gelu"]([1, 2]) == 3


def test_a_star_import_above_the_answers_is_meant(run: Any) -> None:
    space = run("from numpy import *", "def gelu(x):\n    return sum(x, axis=-1)")
    assert space["gelu"]([[1, 2]]).tolist() == [3]


def test_names_deleted_since_come_back_and_others_keep_their_last_value(run: Any) -> None:
    space = run("C = 1\nhelper = len\nk = 1", "def gelu(x):\n    return C", "del C, helper\nk = 2")
    assert space["gelu"](0) == 1 and space["helper"] is len and space["k"] == 2


def test_a_missing_package_does_not_stop_the_rest_of_its_cell(run: Any) -> None:
    cell = "from google.colab import drive\ndrive.mount('/content')\ndef gelu(x):\n    return 'mine'"
    assert run(cell)["gelu"](0) == "mine"
