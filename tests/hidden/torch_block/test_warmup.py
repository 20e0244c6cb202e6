"""warmup_scale at the places where other curves differ from it."""

from autograder.compare import assert_matches


def test_stays_at_one(student, reference):
    """Equal steps up to the full rate, reached at the last step of the warmup and kept from there on."""
    for steps, warmup in (((0, 41, 98, 99, 100, 249), 100), ((1,), 3)):
        assert_matches(student.curve, reference.curve, student.warmup_scale, steps, warmup, label="the factor")


def test_no_warmup(student, reference):
    """With a warmup of 0 or 1 the factor is one from the first step on."""
    for step, warmup in ((0, 1), (0, 0), (7, 0)):
        assert_matches(student.warmup_scale, reference.warmup_scale, step, warmup)
