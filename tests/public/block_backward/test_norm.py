"""Public checks of `layer_norm_backward`: what `grader.check("norm")` runs."""


def test_worked_example(layer_norm_backward):
    """Two examples of one token each: dx, dgamma and dbeta by hand."""
    import numpy as np

    assert layer_norm_backward is not None, (
        "layer_norm_backward is not defined yet: run its cell, then this check again."
    )
    x = np.array([[[2.0, -1, 4, 3]], [[1, 1, 0, 6]]])
    dout = np.array([[[1.0, 0, 2, -1]], [[0, 3, 1, 1]]])
    got = layer_norm_backward(dout, x, np.array([1.0, 2, 0.5, 1]))
    assert got is not None, "layer_norm_backward returned nothing: does it end with a return?"
    three = isinstance(got, (tuple, list)) and len(got) == 3
    assert three, "layer_norm_backward returns three arrays: dx, dgamma, dbeta."
    shapes = [np.shape(array) for array in got]
    assert shapes == [(2, 1, 4), (4,), (4,)], (
        f"dx is like x, (2, 1, 4), dgamma and dbeta are like gamma, (4,); yours have the shapes {shapes}."
    )
    want_dx = [[[0.400891, -0.019090, 0.324531, -0.706332]], [[-0.857647, 1.700759, -0.702592, -0.140519]]]
    hint = "dbeta is the sum of dout over both examples: [1, 3, 3, 0]."
    np.testing.assert_allclose(got[2], [1, 3, 3, 0], atol=1e-5, err_msg=hint)
    hint = "dgamma is the same sum, of dout times the normalised x."
    np.testing.assert_allclose(got[1], [0, -1.279203, 1.285285, 1.171082], atol=1e-4, err_msg=hint)
    hint = "dx is the boxed formula: three terms in the bracket, made with g = dout * gamma, times r."
    np.testing.assert_allclose(got[0], want_dx, atol=1e-4, err_msg=hint)


def test_no_gradient_along_a_shift(layer_norm_backward):
    """Shifting a token changes nothing, so the features of dx sum to zero for each token."""
    import numpy as np

    assert layer_norm_backward is not None, (
        "layer_norm_backward is not defined yet: run its cell, then this check again."
    )
    rng = np.random.default_rng(5)
    x, dout = rng.standard_normal((2, 2, 3, 8))
    got = layer_norm_backward(dout, x, rng.uniform(0.5, 1.5, 8))
    assert got is not None, "layer_norm_backward returned nothing: does it end with a return?"
    three = isinstance(got, (tuple, list)) and len(got) == 3
    assert three, "layer_norm_backward returns three arrays: dx, dgamma, dbeta."
    dx = got[0]
    assert np.shape(dx) == (2, 3, 8), f"dx has the shape of x, (2, 3, 8); yours has {np.shape(dx)}."
    assert np.abs(dx).max() > 0.01, "dx is zero everywhere: something must come back to x."
    hint = "Subtract from g its mean over the features of the token, with g = dout * gamma."
    np.testing.assert_allclose(np.sum(dx, axis=-1), np.zeros((2, 3)), atol=1e-4, err_msg=hint)
