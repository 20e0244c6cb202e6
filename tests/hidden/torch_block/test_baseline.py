"""unigram_baseline: the entropy of symbols' frequencies, for counts that are not all alike.

Honest answers differ by 1e-7 (float32); the nearest mistake measured, rounding to two places, by 4e-4.
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
