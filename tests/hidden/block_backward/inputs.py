"""Inputs that tell right from wrong.

Default parameters (scale 1, shift 0, weights of 0.02, one example) let most mistakes through: on them wrong
gradients of layer norm are off by 2e-3 at most. These are generic: no parameter is neutral, attention is far
from uniform, and the examples of a batch are unlike, in what goes in and in the size of what comes back.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BATCH = (2, 5, 8)
SQUARE = (2, 8, 8)
TINY = (1, 2, 4)


def x_and_dout(seed: int, shape: tuple[int, ...] = BATCH) -> tuple[Array, Array]:
    """An input and the gradient that comes back to it, both (B, T, C)."""
    rng = np.random.default_rng(seed)
    examples = np.linspace(1.0, 2.0, shape[0])[:, None, None]
    return rng.standard_normal(shape), rng.standard_normal(shape) * examples


def block_params(seed: int, h: int = 2, C: int = 8) -> dict[str, Any]:
    """The parameters of one block, keyed as `make_block_params` keys them."""
    rng = np.random.default_rng(seed)
    p: dict[str, Any] = {
        "Wq": rng.standard_normal((C, C)) * 1.5 / np.sqrt(C),
        "Wk": rng.standard_normal((C, C)) * 1.5 / np.sqrt(C),
        "Wv": rng.standard_normal((C, C)) / np.sqrt(C),
        "Wo": rng.standard_normal((C, C)) / np.sqrt(C),
        "W1": rng.standard_normal((C, 4 * C)) / np.sqrt(C),
        "W2": rng.standard_normal((4 * C, C)) / np.sqrt(4 * C),
        "b1": rng.standard_normal(4 * C) * 0.5,
        "b2": rng.standard_normal(C) * 0.5,
    }
    for norm in ("ln1", "ln2"):
        p |= {f"{norm}_gamma": rng.uniform(0.5, 1.5, C), f"{norm}_beta": rng.standard_normal(C) * 0.5}
    return p | {"h": h}


def feed_forward_args(seed: int, shape: tuple[int, ...] = BATCH) -> tuple[Array, ...]:
    """dout, x, W1, b1, W2, b2."""
    x, dout = x_and_dout(seed, shape)
    p = block_params(seed, C=shape[-1])
    return dout, x, p["W1"], p["b1"], p["W2"], p["b2"]


def attention_args(seed: int, shape: tuple[int, ...] = BATCH, h: int = 2) -> tuple[Any, ...]:
    """dout, X, Wq, Wk, Wv, Wo, h."""
    x, dout = x_and_dout(seed, shape)
    p = block_params(seed, h, shape[-1])
    return dout, x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], h


def norm_args(seed: int, shape: tuple[int, ...] = BATCH) -> tuple[Array, Array, Array]:
    """dout, x, gamma."""
    x, dout = x_and_dout(seed, shape)
    return dout, x, block_params(seed, C=shape[-1])["ln1_gamma"]


def toy_params(suspect: int = 0) -> dict[str, Any]:
    """Parameters of the toy block at TINY, its gradient number `suspect` at fault (0: none, 14: all)."""
    rng = np.random.default_rng(77)
    shapes = dict.fromkeys(("Wq", "Wk", "Wv", "W1"), (4, 1)) | dict.fromkeys(("Wo", "W2"), (1, 4))
    shapes |= dict.fromkeys(("ln1_gamma", "ln1_beta", "ln2_gamma", "ln2_beta", "b2"), (4,)) | {"b1": (1,)}
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()} | {"h": suspect}
