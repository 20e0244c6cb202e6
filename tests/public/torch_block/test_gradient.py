"""Public checks of `gradient`: what a student may see and run with `grader.check("gradient")`."""


def test_plain_number(input_gradient, rehearse):
    """With practice blocks: one positive number, the same each time, another one for another seed."""
    import math

    assert input_gradient is not None, "input_gradient is not defined yet: run its cell, then this check again."
    first, again, other = (rehearse(input_gradient, 2, True, seed) for seed in (0, 0, 1))
    assert first is not None, "input_gradient returned nothing: does it end with a return?"
    assert math.isfinite(float(first)) and float(first) > 0, f"A norm is a positive number; yours is {float(first)}."
    assert float(first) == float(again), "The same call gave two numbers: seed first, before anything is made."
    assert float(first) != float(other), "Seeds 0 and 1 gave the same number: use the seed that is passed."


def test_worked_example(input_gradient, rehearse):
    """With practice blocks: 0.05905 for two blocks with residuals, 0.0030325 without."""
    assert input_gradient is not None, "input_gradient is not defined yet: run its cell, then this check again."
    with_residuals, without = float(rehearse(input_gradient, 2, True)), float(rehearse(input_gradient, 2, False))
    hint = "Check the order, the shape (4, 16, 64), the loss and whose gradient it is."
    assert abs(with_residuals - 0.05905) < 1e-3 * 0.05905, (
        f"Expected 0.05905 with residuals; yours is {with_residuals:.6f}. {hint}"
    )
    assert abs(without - 0.0030325) < 1e-3 * 0.0030325, (
        f"Expected 0.0030325 without; yours is {without:.7f}. Do the blocks get `residual`?"
    )
