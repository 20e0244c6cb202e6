"""Public check of `baseline`: what a student may see and run with `grader.check("baseline")`."""


def test_worked_example(unigram_baseline):
    """[0, 0, 1, 2] with four symbols has 1.0397 nats, as in the example."""
    import math

    import torch

    assert unigram_baseline is not None, "unigram_baseline is not defined yet: run its cell, then this check again."
    got = unigram_baseline(torch.tensor([0, 0, 1, 2]), 4)
    assert got is not None, "unigram_baseline returned nothing: does it end with a return?"
    got = float(got)
    assert not math.isnan(got), (
        "NaN: symbol 3 never occurs, and 0 times ln 0 has to count as 0. Leave such symbols out."
    )
    assert abs(got - 1.5) > 1e-4, "1.5 are bits, from the logarithm to base 2. Nats come from the natural logarithm."
    assert abs(got + 1.0397) > 1e-4, "The sign is missing: ln p is negative, the entropy is not."
    assert abs(got - 1.0397) < 1e-4, (
        f"Expected 1.0397; yours is {got:.4f}. Compare with the three terms of the example."
    )
