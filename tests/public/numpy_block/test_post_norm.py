"""Public checks of `post_norm_block_forward`: what `grader.check("post_norm")` runs."""


def test_every_token_leaves_normalised(post_norm_block_forward, make_block_params):
    """With gamma 1 and beta 0 each token leaves with mean 0 and spread 1, and each has seen the others."""
    import numpy as np

    assert post_norm_block_forward is not None, (
        "post_norm_block_forward is not defined yet: run its cell, then this check again."
    )
    rng = np.random.default_rng(1)
    x, p = 5 * rng.standard_normal((2, 5, 8)) + 3, make_block_params(rng, 8, 2)
    got = post_norm_block_forward(x, p)
    assert got is not None, "post_norm_block_forward returned nothing: does it end with a return?"
    assert np.shape(got) == (2, 5, 8), f"A block keeps the shape (2, 5, 8); yours returned {np.shape(got)}."
    hint = "In a post-norm block the last thing that happens is LN2, so every token leaves it normalised."
    np.testing.assert_allclose(np.mean(got, axis=-1), np.zeros((2, 5)), atol=1e-6, err_msg=hint)
    np.testing.assert_allclose(np.std(got, axis=-1), np.ones((2, 5)), atol=1e-3, err_msg=hint)
    x[:, 0] *= -1
    change = np.abs(post_norm_block_forward(x, p)[:, 1:] - got[:, 1:])
    assert np.all(change.max(axis=-1) > 1e-8), "When the first token changes, attention must let all others know of it."


def test_worked_example(post_norm_block_forward, make_block_params):
    """The input and the weights of the pre-norm block's worked example."""
    import numpy as np

    assert post_norm_block_forward is not None, (
        "post_norm_block_forward is not defined yet: run its cell, then this check again."
    )
    p = make_block_params(np.random.default_rng(7), 8, 2)
    p = {name: 25 * value if name.startswith("W") else value for name, value in p.items()}
    x = np.array([[[1.0, -2, 0, 3, -1, 2, 1, 0], [2, 0, 1, -3, 0, 1, -1, 2], [0, 1, 2, 0, -2, -1, 3, 1]]])
    got = post_norm_block_forward(x, p)
    assert got is not None, "post_norm_block_forward returned nothing: does it end with a return?"
    assert np.shape(got) == (1, 3, 8), f"A block keeps the shape (1, 3, 8); yours returned {np.shape(got)}."
    want = [-0.3650, -0.5465, -0.9728, 2.2313, 0.8906, -0.6406, -0.6599, 0.0629]
    hint = "Add, then normalise: LN1 of (x + attention of x), then LN2 of (that + feed-forward of that)."
    np.testing.assert_allclose(got[0][0], want, atol=1e-3, err_msg=hint)
