"""zeroed_params: a new dict whose weights and biases are zero, and what a block does with it."""

from autograder.compare import assert_choice, assert_matches, assert_unchanged

from .inputs import generic_params


def test_new_dict(student, reference):
    """A new dict: eight arrays zero, norms and heads kept; the dict that was passed holds what it held."""
    p = generic_params(seed=81, h=4)
    assert_matches(student.zeroed_params, reference.zeroed_params, p)
    assert_unchanged(student.zeroed_params, p)


def test_prediction(student, reference):
    """What comes out of a zeroed block: predicted for pre-norm and for post-norm."""
    chosen, expected = student.value("prediction"), reference.value("prediction")
    for block in ("pre_norm", "post_norm"):
        assert_choice(chosen, expected, block)
