"""The warm processes of one judge: one for most submissions, and one for those that import what is slow to import.

A submission that does so would spend seconds on it, in every one of its processes anew. Only what its own cells import
is there before they run; whatever a notebook imports in some other way, it imports as in Jupyter, by itself.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Iterable, Iterator
from importlib.util import find_spec

from autograder.errors import SandboxError
from autograder.sandbox.host import Zygote
from autograder.submission import Cell

SLOW = ("torch",)
"""Modules that take seconds to import, and leave no thread behind that a copied process would miss.

Each may add a process to every judge. A list of ours, and never whatever a student's code names: what is imported here
is imported without confinement. Matplotlib and pandas are imported faster than a process is started.
"""

LONGEST = 100_000
"""Characters of a cell that is searched for imports: those of a longer one can wait for themselves."""


class Zygotes:
    """The warm processes, each started when a submission first needs it, and kept for those after it."""

    def __init__(self, warm: tuple[str, ...], uid: int | None = None) -> None:
        """`warm` is what the lab's notebooks import; `uid` is whom the workers become where root may choose."""
        self._warm = warm
        self._uid = uid
        self._started: dict[tuple[str, ...], Zygote] = {}

    def __iter__(self) -> Iterator[Zygote]:
        return iter(self._started.values())

    def fit_for(self, cells: Iterable[Cell]) -> Zygote:
        """The one for a submission of these cells. Raises SandboxError where none can be made."""
        warm = (*self._warm, *(name for name in slow_imports(cells, self._warm) if find_spec(name)))
        if warm not in self._started:
            self._started[warm] = self._start(warm)
        return self._started[warm]

    def close(self) -> None:
        """End them all."""
        for zygote in self:
            zygote.close()

    def _start(self, warm: tuple[str, ...]) -> Zygote:
        try:
            return Zygote(warm, self._uid)
        except SandboxError:  # it was killed while it warmed up, or a module is broken that the lab can do without
            return self._started.get(self._warm) or Zygote(self._warm, self._uid)


def slow_imports(cells: Iterable[Cell], warm: Collection[str] = ()) -> tuple[str, ...]:
    """Which of the slow modules the cells import, be it inside a function, but for those that are warm already."""
    slow = [name for name in SLOW if name not in warm]
    told = [cell.source for cell in cells if cell.runs and any(name in cell.source for name in slow)]
    imported = {name for source in told for name in _imports(source)}
    return tuple(name for name in slow if name in imported)


_MAGIC = re.compile(r"^([ \t]*)[%!].*", re.M)


def _imports(source: str) -> Iterator[str]:
    """The modules that a cell imports, without what lies inside them; none where it is not Python."""
    if len(source) > LONGEST or source.lstrip().startswith("%%"):
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(_MAGIC.sub(r"\1pass", source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]
