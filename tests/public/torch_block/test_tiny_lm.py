"""Public checks of `tiny_lm`: what a student may see and run with `grader.check("tiny_lm")`."""


def test_sizes(TinyLM, PracticeBlock, parameter_shapes, rehearse):
    """Beside its blocks a model has 10,561 parameters for pre-norm and 10,433 for post-norm."""
    import math

    assert TinyLM is not None, "TinyLM is not defined yet: run its cell, then this check again."

    def total(shapes):
        return sum(math.prod(int(n) for n in shape) for shape in shapes.values())

    block = total(parameter_shapes(PracticeBlock, (64, 4)))
    none, three = (total(rehearse(parameter_shapes, TinyLM, (n, True))) for n in (1, 4))
    assert three - none == 3 * block, (
        f"Three more blocks should bring {3 * block:,} more parameters; yours bring {three - none:,}. "
        "Blocks in a plain list are no part of a model: use nn.ModuleList."
    )
    pre = none - block
    post = total(rehearse(parameter_shapes, TinyLM, (1, False))) - block
    assert pre == 10561, (
        f"Embeddings, final norm and head are 4,160 + 2,048 + 128 + 4,225 = 10,561 parameters; yours are {pre:,}."
    )
    assert post == 10433, (
        f"A post-norm model has no final norm, 10,433 parameters beside its blocks; yours has {post:,}."
    )


def test_scores(TinyLM, outputs, rehearse):
    """Ids of shape (2, 7) become finite scores of shape (2, 7, 65), and places matter."""
    import numpy as np

    assert TinyLM is not None, "TinyLM is not defined yet: run its cell, then this check again."
    ids = np.array([[5, 1, 4, 1, 5, 9, 2], [6, 6, 6, 6, 6, 6, 6]])
    got = np.asarray(rehearse(outputs, TinyLM, (2, True), ids, 0))
    assert got.shape == (2, 7, 65), (
        f"Expected scores of shape (2, 7, 65), one per symbol at each place; yours: {got.shape}."
    )
    assert np.isfinite(got).all(), "Some scores are NaN or infinite."
    assert np.abs(got[1, 0] - got[1, 1]).max() > 1e-3, (
        "The same symbol at two places has the same scores: is the position embedding added?"
    )
