"""A change of one answer reaches what names it, and what names that."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import Lab, load_course
from autograder.master import read_master
from autograder.reach import reached

ROOT = Path(__file__).parent.parent
COURSE = load_course(ROOT)

RUBRIC = """
labs:
  toy:
    title: Waves
    given: [double]
    questions:
      wave: {functions: [wave], public: {any: 1}}
      ripple: {functions: [ripple], public: {any: 1}}
      crest: {functions: [crest], public: {any: 1}}
      tide: {functions: [tide], public: {any: 1}}
      sand: {functions: [sand], public: {any: 1}}
"""
GIVEN = '# %% tags=["given"]\ndef double(x):\n    return 2 * ripple(x)\n'
BODIES = {"wave": "x", "ripple": "x", "crest": "wave(x)", "tide": "double(x)", "sand": "x"}
QUESTION = """
# %% [raw]
# # BEGIN QUESTION
# name: {name}

# %%
def {name}(x):
    # BEGIN SOLUTION
    return {body}
    # END SOLUTION

# %% [raw]
# # END QUESTION
"""


@pytest.fixture
def toy(tmp_path: Path) -> Lab:
    """`crest` calls `wave`, the given `double` calls `ripple` for `tide`, and a check of `sand` looks at `crest`."""
    master = GIVEN + "".join(QUESTION.format(name=name, body=body) for name, body in BODIES.items())
    files = {"grading.yml": RUBRIC, "solutions/toy/lab.py": master}
    for name in BODIES:
        files[f"tests/public/toy/test_{name}.py"] = f"def test_any({name}):\n    assert {name}(1)\n"
    files["tests/public/toy/test_sand.py"] = "def test_any(sand, crest):\n    assert sand(1) == crest(1)\n"
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return load_course(tmp_path).labs["toy"]


@pytest.mark.parametrize(
    ("changed", "questions"),
    [
        ("wave", ["wave", "crest", "sand"]),
        ("ripple", ["ripple", "tide"]),
        ("crest", ["crest", "sand"]),
        ("tide", ["tide"]),
        ("sand", ["sand"]),
    ],
)
def test_a_change_reaches_what_names_it(toy: Lab, changed: str, questions: list[str]) -> None:
    assert list(reached(toy, read_master(toy.master), changed).questions) == questions


@pytest.mark.parametrize("lab", [pytest.param(lab, id=lab.name) for lab in COURSE.labs.values()])
def test_a_change_reaches_all_that_the_rubric_builds_on_it(lab: Lab) -> None:
    master = read_master(lab.master)
    for changed in lab.questions:
        part = reached(lab, master, changed).questions
        assert changed in part
        assert {name for name in lab.questions if changed in lab.foundations(name)} <= part.keys()
        assert all(set(question.builds_on) <= part.keys() for question in part.values())
