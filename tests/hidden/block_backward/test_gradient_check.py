"""gradient_check, judged as a test: it accepts a right backward pass and finds each planted fault."""

from autograder.compare import assert_matches, bind, conduct

from .inputs import TINY, toy_params, x_and_dout
from .standins import SUSPECTS

toys = bind(
    transformer_block_forward="toy_forward",
    transformer_block_backward="toy_backward",
    numerical_gradient="toy_slopes",
)


@toys
def test_planted_faults(student, reference):
    """A right backward pass gets a number near zero; a fault in dx or in one parameter gets its own."""
    x, dout = x_and_dout(71, TINY)
    dout = 1e-4 * dout  # the number does not depend on the units
    planted = {"nothing": 0, "every gradient": len(SUSPECTS) + 1, **{name: i + 1 for i, name in enumerate(SUSPECTS)}}
    for suspect, number in planted.items():
        label = f"the number with a fault planted in {'dx' if suspect == 'x' else suspect}"
        _assert_number(student, reference, x, toy_params(number), dout, label=label)


@toys
def test_step_honoured(student, reference):
    """A coarse step shows: the differences are central ones, taken with the step that is passed."""
    x, dout = x_and_dout(71, TINY)
    _assert_number(student, reference, x, toy_params(), dout, 0.25, label="the number with a coarse step")


@conduct
@toys
def test_arguments_restored(student, reference):
    """x, the parameters and dout are afterwards as they were."""
    x, dout = x_and_dout(71, TINY)
    args = student.gradient_check, x, toy_params(), dout
    assert_matches(student.arguments_afterwards, reference.arguments_afterwards, *args, label="the arguments")


def _assert_number(student, reference, *args, label):
    assert_matches(student.gradient_check, reference.gradient_check, *args, label=label)
