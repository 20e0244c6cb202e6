"""Public checks of `concepts`: what a student may see and run with `grader.check("concepts")`."""


def test_answered(concepts):
    """Six keys, each with one letter from a to d."""
    assert isinstance(concepts, dict), "concepts is a dict with one letter for each of the six statements."
    keys = {"norm_placement", "at_baseline", "contextual", "zeroed", "epsilon", "pattern"}
    assert set(concepts) == keys, f"Keep the six keys; these differ: {sorted(set(concepts) ^ keys)}."
    for key, letter in concepts.items():
        letter = "".join(str(letter).split()).strip("().").lower()
        assert letter in ("a", "b", "c", "d"), f"Choose one of 'a', 'b', 'c', 'd' for '{key}'."


def test_computable(concepts):
    """The choices for epsilon and pattern, both of which you can compute."""
    import hashlib

    assert isinstance(concepts, dict), "concepts is a dict with one letter for each of the six statements."
    right = {"epsilon": "02cb12b0b4d7", "pattern": "703f6cc278c0"}
    advice = {
        "epsilon": "Call your layer_norm on a token of sixty-four 5s and look.",
        "pattern": "Call your layer_norm on [2, -1, 4, 3] and compare the four numbers before and after.",
    }
    for key, digest in right.items():
        letter = "".join(str(concepts.get(key)).split()).strip("().").lower()
        got = hashlib.sha256(f"torch_block {key} {letter}".encode()).hexdigest()[:12]
        assert got == digest, f"The choice for {key} does not agree with what comes out. {advice[key]}"
