"""Public check of `rms_by_depth`: what a student may see and run with `grader.check("depth")`."""


def test_six_blocks(rms_by_depth, make_block_params):
    """Seven numbers for six blocks: the input's, then one after each block, as printed in the text."""
    import numpy as np

    assert rms_by_depth is not None, "rms_by_depth is not defined yet: run its cell, then this check again."
    rng = np.random.default_rng(42)
    x = rng.standard_normal((1, 6, 64))
    got = rms_by_depth(x, [make_block_params(rng, 64, 4) for _ in range(6)])
    assert got is not None, "rms_by_depth returned nothing: does it end with a return?"
    assert np.shape(got) == (7,), f"Six blocks give seven numbers, the input's first; yours: {np.shape(got)}."
    want = [0.95260, 0.95300, 0.95224, 0.95220, 0.95070, 0.95186, 0.95218]
    hint = "Square all numbers of the array, take the mean, then the root: for x, then for each output."
    np.testing.assert_allclose(got, want, atol=1e-4, err_msg=hint)
