"""Public check of `stack_forward`: what a student may see and run with `grader.check("stack")`."""


def test_two_blocks(stack_forward, make_block_params):
    """The first numbers behind two blocks, as printed in the text."""
    import numpy as np

    assert stack_forward is not None, "stack_forward is not defined yet: run its cell, then this check again."
    rng = np.random.default_rng(42)
    x = rng.standard_normal((1, 6, 64))
    _first, a, b = (make_block_params(rng, 64, 4) for _ in range(3))
    got = stack_forward(x, [a, b])
    assert got is not None, "stack_forward returned nothing: does it end with a return?"
    assert np.shape(got) == (1, 6, 64), f"A stack keeps the shape (1, 6, 64); yours returned {np.shape(got)}."
    hint = "What one block returns is the input of the next, and every block uses its own parameters."
    np.testing.assert_allclose(got[0][0][:4], [0.3635, -1.0432, 0.7447, 0.9527], atol=1e-3, err_msg=hint)
