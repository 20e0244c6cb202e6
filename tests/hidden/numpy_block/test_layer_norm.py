"""layer_norm: each token by its own mean and variance, whatever its scale and wherever its features lie."""

import numpy as np

from autograder.compare import assert_matches, assert_same_twice, assert_unchanged, conduct

from .inputs import ONE_EXAMPLE, generic_rows, token_scales


def test_each_token(student, reference):
    """Each token is normalised by its own mean and variance (divided by C), then scaled and shifted."""
    x, gamma, beta = generic_rows(seed=11)
    x = x * token_scales(3.0, 10.0, 30.0, 100.0, 1000.0)
    x[0, 1] = 5.0
    assert_matches(student.layer_norm, reference.layer_norm, x, gamma, beta)


def test_small_tokens(student, reference):
    """Where the variance is as small as the default eps: eps has the right size and stands under the root."""
    x, gamma, beta = generic_rows(seed=12, shape=ONE_EXAMPLE)
    x = x * token_scales(1e-3, 3e-3, 1e-2, 0.1, 1000.0)
    assert_matches(student.layer_norm, reference.layer_norm, x, gamma, beta)


def test_eps_honoured(student, reference):
    """An eps that is passed takes the place of the default."""
    x, gamma, beta = generic_rows(seed=13, shape=ONE_EXAMPLE)
    assert_matches(student.layer_norm, reference.layer_norm, 1e-3 * x, gamma, beta, 0.5)


def test_leading_axes(student, reference):
    """A single token (C,) and a plain table of tokens (T, C) work as well: the features are the last axis."""
    x, gamma, beta = generic_rows(seed=14, shape=(8, 8))
    assert_matches(student.layer_norm, reference.layer_norm, 10.0 * x[0], gamma, beta)
    assert_matches(student.layer_norm, reference.layer_norm, 10.0 * x, gamma, beta)


def test_integers(student, reference):
    """Integer input is normalised like any other, without rounding."""
    _, gamma, beta = generic_rows(seed=15)
    x = np.random.default_rng(15).integers(-50, 50, ONE_EXAMPLE)
    assert_matches(student.layer_norm, reference.layer_norm, x, gamma, beta)


@conduct
def test_leaves_no_trace(student, reference):
    """The arguments come back as they were, and the same call gives the same again."""
    args = generic_rows(seed=16)
    assert_unchanged(student.layer_norm, *args)
    assert_same_twice(student.layer_norm, *args)
