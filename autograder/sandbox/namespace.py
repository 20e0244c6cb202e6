"""Which definition of a name counts.

Students experiment below their answers: a loop variable called `gelu`, a star import that rebinds `sum`, a final
`%reset`. So the namespace that is checked is rebuilt once, after all cells:

- a question's name gets its last *definition* (a def, a class, a callable bound by an assignment);
- a value that is asked for (`concepts`) gets its last assignment;
- imported modules get their originals back, and so do the given names, but for those that are what they were;
- names deleted since come back, and everything else keeps its last value;
- a builtin that is shadowed, or a name that a star import rebinds, after the last definition of a question counts
  as if that had not happened.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from types import CodeType, ModuleType
from typing import Any

from autograder.sandbox.unchanged import is_unchanged

_BUILTINS = frozenset(name for name in vars(builtins) if not name.startswith("_"))
_ABSENT = object()


class Ledger:
    """Watches a namespace statement by statement, and rebuilds it.

    `names` are what the lab's questions ask for: functions and classes, and plain values.
    """

    def __init__(self, namespace: dict[str, Any], functions: frozenset[str], values: frozenset[str]) -> None:
        self.namespace = namespace
        self.functions = functions
        self.values = values
        self.definitions: dict[str, Any] = {}
        self.modules: dict[str, ModuleType] = {}
        self.seen: dict[str, Any] = {}
        self.at_last_definition: dict[str, Any] = {}
        self.from_star: set[str] = set()
        self._before: dict[str, Any] = {}

    def before(self, node: ast.stmt) -> None:
        """Note what is bound before one top-level statement runs."""
        if _is_star_import(node):
            self._before = dict(self.namespace)
        elif is_magic(node):
            self._before = {name: self.namespace.get(name, _ABSENT) for name in self.functions | self.values}

    def after(self, node: ast.stmt) -> None:
        """Note what one top-level statement has bound, whether or not it ended in an error."""
        if _is_star_import(node):
            self.from_star.update(self._rebound())
            return
        bound = set(bound_names(node)) if not is_magic(node) else self._rebound() & (self.functions | self.values)
        for name in bound & self.namespace.keys():
            self._note(name, self.namespace[name], node)

    def after_cell(self) -> None:
        """Remember every name, in case a later cell deletes it."""
        self.seen.update(self.namespace)

    def rebuild(self, given: Iterable[CodeType]) -> None:
        """Make the namespace that is checked, in place: functions keep it as their globals."""
        space = self.namespace
        for name, value in self.seen.items():
            space.setdefault(name, value)
        self._undo_shadowing()
        before = dict(space)
        for code in given:
            exec(code, space)
        for name, value in before.items():
            if space[name] is not value and is_unchanged(value, space[name]):
                space[name] = value
        space.update(self.modules)
        space.update(self.definitions)

    def _rebound(self) -> set[str]:
        return {n for n, value in self.namespace.items() if self._before.get(n, _ABSENT) is not value}

    def _note(self, name: str, value: Any, node: ast.stmt) -> None:
        if isinstance(value, ModuleType) and isinstance(node, ast.Import | ast.ImportFrom):
            self.modules.setdefault(name, value)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            return
        elif (name in self.functions and callable(value)) or name in self.values:
            self.definitions[name] = value
            self.at_last_definition = dict(self.namespace)
            self.from_star.clear()

    def _undo_shadowing(self) -> None:
        for name in self.from_star | (_BUILTINS & self.namespace.keys()):
            original = self.at_last_definition.get(name, _ABSENT)
            shadows_builtin_by_value = name in _BUILTINS and not callable(original)
            if original is _ABSENT or shadows_builtin_by_value:
                if name in _BUILTINS:
                    self.namespace.pop(name, None)
            else:
                self.namespace[name] = original


def _is_star_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)


def is_magic(node: ast.stmt) -> bool:
    """IPython turns `%%time` and the like into `get_ipython().run_cell_magic(…)`."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and isinstance(node.value.func.value, ast.Call)
        and isinstance(node.value.func.value.func, ast.Name)
        and node.value.func.value.func.id == "get_ipython"
    )


def bound_names(node: ast.stmt) -> Iterator[str]:
    """Names that a statement defines or assigns at module level; loop targets and `with … as` do not count."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            for target in targets:
                yield from _target_names(target)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            yield from _target_names(target)
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            for alias in aliases:
                yield alias.asname or alias.name.partition(".")[0]
        case ast.Expr(value=ast.NamedExpr(target=ast.Name(id=name))):
            yield name
        case _:
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                for child in getattr(node, field, ()):
                    yield from bound_names(child)


def _target_names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _target_names(element)
    elif isinstance(target, ast.Starred):
        yield from _target_names(target.value)
