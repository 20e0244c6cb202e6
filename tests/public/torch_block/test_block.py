"""Public checks of `block`: what a student may see and run with `grader.check("block")`.

They rehearse: a practice network stands for FeedForward, so that a slip there is not charged again.
"""


def test_parameter_counts(Block, parameter_shapes, rehearse):
    """Block(64, 4) has parts called ln1, ln2, attn, ffn, and with a right FeedForward 49,984 parameters in them."""
    import math

    assert Block is not None, "Block is not defined yet: run its cell, then this check again."
    sizes = {}
    for name, shape in rehearse(parameter_shapes, Block, (64, 4)).items():
        part = name.split(".")[0]
        sizes[part] = sizes.get(part, 0) + math.prod(int(n) for n in shape)
    if sizes.get("ffn") == 64 * 64 + 64:
        sizes["ffn"] = 33088  # the practice network is there: what FeedForward itself holds is checked above
    total = sum(sizes.values())
    causes = {
        49408: "that is a block without any biases in its linear layers",
        49664: "that is a block whose feed-forward network has no biases",
        49920: "that is a block whose attention has no bias in its output projection",
        50112: "that is a block with one layer norm too many",
        45824: "that is a block whose attention has no output projection",
    }
    cause = causes.get(total, f"16,640 in attn, 33,088 in ffn and 128 in each norm; yours: {sizes}")
    assert total == 49984, f"Block(64, 4) should have 49,984 parameters; yours has {total:,}: {cause}."
    assert sizes == {"ln1": 128, "ln2": 128, "attn": 16640, "ffn": 33088}, (
        f"The parts are ln1, ln2, attn and ffn, with 128, 128, 16,640 and 33,088 parameters; yours: {sizes}."
    )


def test_shape_and_norms(Block, outputs, rehearse):
    """Every wiring keeps the shape; post-norm tokens come out normalised, pre-norm ones do not."""
    import numpy as np

    assert Block is not None, "Block is not defined yet: run its cell, then this check again."
    x = 3.0 + np.random.default_rng(0).standard_normal((2, 5, 8))
    pre, post, bare = (
        np.asarray(rehearse(outputs, Block, (8, 2, *switches), x, 0)) for switches in ((), (False,), (True, False))
    )
    for name, out in (("Block(8, 2)", pre), ("Block(8, 2, False)", post), ("Block(8, 2, True, False)", bare)):
        assert out.shape == (2, 5, 8), f"{name} should keep the shape (2, 5, 8); it gave {out.shape}."
    hint = "With pre_norm=False the last thing a block does is a layer norm: its tokens have mean 0 and spread 1."
    np.testing.assert_allclose(post.mean(-1), np.zeros((2, 5)), atol=1e-5, err_msg=hint)
    np.testing.assert_allclose(post.std(-1), np.ones((2, 5)), atol=1e-2, err_msg=hint)
    assert np.abs(pre.mean(-1)).min() > 1.5, (
        "A pre-norm block adds to its input: tokens with mean 3 should keep a mean near 3, and yours have lost it."
    )
    assert np.abs(bare.mean(-1)).max() < 1.5, (
        "With residual=False nothing of the input is added: tokens with mean 3 should lose it, and yours keep it."
    )
