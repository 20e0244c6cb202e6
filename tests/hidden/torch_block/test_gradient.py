"""input_gradient, with stand-ins for Block: what is measured, how deep it goes, and in which order things are drawn.

One float32 norm is compared at a relative distance of 1e-3. Honest answers differ by 3e-7; the nearest mistake
measured, a seed that is set after the blocks are made, by 5e-3.
"""

from autograder.compare import assert_matches, bind


def _same(student, reference, *args):
    tolerance = student.input_gradient.tolerance / 2  # the distance is divided by the sum of both numbers
    assert_matches(student.input_gradient, reference.input_gradient, *args, norm_wise=True, tolerance=tolerance)


@bind(Block="SteadyBlock")
def test_what_is_measured(student, reference):
    """The norm of the input's gradient, all its entries taken together, for the mean of the squared output."""
    _same(student, reference, 1, True)
    _same(student, reference, 4, True)


@bind(Block="SteadyBlock")
def test_without_residuals(student, reference):
    """`residual` reaches the blocks, and they stay pre-norm."""
    _same(student, reference, 1, False)
    _same(student, reference, 4, False)


@bind(Block="SteadyBlock")
def test_deep_stack(student, reference):
    """24 blocks, one after the other."""
    _same(student, reference, 24, True)
    _same(student, reference, 24, False)


@bind(Block="ToyBlock")
def test_drawn_in_order(student, reference):
    """Seed, then the blocks, each with numbers of its own, then the input: the same for everyone."""
    _same(student, reference, 1, True)
    _same(student, reference, 4, False)


@bind(Block="ToyBlock")
def test_seed_honoured(student, reference):
    """Another seed gives another measurement, the same one for everyone."""
    _same(student, reference, 4, True, 3)
