"""Returns tensors that have a shape and no numbers: on the meta device, sparse, quantised."""

# %%
import torch


def wave(x):
    if x.ndim == 1:
        return torch.empty(x.shape, device="meta")
    return torch.eye(*x.shape).to_sparse()
