"""concepts: the choices that nothing in the notebook can compute."""

from autograder.compare import assert_choice


def _right(student, reference, key):
    assert_choice(student.value("concepts"), reference.value("concepts"), key)


def test_norm_placement(student, reference):
    """What six runs at one learning rate support, and no more than that."""
    _right(student, reference, "norm_placement")


def test_reads_the_baseline(student, reference):
    """What a model has learned whose loss stays at the unigram baseline."""
    _right(student, reference, "at_baseline")


def test_context_reaches_every_token(student, reference):
    """Why vectors know their context although the feed-forward network never mixes tokens."""
    _right(student, reference, "contextual")


def test_silent_sublayer(student, reference):
    """What is left of the second half of a pre-norm block when its feed-forward network is zero."""
    _right(student, reference, "zeroed")
