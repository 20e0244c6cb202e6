"""FeedForward, run with the judge's parameters: values, the form of the GELU, gradients."""

from autograder.compare import assert_matches

from .inputs import TOKENS, feed_forward_arrays, generic_x


def test_two_layers(student, reference):
    """Widen, GELU, narrow, both biases added: the values are right, whichever form the GELU has."""
    # GELU's two forms differ here by 5e-4 (the tolerance is 2e-3); the nearest mistake, quick GELU, by 0.02.
    args = feed_forward_arrays(31), generic_x(32)
    assert_matches(student.feed_forward_output, reference.feed_forward_output, student.FeedForward, *args)


def test_exact_gelu(student, reference):
    """The GELU is the exact one."""
    # Honest answers agree to 1e-14 in float64; the tanh form is 5e-4 off.
    args = feed_forward_arrays(33), 2.0 * generic_x(34)
    assert_matches(student.feed_forward_output, reference.feed_forward_output, student.FeedForward, *args)


def test_gradients(student, reference):
    """Gradients reach the input and all four parameters."""
    args = feed_forward_arrays(35), generic_x(36), generic_x(37, TOKENS)
    assert_matches(student.feed_forward_gradients, reference.feed_forward_gradients, student.FeedForward, *args)
