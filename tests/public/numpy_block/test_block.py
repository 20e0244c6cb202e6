"""Public checks of `transformer_block_forward`: what `grader.check("block")` runs."""


def test_keeps_the_shape(transformer_block_forward, make_block_params):
    """(2, 5, 8) goes in and (2, 5, 8) comes out, with something added to it."""
    import numpy as np

    assert transformer_block_forward is not None, (
        "transformer_block_forward is not defined yet: run its cell, then this check again."
    )
    rng = np.random.default_rng(1)
    x = rng.standard_normal((2, 5, 8))
    got = transformer_block_forward(x, make_block_params(rng, 8, 2))
    assert got is not None, "transformer_block_forward returned nothing: does it end with a return?"
    assert np.shape(got) == (2, 5, 8), f"A block keeps the shape (2, 5, 8); yours returned {np.shape(got)}."
    assert not np.array_equal(got, x), "Your block returns x as it came: both sub-layers add something to it."


def test_worked_example(transformer_block_forward, make_block_params):
    """Three tokens of eight features, with weights large enough to matter."""
    import numpy as np

    assert transformer_block_forward is not None, (
        "transformer_block_forward is not defined yet: run its cell, then this check again."
    )
    p = make_block_params(np.random.default_rng(7), 8, 2)
    p = {name: 25 * value if name.startswith("W") else value for name, value in p.items()}
    x = np.array([[[1.0, -2, 0, 3, -1, 2, 1, 0], [2, 0, 1, -3, 0, 1, -1, 2], [0, 1, 2, 0, -2, -1, 3, 1]]])
    got = transformer_block_forward(x, p)
    assert got is not None, "transformer_block_forward returned nothing: does it end with a return?"
    assert np.shape(got) == (1, 3, 8), f"A block keeps the shape (1, 3, 8); yours returned {np.shape(got)}."
    want = [-0.8586, -2.3672, -4.1719, 3.9818, 3.1827, -0.0877, -2.3194, -2.6667]
    hint = "Two steps, each an addition: x + attention of LN1(x), then that + feed-forward of LN2 of that."
    np.testing.assert_allclose(got[0][0], want, atol=1e-3, err_msg=hint)
