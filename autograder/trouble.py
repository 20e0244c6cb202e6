"""What a notebook's own text says about trouble in it: why a name is missing, what of it is put back, and what staff
should look at."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable
from functools import lru_cache

from autograder.sandbox.notebook import CellTrouble
from autograder.submission import Cell

_DISCARDING = re.compile(r"^\s*%%(timeit|prun|bash|sh|html|script|writefile|file|javascript)\b")
_PATCH = re.compile(r"^[ \t]*(?:np|numpy|torch|builtins|math|sys|otter|pytest|json)\.[\w.]+[ \t]*=(?!=)", re.M)
_RESULTS = re.compile(r"results\.(?:json|pkl)|\.OTTER_LOG|grades\.(?:csv|jsonl)|gradebook\.sqlite")


def why_missing(name: str, cells: Iterable[Cell], troubles: Iterable[CellTrouble]) -> str:
    """Why a name that the notebook seems to define is not there; empty where the text does not tell."""
    stopped = {trouble.index: trouble for trouble in troubles}
    definition = re.compile(rf"^[ \t]*(?:(?:async )?def|class)[ \t]+{name}\b|^{name}[ \t]*=", re.M)
    for cell in cells:
        if definition.search(cell.source) is None:
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
    found = []
    for cell in cells:
        if cell.kind == "code" and _PATCH.search(cell.source):
            found.append(f"Cell {cell.index + 1} assigns to a library's own name; please look at it.")
        if cell.kind == "code" and _RESULTS.search(cell.source):
            found.append(f"Cell {cell.index + 1} names a file of the grader's; please look at it.")
    return found
