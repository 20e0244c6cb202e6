"""The suites of a lab, collected once a process."""

from __future__ import annotations

from pathlib import Path

from autograder.course import load_course
from autograder.reference import Answers
from autograder.suite import Suite

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
