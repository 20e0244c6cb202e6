"""Cells run as in Jupyter: what they bind, what they await, what stops them and where it says so."""

from __future__ import annotations

import builtins
import inspect
from typing import Any

import pytest

from autograder.sandbox.shell import CellShell
from autograder.sandbox.wire import MAX_LINE, MAX_LINES


@pytest.fixture
def shell() -> CellShell:
    return CellShell()


def outcome(shell: CellShell, *cells: str) -> list[str | None]:
    """The error of each cell."""
    return [shell.run(number, cell)[0] for number, cell in enumerate(cells, 1)]


@pytest.mark.parametrize(
    ("cell", "answer"),
    [
        ("answer = 1", 1),
        ("import math; answer = math.floor(1.5)", 1),
        ("async def one():\n    return 1\nanswer = await one()", 1),
        ("async def one():\n    return 1\nanswer = [await one() for _ in range(2)]", [1, 1]),
        ("async def both():\n    yield 1\nanswer = 0\nasync for i in both():\n    answer += i", 1),
        ("answer = 'await'", "await"),
        ("async_ = 1\nanswer = async_", 1),
        ("answer = !echo 1", ["1"]),
        ("%time answer = 1", 1),
        ("%%time\nanswer = 1", 1),
        ("answer = 1\n?answer", 1),
        ("if True:\n    answer = 1\n    %time answer += 1", 2),
        ("get_ipython().run_cell('answer = 1')", 1),
        ("answer = 0\nget_ipython().run_cell('answer += 1'); get_ipython().run_cell('answer += 1')", 2),
        ("\n\n  # indented\nanswer = 1  \\\n  + 0", 1),
        ("  answer = 1", 1),
        ("answer = 1;", 1),
        (">>> answer = 1", 1),
    ],
)
def test_what_a_cell_binds(shell: CellShell, cell: str, answer: Any) -> None:
    assert outcome(shell, cell) == [None]
    assert list(shell.user_ns["answer"]) == answer if isinstance(answer, list) else shell.user_ns["answer"] == answer


@pytest.mark.parametrize("cell", ["", "   \n ", "# nothing", "pass"])
def test_a_cell_may_do_nothing(shell: CellShell, cell: str) -> None:
    assert outcome(shell, cell) == [None]


@pytest.mark.filterwarnings("ignore:To exit")
@pytest.mark.parametrize(
    ("cell", "error"),
    [
        ("x = 1\nx x", "SyntaxError: invalid syntax (line 2)"),
        ("x = 1\nif x:\nx = 2", "IndentationError: expected an indented block after 'if' statement on line 2 (line 3)"),
        ("x = 1\nreturn x", "SyntaxError: 'return' outside function (line 2)"),
        ("x = 1\n1 / 0\nx = 2", "ZeroDivisionError: division by zero"),
        ("x = 1\nraise SystemExit(3)\nx = 2", "SystemExit: 3"),
        ("x = 1\nraise KeyboardInterrupt\nx = 2", "KeyboardInterrupt"),
        ("x = 1\nawait 1\nx = 2", "TypeError: object int can't be used in 'await' expression"),
        ("x = 1\nundefined\nx = 2", "NameError: name 'undefined' is not defined"),
        ("x = 1\nbreak", "SyntaxError: 'break' outside loop (line 2)"),
    ],
)
def test_what_stops_a_cell_is_told_in_one_line_and_stops_no_other(shell: CellShell, cell: str, error: str) -> None:
    assert outcome(shell, cell, "after = 1") == [error, None]
    assert shell.user_ns.get("x") in (None, 1)
    assert shell.user_ns["after"] == 1


def test_what_is_imported_from_the_future_holds_for_the_cells_below(shell: CellShell) -> None:
    cells = ("from __future__ import annotations", "def f(x: undefined):\n    return x", "answer = f.__annotations__")
    assert outcome(shell, *cells) == [None] * 3
    assert shell.user_ns["answer"] == {"x": "undefined"}


def test_a_function_knows_its_cell_its_source_and_its_module(shell: CellShell) -> None:
    source = "def f(x):\n    # why\n    return x\n"
    outcome(shell, "1", f"%time 1\n{source}")
    f = shell.user_ns["f"]
    assert f.__code__.co_filename == "<cell 2>"
    assert inspect.getsource(f) == source
    assert f.__module__ == "__main__"
    assert f.__globals__ is shell.user_ns


def test_the_last_expression_is_kept_and_never_asked_for_its_looks(shell: CellShell) -> None:
    cell = "class Loud:\n    def __repr__(self):\n        raise ValueError\nloud = Loud()\nloud"
    assert outcome(shell, cell, "same = _ is loud", "3;", "None", "answer = 4\nanswer") == [None] * 5
    assert shell.user_ns["same"] is True
    assert shell.user_ns["_"] == 4


def test_each_statement_is_told_but_for_definitions_and_imports(shell: CellShell) -> None:
    told: list[int] = []
    shell.began = told.append
    outcome(shell, "import math\nx = 1\ndef f(): pass\nx\n%time x", "class A: pass\nget_ipython().run_cell('1\\n2')")
    assert told == [1, 3, 4, 0, 1]


def test_a_cell_can_be_run_up_to_a_statement(shell: CellShell) -> None:
    assert shell.run(1, "x = 1\nx = 2\nx = 3", stop_before=2) == (None, [])
    assert shell.user_ns["x"] == 2


def test_builtins_and_hooks_are_the_same_afterwards(shell: CellShell) -> None:
    before = dict(vars(builtins))
    outcome(shell, "exit\nx = get_ipython()", "x = 1\n1 / 0", "%time 1", "1")
    assert dict(vars(builtins)) == before
    assert shell.user_ns["x"] == 1


def test_a_transformer_of_syntax_trees_is_heeded(shell: CellShell) -> None:
    doubler = (
        "import ast\n"
        "class Doubler(ast.NodeTransformer):\n"
        "    def visit_Constant(self, node):\n"
        "        return ast.Constant(node.value * 2)\n"
        "get_ipython().ast_transformers.append(Doubler())"
    )
    assert outcome(shell, doubler, "answer = 2", "answer = 2") == [None] * 3
    assert shell.user_ns["answer"] == 4


def test_what_a_cell_says_of_itself_has_an_end(shell: CellShell) -> None:
    notes = shell.run(1, "\n".join(f"import missing_{'x' * 1000}_{number}" for number in range(1000)))[1]
    assert len(notes) == MAX_LINES and {len(note) for note in notes} == {MAX_LINE}
    error = shell.run(2, "raise type('E' * 1000, (Exception,), {})")[0]
    assert error == "E" * MAX_LINE
