"""Public check of `warmup`: what a student may see and run with `grader.check("warmup")`."""


def test_rises(warmup_scale):
    """For a warmup of 100 steps: 0.01, 0.02 and 0.5 at steps 0, 1 and 49."""
    assert warmup_scale is not None, "warmup_scale is not defined yet: run its cell, then this check again."
    factors = [warmup_scale(step, 100) for step in (0, 1, 49)]
    assert None not in factors, "warmup_scale returned nothing: does it end with a return?"
    for step, got, want in zip((0, 1, 49), factors, (0.01, 0.02, 0.5), strict=True):
        assert abs(float(got) - want) < 1e-6, (
            f"At step {step} of 100 the factor is {want}; yours is {float(got)}. Steps are counted from 0."
        )
