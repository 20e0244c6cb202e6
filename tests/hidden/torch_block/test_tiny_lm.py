"""TinyLM over toy blocks: embeddings, stack, final norm and head, with the judge's parameters in float64.

Honest answers agree to 2e-15; the nearest mistake measured, another number of heads, is 0.2 off.
"""

from autograder.compare import assert_matches, bind

from .inputs import model_arrays, token_ids, toy_gains


def _same(student, reference, *args, tokens=(3, 32)):
    arrays, gains, ids = model_arrays(51), toy_gains(52, 5), token_ids(53, tokens).numpy()
    assert_matches(
        student.scores, reference.scores, student.TinyLM, args, arrays, gains, ids, label="the table of scores"
    )


@bind(Block="ToyBlock")
def test_block_stack(student, reference):
    """As many blocks as asked, one after the other in their order, each told pre_norm."""
    _same(student, reference, 3, True)
    _same(student, reference, 1, True)


@bind(Block="ToyBlock")
def test_final_norm(student, reference):
    """A post-norm model has no norm behind its blocks."""
    _same(student, reference, 2, False)


@bind(Block="ToyBlock")
def test_switch_passed_on(student, reference):
    """`residual` reaches the blocks."""
    _same(student, reference, 2, True, False)


@bind(Block="ToyBlock")
def test_short_contexts(student, reference):
    """A context shorter than 32 tokens takes the first places, even a single token."""
    _same(student, reference, 2, True, tokens=(2, 5))
    _same(student, reference, 2, True, tokens=(2, 1))


@bind(Block="ToyBlock")
def test_head_of_its_own(student, reference):
    """Outside the blocks there are just two tables, a head with weights and bias, and for pre-norm a final norm."""
    for pre_norm in (True, False):
        args = (1, pre_norm)
        assert_matches(
            student.sizes_outside_blocks,
            reference.sizes_outside_blocks,
            student.TinyLM,
            args,
            label="the parameters outside the blocks",
        )
