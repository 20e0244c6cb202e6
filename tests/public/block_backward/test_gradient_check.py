"""Public checks of `gradient_check`: what `grader.check("gradient_check")` runs.

They hold for a block whose backward pass is still wrong, too: a slip there is not charged twice.
"""


def test_between_zero_and_one(gradient_check):
    """No gradient at all gives 0, and a step of 1 is far too coarse to agree with any formula."""
    import numpy as np

    assert gradient_check is not None, "gradient_check is not defined yet: run its cell, then this check again."
    rng = np.random.default_rng(5)
    shapes = {"W1": (3, 12), "b1": (12,), "W2": (12, 3), "b2": (3,)}
    shapes |= dict.fromkeys(["Wq", "Wk", "Wv", "Wo"], (3, 3))
    shapes |= dict.fromkeys(["ln1_gamma", "ln1_beta", "ln2_gamma", "ln2_beta"], (3,))
    p = {name: rng.standard_normal(shape) for name, shape in shapes.items()} | {"h": 1}
    x, dout = rng.standard_normal((2, 1, 2, 3))
    nothing, coarse = gradient_check(x, p, 0 * dout), gradient_check(x, p, dout, 1.0)
    assert nothing is not None, "gradient_check returned nothing: does it end with a return?"
    kinds = [np.asarray(number).dtype.kind for number in (nothing, coarse)]
    assert set(kinds) <= set("bif") and np.shape(nothing) == np.shape(coarse) == (), (
        "gradient_check returns one number, whatever it is given."
    )
    assert nothing == 0, f"With dout = 0 all gradients are zero and agree: 0, not {nothing}. Is the 1e-12 in place?"
    assert 0.01 < coarse < 1.01, (
        f"With a step of 1 the number must be clearly above 0, and never above 1; yours is {coarse}."
    )
