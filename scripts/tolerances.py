"""Measure every tolerance: how far right answers differ from the reference, and how near the nearest wrong one comes.

    python scripts/tolerances.py [LAB...]

writes `docs/tolerances.md`. For each hidden check that compares numbers it runs the alternatives and misconceptions of
its question here, and notes by how much each differs from the reference: the smallest tolerance that would accept it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from autograder import compare
from autograder.course import Check, Lab, load_course
from autograder.files import write_whole
from autograder.master import Case, cases_of
from autograder.reference import Answers
from autograder.suite import Suite

ROOT = Path(__file__).parent.parent

INTRODUCTION = """\
# Tolerances

`python scripts/tolerances.py` wrote this page. A tolerance t accepts |a − b| ≤ t (1 + |b|) in each number, or, where
it is marked *norm*, ‖a − b‖ ≤ t (‖a‖ + ‖b‖). *Spread* is the largest distance from the reference among the right
answers that are known (float32 inside, other orders of summation), *nearest mistake* the smallest among the wrong ones
that the check catches by numbers alone. Rounded to one digit: the rest depends on the machine. Tolerances stand in
`grading.yml`, so a check may have its own.
"""


@dataclass(frozen=True)
class Row:
    """One check: distances of its right answers, and of its wrong ones by name."""

    lab: str
    check: Check
    norm_wise: bool
    spread: float
    mistakes: dict[str, float]

    @property
    def nearest(self) -> tuple[str, float]:
        """The wrong answer that comes nearest, among those that this check catches by their numbers."""
        seen = {name: distance for name, distance in self.mistakes.items() if distance > self.check.tolerance}
        return min(seen.items(), key=lambda item: item[1], default=("", np.inf))


def measure(lab: Lab) -> Iterator[Row]:
    """The hidden checks of a lab that compare numbers with a tolerance."""
    for module in lab.warm:
        import_module(module)
    answers = Answers(lab)
    suite = Suite(lab, answers)
    folder = lab.master.parent
    right, wrong = cases_of(folder / "alternatives"), cases_of(folder / "misconceptions")
    for check in lab.checks:
        if check.visible or check.tolerance == 0:
            continue
        distances = {
            side: {
                case.name: found
                for case in cases
                if case.question == check.question and (found := distance(suite, answers, check, case)) is not None
            }
            for side, cases in (("right", right), ("wrong", wrong))
        }
        if distances["right"]:
            spread = max(found for found, _ in distances["right"].values())
            norm_wise = any(norm for _, norm in distances["right"].values())
            yield Row(lab.name, check, norm_wise, spread, {name: d for name, (d, _) in distances["wrong"].items()})


def distance(suite: Suite, answers: Answers, check: Check, case: Case) -> tuple[float, bool] | None:
    """How far a case's numbers are from the reference's in this check; None where it has none to compare."""
    bound = suite.standins(check)
    with noted() as found:
        verdict = suite.run(check, answers.misconception(case, bound), answers.reference(bound))
    if verdict.status != "passed" or not found:
        return None
    return max(d for d, _ in found), any(norm for _, norm in found)


@contextmanager
def noted() -> Iterator[list[tuple[float, bool]]]:
    """Meanwhile comparisons of values note their distance, and never fail."""
    found: list[tuple[float, bool]] = []
    original = compare._compare_values

    def note(got: Any, right: Any, what: str, tolerance: float, norm_wise: bool) -> None:
        difference = np.abs(got - right)
        if norm_wise:
            found.append((np.linalg.norm(difference) / max(np.linalg.norm(got) + np.linalg.norm(right), 1e-12), True))
        else:
            found.append((float(np.max(difference / (1 + np.abs(right)), initial=0.0)), False))

    compare._compare_values = note
    try:
        yield found
    finally:
        compare._compare_values = original


def table(rows: list[Row]) -> str:
    lines = ["| check | tolerance | spread | nearest mistake |", "| --- | --- | --- | --- |"]
    for row in rows:
        name, nearest = row.nearest
        mistake = f"{nearest:.0e} (`{name}`)" if name else "none differs in numbers alone"
        norm = " norm" if row.norm_wise else ""
        check = row.check
        lines.append(f"| {check.question}.{check.name} | {check.tolerance:.0e}{norm} | {row.spread:.0e} | {mistake} |")
    return "\n".join(lines)


def main(names: list[str]) -> None:
    course = load_course(ROOT)
    labs = [course.labs[name] for name in names or course.labs]
    sections = [f"## {lab.name}: {lab.title}\n\n{table(list(measure(lab)))}" for lab in labs]
    page = "\n\n".join([INTRODUCTION.strip(), *sections]) + "\n"
    if names:
        print(page)
    else:
        write_whole(ROOT / "docs" / "tolerances.md", page.encode())


if __name__ == "__main__":
    main(sys.argv[1:])
