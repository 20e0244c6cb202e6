"""Public checks of `gelu_backward` and `feed_forward_backward`: what `grader.check("feed_forward")` runs."""


def test_slope_of_gelu(gelu_backward):
    """Six numbers, each with a dout of its own."""
    import numpy as np

    assert gelu_backward is not None, "gelu_backward is not defined yet: run its cell, then this check again."
    dout = np.array([1.0, 1, 2, -1, 1, 3])
    got = gelu_backward(dout, np.array([-2.0, -1, 0, 0.5, 1, 2]))
    assert got is not None, "gelu_backward returned nothing: does it end with a return?"
    assert np.shape(got) == (6,), f"Six numbers in, six out; yours has the shape {np.shape(got)}."
    want = [-0.086099, -0.082964, 1.0, -0.867370, 1.082964, 3.258298]
    hint = "dout times two terms: half of 1 + tanh(u), and x/2 times the slope of tanh times the slope of u."
    np.testing.assert_allclose(got, want, atol=2e-5, err_msg=hint)


def test_gates_open_or_closed(feed_forward_backward):
    """All of z is far from zero, so GELU is a gate, open or closed, and whole numbers come out."""
    import numpy as np

    assert feed_forward_backward is not None, (
        "feed_forward_backward is not defined yet: run its cell, then this check again."
    )
    x, dout = np.array([[[10.0]], [[20.0]]]), np.array([[[1.0]], [[2.0]]])
    W1, b1 = np.array([[1.0, 2, -1, 0]]), np.array([0.0, 0, 0, 10])
    W2, b2 = np.array([[1.0], [2], [3], [-1]]), np.array([5.0])
    got = feed_forward_backward(dout, x, W1, b1, W2, b2)
    assert got is not None, "feed_forward_backward returned nothing: does it end with a return?"
    pair = isinstance(got, (tuple, list)) and len(got) == 2 and isinstance(got[1], dict)
    assert pair, "feed_forward_backward returns two things: dx and the dictionary of gradients."
    dx, grads = got
    want = {"W2": [[50], [100], [0], [30]], "b2": [3], "W1": [[50, 100, 0, -50]], "b1": [3, 6, 0, -3]}
    for name, value in want.items():
        assert name in grads, f"The gradients have no entry {name}."
        shape = np.shape(grads[name])
        assert shape == np.shape(value), (
            f"The gradient of {name} has the shape of {name}, {np.shape(value)}; yours has {shape}."
        )
        hint = f"The gradient of {name} is a sum over both examples: what went in times what came back."
        np.testing.assert_allclose(grads[name], value, atol=1e-4, err_msg=hint)
    assert np.shape(dx) == (2, 1, 1), f"dx has the shape of x, (2, 1, 1); yours has {np.shape(dx)}."
    hint = "dx: dout back through W2, through the open gates, and through W1."
    np.testing.assert_allclose(dx, [[[5]], [[10]]], atol=1e-4, err_msg=hint)
