"""attention_backward: each path through the heads on its own, then their sum."""

from autograder.compare import assert_matches, assert_unchanged, conduct

from .inputs import SQUARE, attention_args


def test_dx(student, reference):
    """dX is the sum of three paths: through the queries, the keys and the values."""
    _assert_gradients(student, reference, dX=0)


def test_query_path(student, reference):
    """dQuery and the gradient of Wq."""
    _assert_gradients(student, reference, dQuery=(1, "dQuery"), Wq=(1, "Wq"))


def test_key_path(student, reference):
    """dKey and the gradient of Wk."""
    _assert_gradients(student, reference, dKey=(1, "dKey"), Wk=(1, "Wk"))


def test_value_path(student, reference):
    """dValue and the gradient of Wv."""
    _assert_gradients(student, reference, dValue=(1, "dValue"), Wv=(1, "Wv"))


def test_output_projection(student, reference):
    """The gradient of Wo: the merged heads paired with dout."""
    _assert_gradients(student, reference, Wo=(1, "Wo"))


@conduct
def test_arguments_unchanged(student):
    """dout, X and the four matrices come back as they went in."""
    assert_unchanged(student.attention_backward, *attention_args(41))


def _assert_gradients(student, reference, **parts):
    """With two heads, twice, and with four where there are as many tokens as features."""
    for args in (attention_args(41), attention_args(42, SQUARE, h=4), attention_args(43)):
        for label, part in parts.items():
            assert_matches(
                student.attention_backward,
                reference.attention_backward,
                *args,
                part=part,
                norm_wise=True,
                label=label if label.startswith("d") else f"the gradient of {label}",
            )
