"""Block: its wiring, with parts that compute something simple, and then its parts.

FeedForward is a toy throughout, so that a slip there is not charged again. All in float64: honest answers agree to
2e-15 (gradients to 3e-14); the nearest mistake measured, GELU's tanh form in a network of its own, is 3e-4 off.
"""

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name that everybody gives it

from autograder.compare import assert_matches, bind, compare

from .inputs import SMALL, TOKENS, block_arrays, feed_forward_arrays, generic_x


def _same_output(student, reference, helper, *switches):
    args = (*SMALL, *switches), block_arrays(41), generic_x(43)
    label = "the block's output"
    assert_matches(getattr(student, helper), getattr(reference, helper), student.Block, *args, label=label)


@bind(FeedForward="ToyNetwork")
def test_pre_norm_wiring(student, reference):
    """By default the block is pre-norm: norm, sub-layer, addition, twice. Only the wiring counts here."""
    _same_output(student, reference, "wired_output")
    _same_output(student, reference, "wired_output", True)


@bind(FeedForward="ToyNetwork")
def test_post_norm_wiring(student, reference):
    """With pre_norm=False each norm comes after the addition. Only the wiring counts here."""
    _same_output(student, reference, "wired_output", False)


@bind(FeedForward="ToyNetwork")
def test_additions_dropped(student, reference):
    """With residual=False the pre-norm block drops both additions and keeps the rest."""
    _same_output(student, reference, "wired_output", True, False)


@bind(FeedForward="ToyNetwork")
def test_switch_without_effect(student, reference):
    """residual=False changes nothing in a post-norm block."""
    _same_output(student, reference, "wired_output", False, False)


@bind(FeedForward="ToyNetwork")
def test_whole_block(student, reference):
    """Norms, attention and network are the right ones; no token sees a later one, no example another."""
    _same_output(student, reference, "block_output", True)
    _same_output(student, reference, "block_output", False)
    arrays, x = feed_forward_arrays(49), generic_x(50)
    own = student.own_network_output(student.Block, SMALL, arrays, x)
    if own is not None:
        compare(own, _network(arrays, x), "The output of the block's own feed-forward network", student.Block.tolerance)


def _network(arrays, x) -> np.ndarray:
    """What a FeedForward computes, once more for a block that brings a network of its own."""
    W1, b1, W2, b2 = (torch.from_numpy(arrays[name]) for name in ("W1", "b1", "W2", "b2"))
    return F.linear(F.gelu(F.linear(torch.from_numpy(x), W1, b1)), W2, b2).numpy()


@bind(FeedForward="ToyNetwork")
def test_all_gradients(student, reference):
    """Gradients reach the input and every parameter of norms and attention, in either wiring."""
    for pre_norm in (True, False):
        args = (*SMALL, pre_norm), block_arrays(44), generic_x(45), generic_x(46, TOKENS)
        assert_matches(student.wired_gradients, reference.wired_gradients, student.Block, *args, label="the gradients")


@bind(FeedForward="ToyNetwork")
def test_leaves_no_trace(student, reference):
    """train() and eval() give the same, a second pass what the first gave, and the input comes back as it was."""
    args = SMALL, block_arrays(47), generic_x(48)
    assert_matches(student.wired_twice, reference.wired_twice, student.Block, *args, label="what the block does")
