"""A notebook's cells, run with IPython's semantics and without IPython's costs.

Magics, `!commands`, top-level await and automatic display work as in Jupyter; history, tracebacks and rich display,
which nobody will read, are left out. Statements run one at a time, so that the ledger sees each definition, and what
fails only because it runs here (no such package, file, network, keyboard) does not stop the rest of its cell.
"""

from __future__ import annotations

import ast
import contextlib
import re
import types
from collections.abc import Callable, Iterator
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import UsageError
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from traitlets import Type
from traitlets.config import Config

from autograder.sandbox.bare import without
from autograder.sandbox.namespace import Ledger, bound_names, is_magic
from autograder.sandbox.wire import MAX_LINE, MAX_LINES

_INSTALLER = re.compile(r"^\s*(?:\S*python\S*\s+-m\s+)?(?:uv\s+)?(pip3?|conda|mamba|apt|apt-get)\b")


_SWIFT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Import, ast.ImportFrom)


class _CellCompiler(CachingCompiler):
    """Names code after its cell, so that an error can say where in the notebook it arose."""

    cell_number = 0
    _parsed: tuple[str, ast.AST] | None = None

    def ast_parse(self, source: str, filename: str = "<unknown>", symbol: str = "exec") -> ast.AST:
        """The tree of a cell that was looked at before it is run, and not yet changed by whoever runs it."""
        parsed, self._parsed = self._parsed, None
        if parsed and parsed[0] == source and symbol == "exec":
            return parsed[1]
        tree: ast.AST = super().ast_parse(source, filename, symbol)
        return tree

    def is_python(self, source: str) -> bool:
        """Whether it is Python as it stands."""
        try:
            self._parsed = source, self.ast_parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        return True

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return f"<cell {self.cell_number}>"


class _QuietDisplayHook(DisplayHook):
    """Keeps `_`, and never asks a student's object for its repr."""

    def __call__(self, result: Any = None) -> None:
        if result is not None and self.shell is not None:
            self.shell.user_ns["_"] = result


class _QuietDisplayPublisher(DisplayPublisher):
    def publish(self, *args: Any, **kwargs: Any) -> None:
        """Plots and tables are for the student's own eyes."""


class CellShell(InteractiveShell):
    """Runs cells; made once in the zygote, used once in each worker."""

    displayhook_class = Type(_QuietDisplayHook)
    display_pub_class = Type(_QuietDisplayPublisher)
    compiler_class = Type(_CellCompiler)

    ledger: Ledger | None = None
    notes: list[str]
    missing: set[str]
    began: Callable[[int], None] | None = None
    """Told the number of each statement of a cell before it runs, but for definitions and imports."""

    def __init__(self) -> None:
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        super().__init__(config=config)  # type: ignore[no-untyped-call]
        self.notes = []
        self.missing = set()
        self._is_cell = False
        self._stop_before: int | None = None

    def run(self, number: int, source: str, stop_before: int | None = None) -> tuple[str | None, list[str]]:
        """Run one cell, or its statements before one; returns its error in one line, if any, and notes."""
        self._is_cell, self._stop_before = True, stop_before
        self.compile.cell_number = number  # type: ignore[attr-defined]
        self.notes = []
        result = self.run_cell(source, store_history=False)  # type: ignore[no-untyped-call]
        error = result.error_before_exec or result.error_in_exec
        notes = [note[:MAX_LINE] for note in dict.fromkeys(self.notes)][:MAX_LINES]
        return (one_line(error) if error is not None else None), notes

    def transform_cell(self, raw_cell: str) -> str:
        """IPython's syntax as Python's; a cell that is Python as it stands is not searched for any, token by token."""
        cell = raw_cell if raw_cell.endswith("\n") else f"{raw_cell}\n"
        if self.compile.is_python(cell):  # type: ignore[attr-defined]
            return cell
        transformed: str = super().transform_cell(raw_cell)  # type: ignore[no-untyped-call]
        return transformed

    def should_run_async(self, raw_cell: str, *, transformed_cell: str | None = None, **how: Any) -> bool:
        """Whether a cell awaits something at its top; one without either word does not, and is not compiled to see."""
        if transformed_cell is not None and "async" not in transformed_cell and "await" not in transformed_cell:
            return False
        awaits: bool = super().should_run_async(raw_cell, transformed_cell=transformed_cell, **how)
        return awaits

    async def run_ast_nodes(
        self,
        nodelist: list[ast.stmt],
        cell_name: str,
        interactivity: str = "last_expr",
        compiler: Any = compile,
        result: ExecutionResult | None = None,
    ) -> bool:
        """Run the statements in turn; returns whether one of them stopped the cell."""
        is_cell, self._is_cell = self._is_cell, False  # what a cell has IPython run is none
        for number, node in enumerate(nodelist):
            if is_cell and number == self._stop_before:
                break
            if is_cell and self.began and not isinstance(node, _SWIFT):
                self.began(number)
            if self.ledger:
                self.ledger.before(node)
            last = interactivity if node is nodelist[-1] else "none"
            failed = await super().run_ast_nodes([node], cell_name, last, compiler, result)
            if failed and (bare := self._without_what_is_missing(node, result)):
                failed = await super().run_ast_nodes([bare], cell_name, last, compiler, result)
            if self.ledger:
                self.ledger.after(node)
            if failed and not self._fails_only_here(node, result):
                return True
        return False

    def _fails_only_here(self, node: ast.stmt, result: ExecutionResult | None) -> bool:
        """Forgive a statement for what the student's own computer has, and others for what it should have bound."""
        error = result.error_in_exec if result else None
        if isinstance(error, ImportError) and (isinstance(node, ast.Import | ast.ImportFrom) or is_magic(node)):
            self.notes.append(f"{error.name or 'A package'} is not installed here; the rest of the cell was run.")
        elif what := _what_is_elsewhere(error, node):
            self.notes.append(f"{what} cannot be had while grading; the rest of the cell was run.")
        elif not (isinstance(error, NameError) and error.name in self.missing):
            return False
        self.missing.update(set(bound_names(node)) - self.user_ns.keys())
        assert result is not None
        result.error_in_exec = None
        return True

    def _without_what_is_missing(self, node: ast.stmt, result: ExecutionResult | None) -> ast.stmt | None:
        """A definition without decorators and annotations that use a missing package; None where that is not why."""
        error = result.error_in_exec if result else None
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return None
        if result is None or not isinstance(error, NameError) or error.name not in self.missing:
            return None
        self.notes.append(f"`{node.name}` was defined without {error.name}, which is not installed here.")
        result.error_in_exec = None
        return without(node, self.missing)

    @contextlib.contextmanager
    def _tee(self, channel: str) -> Iterator[None]:
        """IPython copies all output into its history, write by write; there is none here to be kept."""
        yield

    def system_raw(self, cmd: str) -> None:
        """Run a shell command; installers are skipped, since nothing is installed while grading."""
        if _INSTALLER.match(cmd):
            self.notes.append("Packages are not installed while grading.")
            self.user_ns["_exit_code"] = 0
            return
        super().system_raw(cmd)  # type: ignore[no-untyped-call]

    system = system_raw

    def enable_matplotlib(self, gui: str | None = None) -> tuple[str | None, str]:
        """Plots go nowhere here, so no backend is loaded for `%matplotlib`."""
        return gui, "agg"

    def enable_gui(self, gui: str | None = None) -> None:
        """There is no event loop to hook into."""

    def ask_exit(self) -> None:
        """`exit` ends nothing: the cells below it still count."""

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """Errors are reported by `run`."""

    showsyntaxerror = showindentationerror = showtraceback

    def _atexit_once(self) -> None:
        """There is no history to save."""


def _what_is_elsewhere(error: BaseException | None, node: ast.stmt) -> str:
    """What a statement asks for that only the student's own computer has; nothing if that is not why it fails."""
    match error:
        case UsageError() if is_magic(node) and str(error).startswith("Line magic function"):
            return "A line magic of an extension"
        case EOFError():
            return "The keyboard"
        case OSError():
            return "A file, a program or the network"
        case RuntimeError() | AssertionError() if re.search(r"\b(cuda|nvidia|mps)", str(error), re.I):
            return "A graphics card"
    return ""


def one_line(error: BaseException) -> str:
    """`TypeName: text` on one line, whatever the exception's own `__str__` does."""
    try:
        text = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
        text += f" (line {error.lineno})" if isinstance(error, SyntaxError) and error.lineno else ""
    except BaseException:
        text = ""
    return (f"{type(error).__name__}: {text}" if text else type(error).__name__)[:MAX_LINE]


def place_of(error: BaseException) -> str:
    """The innermost line of the notebook that an exception passed through: `cell 7, line 3`, or nothing."""
    place = ""
    traceback: types.TracebackType | None = error.__traceback__
    while traceback is not None:
        name = traceback.tb_frame.f_code.co_filename
        if name.startswith("<cell "):
            place = f"{name[1:-1]}, line {traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place
