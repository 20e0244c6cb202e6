"""stack_forward: the blocks of a list, one after the other."""

from autograder.compare import assert_matches, assert_same_twice, assert_unchanged, conduct

from .inputs import ONE_EXAMPLE, generic_params, generic_x, unlike_blocks


def test_unlike_blocks(student, reference):
    """Each block, with its own parameters, in the list's order, reads what the block before has written."""
    assert_matches(student.stack_forward, reference.stack_forward, generic_x(91), unlike_blocks(91))


def test_any_length(student, reference):
    """A list of any length: x comes back from an empty one, and every block of a longer one counts."""
    x = generic_x(92, shape=ONE_EXAMPLE)
    for length in (0, 1, 5):
        blocks = [generic_params(92 + i) for i in range(length)]
        assert_matches(student.stack_forward, reference.stack_forward, x, blocks)


@conduct
def test_leaves_no_trace(student, reference):
    """x, the list and its parameters come back as they were, and the same call gives the same again."""
    x, blocks = generic_x(93, shape=ONE_EXAMPLE), unlike_blocks(93)
    assert_unchanged(student.stack_forward, x, blocks)
    assert_same_twice(student.stack_forward, x, blocks)
