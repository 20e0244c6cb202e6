"""What staff are shown of one question for a regrade request."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from click.testing import CliRunner
from rich.console import Console

from autograder.cli import main
from autograder.explain import explain, heat_map, shown
from autograder.grade import Judge
from tests.conftest import ROOT, submission


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
    assert shown(np.arange(100.0)).endswith("23, …")
    assert "\x1b" not in shown("\x1b[31m")


def test_a_question_that_is_not_there_is_a_users_mistake() -> None:
    file = ROOT / "tests/submissions/numpy_block/half.ipynb"
    result = CliRunner().invoke(main, ["--course", str(ROOT), "explain", str(file), "gelus"])
    assert result.exit_code == 2 and "Its questions: layer_norm" in result.output


def test_it_can_be_a_page(tmp_path: Path) -> None:
    file, page = ROOT / "tests/submissions/numpy_block/relu.ipynb", tmp_path / "gelu.html"
    result = CliRunner().invoke(main, ["--course", str(ROOT), "explain", str(file), "gelu", "--html", str(page)])
    assert result.exit_code == 0, result.output
    assert "<html" in page.read_text() and "tanh_form" in page.read_text()
