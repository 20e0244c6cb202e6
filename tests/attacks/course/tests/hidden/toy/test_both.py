from autograder.compare import assert_matches

from .inputs import ROWS


def test_one_after_the_other(student, reference):
    """First the wave, then the mean taken off."""
    assert_matches(student.both, reference.both, ROWS)
