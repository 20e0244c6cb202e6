"""gelu_backward and feed_forward_backward: back through both layers, at what the forward pass saw."""

from autograder.compare import assert_matches, assert_unchanged, conduct

from .inputs import BATCH, SQUARE, feed_forward_args, x_and_dout


def test_dx(student, reference):
    """dx goes back through the second layer, GELU's derivative at z, and the first layer."""
    x, dout = x_and_dout(31, BATCH)
    for z in (2.0 * x, x):
        assert_matches(student.gelu_backward, reference.gelu_backward, dout, z, norm_wise=True)
    for args in (feed_forward_args(32), feed_forward_args(33, SQUARE), feed_forward_args(34)):
        _assert_part(student, reference, 0, "dx", *args)


def test_first_layer(student, reference):
    """The gradients of W1 and b1, summed over all tokens of all examples."""
    for name in ("W1", "b1"):
        _assert_part(student, reference, (1, name), f"the gradient of {name}", *feed_forward_args(32))


def test_second_layer(student, reference):
    """The gradients of W2 and b2, summed over all tokens of all examples."""
    for name in ("W2", "b2"):
        _assert_part(student, reference, (1, name), f"the gradient of {name}", *feed_forward_args(32))


@conduct
def test_arguments_unchanged(student):
    """What goes into gelu_backward and feed_forward_backward comes back as it was."""
    x, dout = x_and_dout(31, BATCH)
    assert_unchanged(student.gelu_backward, dout, 2.0 * x)
    assert_unchanged(student.feed_forward_backward, *feed_forward_args(32))


def _assert_part(student, reference, part, label, *args):
    pair = student.feed_forward_backward, reference.feed_forward_backward
    assert_matches(*pair, *args, part=part, norm_wise=True, label=label)
