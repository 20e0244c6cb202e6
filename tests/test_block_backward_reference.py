"""Lab 3's reference is right: it agrees with torch's autograd, and with central differences."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograder.master import read_master
from tests.hidden.block_backward.inputs import (
    BATCH,
    SQUARE,
    TINY,
    attention_args,
    block_params,
    feed_forward_args,
    norm_args,
    toy_params,
    x_and_dout,
)
from tests.hidden.block_backward.standins import toy_backward, toy_forward, toy_slopes

torch = pytest.importorskip("torch")
F = torch.nn.functional

LAB = Path(__file__).parents[1] / "solutions" / "block_backward" / "lab.py"
CASES = [(BATCH, 2), (SQUARE, 4)]


@pytest.fixture(scope="module")
def reference() -> SimpleNamespace:
    namespace: dict[str, Any] = {}
    exec(read_master(LAB).reference_source(), namespace)
    return SimpleNamespace(**namespace)


def tensor(array):
    return torch.tensor(array, dtype=torch.float64, requires_grad=True)


def tensors(p):
    return {name: value if name == "h" else tensor(value) for name, value in p.items()}


def assert_close(ours, theirs, tolerance):
    theirs = theirs.grad.numpy() if isinstance(theirs, torch.Tensor) else theirs
    distance = np.linalg.norm(ours - theirs) / (np.linalg.norm(ours) + np.linalg.norm(theirs))
    assert ours.shape == theirs.shape
    assert distance <= tolerance


def torch_attention(X, Wq, Wk, Wv, Wo, h):
    """The output, and Q, K, V with their gradients kept."""
    B, T, C = X.shape
    heads = [(X @ W).reshape(B, T, h, C // h).transpose(1, 2) for W in (Wq, Wk, Wv)]
    for head in heads:
        head.retain_grad()
    return F.scaled_dot_product_attention(*heads).transpose(1, 2).reshape(B, T, C) @ Wo, heads


def torch_feed_forward(x, W1, b1, W2, b2):
    return F.gelu(x @ W1 + b1, approximate="tanh") @ W2 + b2


def torch_block(x, p):
    C = x.shape[-1:]
    normed = F.layer_norm(x, C, p["ln1_gamma"], p["ln1_beta"])
    x = x + torch_attention(normed, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])[0]
    normed = F.layer_norm(x, C, p["ln2_gamma"], p["ln2_beta"])
    return x + torch_feed_forward(normed, p["W1"], p["b1"], p["W2"], p["b2"])


@pytest.mark.parametrize(("shape", "h"), CASES)
def test_layer_norm_backward_agrees_with_autograd(reference, shape, h):
    dout, x, gamma = norm_args(1, shape)
    tx, tgamma, tbeta = tensor(x), tensor(gamma), tensor(gamma)
    F.layer_norm(tx, shape[-1:], tgamma, tbeta).backward(torch.tensor(dout))
    for ours, theirs in zip(reference.layer_norm_backward(dout, x, gamma), (tx, tgamma, tbeta), strict=True):
        assert_close(ours, theirs, 1e-12)


@pytest.mark.parametrize(("shape", "h"), CASES)
def test_feed_forward_backward_agrees_with_autograd(reference, shape, h):
    dout, *arrays = feed_forward_args(2, shape)
    tx, *parameters = map(tensor, arrays)
    torch_feed_forward(tx, *parameters).backward(torch.tensor(dout))
    dx, grads = reference.feed_forward_backward(dout, *arrays)
    assert_close(dx, tx, 1e-12)
    for name, theirs in zip(("W1", "b1", "W2", "b2"), parameters, strict=True):
        assert_close(grads[name], theirs, 1e-12)


def test_gelu_backward_agrees_with_autograd(reference):
    x, dout = x_and_dout(3)
    tx = tensor(3 * x)
    F.gelu(tx, approximate="tanh").backward(torch.tensor(dout))
    assert_close(reference.gelu_backward(dout, 3 * x), tx, 1e-12)


@pytest.mark.parametrize(("shape", "h"), CASES)
def test_attention_backward_agrees_with_autograd(reference, shape, h):
    dout, *arrays, _ = attention_args(4, shape, h)
    tX, *weights = map(tensor, arrays)
    out, heads = torch_attention(tX, *weights, h)
    out.backward(torch.tensor(dout))
    dX, grads = reference.attention_backward(dout, *arrays, h)
    assert_close(dX, tX, 1e-12)
    names = ("Wq", "Wk", "Wv", "Wo", "dQuery", "dKey", "dValue")
    for name, theirs in zip(names, (*weights, *heads), strict=True):
        assert_close(grads[name], theirs, 1e-12)


@pytest.mark.parametrize(("shape", "h"), CASES)
def test_block_backward_agrees_with_autograd(reference, shape, h):
    (x, dout), p = x_and_dout(5, shape), block_params(5, h)
    tx, tp = tensor(x), tensors(p)
    torch_block(tx, tp).backward(torch.tensor(dout))
    dx, grads = reference.transformer_block_backward(x, p, dout)
    assert_close(dx, tx, 1e-12)
    assert grads.keys() == p.keys() - {"h"}
    for name, ours in grads.items():
        assert_close(ours, tp[name], 1e-12)


def test_block_backward_agrees_with_central_differences(reference):
    (x, dout), p = x_and_dout(6, (2, 3, 8)), block_params(6)
    assert reference.gradient_check(x, p, dout) <= 1e-8


def test_numerical_gradient_agrees_with_a_known_one(reference):
    x = x_and_dout(7)[0]
    assert_close(reference.numerical_gradient(reference.wave, x), np.cos(x) + x.sum(), 1e-8)


def test_the_class_agrees_with_the_functions(reference):
    (x, dout), p = x_and_dout(8), block_params(8)
    out, dx, grads = reference.run_block(reference.TransformerBlock, p, x, dout)
    want_dx, want_grads = reference.transformer_block_backward(x, p, dout)
    np.testing.assert_array_equal(out, reference.transformer_block_forward(x, p))
    np.testing.assert_array_equal(dx, want_dx)
    for name, want in want_grads.items():
        np.testing.assert_array_equal(grads[name], want)


def test_the_toy_slopes_are_central_differences_of_the_toy(reference):
    """Whoever calls numerical_gradient in gradient_check, and whoever does not, gets the same numbers."""
    (x, dout), p = x_and_dout(9, TINY), toy_params()
    for step in (1e-5, 0.25):
        for name in ("x", *(p.keys() - {"h"})):

            def loss(moved, name=name):
                args = (moved, p) if name == "x" else (x, {**p, name: moved})
                return np.sum(toy_forward(*args) * dout)

            value = x if name == "x" else p[name]
            assert_close(toy_slopes(loss, value, step), reference.numerical_gradient(loss, value, step), 1e-8)


def test_the_toy_slopes_are_no_answer_to_numerical(reference):
    """They run in the sandbox beside the student's code."""
    x = x_and_dout(7)[0]
    right = reference.numerical_gradient(reference.wave, x)
    assert np.abs(toy_slopes(reference.wave, x) - right).max() > 0.01


def test_a_fault_is_planted_in_one_gradient_at_a_time():
    x, dout = x_and_dout(9, TINY)
    _, right = toy_backward(x, toy_params(), dout)
    for number in range(2, 14):
        _, grads = toy_backward(x, toy_params(number), dout)
        assert sum(not np.array_equal(grads[name], right[name]) for name in right) == 1
