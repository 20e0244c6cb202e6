"""Public checks of `attention_backward`: what `grader.check("attention")` runs."""


def test_names_and_shapes(attention_backward):
    """dX is like X; seven gradients, each with the shape of what it belongs to."""
    import numpy as np

    assert attention_backward is not None, "attention_backward is not defined yet: run its cell, then this check again."
    rng = np.random.default_rng(6)
    X, dout = rng.standard_normal((2, 2, 3, 8))
    got = attention_backward(dout, X, *rng.standard_normal((4, 8, 8)), 2)
    assert got is not None, "attention_backward returned nothing: does it end with a return?"
    pair = isinstance(got, (tuple, list)) and len(got) == 2 and isinstance(got[1], dict)
    assert pair, "attention_backward returns two things: dX and the dictionary of gradients."
    dX, grads = got
    assert np.shape(dX) == (2, 3, 8), f"dX has the shape of X, (2, 3, 8); yours has {np.shape(dX)}."
    want = dict.fromkeys(["Wq", "Wk", "Wv", "Wo"], (8, 8))
    want |= dict.fromkeys(["dQuery", "dKey", "dValue"], (2, 2, 3, 4))
    for name, shape in want.items():
        assert name in grads, f"The gradients have no entry {name}."
        assert np.shape(grads[name]) == shape, (
            f"{name} should have the shape {shape}; yours has {np.shape(grads[name])}."
        )


def test_equal_attention(attention_backward):
    """Queries of zero: both tokens are attended to alike, and the numbers can be found by hand."""
    import numpy as np

    assert attention_backward is not None, "attention_backward is not defined yet: run its cell, then this check again."
    X, dout, one = np.array([[[1.0, 2], [3, -2]]]), np.array([[[1.0, 0], [2, 1]]]), np.eye(2)
    got = attention_backward(dout, X, 0 * one, one, one, one, 2)
    assert got is not None, "attention_backward returned nothing: does it end with a return?"
    pair = isinstance(got, (tuple, list)) and len(got) == 2 and isinstance(got[1], dict)
    assert pair, "attention_backward returns two things: dX and the dictionary of gradients."
    dX, grads = got
    want = {
        "Wo": [[6, 2], [0, 0]],
        "dValue": [[[[1.5], [1.5]], [[0.5], [0.5]]]],
        "Wv": [[6, 2], [0, 0]],
        "dQuery": [[[[1], [2]], [[0], [4]]]],
        "Wq": [[7, 12], [-2, -8]],
        "dKey": np.zeros((1, 2, 2, 1)),
    }
    for name, value in want.items():
        hint = f"{name}: all weights are 1/2 here. Follow the steps of the text with these numbers."
        assert name in grads, f"The gradients have no entry {name}."
        shape = np.shape(grads[name])
        assert shape == np.shape(value), f"{name} should have the shape {np.shape(value)}; yours has {shape}."
        np.testing.assert_allclose(grads[name], value, atol=1e-5, err_msg=hint)
    assert np.shape(dX) == (1, 2, 2), f"dX has the shape of X, (1, 2, 2); yours has {np.shape(dX)}."
    hint = "dX: three paths, through the queries, the keys and the values, added up."
    np.testing.assert_allclose(dX, [[[1.5, 0.5], [1.5, 0.5]]], atol=1e-5, err_msg=hint)


def test_key_gradients_cancel(attention_backward):
    """The same shift of all keys leaves attention as it is, so dKey sums to zero over the tokens."""
    import numpy as np

    assert attention_backward is not None, "attention_backward is not defined yet: run its cell, then this check again."
    rng = np.random.default_rng(8)
    X, dout = rng.standard_normal((2, 2, 3, 8))
    got = attention_backward(dout, X, *rng.standard_normal((4, 8, 8)), 2)
    assert got is not None, "attention_backward returned nothing: does it end with a return?"
    pair = isinstance(got, (tuple, list)) and len(got) == 2 and isinstance(got[1], dict)
    assert pair, "attention_backward returns two things: dX and the dictionary of gradients."
    assert "dKey" in got[1], "The gradients have no entry dKey."
    d_key = got[1]["dKey"]
    shape = np.shape(d_key)
    assert shape == (2, 2, 3, 4), f"dKey should have the shape (2, 2, 3, 4); yours has {shape}."
    assert np.abs(d_key).max() > 0.01, "dKey is zero everywhere: something must come back to the keys."
    hint = "Each row of dS sums to zero: subtract the row's sum of dA * A. And dK is made with dS transposed."
    np.testing.assert_allclose(np.sum(d_key, axis=2), np.zeros((2, 2, 4)), atol=1e-4, err_msg=hint)
