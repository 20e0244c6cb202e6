"""Public check of `concepts`: its form only, never which letters are right."""


def test_form(concepts):
    """Six keys, each with one letter from a to d. Whether they are right is not told here."""
    assert isinstance(concepts, dict), "concepts is a dict with one letter for each of the six statements."
    keys = {"shape", "attention", "ffn_sharing", "residual", "layer_norm_axis", "depth"}
    assert set(concepts) == keys, f"Keep the six keys; these differ: {sorted(set(concepts) ^ keys)}."
    for key, letter in concepts.items():
        letter = "".join(str(letter).split()).strip("().").lower()
        assert letter in ("a", "b", "c", "d"), f"Choose one of 'a', 'b', 'c', 'd' for '{key}'."
