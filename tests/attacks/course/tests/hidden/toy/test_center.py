from autograder.compare import assert_matches

from .inputs import ROWS


def test_each_row(student, reference):
    """Every row by itself."""
    assert_matches(student.center, reference.center, ROWS)
