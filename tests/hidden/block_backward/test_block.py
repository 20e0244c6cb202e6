"""transformer_block_backward and TransformerBlock: two residual paths, two branches, and twelve gradients."""

from autograder.compare import Mismatch, assert_matches, assert_unchanged, conduct

from .inputs import SQUARE, block_params, x_and_dout


def test_dx(student, reference):
    """dx holds both residual paths and what comes back through both branches."""
    _assert_gradients(student, reference, dx=0)


def test_attention_parameters(student, reference):
    """The gradients of Wq, Wk, Wv and Wo."""
    _assert_parameters(student, reference, "Wq", "Wk", "Wv", "Wo")


def test_norm_parameters(student, reference):
    """The gradients of the scale and the shift of both layer norms."""
    _assert_parameters(student, reference, "ln1_gamma", "ln1_beta", "ln2_gamma", "ln2_beta")


def test_feed_forward_parameters(student, reference):
    """The gradients of W1, b1, W2 and b2."""
    _assert_parameters(student, reference, "W1", "b1", "W2", "b2")


@conduct
def test_arguments_unchanged(student):
    """x, the parameters and dout come back as they went in."""
    x, dout = x_and_dout(51)
    assert_unchanged(student.transformer_block_backward, x, block_params(51), dout)


@conduct
def test_class_follows_latest_forward(student, reference):
    """backward belongs to the block's own latest forward, and .grads to its latest backward."""
    (first, dout), (second, _) = x_and_dout(53), x_and_dout(54)
    args = student.TransformerBlock, student.transformer_block_backward
    args += block_params(53), block_params(54, h=4), first, second, dout
    _assert_step(student.latest_step, reference.latest_step, args, {"the output": 0})
    parts = {"dx": 1, ".grads of W1": (2, "W1"), ".grads of Wq": (2, "Wq")}
    try:
        _assert_step(student.latest_step, reference.latest_step, args, parts)
    except Mismatch:  # a slip in the function is charged there: the class may follow it
        _assert_step(student.latest_step, student.function_step, args, parts)


def _assert_step(student_step, right_step, args, parts):
    for label, part in parts.items():
        assert_matches(student_step, right_step, *args, part=part, norm_wise=True, label=label)


def _assert_parameters(student, reference, *names):
    _assert_gradients(student, reference, **{name: (1, name) for name in names})


def _assert_gradients(student, reference, **parts):
    """With two heads, and with four where there are as many tokens as features."""
    for shape, h in (((2, 5, 8), 2), (SQUARE, 4)):
        x, dout = x_and_dout(51, shape)
        for label, part in parts.items():
            assert_matches(
                student.transformer_block_backward,
                reference.transformer_block_backward,
                x,
                block_params(51, h),
                dout,
                part=part,
                norm_wise=True,
                label=label if label == "dx" else f"the gradient of {label}",
            )
