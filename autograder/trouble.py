"""What a notebook's own text says about trouble in it: why a name is missing, what of it is put back, and what staff
should look at."""

from __future__ import annotations

import ast
import contextlib
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from autograder.sandbox.notebook import CellTrouble
from autograder.submission import Cell

_SEEN = dict.fromkeys(map(ord, "\u200b\ufeff"))
"""Leaves out characters without width that editors and web pages leave in front of a line."""

_DISCARDING = re.compile(r"^\s*%%(timeit|debug|prun|bash|sh|html|script|writefile|file|javascript)\b")
_RESULTS = re.compile(
    r"results\.(?:json|pkl)|\bscore\.json|/autograder/(?:results|source)|\.OTTER_LOG|grades\.(?:csv|jsonl)|"
    r"gradebook\.sqlite"
)


def why_missing(name: str, cells: Iterable[Cell], troubles: Iterable[CellTrouble]) -> str:
    """Why a name that the notebook seems to define is not there; empty where the text does not tell."""
    stopped = {trouble.index: trouble for trouble in troubles}
    definition = re.compile(rf"^[ \t]*(?:(?:async )?def|class)[ \t]+{name}\b|^{name}[ \t]*=", re.M)
    for cell in cells:
        if definition.search(cell.source.translate(_SEEN)) is None:
            continue
        here = f"Cell {cell.index + 1} defines it"
        if cell.kind != "code":
            return f"{here}, but it is a {cell.kind} cell: make it a code cell."
        magic = _DISCARDING.match(cell.source)
        if magic:
            return f"{here}, but `%%{magic[1]}` throws definitions away: remove that line."
        if cell.index in stopped:
            return f"{here}, but did not run: {stopped[cell.index].message}"
    return ""


def put_back(cells: Iterable[Cell], given_source: str) -> list[str]:
    """A note for each given function that a cell defines anew: while marking, the given one is there again."""
    given = _definitions(given_source)
    anew = set()
    for cell in cells:
        if cell.runs and not given.keys().isdisjoint(_DEFINITION.findall(cell.source)):
            own = _definitions(cell.source)
            anew |= {name for name in own.keys() & given.keys() if own[name] != given[name]}
    return [f"`{name}` is given: while marking, the given one stands in place of yours." for name in sorted(anew)]


@lru_cache(64)
def _definitions(source: str) -> dict[str, str]:
    """What each function and class at the top is, whatever its layout and comments; none where it is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(source).body
        return {node.name: ast.dump(node) for node in body if isinstance(node, _DEFINING)}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEFINITION = re.compile(r"^(?:async )?(?:def|class)[ \t]+(\w+)", re.M)


def suspicions(cells: Iterable[Cell]) -> list[str]:
    """What a person should look at; none of it changes a mark."""
    found, modules = [], dict(_USUAL)
    for cell in cells:
        if cell.kind != "code":
            continue
        nodes = list(ast.walk(_tree(cell.source)))
        imports = [pair for node in nodes for pair in _imported(node)]
        modules |= {name: module for name, module in imports if module.partition(".")[0] in _WATCHED}
        if any(_is_part_of(target, modules) for node in nodes for target in _changed(node)):
            found.append(f"Cell {cell.index + 1} assigns to a library's own name; please look at it.")
        if any(module.partition(".")[0] in _GRADERS for _, module in imports):
            found.append(f"Cell {cell.index + 1} imports the grader's own modules; please look at it.")
        if _RESULTS.search(cell.source):
            found.append(f"Cell {cell.index + 1} names a file of the grader's; please look at it.")
    return found


_GRADERS = frozenset({"autograder", "tests"})
_WATCHED = _GRADERS | frozenset("builtins json math numpy otter pytest torch unittest".split())
"""Modules with whose functions is marked."""

_USUAL = {"np": "numpy", "numpy": "numpy", "torch": "torch", "builtins": "builtins", "__builtins__": "builtins"}
"""What names mean that no cell imports."""


def _tree(source: str) -> ast.Module:
    """A cell as Python reads it, if need be without its words for IPython; an empty one where it is no Python."""
    bare = _SHELL_VALUE.sub(r"\1 None", _SHELL_LINE.sub(r"\1pass", source))
    for text in (source, bare):
        with warnings.catch_warnings(), contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            warnings.simplefilter("ignore")
            return ast.parse(text)
    return ast.Module([], [])


_SHELL_LINE = re.compile(r"(?m)^([ \t]*)(?:[%!?].*|.*\?)$")
_SHELL_VALUE = re.compile(r"(?m)^([ \t]*[\w, \t]+=)[ \t]*[%!].*$")


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that an import binds, and what they mean."""
    match node:
        case ast.Import(names=aliases):
            for alias in aliases:
                yield alias.asname or alias.name.partition(".")[0], alias.name
        case ast.ImportFrom(module=str(module), names=aliases, level=0):
            for alias in aliases:
                yield alias.asname or alias.name, f"{module}.{alias.name}"


def _changed(node: ast.AST) -> Iterator[ast.expr]:
    """What is assigned to, by a statement or by a call that does the same."""
    match node:
        case ast.Assign(targets=targets):
            for target in targets:
                yield from _parts(target)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target) | ast.For(target=target):
            yield from _parts(target)
        case ast.Call(func=function, args=[owner, *_]) if _last_name(function) in ("setattr", "object"):
            yield ast.Attribute(owner, "")  # setattr(np, …), monkeypatch.setattr(np, …), mock.patch.object(np, …)
        case ast.Call(func=function, args=[ast.Constant(value=str(path)), *_]) if _last_name(function) == "patch":
            yield from (ast.Attribute(ast.Name(part), "") for part in path.split(".")[:1])
        case ast.Call(func=ast.Attribute(value=space, attr="update")):
            yield ast.Subscript(space, ast.Constant(""))


def _parts(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            yield from _parts(part)
    else:
        yield target


def _last_name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_part_of(target: ast.expr, modules: Mapping[str, str]) -> bool:
    """Whether it is an entry of a module in question: `np.mean`, `np.__dict__["mean"]`, `vars(np)["mean"]`. What
    `torch.backends` holds are settings."""
    match target:
        case ast.Attribute(value=ast.Attribute() as owner) if ast.unparse(owner).startswith("torch.backends."):
            return False
        case ast.Attribute(value=owner):
            return _is_module(owner, modules)
        case ast.Subscript(value=ast.Attribute(value=owner, attr="__dict__")):
            return _is_module(owner, modules)
        case ast.Subscript(value=ast.Call(func=ast.Name(id="vars"), args=[owner])):
            return _is_module(owner, modules)
    return False


def _is_module(owner: ast.expr, modules: Mapping[str, str]) -> bool:
    """Whether it is a module in question, or a module or a class in one."""
    match owner:
        case ast.Name(id=name):
            return name in modules
        case ast.Attribute(value=inner):
            return _is_module(inner, modules)
        case ast.Call(args=[ast.Constant(value=str(name))]) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return name.partition(".")[0] in _WATCHED  # __import__("numpy"), sys.modules["numpy"]
    return False
