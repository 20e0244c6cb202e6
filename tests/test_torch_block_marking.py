"""Lab 2 through the whole grader: what a notebook leaves behind costs nothing, and a crash costs its question alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.audit import notebook_with
from autograder.grade import Judge
from autograder.record import Grade
from autograder.submission import read_submission
from tests.conftest import lost

UPSET = """
import torch
torch.set_default_dtype(torch.float64)
torch.set_default_device("meta")
torch.set_grad_enabled(False)
torch.set_num_threads(8)
torch.manual_seed(99)
"""


MODES = """
import torch
inference, mixed = torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16)
inference.__enter__()
mixed.__enter__()
"""


@pytest.fixture(scope="module")
def judge(judges: Callable[[str], Judge]) -> Judge:
    return judges("torch_block")


def graded(judge: Judge, folder: Path, *more: str) -> Grade:
    """The right answers, with these cells at the end."""
    notebook = json.loads(notebook_with(judge.answers.master))
    cell = {key: value for key, value in notebook["cells"][-1].items() if key != "id"}
    notebook["cells"] += [cell | {"id": f"more-{i}", "source": source} for i, source in enumerate(more)]
    path = folder / "case.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return judge.grade(read_submission(path))


def test_the_reference_earns_all_that_is_marked_automatically(judge: Judge, tmp_path: Path) -> None:
    grade = graded(judge, tmp_path)
    assert (grade.score, grade.possible, grade.pending, lost(grade)) == (92, 92, 8, {})


def test_modes_of_torch_that_are_never_left_cost_nothing(judge: Judge, tmp_path: Path) -> None:
    assert lost(graded(judge, tmp_path, MODES)) == {}


def test_torch_left_in_another_state_costs_nothing(judge: Judge, tmp_path: Path) -> None:
    grade = graded(judge, tmp_path, UPSET, "Block(64, 4).cuda()")
    assert lost(grade) == {}
    assert "A graphics card cannot be had while grading; the rest of the cell was run." in grade.notes


def test_a_seed_is_set_without_the_stack_being_written_down(judge: Judge, tmp_path: Path) -> None:
    """Torch would do that for each kind of graphics card that might turn up."""
    seeds = "import traceback\ntraceback.format_stack = None\ntorch.manual_seed(5)\ntorch.cuda.manual_seed_all(5)"
    draws = "first = torch.rand(3)\ntorch.manual_seed(5)\nassert torch.equal(torch.rand(3), first)"
    assert graded(judge, tmp_path, f"{seeds}\n{draws}").cells == []


@pytest.mark.parametrize("question", ["gradient", "training"])
def test_a_crash_beside_stand_ins_costs_no_other_question(judge: Judge, tmp_path: Path, question: str) -> None:
    """All copies of the notebook are ended with one that crashes; the checks that come after it must not notice."""
    (name,) = judge.lab.questions[question].functions
    grade = graded(judge, tmp_path, f"import os\ndef {name}(*args, **kwargs):\n    os._exit(1)")
    assert lost(grade) == {question: judge.lab.questions[question].points}


def test_a_trace_of_other_stand_ins_costs_nothing(judge: Judge, tmp_path: Path) -> None:
    """Whoever keeps the first class called Block that comes along would meet another check's with the next one."""
    keeps = "_seen = []\ndef _block(*args, **kwargs):\n    _seen.append(Block)\n    return _seen[0](*args, **kwargs)"
    gradient = judge.answers.master.solution_source("gradient").replace("Block(", "_block(")
    assert "_block(" in gradient
    assert lost(graded(judge, tmp_path, keeps, gradient)) == {}


def test_a_note_from_a_try_that_does_not_count_is_not_told(judge: Judge, tmp_path: Path) -> None:
    """It returns a tensor, of another number, where it has met two classes called Block: another check's stand-in."""
    seen = "_seen = set()\ndef _block(*args, **kwargs):\n    _seen.add(Block)\n    return Block(*args, **kwargs)"
    gradient = judge.answers.master.solution_source("gradient").replace("Block(", "_block(")
    upset = "_right = input_gradient\ndef input_gradient(*args, **kwargs):\n    found = _right(*args, **kwargs)\n"
    upset += "    return torch.tensor(1.1 * found) if len(_seen) > 1 else found"
    grade = graded(judge, tmp_path, seen, gradient, upset)
    assert (lost(grade), [note for note in grade.notes if "tensor" in note]) == ({}, [])


OWN_NORM = """
class Norm(nn.Module):
    def __init__(self, width, eps=1e-5):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x):
        return layer_norm(x, self.weight, self.bias, self.eps)
"""
WRONG_NORMS = {
    "sample variance": "centred / torch.sqrt(x.var(-1, keepdim=True) + eps)",
    "no gradient": "(centred / torch.sqrt((centred**2).mean(-1, keepdim=True) + eps)).detach()",
    "zeros": "0 * x",
    "an error": "undefined",
}
CALLS = {
    "in order": "layer_norm(x, self.weight, self.bias, self.eps)",
    "by names of one's own": "layer_norm(x, shift=self.bias, gain=self.weight)",
}


def with_own_norms(judge: Judge, *questions: str) -> list[str]:
    """The right answers to these questions with norms of one's own, which call `layer_norm`."""
    sources = [judge.answers.master.solution_source(question) or "" for question in questions]
    return [OWN_NORM, *(source.replace("nn.LayerNorm(", "Norm(") for source in sources)]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("normalised", WRONG_NORMS.values(), ids=WRONG_NORMS)
def test_a_wrong_norm_is_not_charged_again_in_a_block_and_a_model_that_are_built_on_it(
    judge: Judge, tmp_path: Path, normalised: str, call: str
) -> None:
    norm = (
        "def layer_norm(x, gain, shift, eps=1e-5):\n"
        f"    centred = x - x.mean(-1, keepdim=True)\n    return gain * ({normalised}) + shift"
    )
    alone = lost(graded(judge, tmp_path, norm))
    assert alone.keys() == {"layer_norm"}
    own = [source.replace(CALLS["in order"], call) for source in with_own_norms(judge, "block", "tiny_lm")]
    assert lost(graded(judge, tmp_path, norm, *own)) == alone


def test_a_right_norm_of_another_form_serves_a_block_that_is_built_on_it(judge: Judge, tmp_path: Path) -> None:
    norm = (
        "def layer_norm(x, g, b, *, epsilon=1e-5, eps=None):\n"
        "    return torch.nn.functional.layer_norm(x, x.shape[-1:], eps=eps or epsilon) * g + b"
    )
    own = [source.replace("self.eps)", "epsilon=self.eps)") for source in with_own_norms(judge, "block", "tiny_lm")]
    assert not lost(graded(judge, tmp_path, norm, *own)).keys() & {"block", "tiny_lm"}


def test_a_slip_in_a_block_on_a_wrong_norm_is_charged_and_named_as_on_a_right_one(judge: Judge, tmp_path: Path) -> None:
    norm = "def layer_norm(x, weight, bias, eps=1e-5):\n    return weight * (x - x.mean(-1, keepdim=True)) + bias"
    own, block = with_own_norms(judge, "block")
    slipped = block.replace("self.ln2(", "self.ln1(")
    assert slipped != block
    on_right, on_wrong = (graded(judge, tmp_path, *norms, own, slipped) for norms in ((), (norm,)))
    assert lost(on_right)["block"] == lost(on_wrong)["block"] > 0
    named = [
        {each.misconception for question in grade.questions if question.name == "block" for each in question.checks}
        for grade in (on_right, on_wrong)
    ]
    assert named[0] == named[1] != {None}


def test_a_subclass_of_what_was_given_may_call_it_by_its_name(judge: Judge, tmp_path: Path) -> None:
    own = (
        "class Attention(CausalSelfAttention):\n"
        "    def __init__(self, width, heads):\n        CausalSelfAttention.__init__(self, width, heads)"
    )
    block = judge.answers.master.solution_source("block") or ""
    mine = block.replace("CausalSelfAttention(", "Attention(")
    assert mine != block
    assert lost(graded(judge, tmp_path, own, mine)) == {}


def test_a_right_norm_that_returns_more_hides_no_cause_in_what_is_built_on_it(judge: Judge, tmp_path: Path) -> None:
    norm = (
        "def layer_norm(x, weight, bias, eps=1e-5):\n    return torch.nn.functional.layer_norm("
        "x, x.shape[-1:], weight, bias, eps), x"
    )
    own, model = with_own_norms(judge, "tiny_lm")
    own = own.replace("self.eps)", "self.eps)[0]")
    always = model.replace("Norm(D_MODEL) if pre_norm else nn.Identity()", "Norm(D_MODEL)")
    assert always != model
    grade = graded(judge, tmp_path, norm, own, always)
    named = {check.misconception for question in grade.questions for check in question.checks if check.score == 0}
    assert named == {"final_norm_always"}


def causes(grade: Grade) -> set[str | None]:
    """The misconceptions that failed checks name."""
    return {check.misconception for question in grade.questions for check in question.checks if check.score == 0}


OWN_NAMES = {
    "relu": """
class FeedForward(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.fc1 = nn.Linear(d_model, 4 * d_model)
        self.fc2 = nn.Linear(4 * d_model, d_model)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))
""",
    "no_final_norm": """
class TinyLM(nn.Module):
    def __init__(self, n_layers, pre_norm, residual=True):
        super().__init__()
        self.tok_emb, self.pos_emb = nn.Embedding(65, 64), nn.Embedding(32, 64)
        self.layers = nn.ModuleList(Block(64, 4, pre_norm, residual) for _ in range(n_layers))
        self.lm_head = nn.Linear(64, 65)

    def forward(self, ids):
        x = self.tok_emb(ids) + self.pos_emb(torch.arange(ids.shape[1]))
        for layer in self.layers:
            x = layer(x)
        return self.lm_head(x)
""",
}


@pytest.mark.parametrize("cause", OWN_NAMES)
def test_whatever_parameters_are_called_a_cause_is_named(judge: Judge, tmp_path: Path, cause: str) -> None:
    assert causes(graded(judge, tmp_path, OWN_NAMES[cause])) == {cause}


def test_a_wrong_answer_that_is_an_object_has_a_cause_like_a_function(judge: Judge, tmp_path: Path) -> None:
    norm = """
class Norm:
    def __call__(self, x, weight, bias, eps=1e-5):
        centred = x - x.mean(-1, keepdim=True)
        return weight * centred / torch.sqrt(x.var(-1, keepdim=True) + eps) + bias

layer_norm = Norm()
"""
    assert causes(graded(judge, tmp_path, norm)) == {"sample_variance"}


def test_the_tanh_form_of_gelu_costs_its_own_check_alone(judge: Judge, tmp_path: Path) -> None:
    network = judge.answers.master.solution_source("feed_forward") or ""
    tanh = next(case for case in judge.answers.misconceptions("feed_forward") if case.name == "tanh_form")
    grade = graded(judge, tmp_path, network, tanh.source)
    assert lost(grade) == {"feed_forward": 1}
    assert causes(grade) == {"tanh_form"}
