"""Mutants: the master's answers, each with one small slip, made with cosmic-ray's operators.

Only code in solution blocks is changed: signatures and docstrings are the student's already, and a recorded number is
no code but data, which misconceptions try. Bit operators are left out, since no lab has bits.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograder.master import BEGIN_SOLUTION, END_SOLUTION, Master, answer

_OF_BITS = re.compile(r"Bit|Shift|Invert")


@dataclass(frozen=True)
class Mutant:
    """One change of one line; `source` is the answer cell that holds it, free of Otter's markers."""

    question: str
    was: str
    becomes: str
    source: str

    def __str__(self) -> str:
        return f"{self.was} → {self.becomes}"


def mutants_of(master: Master, question: str) -> list[Mutant]:
    """Every mutant of a question's answers, each once. Raises ImportError without cosmic-ray."""
    found: dict[str, Mutant] = {}
    for cell in master.cells:
        if cell.is_solution and cell.question == question:
            for changed in _changes(cell.source):
                pairs = zip(cell.source.splitlines(), changed.splitlines(), strict=False)
                was, becomes = next(((a, b) for a, b in pairs if a != b), ("", ""))
                mutant = Mutant(question, _plain(was), _plain(becomes), answer(changed))
                if mutant.was != mutant.becomes and _is_python(mutant.source):
                    found.setdefault(mutant.source, mutant)
    return list(found.values())


def _changes(source: str) -> Iterator[str]:
    """The cell with each operator applied at each of its places in a solution block."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import MutationVisitor

    nodes = list(ast_nodes(get_ast(source)))
    lines = _answer_lines(source) & _code_lines(source)
    for operator in _operators():
        starts = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, (line, _) in enumerate(starts):
            if line in lines:
                yield MutationVisitor.mutate_code(source, operator, occurrence)


def _operators() -> Iterator[Any]:
    from cosmic_ray.plugins import get_operator, operator_names

    for name in sorted(operator_names()):
        operator = get_operator(name)
        if not _OF_BITS.search(name) and not operator.arguments():
            yield operator()


def _answer_lines(source: str) -> set[int]:
    """The lines between the markers of solution blocks, counted from 1."""
    lines: set[int] = set()
    inside = False
    for number, line in enumerate(source.splitlines(), start=1):
        inside = (inside or bool(BEGIN_SOLUTION.match(line))) and not END_SOLUTION.match(line)
        if inside:
            lines.add(number)
    return lines


def _code_lines(source: str) -> set[int]:
    """The lines of functions and classes, counted from 1."""
    blocks = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return {line for block in blocks for line in range(block.lineno, int(block.end_lineno or 0) + 1)}


def _plain(line: str) -> str:
    return " ".join(line.split())


def _is_python(source: str) -> bool:
    try:
        compile(source, "<mutant>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True
