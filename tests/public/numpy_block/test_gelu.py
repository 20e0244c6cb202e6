"""Public check of `gelu`: what a student may see and run with `grader.check("gelu")`."""


def test_known_values(gelu):
    """gelu at -1, 0, 1 and 3, in the tanh form."""
    import numpy as np

    assert gelu is not None, "gelu is not defined yet: run its cell, then this check again."
    got = gelu(np.array([-1.0, 0.0, 1.0, 3.0]))
    assert got is not None, "gelu returned nothing: does it end with a return?"
    assert np.shape(got) == (4,), f"Four numbers in, four numbers out; yours has shape {np.shape(got)}."
    hint = "Read the tanh form once more: the factor one half, the cube, and what the root multiplies."
    np.testing.assert_allclose(got, [-0.158808, 0.0, 0.841192, 2.996363], atol=1e-4, err_msg=hint)
