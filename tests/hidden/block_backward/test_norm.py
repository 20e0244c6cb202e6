"""layer_norm_backward: the three ways from a token to its normalised self, and sums over all tokens."""

from autograder.compare import Mismatch, assert_matches, assert_unchanged, conduct

from .inputs import SQUARE, norm_args


def test_dx(student, reference):
    """dx: scaled by gamma, without its mean and without its part along the normalised token."""
    for dout, x, gamma in (norm_args(21), norm_args(22, SQUARE)):
        _assert_part(student, reference, 0, "dx", dout, x, gamma, 1e-5)
    dout, x, gamma = norm_args(23)
    _assert_part(student, reference, 0, "dx for tiny tokens", dout, 1e-3 * x, gamma, 1e-5)


def test_scale_and_shift(student, reference):
    """dgamma and dbeta: sums over all tokens of all examples."""
    _assert_part(student, reference, 1, "dgamma", *norm_args(21))
    _assert_part(student, reference, 2, "dbeta", *norm_args(21))


def test_eps_honoured(student, reference):
    """The eps of the call stands under the root; without one it is 1e-5. Seen in dgamma or in dx."""
    try:
        _assert_eps(student, reference, 1, "dgamma")
    except Mismatch:  # dgamma may be wrong for a reason of its own
        _assert_eps(student, reference, 0, "dx")


@conduct
def test_arguments_unchanged(student):
    """dout, x and gamma come back as they went in."""
    assert_unchanged(student.layer_norm_backward, *norm_args(21))


def _assert_eps(student, reference, part, label):
    dout, x, gamma = norm_args(23)
    _assert_part(student, reference, part, f"{label} with an eps of its own", dout, x, gamma, 0.5)
    _assert_part(student, reference, part, f"{label} for tiny tokens", dout, 1e-3 * x, gamma)


def _assert_part(student, reference, part, label, *args):
    pair = student.layer_norm_backward, reference.layer_norm_backward
    assert_matches(*pair, *args, part=part, norm_wise=True, label=label)
