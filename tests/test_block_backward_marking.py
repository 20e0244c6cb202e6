"""Lab 3 through the whole grader: a slip is charged once and told by name, and nothing is earned by empty bodies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.audit import notebook_with
from autograder.grade import Judge
from autograder.master import Case, cases_of
from autograder.record import CheckResult, Grade
from autograder.submission import read_submission

LAB = "block_backward"
HELPERS = {
    "zeros": (
        "def layer_norm_backward(dout, x, gamma, eps=1e-5):\n"
        "    return 0 * dout, 0 * gamma, 0 * gamma\n"
        "def feed_forward_backward(dout, x, W1, b1, W2, b2):\n"
        "    return 0 * dout, {'W1': 0 * W1, 'b1': 0 * b1, 'W2': 0 * W2, 'b2': 0 * b2}\n"
        "def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):\n"
        "    return 0 * dout, {'Wq': 0 * Wq, 'Wk': 0 * Wk, 'Wv': 0 * Wv, 'Wo': 0 * Wo}\n"
    ),
    "dout": (
        "def layer_norm_backward(dout, x, gamma, eps=1e-5):\n"
        "    return dout, gamma, gamma\n"
        "def feed_forward_backward(dout, x, W1, b1, W2, b2):\n"
        "    return dout, {'W1': W1, 'b1': b1, 'W2': W2, 'b2': b2}\n"
        "def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):\n"
        "    return dout, {'Wq': Wq, 'Wk': Wk, 'Wv': Wv, 'Wo': Wo}\n"
    ),
}
EMPTY = {
    "returns dout and zeros": "return dout, {name: 0 * value for name, value in p.items() if name != 'h'}",
    "returns dout and the parameters": "return dout, {name: 1 * value for name, value in p.items() if name != 'h'}",
    "returns four times dout": "return 4 * dout, {name: 0 * value for name, value in p.items() if name != 'h'}",
    "returns nothing": "return None",
}
CLASS = """
class TransformerBlock:
    def __init__(self, p):
        self.p = p
    def forward(self, x):
        return x
    def backward(self, dout):
        dx, self.grads = transformer_block_backward(None, self.p, dout)
        return dx
"""


@pytest.fixture(scope="module")
def judge(judges: Callable[[str], Judge]) -> Judge:
    return judges(LAB)


def graded(judge: Judge, folder: Path, *cases: Case) -> Grade:
    path = folder / "case.ipynb"
    path.write_text(notebook_with(judge.answers.master, *cases), encoding="utf-8")
    return judge.grade(read_submission(path))


def misconception(judge: Judge, question: str, name: str) -> Case:
    cases = cases_of(judge.lab.master.parent / "misconceptions")
    return next(case for case in cases if (case.question, case.name) == (question, name))


def failed(grade: Grade) -> dict[str, list[CheckResult]]:
    checks = {q.name: [c for c in q.checks if c.status != "passed"] for q in grade.questions}
    return {name: found for name, found in checks.items() if found}


@pytest.mark.parametrize(
    ("question", "name", "says"),
    [
        ("norm", "variance_constant", "dx"),
        ("norm", "averaged_over_batch", "0.5 times what it should be"),
        ("norm", "not_summed_over_batch", "is a sum over the batch missing"),
        ("attention", "output_gradient_transposed", "it is transposed"),
        ("attention", "scale_missing_in_keys", "dKey from `attention_backward` is not right: it is 2 times"),
        ("feed_forward", "residual_added", "dx from `feed_forward_backward`"),
    ],
)
def test_a_slip_says_which_gradient_is_off_and_how_and_is_charged_once(
    judge: Judge, tmp_path: Path, question: str, name: str, says: str
) -> None:
    checks = failed(graded(judge, tmp_path, misconception(judge, question, name)))
    assert set(checks) == {question}
    assert {check.misconception for check in checks[question]} == {name}
    assert any(says in check.message for check in checks[question])


@pytest.mark.parametrize("helpers", HELPERS)
@pytest.mark.parametrize("body", EMPTY)
def test_no_block_is_earned_by_an_empty_body_on_empty_helpers(
    judge: Judge, tmp_path: Path, helpers: str, body: str
) -> None:
    block = f"def transformer_block_backward(x, p, dout):\n    {EMPTY[body]}\n{CLASS}"
    grade = graded(judge, tmp_path, Case("case", "block", "", HELPERS[helpers] + block))
    checks = next(question.checks for question in grade.questions if question.name == "block")
    assert sum(check.score for check in checks if not check.visible) == 0


@pytest.mark.parametrize(
    ("above", "called"),
    [
        ("fwd = transformer_block_forward\nbwd = transformer_block_backward\n", ("fwd(", "bwd(")),
        ("passes = {'fwd': transformer_block_forward}\n", ("passes['fwd'](", "transformer_block_backward(")),
    ],
    ids=["other names", "a dict"],
)
def test_a_given_function_is_found_by_the_other_names_that_it_was_given(
    judge: Judge, tmp_path: Path, above: str, called: tuple[str, str]
) -> None:
    source = judge.answers.master.solution_source("gradient_check")
    assert source is not None
    for name, by in zip(("transformer_block_forward(", "transformer_block_backward("), called, strict=True):
        source = source.replace(name, by)
    assert failed(graded(judge, tmp_path, Case("case", "gradient_check", "", above + source))) == {}
