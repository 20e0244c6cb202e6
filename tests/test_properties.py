"""What must hold for every input: laws of the parts, tried on the reference and on every other right answer.

hypothesis draws the inputs, derandomized: the same ones everywhere and every time. A law that a right answer breaks
would be a law that the labs must not teach; that each law is more than a truism, wrong answers that break it show.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.compare import normalised
from autograder.course import load_course
from autograder.master import Case, cases_of
from autograder.reference import Answers
from autograder.sandbox import codec
from autograder.sandbox.student import CallError

COURSE = load_course(Path(__file__).parent.parent)
LAB1 = Answers(COURSE.labs["numpy_block"])
LAB2 = Answers(COURSE.labs["torch_block"])
LAB3 = Answers(COURSE.labs["block_backward"])
pytestmark = pytest.mark.slow

Law = Callable[[Any, np.random.Generator, Any], None]

C = 8


class Right:
    """The functions of an implementation: plain arrays in, plain arrays out, whatever form an answer gives them."""

    def __init__(self, answers: Answers, case: Case | None = None) -> None:
        self._answer = answers.reference() if case is None else answers.misconception(case)
        self._reference = answers.reference()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            value = normalised(getattr(self._answer, name)(*args), getattr(self._reference, name)(*args), [])
            return value.array if isinstance(value, codec.Tensor) else value

        return call


def parameters(rng: np.random.Generator, h: int = 2) -> dict[str, Any]:
    """A block's parameters, none of them neutral."""
    draw = {
        name: rng.normal(size=shape) / np.sqrt(shape[0])
        for name, shape in {
            **dict.fromkeys(("Wq", "Wk", "Wv", "Wo"), (C, C)),
            "W1": (C, 4 * C),
            "b1": (4 * C,),
            "W2": (4 * C, C),
            "b2": (C,),
            "ln1_beta": (C,),
            "ln2_beta": (C,),
        }.items()
    }
    return {**draw, "ln1_gamma": rng.uniform(0.5, 1.5, C), "ln2_gamma": rng.uniform(0.5, 1.5, C), "h": h}


def mixing(f: Any, p: dict[str, Any]) -> dict[str, Callable[[Any], Any]]:
    """The parts that see several tokens, as functions of x alone."""
    return {
        "attention": lambda x: f.multi_head_attention_forward(x, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"]),
        "block": lambda x: f.transformer_block_forward(x, p),
        "post_norm": lambda x: f.post_norm_block_forward(x, p),
    }


def near(got: Any, expected: Any, tolerance: float = 1e-4) -> None:
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=tolerance, atol=tolerance)


# --- laws of Lab 1 --------------------------------------------------------------------------------------------------


def shifting_a_token_changes_nothing(f: Any, rng: Any, x: Any) -> None:
    gamma, beta = rng.uniform(0.5, 1.5, C), rng.normal(size=C)
    shift = np.abs(x).max() * rng.normal(size=(*x.shape[:-1], 1))
    near(f.layer_norm(x + shift, gamma, beta), f.layer_norm(x, gamma, beta))


def a_normalised_token_has_mean_0_and_spread_below_1(f: Any, rng: Any, x: Any) -> None:
    y = f.layer_norm(x, np.ones(C), np.zeros(C))
    near(y.mean(-1), np.zeros(x.shape[:-1]))
    assert (y.std(-1) < 1 + 1e-6).all()


def scale_and_shift_are_affine(f: Any, rng: Any, x: Any) -> None:
    gamma, beta = rng.uniform(0.5, 1.5, C), rng.normal(size=C)
    near(f.layer_norm(x, gamma, beta), gamma * f.layer_norm(x, np.ones(C), np.zeros(C)) + beta)


def rms_norm_is_odd(f: Any, rng: Any, x: Any) -> None:
    gamma = rng.uniform(0.5, 1.5, C)
    near(f.rms_norm(-x, gamma), -f.rms_norm(x, gamma))


def rms_norm_ignores_size_when_eps_is_0(f: Any, rng: Any, x: Any) -> None:
    gamma = rng.uniform(0.5, 1.5, C)
    near(f.rms_norm(3.0 * x, gamma, 0.0), f.rms_norm(x, gamma, 0.0))


def gelu_and_its_mirror_differ_by_x(f: Any, rng: Any, x: Any) -> None:
    near(f.gelu(x) - f.gelu(-x), x)


def feed_forward_treats_tokens_alike(f: Any, rng: Any, x: Any) -> None:
    p = parameters(rng)
    weights = p["W1"], p["b1"], p["W2"], p["b2"]
    whole = f.feed_forward(x, *weights)
    for token in range(x.shape[1]):
        near(f.feed_forward(x[:, token : token + 1], *weights), whole[:, token : token + 1])


def attention_without_queries_is_the_mean(f: Any, rng: Any, x: Any) -> None:
    p = parameters(rng)
    got = f.multi_head_attention_forward(x, np.zeros((C, C)), p["Wk"], p["Wv"], p["Wo"], 2)
    near(got, np.broadcast_to(x.mean(1, keepdims=True) @ p["Wv"] @ p["Wo"], x.shape))


def each_example_is_on_its_own(f: Any, rng: Any, x: Any) -> None:
    p = parameters(rng)
    for name in mixing(f, p):
        whole = mixing(f, p)[name](x)
        for example in range(len(x)):
            near(mixing(f, p)[name](x[example : example + 1]), whole[example : example + 1])


def the_order_of_tokens_does_not_matter(f: Any, rng: Any, x: Any) -> None:
    p, order = parameters(rng), rng.permutation(x.shape[1])
    for part in mixing(f, p).values():
        near(part(x[:, order]), part(x)[:, order])


def a_zeroed_stack_is_the_identity(f: Any, rng: Any, x: Any) -> None:
    blocks = [f.zeroed_params(parameters(rng)) for _ in range(3)]
    assert np.array_equal(f.stack_forward(x, blocks), x)
    assert f.rms_by_depth(x, blocks)[-1] == f.rms_by_depth(x, [])[0]


def a_zeroed_post_norm_block_is_two_norms(f: Any, rng: Any, x: Any) -> None:
    p = f.zeroed_params(parameters(rng))
    once = f.layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
    near(f.post_norm_block_forward(x, p), f.layer_norm(once, p["ln2_gamma"], p["ln2_beta"]))


def stacks_join(f: Any, rng: Any, x: Any) -> None:
    blocks = [parameters(rng, h) for h in (1, 2, 4)]
    near(f.stack_forward(x, blocks), f.stack_forward(f.stack_forward(x, blocks[:1]), blocks[1:]))


def a_final_norm_follows_the_stack(f: Any, rng: Any, x: Any) -> None:
    blocks, gamma, beta = [parameters(rng)], rng.uniform(0.5, 1.5, C), rng.normal(size=C)
    near(f.gpt_stack_forward(x, blocks, gamma, beta), f.layer_norm(f.stack_forward(x, blocks), gamma, beta))


def sizes_are_those_of_the_shorter_stacks(f: Any, rng: Any, x: Any) -> None:
    blocks = [parameters(rng) for _ in range(3)]
    streams = [f.stack_forward(x, blocks[:n]) for n in range(4)]
    near(f.rms_by_depth(x, blocks), [np.sqrt(np.mean(stream**2)) for stream in streams])


# --- laws of Lab 2 --------------------------------------------------------------------------------------------------


def warmup_climbs_to_1(f: Any, rng: Any, x: Any) -> None:
    warmup = int(rng.integers(0, 50))
    scales = [f.warmup_scale(step, warmup) for step in range(warmup + 3)]
    assert all(0 < a <= b <= 1 for a, b in pairwise(scales))
    assert scales[max(warmup - 1, 0) :] == [1] * len(scales[max(warmup - 1, 0) :])


def entropy_does_not_see_order_or_names(f: Any, rng: Any, x: Any) -> None:
    ids = rng.integers(0, 5, 40)
    entropy = f.unigram_baseline(ids, 7)
    near(f.unigram_baseline(rng.permutation(ids), 7), entropy, 1e-5)
    near(f.unigram_baseline(rng.permutation(7)[ids], 7), entropy, 1e-5)
    assert -1e-6 <= entropy <= math.log(5) + 1e-5


def counts_are_linear_in_depth(f: Any, rng: Any, x: Any) -> None:
    d = int(rng.integers(1, 300))
    assert f.block_param_count(d) - 13 * d == 12 * d * d


# --- laws of Lab 3 --------------------------------------------------------------------------------------------------


def shifts_have_no_gradient(f: Any, rng: Any, x: Any) -> None:
    gamma, dout = rng.uniform(0.5, 1.5, C), rng.normal(size=x.shape)
    dx = f.layer_norm_backward(dout, x, gamma)[0]
    near(dx.sum(-1) / (1 + np.abs(dx).sum(-1)), np.zeros(x.shape[:-1]))


def backward_is_linear_in_dout(f: Any, rng: Any, x: Any) -> None:
    p, a, b = parameters(rng), rng.normal(size=x.shape), rng.normal(size=x.shape)
    (da, grads_a), (db, grads_b), (dsum, grads) = (
        f.transformer_block_backward(x, p, dout) for dout in (a, b, 2 * a - b)
    )
    near(dsum, 2 * da - db)
    for name, grad in grads.items():
        near(grad, 2 * grads_a[name] - grads_b[name])


def a_batch_adds_up_the_gradients_of_its_examples(f: Any, rng: Any, x: Any) -> None:
    p, dout = parameters(rng), rng.normal(size=x.shape)
    dx, grads = f.transformer_block_backward(x, p, dout)
    single = [f.transformer_block_backward(x[i : i + 1], p, dout[i : i + 1]) for i in range(len(x))]
    near(dx, np.concatenate([one for one, _ in single]))
    for name, grad in grads.items():
        parts = [one[name] for _, one in single]
        shared = name in p  # what belongs to each example alone, such as dQuery, is welcome beside the parameters'
        near(grad, sum(parts) if shared else np.concatenate(parts))


LAWS: list[tuple[Answers, str, Law]] = [
    (LAB1, "layer_norm", shifting_a_token_changes_nothing),
    (LAB1, "layer_norm", a_normalised_token_has_mean_0_and_spread_below_1),
    (LAB1, "layer_norm", scale_and_shift_are_affine),
    (LAB1, "rms_norm", rms_norm_is_odd),
    (LAB1, "rms_norm", rms_norm_ignores_size_when_eps_is_0),
    (LAB1, "gelu", gelu_and_its_mirror_differ_by_x),
    (LAB1, "feed_forward", feed_forward_treats_tokens_alike),
    (LAB1, "attention", attention_without_queries_is_the_mean),
    (LAB1, "attention", each_example_is_on_its_own),
    (LAB1, "attention", the_order_of_tokens_does_not_matter),
    (LAB1, "block", each_example_is_on_its_own),
    (LAB1, "block", the_order_of_tokens_does_not_matter),
    (LAB1, "post_norm", a_zeroed_post_norm_block_is_two_norms),
    (LAB1, "identity", a_zeroed_stack_is_the_identity),
    (LAB1, "stack", stacks_join),
    (LAB1, "final_norm", a_final_norm_follows_the_stack),
    (LAB1, "depth", sizes_are_those_of_the_shorter_stacks),
    (LAB2, "warmup", warmup_climbs_to_1),
    (LAB2, "baseline", entropy_does_not_see_order_or_names),
    (LAB2, "counts", counts_are_linear_in_depth),
    (LAB3, "norm", shifts_have_no_gradient),
    (LAB3, "block", backward_is_linear_in_dout),
    (LAB3, "block", a_batch_adds_up_the_gradients_of_its_examples),
]


def cases(answers: Answers, kind: str, question: str) -> list[Case]:
    folder = answers.lab.master.parent / kind
    return [case for case in cases_of(folder) if case.question == question]


RIGHT = [
    pytest.param(law, answers, case, id=f"{question}-{law.__name__}-{case.name if case else 'reference'}")
    for answers, question, law in LAWS
    for case in [None, *cases(answers, "alternatives", question)]
]


@pytest.mark.parametrize(("law", "answers", "case"), RIGHT)
def test_every_right_answer_obeys(law: Law, answers: Answers, case: Case | None) -> None:
    f = Right(answers, case)

    @settings(derandomize=True, deadline=None, max_examples=6, database=None)
    @given(
        seed=st.integers(0, 2**32 - 1),
        shape=st.tuples(st.integers(1, 3), st.integers(1, 6), st.just(C)),
        size=st.sampled_from([1e-2, 1.0, 3.0]),
    )
    def obeys(seed: int, shape: tuple[int, int, int], size: float) -> None:
        rng = np.random.default_rng(seed)
        law(f, rng, size * rng.standard_normal(shape))

    obeys()


@pytest.mark.parametrize(
    ("answers", "question", "law"), [pytest.param(*entry, id=f"{entry[1]}-{entry[2].__name__}") for entry in LAWS]
)
def test_a_law_is_no_truism(answers: Answers, question: str, law: Law) -> None:
    for case in cases(answers, "misconceptions", question):
        rng = np.random.default_rng(0)
        try:
            law(Right(answers, case), rng, rng.standard_normal((3, 6, C)))
        except (CallError, TypeError, ValueError):
            continue  # one that gives no value, or none of the right form, shows nothing
        except AssertionError:
            return
    pytest.fail(f"no known wrong answer to {question} breaks {law.__name__}")
