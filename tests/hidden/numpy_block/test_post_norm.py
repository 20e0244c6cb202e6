"""post_norm_block_forward: each half is added to what it read, and the sum is normalised."""

from autograder.compare import assert_matches, assert_same_twice, assert_unchanged, conduct

from .inputs import ONE_EXAMPLE, SQUARE, generic_params, generic_x, without_attention, without_feed_forward


def test_attention_half(student, reference):
    """First half: LN1 of x plus its attention. The feed-forward network adds nothing here."""
    x, p = generic_x(71, SQUARE), without_feed_forward(generic_params(71, h=4))
    assert_matches(student.post_norm_block_forward, reference.post_norm_block_forward, x, p)


def test_feed_forward_half(student, reference):
    """Second half: LN2 of the stream plus its feed-forward network. Attention adds nothing here."""
    x, p = 1e-3 * generic_x(72, SQUARE), without_attention(generic_params(72))
    assert_matches(student.post_norm_block_forward, reference.post_norm_block_forward, x, p)


def test_whole_block(student, reference):
    """Both halves together, for a batch of unlike examples: the second half reads what the first has left."""
    x, p = generic_x(73), generic_params(73)
    assert_matches(student.post_norm_block_forward, reference.post_norm_block_forward, x, p)


@conduct
def test_leaves_no_trace(student, reference):
    """x and the parameters come back as they were, and the same call gives the same again."""
    x, p = generic_x(74, shape=ONE_EXAMPLE), generic_params(74)
    assert_unchanged(student.post_norm_block_forward, x, p)
    assert_same_twice(student.post_norm_block_forward, x, p)
