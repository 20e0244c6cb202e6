"""Public checks of the question `identity`: the prediction's form, and what `zeroed_params` zeroes."""


def test_form(prediction):
    """One letter, a to d, for each of the two blocks. Whether they are right is not told here."""
    assert isinstance(prediction, dict), "prediction is a dict with a letter for each of the two blocks."
    assert set(prediction) == {"pre_norm", "post_norm"}, "Keep the two keys: 'pre_norm' and 'post_norm'."
    for block, letter in prediction.items():
        letter = "".join(str(letter).split()).strip("().").lower()
        assert letter in ("a", "b", "c", "d"), f"Choose one of 'a', 'b', 'c', 'd' for '{block}'."


def test_weights_and_biases_are_zero(zeroed_params, make_block_params):
    """The eight weight and bias arrays are zero, and no key is missing."""
    import numpy as np

    assert zeroed_params is not None, "zeroed_params is not defined yet: run its cell, then this check again."
    p = make_block_params(np.random.default_rng(1), 8, 2)
    p["b1"], p["b2"] = p["b1"] + 1.0, p["b2"] - 1.0
    got = zeroed_params(p)
    assert isinstance(got, dict), "zeroed_params returns a dict of parameters, like the one it was given."
    assert set(got) == set(p), f"The keys stay the same; these differ: {sorted(set(got) ^ set(p))}."
    for name in ("Wq", "Wk", "Wv", "Wo", "W1", "b1", "W2", "b2"):
        assert np.shape(got[name]) == np.shape(p[name]), f"{name} keeps its shape {np.shape(p[name])}."
        assert not np.any(got[name]), f"{name} still holds numbers other than zero."
