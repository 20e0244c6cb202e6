"""The guard: reads what is about to be handed out, and finds what must stay with staff."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.assign import staff_cells
from autograder.course import CourseError, Lab
from autograder.master import Case, Master, answer, cases_of, without_handout

TELLING_LINE = 12
"""Characters that make a line, or a hint, telling: a shorter one stands elsewhere by chance."""


def leaks(lab: Lab, master: Master, text: str, file: str) -> list[CourseError]:
    """What a student must not read in a notebook or other text, and would.

    Answers and model answers, names of hidden checks, misconceptions and their hints.
    """
    plain = text.replace('\\"', '"')
    lines = {line.strip() for line in re.split(r"\\n|\n", plain)}
    lines |= {line.strip('", ') for line in lines}
    found = [
        (f"a line of the answer to {question} is in it: {line}", "Look where the master repeats it")
        for question, line in _answer_lines(master)
        if line in lines
    ]
    found += [
        (f"it names the {kind} {name}", "Say it in other words, or rename it")
        for kind, name in _secret_names(lab, master)
        if re.search(rf"(?<![A-Za-z0-9]){name}(?![A-Za-z0-9])", text)
    ]
    found += [
        (f"it holds the hint of {case.name}", "Say it in other words")
        for case in _misconceptions(lab)
        if len(case.hint) >= TELLING_LINE and case.hint in plain
    ]
    return [CourseError(problem, remedy, file=file) for problem, remedy in found]


def _answer_lines(master: Master) -> Iterator[tuple[str, str]]:
    """Lines of the answers that stand nowhere else in the master's code, with their question."""
    handed_out = set(_handed_out_lines(master))
    kept_back = staff_cells(master)
    for place, cell in enumerate(master.cells):
        if cell.is_solution or (place in kept_back and cell.kind != "raw"):
            for line in answer(cell.source).split("\n"):
                if len(line.strip()) >= TELLING_LINE and line.strip() not in handed_out:
                    yield str(cell.question), line.strip()


def _handed_out_lines(master: Master) -> Iterator[str]:
    """What students receive of the master's code."""
    kept_back = staff_cells(master)
    for place, cell in enumerate(master.cells):
        if cell.kind == "code" and place not in kept_back:
            source = re.sub(r"^[ \t]*# BEGIN SOLUTION.*?# END SOLUTION", "", cell.source, flags=re.M | re.S)
            yield from (line.strip() for line in without_handout(source).split("\n"))


def _secret_names(lab: Lab, master: Master) -> Iterator[tuple[str, str]]:
    """Names to be kept from students: those that are no plain word and no name in the handout's own code."""
    handed_out = {question.name for question in lab.questions.values()}
    handed_out |= {check.name for check in lab.checks if check.visible}
    handed_out |= set(re.findall(r"\w+", "\n".join(_handed_out_lines(master))))
    names = [("hidden check", check.name) for check in lab.checks if not check.visible]
    names += [("misconception", case.name) for case in _misconceptions(lab)]
    for kind, name in names:
        if "_" in name and name not in handed_out:
            yield kind, name
        elif kind == "hidden check":
            yield kind, f"test_{name}"


def _misconceptions(lab: Lab) -> tuple[Case, ...]:
    return cases_of(lab.master.parent / "misconceptions")
