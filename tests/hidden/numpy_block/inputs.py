"""Inputs that tell right from wrong.

Default parameters (scale 1, shift 0, weights of 0.02, one example) let most mistakes through. These are
generic: no parameter is neutral, no two tokens, examples or blocks are alike, attention is far from uniform.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BATCH = (2, 5, 8)
ONE_EXAMPLE = (1, 5, 8)
SQUARE = (1, 8, 8)


def token_scales(*scales: float) -> Array:
    """A size for each token, to multiply (B, T, C) with."""
    return np.array(scales)[:, None]


def generic_x(seed: int, shape: tuple[int, ...] = BATCH) -> Array:
    """Standard normal tokens, (B, T, C) unless another shape is asked for."""
    return np.random.default_rng(seed).standard_normal(shape)


def generic_rows(seed: int, shape: tuple[int, ...] = BATCH) -> tuple[Array, Array, Array]:
    """Tokens with a scale gamma and a shift beta of their own for each of the C features."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return x, _scale(rng, shape[-1]), _shift(rng, shape[-1])


def generic_params(seed: int, h: int = 2, C: int = 8) -> dict[str, Any]:
    """The parameters of one block, keyed as `make_block_params` keys them."""
    rng = np.random.default_rng(seed)
    p: dict[str, Any] = {
        "Wq": rng.standard_normal((C, C)) * 1.5 / np.sqrt(C),
        "Wk": rng.standard_normal((C, C)) * 1.5 / np.sqrt(C),
        "Wv": rng.standard_normal((C, C)) / np.sqrt(C),
        "Wo": rng.standard_normal((C, C)) / np.sqrt(C),
        "W1": rng.standard_normal((C, 4 * C)) / np.sqrt(C),
        "W2": rng.standard_normal((4 * C, C)) / np.sqrt(4 * C),
        "b1": _shift(rng, 4 * C),
        "b2": _shift(rng, C),
    }
    for norm in ("ln1", "ln2"):
        p |= {f"{norm}_gamma": _scale(rng, C), f"{norm}_beta": _shift(rng, C)}
    return p | {"h": h}


def unlike_blocks(seed: int) -> list[dict[str, Any]]:
    """Three blocks with nothing in common, not even the number of heads."""
    return [generic_params(seed + i, h=h) for i, h in enumerate((2, 4, 1))]


def without_attention(p: dict[str, Any]) -> dict[str, Any]:
    """The same block, its attention adding nothing."""
    return p | {"Wo": np.zeros_like(p["Wo"])}


def without_feed_forward(p: dict[str, Any]) -> dict[str, Any]:
    """The same block, its feed-forward network adding nothing."""
    return p | {"W2": np.zeros_like(p["W2"]), "b2": np.zeros_like(p["b2"])}


def _scale(rng: np.random.Generator, n: int) -> Array:
    return rng.uniform(0.5, 1.5, n)


def _shift(rng: np.random.Generator, n: int) -> Array:
    return rng.standard_normal(n) * 0.5
