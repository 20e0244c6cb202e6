from autograder.compare import assert_matches

from .inputs import ROWS


def test_every_number(student, reference):
    """Every number by itself."""
    assert_matches(student.wave, reference.wave, ROWS)


def test_any_shape(student, reference):
    """One row as well as many."""
    assert_matches(student.wave, reference.wave, 2.0 * ROWS[0])
