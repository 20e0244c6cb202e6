"""layer_norm on tensors: values where mistakes show, and gradients through all three arguments."""

from autograder.compare import assert_matches, assert_same_twice, assert_unchanged

from .inputs import generic_rows, generic_x


def test_population_variance(student, reference):
    """Each token by its own mean and variance (divided by C), then weight and bias, each where the formula has it."""
    assert_matches(student.layer_norm, reference.layer_norm, *generic_rows(seed=21))


def test_small_tokens(student, reference):
    """Where the variance is as small as the default eps: eps has the right size and stands under the root."""
    x, weight, bias = generic_rows(seed=22)
    assert_matches(student.layer_norm, reference.layer_norm, 1e-3 * x, weight, bias)


def test_eps_honoured(student, reference):
    """An eps that is passed takes the place of the default."""
    assert_matches(student.layer_norm, reference.layer_norm, *generic_rows(seed=23), 0.5)


def test_leading_axes(student, reference):
    """A single token (C,), a table of tokens (T, C) and one with T = C work as well: the features are the last axis."""
    x, weight, bias = generic_rows(seed=24, shape=(8, 8))
    assert_matches(student.layer_norm, reference.layer_norm, x[0], weight, bias)
    assert_matches(student.layer_norm, reference.layer_norm, x, weight, bias)


def test_gradients(student, reference):
    """The gradients at x, weight and bias are right: nothing on the way is detached or taken for a constant."""
    rows, upstream = generic_rows(seed=25), generic_x(26, (2, 5, 8))
    arrays = [tensor.numpy() for tensor in rows]
    args = student.layer_norm, *arrays, upstream
    assert_matches(student.norm_gradients, reference.norm_gradients, *args, label="the gradient through `layer_norm`")


def test_leaves_no_trace(student, reference):
    """The arguments come back as they were, and the same call gives the same again."""
    args = generic_rows(seed=27)
    assert_unchanged(student.layer_norm, *args)
    assert_same_twice(student.layer_norm, *args)
