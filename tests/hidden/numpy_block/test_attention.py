"""multi_head_attention_forward: every token attends to every token of its own example, in every head."""

from autograder.compare import assert_matches, assert_same_twice, assert_unchanged, conduct

from .inputs import BATCH, ONE_EXAMPLE, SQUARE, generic_params, generic_x


def _arguments(seed, shape, h):
    p = generic_params(seed)
    return generic_x(seed, shape), p["Wq"], p["Wk"], p["Wv"], p["Wo"], h


def test_unlike_examples(student, reference):
    """Each token attends to all tokens of its own example, with scores over the root of the head size."""
    args = _arguments(51, BATCH, h=2)
    assert_matches(student.multi_head_attention_forward, reference.multi_head_attention_forward, *args)


def test_head_counts(student, reference):
    """The number of heads is the one passed: one, or as many as divide the features."""
    for h in (1, 4):
        args = _arguments(52, SQUARE, h)
        assert_matches(student.multi_head_attention_forward, reference.multi_head_attention_forward, *args)


@conduct
def test_leaves_no_trace(student, reference):
    """The arguments come back as they were, and the same call gives the same again."""
    args = _arguments(53, ONE_EXAMPLE, h=2)
    assert_unchanged(student.multi_head_attention_forward, *args)
    assert_same_twice(student.multi_head_attention_forward, *args)
