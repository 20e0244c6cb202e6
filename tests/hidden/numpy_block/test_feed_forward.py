"""feed_forward: two affine maps with GELU between them, for each token alone."""

from autograder.compare import assert_matches, assert_same_twice, assert_unchanged, conduct

from .inputs import ONE_EXAMPLE, generic_params, generic_x


def _weights(seed):
    p = generic_params(seed)
    return p["W1"], p["b1"], p["W2"], p["b2"]


def test_gelu_between(student, reference):
    """Up to the wider layer, its bias, GELU, down again, the second bias; nothing more."""
    x = generic_x(seed=41, shape=ONE_EXAMPLE)
    assert_matches(student.feed_forward, reference.feed_forward, x, *_weights(41))


def test_unlike_examples(student, reference):
    """Two affine maps with both biases, for every example of a batch (GELU has nothing to do here)."""
    W1, b1, W2, b2 = _weights(42)
    far_right = b1 + 9.0
    assert_matches(student.feed_forward, reference.feed_forward, generic_x(seed=42), W1, far_right, W2, b2)


@conduct
def test_leaves_no_trace(student, reference):
    """The arguments come back as they were, and the same call gives the same again."""
    args = (generic_x(seed=43, shape=ONE_EXAMPLE), *_weights(43))
    assert_unchanged(student.feed_forward, *args)
    assert_same_twice(student.feed_forward, *args)
