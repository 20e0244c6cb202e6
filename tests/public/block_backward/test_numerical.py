"""Public checks of `numerical_gradient`: what a student may see and run with `grader.check("numerical")`."""


def test_worked_example(numerical_gradient, wave):
    """The gradient of wave at four numbers, which the text gives: cos(x) plus the sum of x."""
    import numpy as np

    assert numerical_gradient is not None, "numerical_gradient is not defined yet: run its cell, then this check again."
    got = numerical_gradient(wave, np.array([[0.0, 1.0], [2.0, -1.0]]))
    assert got is not None, "numerical_gradient returned nothing: does it end with a return?"
    assert np.shape(got) == (2, 2), f"The gradient has the shape of x, (2, 2); yours has {np.shape(got)}."
    want = [[3.0, 2.540302], [1.583853, 2.540302]]
    hint = "One entry at a time: f a step above, minus f a step below, divided by the distance of the two."
    np.testing.assert_allclose(got, want, atol=1e-3, err_msg=hint)
