"""concepts: six choices about what the lab has shown."""

from autograder.compare import assert_choice


def _check(student, reference, *keys):
    chosen, expected = student.value("concepts"), reference.value("concepts")
    for key in keys:
        assert_choice(chosen, expected, key)


def test_mixing_tokens(student, reference):
    """What attention does in a block, and how the feed-forward weights are shared over the positions."""
    _check(student, reference, "attention", "ffn_sharing")


def test_stacking(student, reference):
    """Why a block keeps its shape, and why depth adds useful computation."""
    _check(student, reference, "shape", "depth")


def test_residual(student, reference):
    """Why residual additions help."""
    _check(student, reference, "residual")


def test_normalising(student, reference):
    """What layer norm normalises over."""
    _check(student, reference, "layer_norm_axis")
