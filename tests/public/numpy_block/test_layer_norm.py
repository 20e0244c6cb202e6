"""Public checks of `layer_norm`: what a student may see and run with `grader.check("layer_norm")`."""


def test_worked_example(layer_norm):
    """[2, -1, 4, 3] comes out as in the worked example."""
    import numpy as np

    assert layer_norm is not None, "layer_norm is not defined yet: run its cell, then this check again."
    got = layer_norm(np.array([[2.0, -1.0, 4.0, 3.0]]), np.ones(4), np.zeros(4))
    assert got is not None, "layer_norm returned nothing: does it end with a return?"
    assert np.shape(got) == (1, 4), f"A token of shape (1, 4) should keep it; yours became {np.shape(got)}."
    want = [[0.0, -1.6036, 1.0690, 0.5345]]
    hint = "Compare your mean (2), variance (3.5) and result with the worked example, step by step."
    np.testing.assert_allclose(got, want, atol=1e-4, err_msg=hint)


def test_tokens_of_any_size(layer_norm):
    """Tokens of sizes 0.1 to 1000 in one array all come out with mean 0 and spread 1."""
    import numpy as np

    assert layer_norm is not None, "layer_norm is not defined yet: run its cell, then this check again."
    token = np.array([2.0, -1.0, 4.0, 3.0])
    sizes = np.array([0.1, 1.0, 10.0, 100.0, 1000.0])
    got = layer_norm((sizes[:, None] * token)[None], np.ones(4), np.zeros(4))
    assert got is not None, "layer_norm returned nothing: does it end with a return?"
    assert np.shape(got) == (1, 5, 4), f"Shape (1, 5, 4) should be kept; yours became {np.shape(got)}."
    hint = "Each token is normalised by its own mean and variance: over the last axis, and no other."
    np.testing.assert_allclose(np.mean(got, axis=-1), np.zeros((1, 5)), atol=1e-6, err_msg=hint)
    np.testing.assert_allclose(np.std(got, axis=-1), np.ones((1, 5)), atol=1e-3, err_msg=hint)
