"""Classes of notebooks that all differ, made from a lab's master, its alternatives and its misconceptions."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from autograder.course import Lab
from autograder.master import Case, cases_of, read_master

SLIPS = 0.1
"""The share of questions that are answered wrongly; another tenth is answered rightly in another style."""


def notebooks(lab: Lab, count: int, seed: int = 0) -> Iterator[bytes]:
    """`count` notebooks of one cell a question. No two hold the same code, and none defines the same function twice."""
    master = read_master(lab.master)
    right = {name: source for name in lab.questions if (source := master.solution_source(name))}
    wrong, other = (_by_question(lab, kind) for kind in ("misconceptions", "alternatives"))
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        cells = [master.given_source()]
        for name, source in right.items():
            draw = chance.random()
            cases = wrong.get(name) if draw < SLIPS else other.get(name) if draw < 2 * SLIPS else None
            answer = chance.choice(cases).source if cases else source
            cells.append(f"# {name}, my attempt {number}\nattempt_{number} = {number}\n\n{answer}")
        yield _notebook(lab.name, cells)


def write_class(folder: Path, lab: Lab, count: int, seed: int = 0) -> list[Path]:
    """Write such a class; returns the files in order."""
    folder.mkdir(parents=True)
    paths = [folder / f"{number:06}.ipynb" for number in range(count)]
    for path, data in zip(paths, notebooks(lab, count, seed), strict=True):
        path.write_bytes(data)
    return paths


def _by_question(lab: Lab, kind: str) -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in cases_of(lab.master.parent / kind):
        found.setdefault(case.question, []).append(case)
    return found


def _notebook(lab: str, sources: list[str]) -> bytes:
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "id": f"c{i}", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for i, source in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}, "otter": {"assignment_name": lab}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}).encode()
