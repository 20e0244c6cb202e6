"""Public checks of `transformer_block_backward` and `TransformerBlock`: what `grader.check("block")` runs.

None of them depends on the numbers of the earlier backward functions: a slip there is not charged twice.
"""


def test_twelve_gradients(transformer_block_backward):
    """dx is like x, and every parameter has a gradient."""
    import numpy as np

    assert transformer_block_backward is not None, (
        "transformer_block_backward is not defined yet: run its cell, then this check again."
    )
    rng = np.random.default_rng(9)
    shapes = {"W1": (8, 32), "b1": (32,), "W2": (32, 8), "b2": (8,)}
    shapes |= dict.fromkeys(["Wq", "Wk", "Wv", "Wo"], (8, 8))
    shapes |= dict.fromkeys(["ln1_gamma", "ln1_beta", "ln2_gamma", "ln2_beta"], (8,))
    p = {name: rng.standard_normal(shape) for name, shape in shapes.items()} | {"h": 2}
    x, dout = rng.standard_normal((2, 2, 3, 8))
    got = transformer_block_backward(x, p, dout)
    assert got is not None, "transformer_block_backward returned nothing: does it end with a return?"
    pair = isinstance(got, (tuple, list)) and len(got) == 2 and isinstance(got[1], dict)
    assert pair, "transformer_block_backward returns two things: dx and the dictionary of gradients."
    dx, grads = got
    assert np.shape(dx) == (2, 3, 8), f"dx has the shape of x, (2, 3, 8); yours has {np.shape(dx)}."
    missing = [name for name in p if name != "h" and name not in grads]
    assert not missing, f"These parameters have no gradient yet: {missing}."


def test_residual_path(transformer_block_backward):
    """Both branches end in zeros, so the block is the identity: what comes back is dout itself, the +1."""
    import numpy as np

    assert transformer_block_backward is not None, (
        "transformer_block_backward is not defined yet: run its cell, then this check again."
    )
    rng = np.random.default_rng(10)
    shapes = {"W1": (8, 32), "b1": (32,), "W2": (32, 8), "b2": (8,)}
    shapes |= dict.fromkeys(["Wq", "Wk", "Wv", "Wo"], (8, 8))
    shapes |= dict.fromkeys(["ln1_gamma", "ln1_beta", "ln2_gamma", "ln2_beta"], (8,))
    p = {name: rng.standard_normal(shape) for name, shape in shapes.items()} | {"h": 2}
    p["Wo"], p["W2"] = np.zeros((8, 8)), np.zeros((32, 8))
    x, dout = rng.standard_normal((2, 2, 3, 8))
    got = transformer_block_backward(x, p, dout)
    assert got is not None, "transformer_block_backward returned nothing: does it end with a return?"
    pair = isinstance(got, (tuple, list)) and len(got) == 2 and isinstance(got[1], dict)
    assert pair, "transformer_block_backward returns two things: dx and the dictionary of gradients."
    assert np.shape(got[0]) == (2, 3, 8), f"dx has the shape of x, (2, 3, 8); yours has {np.shape(got[0])}."
    hint = "Both additions hand the gradient on to the stream. Look for the +1 in each of the two steps."
    np.testing.assert_allclose(got[0], dout, atol=1e-5, err_msg=hint)


def test_class_agrees(TransformerBlock, transformer_block_backward, run_block):
    """TransformerBlock goes forward and backward as the functions do."""
    import numpy as np

    assert TransformerBlock is not None, "TransformerBlock is not defined yet: run its cell, then this check again."
    assert transformer_block_backward is not None, (
        "transformer_block_backward is not defined yet: run its cell, then this check again."
    )
    rng = np.random.default_rng(11)
    shapes = {"W1": (8, 32), "b1": (32,), "W2": (32, 8), "b2": (8,)}
    shapes |= dict.fromkeys(["Wq", "Wk", "Wv", "Wo"], (8, 8))
    shapes |= dict.fromkeys(["ln1_gamma", "ln1_beta", "ln2_gamma", "ln2_beta"], (8,))
    p = {name: rng.standard_normal(shape) for name, shape in shapes.items()} | {"h": 2}
    x, dout = rng.standard_normal((2, 1, 3, 8))
    out, dx, grads = run_block(TransformerBlock, p, x, dout)
    assert out is not None, "forward returned nothing: does it end with a return?"
    assert np.shape(out) == (1, 3, 8), f"forward returns an array like x, (1, 3, 8); yours has {np.shape(out)}."
    got = transformer_block_backward(x, p, dout)
    pair = isinstance(got, (tuple, list)) and len(got) == 2 and isinstance(got[1], dict)
    assert pair, "transformer_block_backward returns two things: dx and the dictionary of gradients."
    want_dx, want_grads = got
    dx = dx[0] if isinstance(dx, tuple) else dx
    assert dx is not None, "backward returned nothing: does it end with a return?"
    same = np.shape(dx) == np.shape(want_dx)
    assert same, f"backward returns dx, of the shape {np.shape(want_dx)}; yours has {np.shape(dx)}."
    hint = "backward(dout) returns the dx of transformer_block_backward for the x that forward saw."
    np.testing.assert_allclose(dx, want_dx, rtol=1e-5, atol=1e-5, err_msg=hint)
    there = isinstance(grads, dict) and "W1" in grads and "W1" in want_grads
    assert there, "After backward, .grads is the dictionary of gradients, keyed like p. Yours has no W1."
    same = np.shape(grads["W1"]) == np.shape(want_grads["W1"])
    assert same, "After backward, .grads holds another W1 than transformer_block_backward returns."
    hint = "After backward, .grads holds the gradients of transformer_block_backward."
    np.testing.assert_allclose(grads["W1"], want_grads["W1"], rtol=1e-5, atol=1e-5, err_msg=hint)
