"""A lab's master (`solutions/<lab>/lab.py`) and its cases, as cells.

The master is one Jupytext percent file in Otter Assign markup. Three things are read from it: the student's
notebook (by `build`), the reference implementation (the given cells and the answers, nothing else), and the
handout: which sentence announces which hidden check. Cases (alternatives and misconceptions) are plain Python, in
which each `# %%` line begins a case: they are read by every process that grades, and Jupytext takes half a second for
a lab's.
"""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.errors import Explained

BEGIN_SOLUTION = re.compile(r"^[ \t]*# BEGIN SOLUTION\b.*\n?", re.M)
END_SOLUTION = re.compile(r"^[ \t]*# END SOLUTION\b.*\n?", re.M)
PROMPT = re.compile(r'^[ \t]*""" # BEGIN PROMPT\n.*?^[ \t]*""" # END PROMPT[ \t]*\n?', re.M | re.S)
GIVEN_FROM = re.compile(r"^# given from: (?P<lab>\w+)(?P<questions>( \w+)*)[ \t]*$", re.M)
HANDOUT = re.compile(r"^[ \t]*(?:#|<!--)\s*handout:\s*(?P<checks>[\w., ]+?)\s*(?:-->)?[ \t]*$", re.M)
CASE = re.compile(r"^[ \t]*#[ \t]*%%(.*)\n?", re.M)
PROSE = frozenset({"[markdown]", "[md]"})
HANDOUT_INLINE = re.compile(r"[ \t]*<!--\s*handout:\s*(?P<checks>[\w., ]+?)\s*-->")


class MasterError(Explained):
    """A master or a case file that cannot be read as one; the text names file, problem and remedy."""


@dataclass(frozen=True)
class MasterCell:
    """One cell of a master: its kind (`code`, `markdown`, `raw`), text, tags and the question it stands in."""

    kind: str
    source: str
    tags: tuple[str, ...] = ()
    question: str | None = None

    @property
    def is_given(self) -> bool:
        return self.kind == "code" and "given" in self.tags

    @property
    def is_solution(self) -> bool:
        return self.kind == "code" and BEGIN_SOLUTION.search(self.source) is not None


@dataclass(frozen=True)
class Case:
    """An answer other than the master's: an alternative (right) or a misconception (wrong).

    `hint` is what a student reads; `named` is false where the outputs equal those of another case, so that
    no cause may be named.
    """

    name: str
    question: str
    hint: str
    source: str
    named: bool = True


@dataclass(frozen=True)
class Master:
    """The cells of one lab, in order."""

    path: Path
    cells: tuple[MasterCell, ...]

    def given_source(self) -> str:
        """The imports and given functions: what every student has."""
        return "\n\n".join(cell.source for cell in self.cells if cell.is_given)

    def solution_source(self, question: str) -> str:
        """The answer cells of one question, free of Otter's markers."""
        sources = [answer(cell.source) for cell in self.cells if cell.is_solution and cell.question == question]
        return "\n\n".join(sources)

    def reference_source(self) -> str:
        """Given cells and answers in the master's order: the reference implementation."""
        parts = [answer(cell.source) for cell in self.cells if cell.is_given or cell.is_solution]
        return "\n\n".join(parts)

    @functools.cached_property
    def handout(self) -> dict[str, set[str]]:
        """Question -> the checks that a sentence of the student's notebook announces.

        A marker counts for the question it stands in; `question.check` names another one.
        """
        announced: dict[str, set[str]] = {}
        for cell in self.cells:
            for found in HANDOUT_INLINE.finditer(cell.source):
                _announce(announced, cell, found["checks"])
            for found in HANDOUT.finditer(cell.source):
                _announce(announced, cell, found["checks"])
        return announced


def read_master(path: Path) -> Master:
    """Read a master; `# given from: LAB QUESTION…` cells become that lab's given cells and answers.

    Raises MasterError when the file is missing or a directive names what is not there.
    """
    cells: list[MasterCell] = []
    question: str | None = None
    for cell in _percent_cells(_text(path)):
        if cell.kind == "raw" and "# BEGIN QUESTION" in cell.source:
            named = re.search(r"^(?:#\s*)?name:\s*(\w+)", cell.source, re.M)
            if named is None:
                raise MasterError(f"{path}: a `# BEGIN QUESTION` cell has no `name:` line. Add one.")
            question = named[1]
        cells.extend(_expanded(replace(cell, question=question), path))
        if cell.kind == "raw" and "# END QUESTION" in cell.source:
            question = None
    return Master(path, tuple(cells))


def read_cases(path: Path) -> tuple[Case, ...]:
    """Read `alternatives/<question>.py` or `misconceptions/<question>.py`: one cell, one case.

    Raises MasterError when a cell has no name, two cells share one, or one is no Python.
    """
    cases: dict[str, Case] = {}
    above, *parts = CASE.split(_text(path))
    if above.strip():
        raise MasterError(f"{path}: something stands above the first `# %%` line. Move it into the case that needs it.")
    for heading, text in zip(parts[::2], parts[1::2], strict=True):
        words = heading.split()
        if not text.strip() or not PROSE.isdisjoint(words):
            continue
        if not words or not words[0].isidentifier() or words[1:] not in ([], ["unnamed"]):
            raise MasterError(
                f"{path}: the cell `# %% {' '.join(words)}` does not start with a case's name. "
                "Write `# %% name_of_the_case`, with the word `unnamed` behind it if no cause may be named."
            )
        if words[0] in cases:
            raise MasterError(f"{path}: two cases are called {words[0]}. Rename one.")
        hint, source = _leading_comment(text)
        read_python(source, f"{path}: the case {words[0]}")
        cases[words[0]] = Case(words[0], path.stem, hint, source, named=len(words) == 1)
    return tuple(cases.values())


def cases_of(folder: Path) -> tuple[Case, ...]:
    """All cases of a folder of case files, in the order of file names; none if the folder is missing."""
    return tuple(case for path in sorted(folder.glob("*.py")) for case in read_cases(path))


def read_python(source: str, where: str) -> ast.Module:
    """The tree of a text of the course's. Raises MasterError where it is no Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "text", None) or ""
        said = f"{getattr(error, 'msg', error)}{line and f' in `{line.strip()}`'}"
        raise MasterError(f"{where} is no Python: {said}. Mend it.") from None


def answer(source: str) -> str:
    """A solution cell as plain code: without Otter's markers, prompts and handout comments."""
    for pattern in (PROMPT, BEGIN_SOLUTION, END_SOLUTION):
        source = pattern.sub("", source)
    return without_handout(source)


def without_handout(source: str) -> str:
    """A cell's text without the markers that tie its sentences to checks."""
    return HANDOUT_INLINE.sub("", HANDOUT.sub("", source))


def _announce(announced: dict[str, set[str]], cell: MasterCell, checks: str) -> None:
    for entry in re.split(r"[,\s]+", checks):
        question, _, check = entry.rpartition(".")
        if check and (question or cell.question):
            announced.setdefault(question or str(cell.question), set()).add(check)


def _expanded(cell: MasterCell, path: Path) -> list[MasterCell]:
    directive = GIVEN_FROM.search(cell.source) if cell.kind == "code" else None
    if directive is None:
        return [cell]
    other = read_master(path.parent.parent / directive["lab"] / "lab.py")
    cells = [MasterCell("code", without_handout(c.source), ("given",)) for c in other.cells if c.is_given]
    for question in directive["questions"].split():
        source = other.solution_source(question)
        if not source:
            raise MasterError(f"{path}: `{directive[0]}`: {other.path} has no answer for {question}.")
        cells.append(MasterCell("code", source, ("given",)))
    rest = GIVEN_FROM.sub("", cell.source).strip()
    return [*cells, replace(cell, source=rest)] if rest else cells


@functools.cache
def _percent_cells(text: str) -> tuple[MasterCell, ...]:
    import jupytext  # it takes longer to load than the rest of the grader, and not everybody reads a master

    cells = jupytext.reads(text, fmt="py:percent").cells
    return tuple(MasterCell(cell.cell_type, cell.source, tuple(cell.metadata.get("tags", ()))) for cell in cells)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise MasterError(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise MasterError(f"{path}: this is not UTF-8 (byte {error.start}). Save the file as UTF-8.") from None


def _leading_comment(source: str) -> tuple[str, str]:
    lines = source.splitlines()
    count = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    hint = " ".join(line.lstrip("#").strip() for line in lines[:count])
    return hint, "\n".join(lines[count:]).strip() + "\n"
