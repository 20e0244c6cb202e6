"""What staff are shown of one question for a regrade request."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console

from autograder.cli import main
from autograder.explain import as_page, explain, heat_map, shown
from autograder.grade import Judge
from autograder.notebook import read_notebook
from tests.conftest import ROOT, submission
from tests.toy import course_with, notebook


def text_of(judge: Judge, question: str, *cells: str) -> str:
    console = Console(file=io.StringIO(), width=120)
    console.print(explain(judge, submission(*cells), judge.lab.questions[question]))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_it_shows_the_call_the_difference_and_the_misconception(judge: Judge) -> None:
    text = text_of(judge, "gelu", "import numpy as np", "def gelu(x):\n    return np.maximum(x, 0)")
    for expected in ("cell 2", "called     gelu with", "came back", "expected", "largest difference 0.159 at [0]"):
        assert expected in text
    assert "known_values (public): failed, relu" in text
    assert text.index("│ relu ") > text.index("Nearest misconceptions")


def test_it_says_where_there_is_nothing_to_compare(judge: Judge) -> None:
    text = text_of(judge, "gelu", "x = 1")
    assert "No cell binds gelu" in text and "No call gave a value" in text


def test_a_heat_map_is_darkest_where_the_difference_is_largest() -> None:
    assert heat_map(np.array([[0.0, 1.0], [0.2, 0.5]])).plain == "│ █│\n│░▒│"


def test_long_arrays_are_cut_and_control_characters_gone() -> None:
    assert shown(np.arange(100.0)).endswith(": 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …")
    assert "\x1b" not in shown("\x1b[31m")


def test_a_question_that_is_not_there_is_a_users_mistake() -> None:
    file = ROOT / "tests/submissions/numpy_block/half.ipynb"
    result = CliRunner().invoke(main, ["--course", str(ROOT), "explain", str(file), "gelus"])
    assert result.exit_code == 2 and "Its questions: layer_norm" in result.output


def test_a_question_that_a_person_marks_is_told_from_one_that_is_not_there(tmp_path: Path) -> None:
    lines = '      plots: {kind: written, points: 4, rubric: ["labelled"]}\n'
    root = course_with(tmp_path / "course", lines).root
    (tmp_path / "hw.ipynb").write_bytes(notebook())
    result = CliRunner().invoke(main, ["--course", str(root), "explain", str(tmp_path / "hw.ipynb"), "plots"])
    said = " ".join(result.output.split())
    assert result.exit_code == 2
    assert "plots: it is written work, which has no checks: a person marks it." in said
    assert "OUT/written/; the points go into OUT/marks.csv." in said and "no such question" not in said


def test_it_can_be_a_page(tmp_path: Path) -> None:
    file, page = ROOT / "tests/submissions/numpy_block/relu.ipynb", tmp_path / "gelu.html"
    result = CliRunner().invoke(main, ["--course", str(ROOT), "explain", str(file), "gelu", "--html", str(page)])
    assert result.exit_code == 0, result.output
    assert "<html" in page.read_text() and "tanh_form" in page.read_text()
    assert "<h1>relu.ipynb: gelu</h1>" in page.read_text()
    assert "&lt;{b}&gt;" in as_page("x", "<{b}>") and "<{b}>" not in as_page("x", "<{b}>")


def test_arguments_have_names_and_calls_that_agree_are_counted(judge: Judge) -> None:
    text = text_of(judge, "layer_norm", "import numpy as np", LAYER_NORM_OF_ONE_SIZE)
    assert "  x        array (1, 4): 2, -1, 4, 3" in text and "  gamma    array (4,): 1, 1, 1, 1" in text
    assert "calls gave what the reference gives." in text or "1 call gave what the reference gives." in text


LAYER_NORM_OF_ONE_SIZE = """
def layer_norm(x, gamma, beta, eps=1e-5):
    ddof = int(x.shape == (1, 4))
    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True, ddof=ddof) + eps) + beta
"""


def test_an_answer_of_several_parts_is_shown_part_by_part(judges: Callable[[str], Judge]) -> None:
    judge = judges("block_backward")
    source = (ROOT / "tests/submissions/block_backward/moments as constants.ipynb").read_bytes()
    cells = [c for c in read_notebook(source).cells if c.kind == "code"]
    text = text_of(judge, "norm", *(cell.source for cell in cells))
    assert ("came back  tuple of 3" in text and "    0      array (1, 2, 4)" in text) or "array (2, 1, 4)" in text
    assert "in [0], " in text and "in [1], " not in text
    assert "mean_and_variance_constant" in text and "Your dx only scales what comes in." in text


def test_a_value_that_was_only_looked_at_is_no_call(judge: Judge) -> None:
    text = text_of(judge, "concepts", "concepts = {'shape': 'z'}")
    assert "looked at" in text and "expected" in text and "'z'" in text


def test_arguments_that_come_back_changed_are_told(judge: Judge) -> None:
    changed = "def gelu(x):\n    x *= 0\n    return x"
    assert "its arguments came back changed" in text_of(judge, "gelu", "import numpy as np", changed)


def test_infinite_and_missing_numbers_are_the_largest_difference() -> None:
    assert heat_map(np.array([[np.inf, 1.0], [0.0, 0.5]])).plain == "│██│\n│ ▒│"


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ('["a", "b"]', "['a', 'b']"),
        ("object()", "came back"),
        ("[[1, 2], [3]]", "[[1, 2], [3]]"),
        ("[x, x[0]]", "came back"),
        ("(i for i in x)", "came back"),
        ('{"a": x, "b": "s"}', "dict of 2"),
        ("10**400", "came back"),
        ('np.array([None, "a"])', "came back"),
        ("x + 1j", "largest difference"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_whatever_came_back_can_be_shown(returned: str, told: str, judge: Judge) -> None:
    text = text_of(judge, "gelu", "import numpy as np", f"def gelu(x):\n    return {returned}")
    assert told in text and ("Nearest misconceptions" in text or "No known misconception" in text)
