"""Public checks of `training`: what a student may see and run with `grader.check("training")`."""


def test_two_lists(train_run, rehearse):
    """With a practice model: two lists of as many finite, positive numbers as there are steps, the same each time."""
    import numpy as np
    import torch

    assert train_run is not None, "train_run is not defined yet: run its cell, then this check again."
    ids = torch.arange(400) ** 2 % 65
    got = rehearse(train_run, ids, True, 0.1, steps=4)
    assert isinstance(got, (tuple, list)) and len(got) == 2, (
        "train_run returns two things: the losses and the gradient norms."
    )
    losses, norms = (np.array([float(number) for number in numbers]) for numbers in got)
    assert losses.shape == norms.shape == (4,), (
        f"Four steps make four numbers each; yours: {len(losses)} and {len(norms)}."
    )
    assert np.isfinite(losses).all() and np.isfinite(norms).all(), "Some losses or norms are NaN or infinite."
    assert (losses > 0).all() and (norms > 0).all(), "Losses and norms are positive; yours are not."
    again = rehearse(train_run, ids, True, 0.1, steps=4)
    assert [float(loss) for loss in again[0]] == list(losses), (
        "The same call gave other losses: seed model and batches first."
    )


def test_worked_example(train_run, rehearse):
    """With a practice model, lr 0.1 and four steps, two of them warming up: the losses and norms are known."""
    import numpy as np
    import torch

    assert train_run is not None, "train_run is not defined yet: run its cell, then this check again."
    losses, norms = rehearse(train_run, torch.arange(400) ** 2 % 65, True, 0.1, warmup=2, steps=4)
    losses, norms = ([round(float(number), 4) for number in numbers] for numbers in (losses, norms))
    assert abs(losses[0] - 4.5126) < 1e-3, (
        f"The first loss should be 4.5126; yours is {losses[0]}. Look at the order of seed, model and generator."
    )
    hint = "The first loss is right. Look at the optimiser and its settings, the rate of each step, and old gradients."
    np.testing.assert_allclose(losses, [4.5126, 4.4192, 4.3353, 4.1202], atol=1e-3, err_msg=hint)
    hint = (
        "The losses are right. The norm is the root of all squares together, taken before the step, without clipping."
    )
    np.testing.assert_allclose(norms, [0.1282, 0.1295, 0.1279, 0.1282], atol=1e-3, err_msg=hint)
