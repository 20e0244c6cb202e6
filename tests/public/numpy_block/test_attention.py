"""Public checks of `multi_head_attention_forward`: what `grader.check("attention")` runs."""


def test_equal_scores_give_the_mean(multi_head_attention_forward):
    """With Wq = 0 all scores are equal, so every token receives the mean of all tokens."""
    import numpy as np

    assert multi_head_attention_forward is not None, (
        "multi_head_attention_forward is not defined yet: run its cell, then this check again."
    )
    X = np.array([[[1.0, 0.0, 2.0, -1.0], [0.0, 1.0, -1.0, 2.0], [3.0, 1.0, 0.0, 1.0]]])
    zero, one = np.zeros((4, 4)), np.eye(4)
    got = multi_head_attention_forward(X, zero, one, one, one, 2)
    assert got is not None, "multi_head_attention_forward returned nothing: does it end with a return?"
    assert np.shape(got) == (1, 3, 4), f"The output has the shape of X, (1, 3, 4); yours has {np.shape(got)}."
    hint = "Equal scores mean equal weights, 1/3 for each of three tokens: the weights of a query sum to one."
    np.testing.assert_allclose(got, [[[4 / 3, 2 / 3, 1 / 3, 2 / 3]] * 3], atol=1e-6, err_msg=hint)


def test_worked_example(multi_head_attention_forward):
    """Three tokens, two heads of two features."""
    import numpy as np

    assert multi_head_attention_forward is not None, (
        "multi_head_attention_forward is not defined yet: run its cell, then this check again."
    )
    X = np.array([[[1.0, 0.0, 2.0, -1.0], [0.0, 1.0, -1.0, 2.0], [3.0, 1.0, 0.0, 1.0]]])
    Wq = np.array([[1.0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    Wk = np.array([[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    Wv = np.array([[1.0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 1, 0], [1, 0, 0, -1]])
    Wo = np.array([[1.0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 2, 0, 1]])
    got = multi_head_attention_forward(X, Wq, Wk, Wv, Wo, 2)
    assert got is not None, "multi_head_attention_forward returned nothing: does it end with a return?"
    want = [
        [2.4067, -1.9403, 1.6343, -1.7724],
        [3.1106, 3.5765, 5.0773, 0.9666],
        [3.6899, 3.9341, 5.6823, 0.9924],
    ]
    assert np.shape(got) == (1, 3, 4), f"The output has the shape of X, (1, 3, 4); yours has {np.shape(got)}."
    hint = "Print the shapes on the way: heads split (1, 2, 3, 2), scores (1, 2, 3, 3), merged (1, 3, 4)."
    np.testing.assert_allclose(got[0], want, atol=1e-3, err_msg=hint)
