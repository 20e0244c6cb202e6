"""A definition without what its decorators and annotations would add, where a package for these is not installed.

`@njit` makes a function faster and `x: Float[Array, "b t c"]` says what it takes: neither is the answer.
"""

from __future__ import annotations

import ast
import copy
from typing import TypeVar

T = TypeVar("T", ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def without(node: ast.stmt, names: set[str]) -> ast.stmt:
    """A copy of a definition, nested ones included, without decorators and annotations that use one of the names."""
    bare: ast.stmt = _Stripper(names).visit(copy.deepcopy(node))
    return bare


class _Stripper(ast.NodeTransformer):
    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = self._kept(node.returns)
        return self._undecorated(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = self._kept(node.returns)
        return self._undecorated(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._undecorated(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = self._kept(node.annotation)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = self._kept(node.annotation) or ast.copy_location(ast.Constant(None), node.annotation)
        return self.generic_visit(node)

    def _undecorated(self, node: T) -> ast.AST:
        node.decorator_list = [it for it in node.decorator_list if self._kept(it)]
        return self.generic_visit(node)

    def _kept(self, part: ast.expr | None) -> ast.expr | None:
        used = {found.id for found in ast.walk(part) if isinstance(found, ast.Name)} if part else set()
        return part if used.isdisjoint(self.names) else None
