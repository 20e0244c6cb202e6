"""rms_norm: each token by the root of its own mean square; nothing is subtracted."""

from autograder.compare import assert_matches, assert_same_twice, assert_unchanged, conduct

from .inputs import SQUARE, generic_rows, token_scales


def test_each_token(student, reference):
    """Each token is divided by the root of its own mean square plus eps: the eps passed, else the default."""
    x, gamma, _ = generic_rows(seed=21)
    x = (x + 1.0) * token_scales(1.0, 1e-3, 1.0, 1.0, 1.0)
    assert_matches(student.rms_norm, reference.rms_norm, x, gamma, 0.5)
    x, gamma, _ = generic_rows(seed=23, shape=SQUARE)
    assert_matches(student.rms_norm, reference.rms_norm, 1e-3 * x, gamma)


@conduct
def test_leaves_no_trace(student, reference):
    """The arguments come back as they were, and the same call gives the same again."""
    x, gamma, _ = generic_rows(seed=22)
    assert_unchanged(student.rms_norm, x, gamma)
    assert_same_twice(student.rms_norm, x, gamma)
