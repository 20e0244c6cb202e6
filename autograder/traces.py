"""Whether something of a call may outlive it.

A function that keeps something (in a global, in a default that is a list, in a file) may answer the next call
differently, so a notebook's checks run in copies of its process that have seen no other call. Where nothing can be
kept, the notebook's own process answers them all, which takes half the time.

This is told by the text alone, and on the safe side: what is not known to keep nothing is taken to keep something.
That costs such a notebook milliseconds, and never a point.
"""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache

from autograder.submission import Cell

LONGEST = 100_000
"""Characters of a cell that is looked into: a longer one may keep anything."""

FORGETFUL = frozenset(
    """
    __future__ abc cmath collections copy dataclasses enum functools itertools math numbers numpy operator random
    statistics string time torch typing typing_extensions warnings
    """.split()
)
"""Modules whose functions keep nothing that the grader does not put back before each call."""

BUSY = frozenset("_thread asyncio atexit concurrent gc multiprocessing signal threading".split())
"""Modules by which a cell can leave something at work."""

_BINDING = frozenset("delattr exec get_ipython globals locals setattr vars".split())
"""Builtins that may bind any name, wherever they are used."""

_BUILTINS = frozenset(vars(builtins)) - _BINDING - set("__import__ breakpoint compile eval input open".split())
"""Those that functions may use."""

_HARMLESS_MAGIC = re.compile(r"^([ \t]*)(?:%(?:autoreload|config|load_ext|matplotlib|pip|precision)|!pip)\b.*", re.M)

_READING_FILES = frozenset("DataSource from_file fromfile genfromtxt load loadtxt memmap".split())
_DECORATORS = frozenset(
    """
    abstractmethod classmethod dataclass enable_grad getter inference_mode no_grad override property setter
    staticmethod wraps
    """.split()
)
_CONSTANT_CALLS = frozenset("exp float float32 float64 int log log2 sqrt tanh".split())
"""Functions whose value is a number, by whatever module's name they are called."""


def leaves_no_trace(cells: Iterable[Cell], given_source: str, asked: Iterable[str]) -> bool:
    """Whether no call of the functions in `asked` can find anything of another such call.

    What `given_source` binds is put back to that before the first call, and keeps nothing.
    """
    given = _names_of(given_source)
    facts = [_facts(cell.source, given) for cell in cells if cell.runs]
    bound = given.union(_BUILTINS, *(cell.definitions for cell in facts))
    loose = set().union(*(cell.loose for cell in facts)) - given
    waiting, seen = list(bound.intersection(asked)), set(given)
    keeps = any(cell.keeps for cell in facts) or not loose.isdisjoint(asked)
    while waiting and not keeps:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            found = [cell.definitions[name] for cell in facts if name in cell.definitions]
            waiting += (read for definition in found for read in definition.reads)
            keeps = name in loose or name not in bound or any(definition.keeps for definition in found)
    return not keeps


@dataclass
class Definition:
    """What is said of a name by all that defines it: names that this reads, and whether it keeps what it is given."""

    reads: set[str] = field(default_factory=set)
    keeps: bool = False


@dataclass
class Facts:
    """What one cell says: names that it binds to what cannot change (definitions, modules, numbers), names that it
    binds to anything else, and whether its own statements may have calls keep something."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    loose: set[str] = field(default_factory=set)
    keeps: bool = False


@lru_cache
def _names_of(source: str) -> frozenset[str]:
    facts = _facts(source, frozenset())
    return frozenset(facts.loose.union(facts.definitions))


@lru_cache(512)
def _facts(source: str, given: frozenset[str]) -> Facts:
    """The facts of one cell; many cells of a class are the same."""
    try:
        if len(source) > LONGEST:
            return Facts(keeps=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(_HARMLESS_MAGIC.sub(r"\1pass", source))
        reader = _Reader(given)
        reader.visit(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # other magics too: they may do anything
        return Facts(keeps=True)
    return Facts(reader.definitions, reader.loose, reader.current.keeps)


_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass
class _Scope:
    """The names that a function, a class or a comprehension binds, and those that are read in it."""

    binds: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)


class _Reader(ast.NodeVisitor):
    """Gathers a cell's facts. What the cell itself does is done once: hardly anything of it matters but names."""

    def __init__(self, given: frozenset[str]) -> None:
        self.given = given
        self.definitions: dict[str, Definition] = {}
        self.loose: set[str] = set()
        self.current = Definition()
        """The definition that is being read; the cell itself where none is."""
        self.scopes: list[_Scope] = []
        self.functions = 0
        """How many functions the visited node lies in."""

    # --- names ---

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._read(node.id)
        else:
            self._bind(node.id)

    def visit_Global(self, node: ast.Global) -> None:
        self.current.keeps = True

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            path = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
            module = path.partition(".")[0]
            name = alias.asname or alias.name.partition(".")[0]
            is_forgetful = module in FORGETFUL and not getattr(node, "level", 0)
            self.current.keeps |= module in BUSY or (self.functions > 0 and not is_forgetful)
            if is_forgetful and not self.scopes:
                self.definitions.setdefault(name, Definition())
            else:
                self._bind(name)

    visit_ImportFrom = visit_Import  # noqa: N815

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._assign(target, node.value)
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, node.value)
            self.visit(node.value)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        is_hidden = node.attr.startswith("__") and node.attr not in ("__init__", "__name__", "__version__")
        self.current.keeps |= is_hidden or (node.attr in _READING_FILES and self.functions > 0)
        if not isinstance(node.ctx, ast.Load):
            self.current.keeps |= not (self.functions and self._is_self(node.value))
        self.visit(node.value)

    # --- definitions ---

    def visit_FunctionDef(self, node: _Function) -> None:
        with self._defining(node.name) as wanted:
            if wanted:
                self._decorated(node)
                self._function(node.args, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        with self._defining(node.name) as wanted:
            if wanted:
                self._decorated(node)
                self.current.keeps |= bool(node.keywords) or not all(map(self._is_fixed, node.bases))
                with self._scope(_Scope()):  # methods do not see the names of their class
                    for statement in node.body:
                        self._in_class(statement)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._function(node.args, [node.body])

    def visit_ListComp(self, node: _Comprehension) -> None:
        self.visit(node.generators[0].iter)
        with self._scope(_Scope()):
            self.generic_visit(node)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp  # noqa: N815

    def _in_class(self, statement: ast.stmt) -> None:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._decorated(statement)
                self._function(statement.args, statement.body)
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) | ast.Expr(value=value):
                self.current.keeps |= not self._is_fixed(value)
            case ast.AnnAssign() | ast.Pass():
                pass
            case _:
                self.current.keeps = True

    def _function(self, arguments: ast.arguments, body: list[ast.stmt] | list[ast.expr]) -> None:
        defaults = [*arguments.defaults, *filter(None, arguments.kw_defaults)]
        self.current.keeps |= not all(map(self._is_fixed, defaults))
        stars = filter(None, (arguments.vararg, arguments.kwarg))
        names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars]
        self.functions += 1
        with self._scope(_Scope({argument.arg for argument in names})):
            for node in body:
                self.visit(node)
        self.functions -= 1

    @contextmanager
    def _defining(self, name: str) -> Iterator[bool]:
        """While what a name stands for is read; whether it need be, since what is given is known."""
        if self.scopes:
            self._bind(name)
            yield True
            return
        around, self.current = self.current, self.definitions.setdefault(name, Definition())
        yield name not in self.given
        self.current = around

    @contextmanager
    def _scope(self, scope: _Scope) -> Iterator[None]:
        """What is read in a scope and not bound in it, is read in the one around it."""
        self.scopes.append(scope)
        yield
        self.scopes.pop()
        around = self.scopes[-1] if self.scopes else self.current
        around.reads |= scope.reads - scope.binds

    # --- what cannot change ---

    def _read(self, name: str) -> None:
        self.current.keeps |= name in _BINDING
        if self.functions:
            self.scopes[-1].reads.add(name)

    def _bind(self, name: str) -> None:
        (self.scopes[-1].binds if self.scopes else self.loose).add(name)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                for one, its in zip(targets, values, strict=True):
                    self._assign(one, its)
            case ast.Name(id=name), _ if not self.scopes:
                with self._defining(name):
                    if not self._is_fixed(value):
                        self.loose.add(name)
            case ast.Attribute(), _ if not self.scopes and self._is_fixed(value):
                self.visit(target.value)
            case _:
                self.visit(target)

    def _is_fixed(self, value: ast.expr) -> bool:
        """Whether a value is one that nobody can put anything into; the names in it are noted as read."""
        match value:
            case ast.Constant():
                return True
            case ast.Lambda():
                self.visit(value)
                return True
            case ast.Name(id=name):
                (self.scopes[-1] if self.scopes else self.current).reads.add(name)
                return True
            case ast.Attribute(value=inner) | ast.UnaryOp(operand=inner):
                return self._is_fixed(inner)
            case ast.BinOp(left=left, right=right) | ast.Subscript(value=left, slice=right):
                return self._is_fixed(left) and self._is_fixed(right)
            case ast.Tuple(elts=items):
                return all(map(self._is_fixed, items))
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=items, keywords=[]):
                return name in _CONSTANT_CALLS and all(map(self._is_fixed, items))
        return False

    def _is_self(self, value: ast.expr) -> bool:
        """Whether it is the object whose method this is, which does not outlive the call."""
        return isinstance(value, ast.Name) and value.id == "self" and any("self" in s.binds for s in self.scopes)

    def _decorated(self, node: _Function | ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            self.current.keeps |= name not in _DECORATORS
