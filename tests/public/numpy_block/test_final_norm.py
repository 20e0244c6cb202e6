"""Public check of `gpt_stack_forward`: what a student may see and run with `grader.check("final_norm")`."""


def test_last_norm_sets_scale_and_centre(gpt_stack_forward, make_block_params):
    """With gamma_f = 2 and beta_f = 0.5 every token leaves with spread 2 and mean 0.5."""
    import numpy as np

    assert gpt_stack_forward is not None, "gpt_stack_forward is not defined yet: run its cell, then this check again."
    rng = np.random.default_rng(1)
    x = rng.standard_normal((2, 5, 8))
    blocks = [make_block_params(rng, 8, 2) for _ in range(2)]
    got = gpt_stack_forward(x, blocks, np.full(8, 2.0), np.full(8, 0.5))
    assert got is not None, "gpt_stack_forward returned nothing: does it end with a return?"
    assert np.shape(got) == (2, 5, 8), f"A stack keeps the shape (2, 5, 8); yours returned {np.shape(got)}."
    hint = "After the last block comes one layer norm, with gamma_f and beta_f."
    np.testing.assert_allclose(np.mean(got, axis=-1), np.full((2, 5), 0.5), atol=1e-6, err_msg=hint)
    np.testing.assert_allclose(np.std(got, axis=-1), np.full((2, 5), 2.0), atol=1e-3, err_msg=hint)
