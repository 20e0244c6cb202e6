"""Public checks of `feed_forward`: what a student may see and run with `grader.check("feed_forward")`."""


def test_sizes(FeedForward, parameter_shapes):
    """For 64 features: 33,088 parameters, in four tensors of the right sizes."""
    import math

    assert FeedForward is not None, "FeedForward is not defined yet: run its cell, then this check again."
    shapes = parameter_shapes(FeedForward, (64,))
    sizes = sorted(math.prod(int(n) for n in shape) for shape in shapes.values())
    assert sizes != [16384, 16384], (
        "The two weights are there, their biases are not: 320 parameters are missing. nn.Linear has a bias by default."
    )
    assert sizes == [64, 256, 16384, 16384], (
        f"Expected weights of 16,384 numbers each and biases of 256 and 64; yours hold {sizes}. "
        "Only modules and parameters count: does __init__ call super().__init__() and keep both layers?"
    )


def test_each_token_alone(FeedForward, outputs):
    """Shape (2, 5, 8) is kept, and a token gives the same alone as among others."""
    import numpy as np

    assert FeedForward is not None, "FeedForward is not defined yet: run its cell, then this check again."
    x = np.random.default_rng(0).standard_normal((2, 5, 8))
    together = np.asarray(outputs(FeedForward, (8,), x, 0))
    assert together.shape == (2, 5, 8), f"Shape (2, 5, 8) should be kept; yours became {together.shape}."
    alone = np.stack(
        [[np.asarray(outputs(FeedForward, (8,), x[b, t][None, None], 0))[0, 0] for t in range(5)] for b in range(2)]
    )
    hint = "A token came out differently among others: work along the last axis only, and draw nothing at random."
    np.testing.assert_allclose(together, alone, atol=1e-6, err_msg=hint)
