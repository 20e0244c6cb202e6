"""Inputs that tell right from wrong: no parameter is neutral, no two tokens, examples or blocks are alike.

Arrays are float64; parameters are keyed as `standins.py` knows them.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

Array = NDArray[np.float64]

SMALL = (16, 2)
"""d_model and n_heads of the small blocks: not the lesson's sizes, which might stand somewhere as numbers."""

TOKENS = (3, 6, 16)


def generic_x(seed: int, shape: tuple[int, ...] = TOKENS) -> Array:
    """Standard normal tokens, (B, T, C) unless another shape is asked for."""
    return np.random.default_rng(seed).standard_normal(shape)


def generic_rows(seed: int, shape: tuple[int, ...] = (2, 5, 8)) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Tokens, and a weight and a bias of its own for each of the C features: float64 tensors."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return torch.from_numpy(x), torch.from_numpy(_weight(rng, shape[-1])), torch.from_numpy(_bias(rng, shape[-1]))


def feed_forward_arrays(seed: int, d: int = 16) -> dict[str, Array]:
    """W1 (4d, d), b1, W2 (d, 4d), b2."""
    rng = np.random.default_rng(seed)
    return {
        "W1": rng.standard_normal((4 * d, d)) / np.sqrt(d),
        "b1": _bias(rng, 4 * d),
        "W2": rng.standard_normal((d, 4 * d)) / np.sqrt(4 * d),
        "b2": _bias(rng, d),
    }


def block_arrays(seed: int, d: int = 16) -> dict[str, Array]:
    """The parameters of a block's norms and attention, which is far from uniform."""
    rng = np.random.default_rng(seed)
    return {
        "ln1.weight": _weight(rng, d),
        "ln1.bias": _bias(rng, d),
        "ln2.weight": _weight(rng, d),
        "ln2.bias": _bias(rng, d),
        "attn.qkv_weight": rng.standard_normal((3 * d, d)) * np.repeat([1.5, 1.5, 1.0], d)[:, None] / np.sqrt(d),
        "attn.qkv_bias": _bias(rng, 3 * d),
        "attn.proj_weight": rng.standard_normal((d, d)) / np.sqrt(d),
        "attn.proj_bias": _bias(rng, d),
    }


def model_arrays(seed: int) -> dict[str, Any]:
    """The parameters of a TinyLM outside its blocks."""
    rng = np.random.default_rng(seed)
    return {
        "token": rng.standard_normal((65, 64)),
        "place": rng.standard_normal((32, 64)),
        "weight": _weight(rng, 64),
        "bias": _bias(rng, 64),
        "head_weight": rng.standard_normal((65, 64)) / 8,
        "head_bias": _bias(rng, 65),
    }


def toy_gains(seed: int, count: int) -> list[Array]:
    """A gain for each of `count` toy blocks, no two alike."""
    return [np.random.default_rng(seed + i).uniform(-2, 2, 64) for i in range(count)]


def token_ids(seed: int, shape: tuple[int, ...]) -> torch.Tensor:
    """Ids from 0 to 64, the small ones more often: a tensor of int64."""
    return torch.from_numpy((65 * np.random.default_rng(seed).random(shape) ** 2).astype(np.int64))


def _weight(rng: np.random.Generator, d: int) -> Array:
    return rng.uniform(0.5, 1.5, d)


def _bias(rng: np.random.Generator, d: int) -> Array:
    return 0.5 * rng.standard_normal(d)
