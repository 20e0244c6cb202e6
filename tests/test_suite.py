"""The suites of a lab, collected once a process."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.reference import Answers
from autograder.suite import Suite, SuiteError
from tests import toy

RUBRIC = """
labs:
  twin:
    title: A lab that two courses have
    questions:
      area:
        functions: [area]
        public: {CHECK: 1}
        hidden: {other: 1}
"""


def course_with(check: str, root: Path) -> Suite:
    """A course whose lab `twin` has one public check of that name."""
    for folder in ("tests", "tests/public", "tests/hidden", "tests/public/twin", "tests/hidden/twin"):
        (root / folder).mkdir(parents=True)
        (root / folder / "__init__.py").touch()
    (root / "grading.yml").write_text(RUBRIC.replace("CHECK", check))
    (root / "tests/public/twin/test_area.py").write_text(f'def test_{check}(area):\n    """{check}"""\n')
    (root / "tests/hidden/twin/test_area.py").write_text('def test_other(student, reference):\n    """other"""\n')
    (root / "solutions/twin").mkdir(parents=True)
    (root / "solutions/twin/lab.py").write_text("# %%\n")
    lab = load_course(root).labs["twin"]
    return Suite(lab, Answers(lab))


def test_two_courses_may_have_labs_of_one_name(tmp_path: Path) -> None:
    for name in ("first", "second"):
        suite = course_with(name, tmp_path / name)
        [check] = [c for c in load_course(tmp_path / name).labs["twin"].checks if c.visible]
        assert suite.description(check) == name


def test_a_stand_in_that_nobody_wrote_is_found_before_a_notebook_is_graded(tmp_path: Path) -> None:
    course = toy.copy_of_the_course(tmp_path / "course")
    rubric = course.root / "grading.yml"
    asked = "        functions: [center]\n"
    rubric.write_text(rubric.read_text().replace(asked, f"{asked}        standins: {{center: middle}}\n"))
    lab = load_course(course.root).labs["toy"]
    with pytest.raises(SuiteError, match=r"center: there is no stand-in middle\. Define it in tests/hidden/toy/"):
        Suite(lab, Answers(lab))
