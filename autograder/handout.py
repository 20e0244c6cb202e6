"""The part of a course that a student may have: public checks, given cells, and not one answer.

It is a course like any other, so the same grader marks it. Without answers a slip cannot be told from what follows
from it: there, a check that fails simply fails.
"""

from __future__ import annotations

from typing import Any

import yaml

from autograder.course import FILE, Lab
from autograder.master import Master, without_handout

GRADER = ".autograder"
"""The folder of a student's repository that holds the grader and the public part of the course."""

NO_ANSWERS = """\
# What every student is given, as the grader needs it. Answers are not in this repository, nor hidden checks.

"""


def public_course(lab: Lab, master: Master) -> dict[str, bytes]:
    """The files of the public part of a lab: path in the course's folder -> bytes."""
    files = {FILE: _rubric(lab), f"solutions/{lab.name}/lab.py": _given(master)}
    suites = [lab.public_suite(name) for name in lab.public().questions]
    packages = [lab.root / folder / "__init__.py" for folder in ("tests", "tests/public", f"tests/public/{lab.name}")]
    for path in [*suites, *packages]:
        if path.is_file():
            files[path.relative_to(lab.root).as_posix()] = path.read_bytes()
    return files


def _rubric(lab: Lab) -> bytes:
    """`grading.yml` with this lab's public checks alone; `whole` says what the lab is worth in all."""
    entry: dict[str, Any] = yaml.safe_load((lab.root / FILE).read_text(encoding="utf-8"))["labs"][lab.name]
    kept = {key: value for key, value in entry.items() if key not in ("requires_closed", "points", "questions")}
    questions = {name: _question(entry["questions"][name]) for name in lab.public().questions}
    rubric = {"labs": {lab.name: {**kept, "whole": lab.whole, "questions": questions}}}
    return yaml.safe_dump(rubric, sort_keys=False, allow_unicode=True).encode()


def _question(entry: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in entry.items() if key not in ("points", "hidden", "tolerances")}
    tolerances = {check: value for check, value in entry.get("tolerances", {}).items() if check in entry["public"]}
    return kept | ({"tolerances": tolerances} if tolerances else {})


def _given(master: Master) -> bytes:
    cells = [f'# %% tags=["given"]\n{without_handout(cell.source)}\n' for cell in master.cells if cell.is_given]
    return (NO_ANSWERS + "\n".join(cells)).encode()
