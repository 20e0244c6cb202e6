"""rms_by_depth: the size of the stream, before the first block and after each."""

from autograder.compare import assert_matches, assert_same_twice, assert_unchanged

from .inputs import generic_x, unlike_blocks


def test_after_each_block(student, reference):
    """The root mean square of x, then of the stream after each block; the arguments come back unchanged."""
    args = (generic_x(111), unlike_blocks(111))
    assert_matches(student.rms_by_depth, reference.rms_by_depth, *args)
    assert_unchanged(student.rms_by_depth, *args)
    assert_same_twice(student.rms_by_depth, *args)
