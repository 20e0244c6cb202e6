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
        ("code", "\u200bdef gelu(x):\n    return x", "did not run: SyntaxError"),
        ("code", "\ufeffgelu = max", "did not run: SyntaxError"),
        ("code", "%%debug\ndef gelu(x):\n    return x", "`%%debug` throws definitions away"),
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
    [
        "np.allclose = lambda *a, **k: True",
        "  \nif True:\n    numpy.testing.assert_allclose = print",
        "np.abs, np.x = print, print",
        "import numpy as N\nN.isclose = print",
        "from numpy import testing\ntesting.assert_allclose = print",
        "import torch.nn.functional as F\nF.gelu = print",
        "__builtins__.abs = print",
        "setattr(np, 'allclose', print)",
        "monkeypatch.setattr(np.testing, 'assert_allclose', print)",
        "from unittest import mock\nmock.patch('numpy.allclose', print).start()",
        "from unittest.mock import patch\npatch.object(np, 'allclose', print).start()",
        "np.__dict__['allclose'] = print",
        "vars(np)['allclose'] = print",
        "vars(np).update(allclose=print)",
        "__import__('numpy').allclose = print",
        "import sys\nsys.modules['numpy'].allclose = print",
        "%matplotlib inline\nnp.allclose = print",
        "files = !ls\nnp.allclose = print",
        "t = %timeit -o f()\nnp.allclose = print",
        "np.allclose?\nnp.allclose = print",
        "x = (5\n  % 3)\nnp.allclose = print",
        "open('results.json', 'w')",
        "open('score.json', 'w')",
        "Path('/autograder/results/x').write_text('100')",
        "import autograder",
        "from tests.hidden import numpy_block",
    ],
)
def test_staff_are_told_of_cells_that_reach_for_the_marking(source: str) -> None:
    assert suspicions([Cell(2, source, (), "code")])


def test_an_alias_of_an_earlier_cell_is_known() -> None:
    cells = [Cell(0, "import numpy as N", (), "code"), Cell(1, "N.isclose = print", (), "code")]
    assert suspicions(cells) == ["Cell 2 assigns to a library's own name; please look at it."]


@pytest.mark.parametrize(
    "source",
    [
        "np.mean == 3",
        "x = np.mean(y)",
        "# np.allclose",
        "p['np.x'] = 1",
        "'np.mean = 3'",
        "import sys\nsys.stdout = open('log', 'w')",
        "model.attn.weight = 3",
        "layer = torch.nn.Linear(3, 3)\nlayer.weight = w",
        "p.update(h=3)",
        "setattr(self, name, 3)",
        "torch.backends.cudnn.deterministic = True",
        "torch.backends.cuda.matmul.allow_tf32 = True",
        "tests.count = 3",
        "def broken(:\n  np.abs = 3",
        "# as in the autograder\nscore = 3",
    ],
)
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
