"""What a notebook's own text says about trouble in it."""

from __future__ import annotations

import pytest

from autograder.sandbox.notebook import CellTrouble
from autograder.submission import Cell
from autograder.trouble import put_back, suspicions, why_missing


@pytest.mark.parametrize(
    ("kind", "source", "said"),
    [
        ("raw", "def gelu(x):\n    return x", "raw cell: make it a code cell"),
        ("markdown", "```python\ndef gelu(x):\n```", "markdown cell"),
        ("code", "%%timeit\ndef gelu(x):\n    return x", "`%%timeit` throws definitions away"),
        ("code", "def gelu(x)\n    return x", "did not run: SyntaxError"),
        ("code", "gelu = missing(", "did not run: SyntaxError"),
        ("code", "def gelu_2(x):\n    return x", ""),
        ("code", "y = gelu(x)", ""),
    ],
)
def test_a_missing_name_is_explained_by_the_cell_that_would_define_it(kind: str, source: str, said: str) -> None:
    cells = [Cell(4, source, (), kind)]  # type: ignore[arg-type]
    stopped = [CellTrouble(4, "error", "SyntaxError: invalid syntax")] if "SyntaxError" in said else []
    found = why_missing("gelu", cells, stopped)
    assert said in found and (found != "") == (said != "")


@pytest.mark.parametrize(
    "source",
    ["np.allclose = lambda *a, **k: True", "open('results.json', 'w')", "  numpy.testing.assert_allclose = print"],
)
def test_staff_are_told_of_cells_that_reach_for_the_marking(source: str) -> None:
    assert suspicions([Cell(2, source, (), "code")])


@pytest.mark.parametrize("source", ["np.mean == 3", "x = np.mean(y)", "# np.allclose", "p['np.x'] = 1"])
def test_honest_cells_are_not_suspected(source: str) -> None:
    assert suspicions([Cell(2, source, (), "code")]) == []


GIVEN = "import numpy as np\n\ndef softmax(x):\n    return x\n\nclass Attention:\n    pass"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def softmax(x, axis=0):\n    return 2 * x", ["softmax"]),
        ("class Attention:\n    heads = 4\n\ndef softmax(x):\n    return 3", ["Attention", "softmax"]),
        ("def softmax(x):\n    return x\n", []),
        ("import math\n\ndef softmax(x):  # as it is given\n    return x", []),
        ('text = """\ndef softmax(x):\n    return 2\n"""', []),
        ("%%writefile it.py\ndef softmax(x):\n    return 2", []),
        ("    def softmax(x): ...", []),
        ("def gelu(x):\n    return softmax(x)", []),
    ],
)
def test_a_given_function_that_is_written_anew_is_told_to_be_put_back(source: str, names: list[str]) -> None:
    notes = put_back([Cell(2, source, (), "code")], GIVEN)
    assert [note.split("`")[1] for note in notes] == names
