"""transformer_block_forward: pre-norm. Each half reads a normalised copy of the stream and is added to it."""

from autograder.compare import assert_matches, assert_same_twice, assert_unchanged, conduct

from .inputs import ONE_EXAMPLE, SQUARE, generic_params, generic_x, without_attention, without_feed_forward


def test_attention_half(student, reference):
    """First half: x plus the attention of LN1(x). The feed-forward network adds nothing here."""
    x, p = 3.0 * generic_x(61, SQUARE), without_feed_forward(generic_params(61, h=4))
    assert_matches(student.transformer_block_forward, reference.transformer_block_forward, x, p)


def test_feed_forward_half(student, reference):
    """Second half: the stream plus the feed-forward network of LN2(stream). Attention adds nothing here."""
    x, p = 1e-3 * generic_x(62, SQUARE), without_attention(generic_params(62))
    assert_matches(student.transformer_block_forward, reference.transformer_block_forward, x, p)


def test_whole_block(student, reference):
    """Both halves together, for a batch of unlike examples: the second half reads what the first has left."""
    x, p = 3.0 * generic_x(63), generic_params(63)
    assert_matches(student.transformer_block_forward, reference.transformer_block_forward, x, p)


@conduct
def test_leaves_no_trace(student, reference):
    """x and the parameters come back as they were, and the same call gives the same again."""
    x, p = generic_x(64, shape=ONE_EXAMPLE), generic_params(64)
    assert_unchanged(student.transformer_block_forward, x, p)
    assert_same_twice(student.transformer_block_forward, x, p)
