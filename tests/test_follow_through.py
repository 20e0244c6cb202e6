"""A slip is charged once: what builds on a wrong answer keeps its points, and what is empty does not gain any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from autograder.audit import notebook_with
from autograder.course import Question, load_course
from autograder.grade import Judge
from autograder.master import Case
from autograder.record import Grade
from autograder.submission import read_submission

COURSE = load_course(Path(__file__).parent.parent)
FOLLOWING = ("numpy_block", "block_backward")

WRONG = {
    "is a stub": "def {f}(*args, **kwargs):\n    raise NotImplementedError",
    "is missing": "{f} = None\ndel {f}",
    "raises": "def {f}(*args, **kwargs):\n    raise ValueError('shapes do not match')",
    "returns None": "def {f}(*args, **kwargs):\n    pass",
    "returns its input": "def {f}(*args, **kwargs):\n    return args[0]",
    "returns zeros": "def {f}(*args, **kwargs):\n    return np.zeros_like(args[0])",
    "returns a constant": "def {f}(*args, **kwargs):\n    return np.full(np.shape(args[0]), 2.0)",
    "returns text": "def {f}(*args, **kwargs):\n    return 'done'",
    "returns a longer array": "def {f}(*args, **kwargs):\n    return np.concatenate([args[0], args[0]])",
    "changes its argument": """
_right_{f} = {f}
def {f}(*args, **kwargs):
    value = _right_{f}(*args, **kwargs)
    for array in args:
        if isinstance(array, np.ndarray) and array.dtype == float:
            array += 1.0
    return value
""",
}


@pytest.fixture(scope="module", params=FOLLOWING)
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    judge = Judge(COURSE.labs[request.param])
    yield judge
    judge.close()


@pytest.fixture(scope="module")
def lab1() -> Iterator[Judge]:
    judge = Judge(COURSE.labs["numpy_block"])
    yield judge
    judge.close()


def graded(judge: Judge, folder: Path, **answers: str) -> Grade:
    """A notebook of right answers but for some questions, whose answers are followed by this code."""
    cases = [Case("case", question, "", source) for question, source in answers.items()]
    path = folder / "case.ipynb"
    path.write_text(notebook_with(judge.answers.master, *cases), encoding="utf-8")
    return judge.grade(read_submission(path))


def wrong(question: Question, body: str) -> str:
    return "\n".join(body.format(f=name) for name in question.functions)


def points(grade: Grade) -> dict[str, int]:
    return {question.name: question.score for question in grade.questions}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_answer_costs_its_own_question_alone(judge: Judge, kind: str, tmp_path: Path) -> None:
    full = {question.name: question.points for question in judge.lab.questions.values()}
    for question in judge.lab.questions.values():
        if question.functions:
            got = points(graded(judge, tmp_path, **{question.name: wrong(question, WRONG[kind])}))
            assert got.pop(question.name) < question.points, question.name
            assert got == {name: score for name, score in full.items() if name != question.name}, question.name


DEGENERATE = {
    "return their input": "def {f}(x, *args, **kwargs):\n    return x",
    "return zeros": "def {f}(x, *args, **kwargs):\n    return np.zeros_like(x)",
    "return a constant": "def {f}(x, *args, **kwargs):\n    return np.full(np.shape(x), 2.0)",
    "return twice their input": "def {f}(x, *args, **kwargs):\n    return 2.0 * x",
}
SWAPPED = {
    "layer_norm": "def layer_norm(x, *args, **kwargs):\n    return np.maximum(x, 0.0)",
    "gelu": "def gelu(x):\n    return (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1e-5)",
    "feed_forward": "def feed_forward(x, *args):\n    return layer_norm(x)",
    "attention": "def multi_head_attention_forward(X, *args):\n    return gelu(X)",
}
BASES = ("layer_norm", "gelu", "feed_forward", "attention")
COMPOSITES = ("feed_forward", "block", "post_norm", "stack", "final_norm", "depth")
BEHIND_A_BLOCK = ("stack", "final_norm", "depth")
TRIVIAL = {
    "returns None": "def {f}(x, *args):\n    pass",
    "returns its input": "def {f}(x, *args):\n    return x",
    "returns a copy": "def {f}(x, *args):\n    return x.copy()",
    "returns zeros": "def {f}(x, *args):\n    return np.zeros_like(x)",
    "returns a constant": "def {f}(x, *args):\n    return np.full(x.shape, 2.0)",
    "doubles its input": "def {f}(x, *args):\n    return x + x",
    "normalises its input": "def {f}(x, *args):\n    return layer_norm(x, np.ones(x.shape[-1]), np.zeros(x.shape[-1]))",
    "normalises twice": (
        "def {f}(x, *args):\n"
        "    ones, zeros = np.ones(x.shape[-1]), np.zeros(x.shape[-1])\n"
        "    return layer_norm(layer_norm(x, ones, zeros), ones, zeros)"
    ),
    "gates its input": "def {f}(x, *args):\n    return gelu(x)",
    "returns the size of its input": "def {f}(x, blocks, *args):\n    return [1.0] * (len(blocks) + 1)",
}


ALIASES = [
    ("layer_norm", "sample_variance", "block", "ln = layer_norm\n", "layer_norm(", "ln("),
    ("gelu", "relu", "feed_forward", "", "b2):", "b2, act=gelu):"),
    ("gelu", "relu", "feed_forward", 'ACTS = {"gelu": gelu}\n', "gelu(", 'ACTS["gelu"]('),
    ("gelu", "relu", "feed_forward", "act = np.vectorize(gelu, otypes=[float])\n", "gelu(", "act("),
    ("layer_norm", "sample_variance", "block", "NORMS = np.array([layer_norm])\n", "layer_norm(", "NORMS[0]("),
]


@pytest.mark.parametrize(("first", "slip", "second", "above", "old", "new"), ALIASES)
def test_a_slip_is_not_charged_to_who_calls_it_by_another_name(
    lab1: Judge, first: str, slip: str, second: str, above: str, old: str, new: str, tmp_path: Path
) -> None:
    answer = above + lab1.answers.master.solution_source(second).replace(old, new)
    answer = answer.replace("gelu(x", "act(x") if "act=gelu" in new else answer
    known = {case.name: case.source for case in lab1.answers.misconceptions(first)}
    got = points(graded(lab1, tmp_path, **{first: known[slip], second: answer}))
    full = {question.name: question.points for question in lab1.lab.questions.values()}
    assert got.pop(first) < full.pop(first)
    assert got == full


ODD_FORMS = {
    "gelu": "import torch\n_right = gelu\ndef gelu(x):\n    return torch.tensor(_right(x))",
    "layer_norm": "_right = layer_norm\ndef layer_norm(x, gamma, beta, eps=1e-5):\n"
    "    return _right(x, gamma, beta, eps), 'cache'",
    "feed_forward": "_right = feed_forward\ndef feed_forward(*args):\n    return _right(*args), 'hidden'",
}


@pytest.mark.parametrize("helper", ODD_FORMS)
def test_a_form_that_is_forgiven_costs_no_caller_a_point(lab1: Judge, helper: str, tmp_path: Path) -> None:
    right = lab1.answers.master.solution_source(helper)
    grade = graded(lab1, tmp_path, **{helper: f"{right}\n\n{ODD_FORMS[helper]}"})
    assert grade.score == grade.possible
    assert any("were in the form that was asked for" in note for note in grade.notes)


CAUSES = [
    ("numpy_block", "gelu", "relu", "post_norm", "pre_norm_instead"),
    ("numpy_block", "layer_norm", "sample_variance", "block", "parallel_halves"),
    ("numpy_block", "gelu", "root_of_everything", "feed_forward", "first_bias_subtracted"),
    ("block_backward", "norm", "sample_variance_and_eps_outside", "block", "biases_averaged_over_batch"),
]


@pytest.mark.parametrize(("lab", "first", "slip", "second", "other"), CAUSES)
def test_a_cause_is_named_whatever_is_wrong_in_what_the_question_builds_on(
    lab: str, first: str, slip: str, second: str, other: str, tmp_path: Path
) -> None:
    """Its own slip shows where the earlier functions are right ones; with wrong ones no known mistake looks so."""
    judge = Judge(COURSE.labs[lab])
    try:
        known = {case.name: case.source for of in (first, second) for case in judge.answers.misconceptions(of)}
        grade = graded(judge, tmp_path, **{first: known[slip], second: known[other]})
    finally:
        judge.close()
    named = {q.name: {c.misconception for c in q.checks if c.misconception} for q in grade.questions}
    assert (named[first], named[second]) == ({slip}, {other})


def hidden_points(grade: Grade, question: str) -> int:
    found = next(entry for entry in grade.questions if entry.name == question)
    return sum(check.score for check in found.checks if not check.visible)


@pytest.mark.slow
@pytest.mark.parametrize("body", TRIVIAL)
@pytest.mark.parametrize("bases", [*DEGENERATE, "return each other's value"])
def test_empty_helpers_earn_an_empty_composite_nothing(lab1: Judge, bases: str, body: str, tmp_path: Path) -> None:
    asked = lab1.lab.questions
    helpers = {name: wrong(asked[name], DEGENERATE[bases]) for name in BASES} if bases in DEGENERATE else SWAPPED
    for composites in (COMPOSITES, BEHIND_A_BLOCK):
        trivial = {name: wrong(asked[name], TRIVIAL[body]) for name in composites}
        with_right_helpers = points(graded(lab1, tmp_path, **trivial))
        grade = graded(lab1, tmp_path, **{**helpers, **trivial})
        for name in composites:
            assert hidden_points(grade, name) == 0, name
            assert points(grade)[name] <= with_right_helpers[name], name


FILLED = {
    "return their input": "a",
    "return zeros": "0.0 * a",
    "return a constant": "0.0 * a + 2.0",
    "return twice their input": "2.0 * a",
}
BACKWARD = {
    "norm": """
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    return fill(dout), fill(gamma), fill(gamma)
""",
    "feed_forward": """
def gelu_backward(dout, x):
    return fill(dout)


def feed_forward_backward(dout, x, W1, b1, W2, b2):
    return fill(dout), {"W1": fill(W1), "b1": fill(b1), "W2": fill(W2), "b2": fill(b2)}
""",
    "attention": """
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    heads = fill(dout).reshape(*dout.shape[:2], h, -1).transpose(0, 2, 1, 3)
    matrices = {"Wq": fill(Wq), "Wk": fill(Wk), "Wv": fill(Wv), "Wo": fill(Wo)}
    return fill(dout), {**matrices, "dQuery": heads, "dKey": heads, "dValue": heads}
""",
}
BACKWARD_SWAPPED = {
    "norm": """
def layer_norm_backward(dout, x, gamma, eps=1e-5):
    return gelu_backward(dout, x), (dout * gelu(x)).sum(axis=(0, 1)), gelu(dout).sum(axis=(0, 1))
""",
    "feed_forward": """
def gelu_backward(dout, x):
    return dout * softmax(x)


def feed_forward_backward(dout, x, W1, b1, W2, b2):
    dx, _, shift = layer_norm_backward(dout, x, b2)
    return dx, {"W1": W2.T, "b1": W1.sum(axis=0), "W2": W1.T, "b2": shift}
""",
    "attention": """
def attention_backward(dout, X, Wq, Wk, Wv, Wo, h):
    heads = dout.reshape(*dout.shape[:2], h, -1).transpose(0, 2, 1, 3)
    matrices = {"Wq": Wk, "Wk": Wv, "Wv": Wo, "Wo": Wq}
    return gelu_backward(dout, X), {**matrices, "dQuery": heads, "dKey": heads, "dValue": heads}
""",
}
EMPTY_BLOCK = """
def transformer_block_backward(x, p, dout):
    {body}


class TransformerBlock:
    def __init__(self, p):
        self.p = p

    def forward(self, x):
        self.x = x
        return x

    def backward(self, dout):
        dx, self.grads = transformer_block_backward(self.x, self.p, dout)
        return dx
"""
EMPTY_BODIES = {
    "returns None": "pass",
    "returns dout": "return dout, {}",
    "returns dout and p": 'return dout, {name: p[name] for name in p if name != "h"}',
    "returns zeros": 'return 0.0 * dout, {name: 0.0 * p[name] for name in p if name != "h"}',
    "returns a constant": 'return 0.0 * dout + 2.0, {name: 0.0 * p[name] + 2.0 for name in p if name != "h"}',
    "doubles dout": 'return 2.0 * dout, {name: 2.0 * p[name] for name in p if name != "h"}',
    "asks the norm alone": (
        'dx, scale, shift = layer_norm_backward(dout, x, p["ln1_gamma"]); '
        'return dx, {"ln1_gamma": scale, "ln1_beta": shift}'
    ),
    "asks the network alone": 'return feed_forward_backward(dout, x, p["W1"], p["b1"], p["W2"], p["b2"])',
}


@pytest.fixture(scope="module")
def lab3() -> Iterator[Judge]:
    judge = Judge(COURSE.labs["block_backward"])
    yield judge
    judge.close()


@pytest.fixture(scope="module")
def emptiness(lab3: Judge, tmp_path_factory: pytest.TempPathFactory) -> int:
    """What the best of the empty blocks is worth where the helpers are right."""
    folder = tmp_path_factory.mktemp("empty")
    blocks = [EMPTY_BLOCK.format(body=body) for body in EMPTY_BODIES.values()]
    return max(points(graded(lab3, folder, block=block))["block"] for block in blocks)


@pytest.mark.slow
@pytest.mark.parametrize("body", EMPTY_BODIES)
@pytest.mark.parametrize("bases", [*FILLED, "return each other's value"])
def test_empty_backward_helpers_earn_an_empty_block_nothing(
    lab3: Judge, emptiness: int, bases: str, body: str, tmp_path: Path
) -> None:
    helpers = BACKWARD_SWAPPED
    if bases in FILLED:
        helpers = {name: f"def fill(a):\n    return {FILLED[bases]}\n{code}" for name, code in BACKWARD.items()}
    grade = graded(lab3, tmp_path, **helpers, block=EMPTY_BLOCK.format(body=EMPTY_BODIES[body]))
    assert hidden_points(grade, "block") == 0
    assert points(grade)["block"] <= emptiness


UNWRITTEN = "def {f}(*args, **kwargs):\n    raise NotImplementedError"


@pytest.mark.parametrize(
    "value", ["(args[0] * 1.1, [args[0]])", "(0.5, [0.1, 0.2])", "[[1.0], [1.0, 2.0]]", "[0.5, [1.0]]"]
)
def test_no_form_of_an_answer_on_unwritten_helpers_is_taken_for_a_slip_of_the_check(
    lab1: Judge, tmp_path: Path, value: str
) -> None:
    """The check fails by its own code, and so does it against a reference that is built on such helpers."""
    odd = {
        name: wrong(lab1.lab.questions[name], f"def {{f}}(*args, **kwargs):\n    return {value}")
        for name in ("feed_forward", "block", "stack")
    }
    gelu = wrong(lab1.lab.questions["gelu"], UNWRITTEN)
    grade = graded(lab1, tmp_path, gelu=gelu, **odd)
    assert grade.status == "graded"
    assert all(points(grade)[name] < lab1.lab.questions[name].points for name in (*odd, "gelu"))


OWN_NAMES = """
def layer_norm(inputs, gain, shift, axis=-1, epsilon=1e-5):
    mean, spread = inputs.mean(axis, keepdims=True), inputs.std(axis, keepdims=True, ddof=1)
    return gain * (inputs - mean) / np.sqrt(spread**2 + epsilon) + shift
"""


@pytest.mark.parametrize("more", ["", ", axis=-1", ", epsilon=1e-5, axis=-1"])
def test_a_wrong_helper_may_be_called_by_its_own_names(lab1: Judge, more: str, tmp_path: Path) -> None:
    block = lab1.answers.master.solution_source("block")
    block = re.sub(r"layer_norm\((\w+), ([^,]+), ([^,]+)\)", rf"layer_norm(\1, shift=\3, gain=\2{more})", block)
    assert block.count("shift=") == 2
    grade = graded(lab1, tmp_path, layer_norm=OWN_NAMES, block=block)
    assert points(grade)["block"] == lab1.lab.questions["block"].points


EPS_OUTSIDE = """
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + eps) + beta
"""

BLOCK = """
def transformer_block_forward(x, p, norm=layer_norm, scale=1.0):
    normed = norm(x, p["ln1_gamma"], p["ln1_beta"])
    x = x + multi_head_attention_forward(normed, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    normed = norm(x, p["ln2_gamma"], p["ln2_beta"])
    return normed + feed_forward(normed, p["W1"], p["b1"], p["W2"], p["b2"])
"""

STACK = """
def stack_forward(x, blocks):
    for p in blocks:
        x = transformer_block_forward(x, p, scale=1.0)
    return x
"""


def test_a_helper_in_a_default_of_another_helper_is_put_back_there(lab1: Judge, tmp_path: Path) -> None:
    grade = graded(lab1, tmp_path, layer_norm=EPS_OUTSIDE, block=BLOCK, stack=STACK)
    assert points(grade)["stack"] == lab1.lab.questions["stack"].points


ENDLESS = """
def transformer_block_forward(x, p):
    steps = 0
    while steps < 2:
        normed = layer_norm(x, p["ln1_gamma"], p["ln1_beta"])
        x = x + multi_head_attention_forward(normed, p["Wq"], p["Wk"], p["Wv"], p["Wo"], p["h"])
    return x
"""


def test_a_loop_that_asks_for_right_helpers_without_end_costs_its_own_question_alone(tmp_path: Path) -> None:
    lab = COURSE.labs["numpy_block"]
    limits = replace(lab.limits, call_seconds=0.2, total_seconds=30.0)
    questions = {name: replace(question, limits=limits) for name, question in lab.questions.items()}
    judge = Judge(replace(lab, limits=limits, questions=questions))
    try:
        grade = graded(judge, tmp_path, layer_norm=EPS_OUTSIDE, block=ENDLESS)
    finally:
        judge.close()
    right = {name: question.points for name, question in lab.questions.items() if question.kind == "auto"}
    assert {name for name, score in points(grade).items() if score < right.get(name, 0)} == {"layer_norm", "block"}
