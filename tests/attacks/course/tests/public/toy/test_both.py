def test_keeps_the_shape(both):
    """(2, 3) in, (2, 3) out."""
    import numpy as np

    assert np.shape(both(np.ones((2, 3)))) == (2, 3), "both changes the shape"
