"""Public check of `layer_norm`: what a student may see and run with `grader.check("layer_norm")`."""


def test_worked_example(layer_norm):
    """[2, -1, 4, 3] comes out as in the worked example."""
    import torch

    assert layer_norm is not None, "layer_norm is not defined yet: run its cell, then this check again."
    got = layer_norm(torch.tensor([[2.0, -1.0, 4.0, 3.0]]), torch.ones(4), torch.zeros(4))
    assert got is not None, "layer_norm returned nothing: does it end with a return?"
    got = torch.as_tensor(got[0] if isinstance(got, tuple) else got).detach().double()
    assert tuple(got.shape) == (1, 4), f"A token of shape (1, 4) should keep it; yours became {tuple(got.shape)}."
    want = torch.tensor([[0.0, -1.6036, 1.0690, 0.5345]]).double()
    sample = torch.tensor([[0.0, -1.3887, 0.9258, 0.4629]]).double()
    assert not torch.allclose(got, sample, atol=1e-4), (
        "These are the values for a variance divided by C - 1. The formula divides by C; look at the options of var."
    )
    assert torch.allclose(got, want, atol=1e-4), (
        f"Compare your mean (2), variance (3.5) and result with the example, step by step. Yours is {got.tolist()}."
    )
