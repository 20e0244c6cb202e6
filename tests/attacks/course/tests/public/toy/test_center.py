def test_worked_example(center):
    """1, 2, 3 become -1, 0, 1."""
    import numpy as np

    got = center(np.array([[1.0, 2.0, 3.0]]))
    np.testing.assert_allclose(got, [[-1.0, 0.0, 1.0]], atol=1e-6, err_msg="center([1, 2, 3]) is not [-1, 0, 1]")
