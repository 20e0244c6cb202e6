"""FeedForward, run with the judge's parameters: values, the form of the GELU, gradients."""

from autograder.compare import assert_matches

from .inputs import TOKENS, feed_forward_arrays, generic_x


def test_two_layers(student, reference):
    """Widen, GELU, narrow, both biases added: the values are right, whichever form the GELU has."""
    # GELU's two forms differ here by 5e-4 (the tolerance is 2e-3); the nearest mistake, quick GELU, by 0.02.
    _same_output(student, reference, feed_forward_arrays(31), generic_x(32))


def test_exact_gelu(student, reference):
    """The GELU is the exact one."""
    # Honest answers agree to 1e-14 in float64; the tanh form is 5e-4 off.
    _same_output(student, reference, feed_forward_arrays(33), 2.0 * generic_x(34))


def test_gradients(student, reference):
    """Gradients reach the input and all four parameters, whichever form the GELU has."""
    # GELU's two forms differ here by 2.4e-3 (the tolerance is 1e-2); the nearest mistake, quick GELU, by 0.1.
    args = student.FeedForward, feed_forward_arrays(35), generic_x(36), generic_x(37, TOKENS)
    pair = student.feed_forward_gradients, reference.feed_forward_gradients
    assert_matches(*pair, *args, label="the gradient through `FeedForward`")


def _same_output(student, reference, arrays, x):
    pair = student.feed_forward_output, reference.feed_forward_output
    assert_matches(*pair, student.FeedForward, arrays, x, label="the output of `FeedForward`")
