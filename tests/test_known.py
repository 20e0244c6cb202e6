"""What is known of a check saves running it again, and changes nothing that anybody gets to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

from autograder.course import Course
from autograder.grade import Judge
from autograder.known import Found
from autograder.record import Grade
from autograder.sandbox import codec, wire
from autograder.sandbox.host import Channel
from autograder.suite import Suite
from tests.conftest import check, lost, submission

SHOUTS = "def gelu(x):\n    print('here')\n    return np.maximum(x, 0)"
RELU = "def gelu(x):\n    return np.maximum(x, 0)"
SAMPLE_VARIANCE = """
def layer_norm(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True, ddof=1) + eps) + beta
"""
IN_PLACE = """
def layer_norm(x, gamma, beta, eps=1e-5):
    x -= x.mean(-1, keepdims=True)
    return gamma * x / np.sqrt(np.mean(x * x, -1, keepdims=True) + eps) + beta
"""
SINGLE = """
def rms_norm(x, gamma, eps=1e-5):
    return (gamma * x / np.sqrt(np.mean(x * x, -1, keepdims=True) + eps)).astype(np.float32)
"""

SCALES = (np.ones(8), np.zeros(8))

HOSTILE = """
import sys
from autograder.sandbox import codec, wire
def _ask(name, *args):
    frame = sys._getframe()
    while not hasattr(frame.f_locals.get("self"), "sock"):
        frame = frame.f_back
    wire.send(frame.f_locals["self"].sock, wire.Ask(name, codec.encode((args, {}))))
    wire.receive_body(frame.f_locals["self"].sock)
"""
"""A function with which a notebook asks the judge for an answer, as the sandbox's own code does where it may."""


@pytest.fixture
def fresh(course: Course) -> Iterator[Judge]:
    """A judge of Lab 1 that has graded nothing yet."""
    judge = Judge(course.labs["numpy_block"])
    yield judge
    judge.close()


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each check was run in earnest since the test began, by its name."""
    counted: Counter[str] = Counter()
    run = Suite.run

    def counting(self: Suite, check: Any, *pair: Any) -> Any:
        counted[f"{check.question}.{check.name}"] += 1
        return run(self, check, *pair)

    monkeypatch.setattr(Suite, "run", counting)
    return counted


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each function of a notebook was called, by its name."""
    counted: Counter[str] = Counter()
    request = Channel.request

    def counting(self: Channel, message: wire.Request, *more: Any) -> wire.Reply:
        if isinstance(message, wire.Call):
            counted[message.name] += 1
        return request(self, message, *more)

    monkeypatch.setattr(Channel, "request", counting)
    return counted


def notebook(answers: dict[str, str], **replaced: str) -> list[str]:
    return list((answers | replaced).values())


def without_times(grade: Grade) -> Grade:
    """All of a grade but how long it took."""
    grade = msgspec.structs.replace(grade, seconds=0)
    for question in grade.questions:
        question.checks[:] = [msgspec.structs.replace(each, seconds=0) for each in question.checks]
    return grade


def test_a_notebook_like_one_before_is_judged_without_running_a_check(
    fresh: Judge, answers: dict[str, str], runs: Counter[str]
) -> None:
    first = fresh.grade(submission(*notebook(answers, gelu=RELU)))
    runs.clear()
    again = fresh.grade(submission("# written anew", *notebook(answers, gelu=RELU)))
    assert runs == {}
    assert without_times(again) == without_times(msgspec.structs.replace(first, sha256=again.sha256))


@pytest.mark.parametrize(
    "wrong",
    [
        {"gelu": RELU},
        {"gelu": SHOUTS},
        {"layer_norm": SAMPLE_VARIANCE},
        {"layer_norm": IN_PLACE},
        {"rms_norm": SINGLE},
        {"layer_norm": SAMPLE_VARIANCE, "gelu": RELU},
        {"gelu": ""},
        {"attention": "def multi_head_attention_forward(x, Wq, Wk, Wv, Wo, h):\n    return Wq[99]"},
        {"identity": "def zeroed_params(p):\n    return p\nprediction = 'c'"},
    ],
    ids=lambda wrong: " and ".join(wrong),
)
def test_what_others_handed_in_before_changes_no_grade(
    judge: Judge, course: Course, answers: dict[str, str], wrong: dict[str, str]
) -> None:
    """The judge that all tests share has heard much; a new one has heard nothing."""
    cells = notebook(answers, **wrong)
    judge.grade(submission(*cells))
    experienced = judge.grade(submission(*cells))
    new = Judge(course.labs["numpy_block"])
    try:
        assert without_times(experienced) == without_times(new.grade(submission(*cells)))
    finally:
        new.close()
    assert lost(experienced) or experienced.notes


def test_a_new_reply_half_way_asks_nothing_twice(
    fresh: Judge, answers: dict[str, str], runs: Counter[str], calls: Counter[str]
) -> None:
    """The last of the hidden checks' six calls gives something new, which the check before it was not asked."""
    fresh.grade(submission(*notebook(answers)))
    asked = calls["rms_norm"]
    runs.clear()
    calls.clear()
    drifts = answers["rms_norm"].replace("return ", "calls.append(0)\n    return (len(calls) == 6) + ")
    grade = fresh.grade(submission(*notebook(answers, rms_norm=f"calls = []\n{drifts}")))
    assert lost(grade) == {"rms_norm": 1}
    assert (runs, calls["rms_norm"]) == ({"rms_norm.leaves_no_trace": 1}, asked)


def test_a_note_comes_with_a_known_verdict_too(judge: Judge, answers: dict[str, str]) -> None:
    graded = [judge.grade(submission(f"# {n}", *notebook(answers, rms_norm=SINGLE))) for n in range(2)]
    for grade in graded:
        assert "The answer was computed in a precision lower than float64." in grade.notes


def test_the_same_trouble_in_another_cell_is_told_with_its_own_place(judge: Judge, answers: dict[str, str]) -> None:
    wrong = "def gelu(x):\n    return x + undefined"
    above, below = (judge.grade(submission(*notebook(answers, gelu=gelu))) for gelu in (wrong, f"\n\n{wrong}"))
    assert "line 2" in check(above, "gelu", "known_values").message
    assert "line 4" in check(below, "gelu", "known_values").message


def test_a_crash_is_never_known(fresh: Judge, answers: dict[str, str], runs: Counter[str]) -> None:
    """What ended one student's process may have been the machine: the next one's is asked anew."""
    crashes = "import os\ndef rms_norm(x, gamma, eps=1e-5):\n    os._exit(1)"
    for _ in range(2):
        runs.clear()
        assert lost(fresh.grade(submission(*notebook(answers, rms_norm=crashes)))) == {"rms_norm": 3}
        assert runs["rms_norm.each_token"] == 1


def test_what_is_known_is_forgotten_before_it_fills_the_memory(
    fresh: Judge, answers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh.known._room, "most", 200_000)
    fresh.grade(submission(*notebook(answers)))
    one = len(fresh.known._after)
    for number in range(8):
        scaled = answers["layer_norm"].replace("return ", f"return {number} + ")
        grade = fresh.grade(submission(*notebook(answers, layer_norm=scaled)))
        assert (grade.score < 60) == bool(number)
    assert len(fresh.known._after) < 3 * one


def test_a_reply_of_megabytes_is_not_kept(judge: Judge, answers: dict[str, str]) -> None:
    judge.grade(submission(*notebook(answers)))
    before = judge.known._room.taken
    huge = "def rms_norm(x, gamma, eps=1e-5):\n    return np.ones((1000, 1000))"
    assert lost(judge.grade(submission(*notebook(answers, rms_norm=huge)))) == {"rms_norm": 3}
    assert judge.known._room.taken - before < 1_000_000


def test_who_asks_without_a_right_to_gets_no_answer_and_costs_nobody_a_point(
    judge: Judge, answers: dict[str, str]
) -> None:
    asks = f"{HOSTILE}\ndef rms_norm(x, gamma, eps=1e-5):\n    _ask('rms_norm', x, gamma)\n    return x"
    for _ in range(2):
        assert lost(judge.grade(submission(*notebook(answers, rms_norm=asks)))) == {"rms_norm": 3}
    assert lost(judge.grade(submission(*notebook(answers)))) == {}


def test_what_one_notebook_may_not_ask_another_still_may(fresh: Judge, answers: dict[str, str]) -> None:
    """With `feed_forward` wrong, a block asks for `layer_norm` as a right one would whose `layer_norm` is wrong."""
    right = answers["block"].replace("def transformer_block_forward", "def _right_block")
    asking = """
def transformer_block_forward(x, p):
    own = layer_norm
    def asking(*args):
        _ask("layer_norm", *args)
        return own(*args)
    globals()["layer_norm"] = asking
    try:
        return _right_block(x, p)
    finally:
        globals()["layer_norm"] = own
"""
    wrong = "def feed_forward(x, *args):\n    return x * 0.5"
    fresh.grade(submission(*notebook(answers, feed_forward=wrong, block=f"{HOSTILE}\n{right}\n{asking}")))
    honest = fresh.grade(submission(*notebook(answers, layer_norm=SAMPLE_VARIANCE)))
    assert set(lost(honest)) == {"layer_norm"}


def test_what_is_not_kept_is_not_held_by_its_cause_either(judge: Judge, answers: dict[str, str]) -> None:
    before = len(judge.known._causes)
    for side in (900, 901):
        huge = f"def rms_norm(x, gamma, eps=1e-5):\n    return np.ones(({side}, {side}))"
        judge.grade(submission(*notebook(answers, rms_norm=huge)))
    assert len(judge.known._causes) == before


@pytest.mark.parametrize("reply", ["np.array(1j)", "[np.array(1j)] * 3", "(np.array(1j),)", "{'a': np.array(1j)}"])
def test_complex_numbers_are_a_slip_like_any_other(judge: Judge, answers: dict[str, str], reply: str) -> None:
    grade = judge.grade(
        submission(*notebook(answers, rms_norm=f"def rms_norm(x, gamma, eps=1e-5):\n    return {reply}"))
    )
    assert lost(grade) == {"rms_norm": 3}


def test_what_is_kept_holds_on_to_nothing_else(fresh: Judge, answers: dict[str, str]) -> None:
    """Each of these fails the check of six blocks, whose arguments take two megabytes."""
    for number in range(3):
        wrong = answers["depth"].replace("return ", f"return {number + 2} * ")
        fresh.grade(submission(*notebook(answers, depth=wrong)))
        fails = f"def rms_by_depth(x, blocks):\n    raise ValueError({number})"
        fresh.grade(submission(*notebook(answers, depth=fails)))
    found = [step for step in fresh.known._after.values() if isinstance(step, Found)]
    calls = [call for step in found for call in step.trail.calls]
    assert [call.error for call in calls if call.error and call.error.__traceback__] == []
    assert any(call.error for call in calls)
    assert len({id(call.sent) for call in calls}) == len({call.sent for call in calls})


@pytest.fixture
def asked(judge: Judge) -> Any:
    """What the judge says to a question about `layer_norm` from within a check's call."""
    consultant = judge.answers.consultant(["layer_norm"], frozenset())
    sent = codec.encode(((np.ones((2, 8)), *SCALES), {}))
    return lambda *args: consultant.answer("layer_norm", codec.encode((args, {})), sent)


@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist])
def test_no_question_may_be_about_far_more_than_the_check_passed_in(asked: Any, form: Any) -> None:
    assert asked(form(np.ones((8, 8))), *SCALES) is not None
    assert asked(form(np.ones((8_000, 8))), *SCALES) is None
    assert asked(form(np.ones((8_000, 1))), np.ones(8_000).tolist(), 0.0) is None


@pytest.mark.parametrize("ref", [codec.Ref("prediction"), codec.Ref("rms_norm", (np.ones((2, 8)), np.ones(8)))])
def test_no_question_may_name_another_answer(asked: Any, ref: codec.Ref) -> None:
    """The judge would look the name up among the answers, call it, and work with what it gives."""
    assert asked(np.ones((2, 8)), *SCALES) is not None
    for args in ((ref, *SCALES), (np.ones((2, 8)), [ref], SCALES[1])):
        assert asked(*args) is None
