def test_worked_example(wave):
    """The wave of 1 is 1.1286."""
    import numpy as np

    got = wave(np.array([1.0]))
    np.testing.assert_allclose(got, [1.1286], atol=1e-3, err_msg="wave([1]) is not [1.1286]")
