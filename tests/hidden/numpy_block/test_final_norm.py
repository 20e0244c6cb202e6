"""gpt_stack_forward: the stack, then one layer norm."""

from autograder.compare import assert_matches, assert_unchanged

from .inputs import generic_rows, unlike_blocks, without_attention, without_feed_forward


def test_stack_then_norm(student, reference):
    """All blocks, then one layer norm with its own scale and shift; the arguments come back as they were."""
    x, gamma, beta = generic_rows(seed=101)
    args = (x, unlike_blocks(101), gamma, beta)
    assert_matches(student.gpt_stack_forward, reference.gpt_stack_forward, *args)
    idle = [without_attention(without_feed_forward(p)) for p in unlike_blocks(102)]
    assert_matches(student.gpt_stack_forward, reference.gpt_stack_forward, 1e-3 * x, idle, gamma, beta)
    assert_unchanged(student.gpt_stack_forward, *args)
