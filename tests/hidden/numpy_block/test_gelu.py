"""gelu: the tanh form, element by element, with its constants computed."""

import numpy as np

from autograder.compare import assert_matches, assert_same_twice, assert_unchanged, conduct

from .inputs import generic_x


def test_tanh_form(student, reference):
    """The tanh form of GELU, for each number of an array of any shape."""
    assert_matches(student.gelu, reference.gelu, 2.0 * generic_x(seed=31))


def test_exact_constants(student, reference):
    """The constants have full precision: the root of 2/pi is computed, not typed with a few digits."""
    assert_matches(student.gelu, reference.gelu, np.linspace(-8.0, 8.0, 161))


@conduct
def test_leaves_no_trace(student, reference):
    """The argument comes back as it was, and the same call gives the same again."""
    x = generic_x(seed=33)
    assert_unchanged(student.gelu, x)
    assert_same_twice(student.gelu, x)
