"""The handout is a contract: what a hidden check tests, a sentence of the student's notebook says."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from autograder.course import Check, Lab, load_course
from autograder.master import HANDOUT, HANDOUT_INLINE, read_master, without_handout

ROOT = Path(__file__).parent.parent
COURSE = load_course(ROOT)
LABS = [pytest.param(lab, id=lab.name) for lab in COURSE.labs.values()]
HIDDEN = [
    pytest.param(lab, check, id=f"{lab.name}.{check.question}.{check.name}")
    for lab in COURSE.labs.values()
    for check in lab.checks
    if not check.visible
]


def sentences(lab: Lab) -> dict[tuple[str, str], list[str]]:
    """(question, check) -> the sentences of the master that announce it: what stands before each marker."""
    found: dict[tuple[str, str], list[str]] = {}
    for cell in read_master(lab.master).cells:
        for pattern in (HANDOUT, HANDOUT_INLINE):
            for marker in pattern.finditer(cell.source):
                before = without_handout(cell.source[: marker.start()])
                passage = re.split(r"\n\s*\n|\n\s*[*-] ", before.strip())[-1]
                for entry in re.split(r"[,\s]+", marker["checks"]):
                    question, _, check = entry.rpartition(".")
                    found.setdefault((question or str(cell.question), check), []).append(plain(passage))
    return found


def plain(text: str) -> str:
    return " ".join(text.replace("#", " ").split()).removeprefix("* ").removeprefix("- ")


def notebook_text(lab: Lab) -> str:
    cells = json.loads(lab.handout.read_text(encoding="utf-8"))["cells"]
    return plain("\n".join("".join(cell["source"]) for cell in cells))


@pytest.mark.parametrize(("lab", "check"), HIDDEN)
def test_a_sentence_of_the_notebook_announces_it(lab: Lab, check: Check) -> None:
    announced = sentences(lab).get((check.question, check.name), [])
    assert announced, f"no `handout: {check.name}` marker in the exercise {check.question} of {lab.master}"
    text = notebook_text(lab)
    for sentence in announced:
        assert len(sentence.split()) >= 5, sentence
        assert sentence in text, sentence


@pytest.mark.parametrize("lab", LABS)
def test_no_sentence_announces_a_check_that_is_none(lab: Lab) -> None:
    checks = {(check.question, check.name) for check in lab.checks if not check.visible}
    assert sentences(lab).keys() <= checks


@pytest.mark.parametrize(("lab", "check"), HIDDEN)
def test_its_docstring_tells_students_what_it_tests(lab: Lab, check: Check) -> None:
    tree = ast.parse(lab.hidden_suite(check.question).read_text(encoding="utf-8"))
    test = next(node for node in tree.body if getattr(node, "name", "") == f"test_{check.name}")
    assert isinstance(test, ast.FunctionDef)
    said = ast.get_docstring(test) or ""
    assert len(said.split()) >= 4
    assert said.endswith(".")
