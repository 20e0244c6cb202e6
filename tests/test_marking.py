"""Verdicts, follow-through and causes, through the whole pipeline of Lab 1."""

from __future__ import annotations

import pytest

from autograder.grade import Judge
from tests.conftest import check, lost, points, submission

RELU = "def gelu(x):\n    return np.maximum(x, 0)"


def notebook(answers: dict[str, str], **replaced: str) -> list[str]:
    """The right answers, but for some questions."""
    return list((answers | replaced).values())


def test_the_reference_earns_every_point(judge: Judge, answers: dict[str, str]) -> None:
    grade = judge.grade(submission(*notebook(answers)))
    assert (grade.score, grade.possible, lost(grade), grade.cells) == (60, 60, {}, [])


def test_an_empty_notebook_earns_nothing_and_is_told_what_is_missing(judge: Judge) -> None:
    grade = judge.grade(submission("x = 1"))
    assert grade.score == 0
    assert "`layer_norm` is not defined" in check(grade, "layer_norm", "each_token").message


def test_a_slip_is_charged_once_and_named(judge: Judge, answers: dict[str, str]) -> None:
    grade = judge.grade(submission(*notebook(answers, gelu=RELU)))
    assert set(lost(grade)) == {"gelu"}
    assert check(grade, "gelu", "tanh_form").misconception == "relu"
    assert check(grade, "block", "whole_block").follow_through
    assert any("charged only once" in note for note in grade.notes)


def test_a_wrong_tuple_is_charged_once(judge: Judge, answers: dict[str, str]) -> None:
    """The blocks take what they should get, and do not unpack it."""
    norm = (
        "def layer_norm(x, gamma, beta, eps=1e-5):\n    return x - x.mean(-1, keepdims=True), x.std(-1, keepdims=True)"
    )
    assert set(lost(judge.grade(submission(*notebook(answers, layer_norm=norm))))) == {"layer_norm"}


def test_a_helper_of_another_contract_follows_through_on_its_own_terms(judge: Judge, answers: dict[str, str]) -> None:
    """`layer_norm` returns a cache beside a wrong value, and the blocks unpack it."""
    norm = "def layer_norm(x, gamma, beta, eps=1e-5):\n    v = x.var(-1, keepdims=True, ddof=1)\n"
    norm += "    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(v + eps) + beta, v"
    block = answers["block"].replace(
        "def transformer_block_forward", "_unpacked = lambda *a: layer_norm(*a)[0]\ndef transformer_block_forward"
    )
    block = block.replace("layer_norm(x", "_unpacked(x")
    grade = judge.grade(submission(*notebook(answers, layer_norm=norm, block=block)))
    assert "block" not in lost(grade) and "layer_norm" in lost(grade)


def test_a_trivial_block_is_not_earned_on_a_trivial_norm(judge: Judge, answers: dict[str, str]) -> None:
    norm = "def layer_norm(x, gamma, beta, eps=1e-5):\n    return x"
    block = "def transformer_block_forward(x, p):\n    return x"
    grade = judge.grade(submission(*notebook(answers, layer_norm=norm, block=block)))
    assert points(grade)["block"] == 0


def test_an_empty_function_earns_nothing_for_leaving_its_arguments_alone(judge: Judge, answers: dict[str, str]) -> None:
    grade = judge.grade(submission(*notebook(answers, gelu="def gelu(x):\n    pass")))
    assert points(grade)["gelu"] == 0
    assert check(grade, "gelu", "leaves_no_trace").status == "skipped"


@pytest.mark.parametrize(
    ("body", "status"),
    [("while True: pass", "timeout"), ("__import__('os')._exit(0)", "error"), ("raise SystemExit", "error")],
)
def test_a_call_that_hangs_or_ends_python_costs_its_question_alone(
    judge: Judge, answers: dict[str, str], body: str, status: str
) -> None:
    grade = judge.grade(submission(*notebook(answers, rms_norm=f"def rms_norm(x, gamma, eps=1e-5):\n    {body}")))
    assert lost(grade) == {"rms_norm": 3}
    assert check(grade, "rms_norm", "each_token").status == status


def test_a_hidden_check_repeats_no_text_that_may_hold_its_input(judge: Judge, answers: dict[str, str]) -> None:
    grade = judge.grade(submission(*notebook(answers, gelu="def gelu(x):\n    raise ValueError(str(x.ravel()))")))
    assert check(grade, "gelu", "tanh_form").message.startswith("`gelu` raised ValueError (cell")
    assert "raised ValueError: [" in check(grade, "gelu", "known_values").message


SECRET = "('Secret' + 'abcdefghij'[x.size % 10])"
"""A name that is made of what a call passes in."""

NAMES_THAT_TELL = {
    "an exception's type without a text": (
        f"raise type({SECRET}, (Exception,), {{}})",
        "`gelu` raised an exception of its own (cell 1, line 2).",
    ),
    "a type's name that is none": (
        f"raise type({SECRET} + ' x', (Exception,), {{}})('a')",
        "`gelu` raised an exception of its own: a (cell 1, line 2).",
    ),
    "a text in letters that are not English": (
        "raise ValueError('αβγδ'[x.size % 4])",
        "`gelu` raised ValueError (cell 1, line 2).",
    ),
    "a value's type": (
        f"return type({SECRET}, (), {{}})()",
        "`gelu` returned something odd, not ",
    ),
    "a value's type that ends our sentence": (
        f"return type('list, not a ' + {SECRET}, (), {{}})()",
        "`gelu` returned something odd, not ",
    ),
    "what is put in a function's place": (
        f"globals()['gelu'] = type({SECRET}, (), {{}})()",
        "`gelu` is an object of its own, not a function.",
    ),
    "a name that is not there": (
        f"import sys; raise sys.modules['autograder.sandbox.worker']._NotThere({SECRET})",
        "`gelu` is not defined.",
    ),
}


@pytest.mark.parametrize("body, message", NAMES_THAT_TELL.values(), ids=NAMES_THAT_TELL)
def test_a_hidden_check_repeats_no_name_that_is_made_of_its_input(judge: Judge, body: str, message: str) -> None:
    grade = judge.grade(submission(f"def gelu(x):\n    {body}"))
    told = [check(grade, "gelu", name).message for name in ("tanh_form", "exact_constants")]
    assert "Secret" not in str(told)
    assert any(text.startswith(message) for text in told)


@pytest.mark.parametrize(
    "source, message",
    [
        ("class Unfit(Exception):\n    pass\ndef gelu(x):\n    raise Unfit", "`gelu` raised Unfit (cell 2, line 4)."),
        ("gelu = 0.5", "`gelu` is a float, not a function."),
        ("gelu = np.ones(3)", "`gelu` is a ndarray, not a function."),
        ("class Gelu:\n    pass\ngelu = Gelu()", "`gelu` is a Gelu, not a function."),
    ],
)
def test_a_hidden_check_tells_types_that_stand_in_the_notebook(judge: Judge, source: str, message: str) -> None:
    grade = judge.grade(submission("import numpy as np", source))
    assert message in check(grade, "gelu", "tanh_form").message


@pytest.mark.parametrize("text", ["name 'C_GELU' is not defined", "shapes (2,5,8) (4,) (2,5,8) (4,)"])
def test_a_hidden_check_keeps_what_the_interpreter_says(judge: Judge, answers: dict[str, str], text: str) -> None:
    body = "C_GELU * x" if "C_GELU" in text else "x + np.ones(4)"
    grade = judge.grade(submission(*notebook(answers, gelu=f"def gelu(x):\n    return {body}")))
    assert text.split()[-1] in check(grade, "gelu", "tanh_form").message


def test_a_stub_that_says_more_than_a_questions_name_is_not_repeated(judge: Judge, answers: dict[str, str]) -> None:
    source = "def gelu(x):\n    raise NotImplementedError(f'told_{str(x.size)} is not written yet')"
    told = check(judge.grade(submission(*notebook(answers, gelu=source))), "gelu", "tanh_form").message
    assert told == "`gelu` is not written yet: it still raises NotImplementedError."


def test_a_renamed_function_is_found(judge: Judge, answers: dict[str, str]) -> None:
    renamed = answers["layer_norm"].replace("def layer_norm", "def layernorm")
    grade = judge.grade(submission(*notebook(answers, layer_norm=renamed)))
    assert "Did you mean `layernorm`?" in check(grade, "layer_norm", "each_token").message
    assert set(lost(grade)) == {"layer_norm"}


def test_global_state_left_behind_costs_nothing(judge: Judge, answers: dict[str, str]) -> None:
    scratch = (
        "import os, sys, random, warnings\nnp.seterr(all='raise')\nnp.random.seed(1)\nwarnings.simplefilter('error')\n"
        "os.chdir('/')\nsys.setrecursionlimit(60)\nsys.stdout = open(os.devnull, 'w')\nnp.set_printoptions(precision=1)"
    )
    grade = judge.grade(submission(*answers.values(), scratch))
    assert grade.score == 60


def test_a_grade_does_not_depend_on_what_ran_before(judge: Judge, answers: dict[str, str]) -> None:
    def marks() -> list[object]:
        grade = judge.grade(submission(*notebook(answers, gelu=RELU)))
        return [(c.name, c.status, c.message) for q in grade.questions for c in q.checks]

    before = marks()
    judge.grade(submission("import numpy\nnumpy.sqrt = numpy.mean = None\nimport os\nopen('left', 'w').write('x')"))
    assert marks() == before


UPSETS = """
_right = rms_by_depth
def rms_by_depth(x, blocks):
    global layer_norm
    sizes = _right(x, blocks)
    if x.shape[-1] == 64:
        layer_norm = None
    return sizes
"""
"""What the public check of the last function does, whose arrays have 64 columns, to the first."""


def test_what_a_public_check_breaks_costs_no_hidden_check_a_point(judge: Judge, answers: dict[str, str]) -> None:
    grade = judge.grade(submission(*notebook(answers, depth=answers["depth"] + UPSETS)))
    assert lost(grade) == {}


@pytest.mark.parametrize("sets", ["rms_norm", "depth"])
def test_what_a_public_check_prepares_earns_no_hidden_check_a_point(
    judge: Judge, answers: dict[str, str], sets: str
) -> None:
    """A global that the call of another question sets: after a restart, `layer_norm` alone raises a NameError."""
    (name,) = judge.lab.questions[sets].functions
    needs = answers["layer_norm"].replace("eps=1e-5", "eps=None") + "\n_right = layer_norm\n"
    needs += "def layer_norm(x, gamma, beta, eps=None):\n    return _right(x, gamma, beta, EPS if eps is None else eps)"
    also = (
        f"\n_set = {name}\ndef {name}(*args, **more):\n    global EPS\n    EPS = 1e-5\n    return _set(*args, **more)"
    )
    grade = judge.grade(submission(*notebook(answers, layer_norm=needs, **{sets: answers[sets] + also})))
    assert set(lost(grade)) == {"layer_norm"}
    assert lost(grade)["layer_norm"] > 5


def test_what_one_question_leaves_behind_costs_no_other_its_follow_through(
    judge: Judge, answers: dict[str, str]
) -> None:
    """`block` sets a global that `post_norm` reads. With no `layer_norm`, both are tried with a right one."""
    slip = "def layer_norm(x, gamma, beta, eps=1e-5):\n    raise ValueError"
    sets = """
_scale, _right = 1.0, transformer_block_forward
def transformer_block_forward(x, p):
    global _scale
    _scale = 2.0
    return _right(x, p)
"""
    block = answers["block"] + sets
    post_norm = answers["post_norm"].replace("return layer_norm", "return _scale * layer_norm")
    assert "_scale" in post_norm
    grade = judge.grade(submission(*notebook(answers, layer_norm=slip, block=block, post_norm=post_norm)))
    assert set(lost(grade)) == {"layer_norm"}


def test_what_a_notebook_does_to_its_pipe_costs_the_next_one_nothing(judge: Judge, answers: dict[str, str]) -> None:
    """The next one's cell has more statements than a pipe holds whose every note is a packet of its own."""
    upsets = (
        "import fcntl, os, stat\n"
        "for each in range(3, 256):\n"
        "    try:\n"
        "        if stat.S_ISFIFO(os.fstat(each).st_mode): fcntl.fcntl(each, fcntl.F_SETFL, os.O_DIRECT)\n"
        "    except OSError: pass"
    )
    many = "\n".join(f"a{number} = {number}" for number in range(40))
    judge.grade(submission(*answers.values(), upsets))
    grade = judge.grade(submission(*notebook(answers, gelu=f"{many}\n{answers['gelu']}")))
    assert (lost(grade), grade.cells) == ({}, [])
