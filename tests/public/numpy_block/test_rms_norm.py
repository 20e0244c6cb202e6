"""Public check of `rms_norm`: what a student may see and run with `grader.check("rms_norm")`."""


def test_worked_example(rms_norm):
    """[2, -1, 4, 3] with gamma [1, 1, 1, 2] comes out as in the text."""
    import numpy as np

    assert rms_norm is not None, "rms_norm is not defined yet: run its cell, then this check again."
    got = rms_norm(np.array([[[2.0, -1.0, 4.0, 3.0]]]), np.array([1.0, 1.0, 1.0, 2.0]))
    assert got is not None, "rms_norm returned nothing: does it end with a return?"
    assert np.shape(got) == (1, 1, 4), f"A token of shape (1, 1, 4) should keep it; yours became {np.shape(got)}."
    hint = "The mean of the squares is 7.5. No mean is subtracted, and gamma scales feature by feature."
    np.testing.assert_allclose(got, [[[0.7303, -0.3651, 1.4606, 2.1909]]], atol=1e-4, err_msg=hint)
