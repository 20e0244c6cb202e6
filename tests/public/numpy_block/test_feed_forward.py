"""Public check of `feed_forward`: what a student may see and run with `grader.check("feed_forward")`."""


def test_worked_example(feed_forward):
    """Two tokens of two features, eight hidden units, and biases that are not zero."""
    import numpy as np

    assert feed_forward is not None, "feed_forward is not defined yet: run its cell, then this check again."
    x = np.array([[[1.0, -2.0], [0.0, 3.0]]])
    W1 = np.array([[1.0, -1.0, 0.5, 0.0, 2.0, -0.5, 0.0, 1.0], [0.0, 1.0, -0.5, 1.0, -1.0, 0.0, 2.0, 0.5]])
    b1 = np.array([0.0, 0.5, 0.0, -1.0, 0.0, 1.0, 0.0, 0.25])
    W2 = np.array([[1, 0], [0, 1], [1, 1], [-1, 0], [0.5, 0], [0, -1], [0, 0.5], [2, 1]])
    b2 = np.array([0.5, -1.0])
    got = feed_forward(x, W1, b1, W2, b2)
    assert got is not None, "feed_forward returned nothing: does it end with a return?"
    assert np.shape(got) == (1, 2, 2), f"The output has the shape of x, (1, 2, 2); yours has {np.shape(got)}."
    hint = "Expand with W1 and b1, apply gelu, come back with W2 and b2: in that order, and nothing else."
    np.testing.assert_allclose(got, [[[5.0437, 0.1884], [1.8027, 6.2376]]], atol=1e-3, err_msg=hint)
