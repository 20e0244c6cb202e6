"""The suites of a lab, collected once a process."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.classroom import Grader, Task
from autograder.course import Course, load_course
from autograder.master import MasterError
from autograder.record import Grade
from autograder.reference import Answers
from autograder.suite import Suite, SuiteError
from tests import toy
from tests.conftest import lost

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


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return toy.copy_of_the_course(tmp_path / "course")


def changed(course: Course, file: str, old: str, new: str) -> Course:
    """The course with another text in one of its files."""
    path = course.root / file
    text = path.read_text() if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1) if old else new)
    return load_course(course.root)


def graded(course: Course, tmp_path: Path, *cells: str) -> Grade:
    path = tmp_path / "one.ipynb"
    path.write_bytes(toy.notebook(*cells))
    with Grader(course) as grader:
        return grader.grade(Task("one.ipynb", path, "toy"))


WAVES = "tests/hidden/toy/test_wave.py"
STANDINS = "tests/hidden/toy/standins.py"


def test_a_stand_in_that_nobody_wrote_is_found_before_a_notebook_is_graded(course: Course) -> None:
    bound = "from autograder.compare import bind\n\n\n@bind(halve='quarter')\ndef test_every_number"
    lab = changed(course, WAVES, "def test_every_number", bound).labs["toy"]
    with pytest.raises(
        SuiteError, match=r"wave.every_number: there is no stand-in quarter\. Define it in tests/hidden/"
    ):
        Suite(lab, Answers(lab))


def test_a_check_that_the_master_fails_is_found_before_a_notebook_is_graded(course: Course, tmp_path: Path) -> None:
    course = changed(course, WAVES, "student.wave", "student.waves")
    with pytest.raises(
        SuiteError, match=r"wave\.\w+: the master's own answer fails this check: `waves` is not defined"
    ):
        graded(course, tmp_path)


def test_stand_ins_that_are_no_python_are_named(course: Course, tmp_path: Path) -> None:
    with pytest.raises(MasterError, match=r"standins\.py is no Python: .* in `def middle\(x:`\. Mend it"):
        graded(changed(course, STANDINS, "", "def middle(x:\n"), tmp_path)


def test_a_module_that_is_not_there_is_named(course: Course, tmp_path: Path) -> None:
    course = changed(course, "grading.yml", "warm: [numpy]", "warm: [nompy]")
    with pytest.raises(SuiteError, match=r"grading\.yml: toy\.warm: nompy: No module named 'nompy'\. Install it"):
        graded(course, tmp_path)


@pytest.mark.parametrize("case", ["import nosuch\n\ndef center(x):\n    return x", "raise ValueError"])
def test_a_misconception_that_cannot_be_run_explains_nothing_and_costs_nothing(
    course: Course, tmp_path: Path, case: str
) -> None:
    cells = toy.RIGHT[0], toy.WRONG_CENTER, toy.WAVE, toy.BOTH
    before = graded(course, tmp_path, *cells)
    folder = course.root / "solutions" / "toy" / "misconceptions"
    folder.mkdir(exist_ok=True)
    (folder / "center.py").write_text(f"# %% broken\n# It says nothing.\n{case}\n")
    after = graded(load_course(course.root), tmp_path, *cells)
    assert (after.score, lost(after)) == (before.score, lost(before))
    assert {check.misconception for question in after.questions for check in question.checks} == {None}


def test_a_check_without_end_is_named(course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.suite.CHECK_SECONDS", 0.5)
    course = changed(course, WAVES, "    assert_matches(", "    while True: pass\n    assert_matches(")
    with pytest.raises(SuiteError, match=r"the check itself took more than 0\.5 seconds\. Mend the check"):
        graded(course, tmp_path)
