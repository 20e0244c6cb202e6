"""numerical_gradient: central differences with the caller's step, and nothing left behind."""

import numpy as np

from autograder.compare import assert_matches, conduct, standin

from .inputs import x_and_dout
from .standins import CENTRE


def test_central_differences(student, reference):
    """Both sides of a point are used: the error of the default step is of the order of its square."""
    x, _ = x_and_dout(11, (2, 3, 2))
    f = standin.name("decay")
    for here in (x, x[0, 0]):
        assert_matches(student.numerical_gradient, reference.numerical_gradient, f, here, norm_wise=True)


def test_step_honoured(student, reference):
    """A step that is passed takes the place of the default, at small numbers and at large ones."""
    pair = student.numerical_gradient, reference.numerical_gradient
    assert_matches(*pair, standin.name("fifth_powers"), np.zeros((2, 3)), 0.5, norm_wise=True)
    assert_matches(*pair, standin.name("fifth_powers_elsewhere"), CENTRE.copy(), 0.5, norm_wise=True)


@conduct
def test_x_restored(student, reference):
    """x comes back as it was, and each entry before the next one moves."""
    x, _ = x_and_dout(12, (3, 4))
    pair = student.where_f_looked, reference.where_f_looked
    for part, label in enumerate(("the array after numerical_gradient(f, x)", "the number of entries moved at a time")):
        assert_matches(*pair, student.numerical_gradient, x, part=part, label=label)
