"""unigram_baseline: the entropy of symbols' frequencies, for counts that are not all alike.

Exact to 1e-12 in float64 and to 3e-7 in float32 (tolerance 1e-5); add-one smoothing over 400 symbols is 0.02 off.
"""

from autograder.compare import assert_matches

from .inputs import token_ids


def test_entropy_in_nats(student, reference):
    """The natural logarithm, of the frequencies as they are."""
    assert_matches(student.unigram_baseline, reference.unigram_baseline, token_ids(61, (400,)), 65)


def test_absent_symbols(student, reference):
    """A symbol that never occurs adds nothing, wherever it stands in the alphabet."""
    ids = token_ids(62, (300,)) % 20
    assert_matches(student.unigram_baseline, reference.unigram_baseline, ids[ids != 3] + 2, 65)


def test_arrays_too(student, reference):
    """A NumPy array of integers is taken as well."""
    ids = token_ids(63, (400,)).numpy()
    assert_matches(student.unigram_baseline, reference.unigram_baseline, ids, 65)
