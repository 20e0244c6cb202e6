"""Every attack in `cases/` works on a naive grader or is of a family that does; here it earns nothing, harms nothing
and leaks nothing. Run as root and as another user (`make test-all` does both): what protects differs, the outcome not.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from autograder.course import load_course
from autograder.grade import Judge
from autograder.record import Grade
from autograder.sandbox import host
from autograder.sandbox import notebook as sandbox
from autograder.sandbox.slots import own_uid
from autograder.submission import read_submission

from . import arena
from .arena import COURSE, HIDDEN_NUMBERS, Arena, Attack, attacks, secrets_in
from .cage import what_works_on_the_naive_grader

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="protections are Linux's")

FAMILIES = sorted({attack.family for attack in attacks()})
TORCH, FOLLOWING = "tensors", "following"
QUICK = ("comparing", "equal_to_all", "network", "privileges", "reading", "shadowing")
SLOWEST = 40  # seconds for one attack: the lab's six, at wall-clock time, for cells and again for calls
UID = own_uid() if os.geteuid() == 0 else None


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Arena]:
    with arena.arena(tmp_path) as laid_out:
        yield laid_out


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that stops in the middle is given up soon: that it is given up is what is tested."""
    monkeypatch.setattr(host, "TRANSFER_SECONDS", 2)


def judge_with(*warm: str) -> Judge:
    lab = load_course(COURSE).labs["toy"]
    return Judge(msgspec.structs.replace(lab, warm=warm), UID)


@pytest.fixture(scope="module")
def numpy_judge() -> Iterator[Judge]:
    os.environ["ANSWERS"] = "CANARY-ENV"
    judge = judge_with("numpy")
    yield judge
    judge.close()
    del os.environ["ANSWERS"]


@pytest.fixture(scope="module")
def torch_judge() -> Iterator[Judge]:
    judge = judge_with("numpy", "torch")
    yield judge
    judge.close()


@pytest.fixture
def judge(request: pytest.FixtureRequest, attack: Attack) -> Judge:
    return request.getfixturevalue("torch_judge" if attack.family == TORCH else "numpy_judge")


@dataclass
class Outcome:
    """What became of one attack."""

    grade: Grade
    loot: str
    seconds: float


def graded(attack: Attack, judge: Judge, ground: Arena, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """Grades the attacking notebook, and reads what it has gathered before its folder goes."""
    loot = []

    def search_first(folder: Path) -> None:
        path = folder / "loot"
        if path.is_file() and not path.is_symlink():
            with path.open(errors="replace") as file:
                loot.append(file.read(10_000_000))
        remove(folder)

    remove = sandbox.remove_tree
    temporary = ground.folder / "temporary"
    temporary.mkdir(mode=0o755)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(sandbox, "remove_tree", search_first)
    submission = read_submission(ground.notebook(attack, grader=os.getpid()), "attack.ipynb")
    started = time.monotonic()
    grade = judge.grade(submission)
    return Outcome(grade, "".join(loot), time.monotonic() - started)


def score(grade: Grade, question: str) -> int:
    return next(found.score for found in grade.questions if found.name == question)


def left_behind() -> list[str]:
    """Folders of submissions that are still there; torch keeps a cache of the judge's own beside them."""
    return [name for name in os.listdir(tempfile.gettempdir()) if not name.startswith("torchinductor")]


def each_attack() -> list[Any]:
    slow = [pytest.mark.slow]
    return [pytest.param(it, id=str(it), marks=[] if it.family in QUICK else slow) for it in attacks()]


@pytest.mark.slow
@pytest.mark.parametrize("family", [family for family in FAMILIES if family != FOLLOWING])
def test_each_family_works_on_a_naive_grader(family, tmp_path):
    """Of each family at least one attack; so that the test below can fail."""
    shown = [attack for attack in attacks(family) if attack.naive]
    assert shown
    for number, attack in enumerate(shown):
        assert attack.naive in what_works_on_the_naive_grader(attack, tmp_path / str(number)), attack


@pytest.mark.parametrize("attack", each_attack())
def test_here_it_earns_nothing_harms_nothing_and_leaks_nothing(attack, judge, ground, monkeypatch):
    outcome = graded(attack, judge, ground, monkeypatch)

    assert outcome.grade.status == "graded"
    assert score(outcome.grade, "wave") == attack.earns
    assert score(outcome.grade, "center") == 3 or attack.costs == "center", "what is right still counts"

    assert ground.unharmed() == []
    for zygote in judge.zygotes:
        assert arena.below(zygote._process.pid) == [], "nothing it started is left"
    assert UID is None or arena.processes_of(UID) == {}
    assert left_behind() == [], "none of its files is left"
    assert outcome.seconds < SLOWEST

    texts = arena.texts_of(outcome.grade)
    assert secrets_in(outcome.loot) == []
    assert secrets_in(texts) == []
    assert [number for number in HIDDEN_NUMBERS if number in texts] == []
    assert str(COURSE) not in texts.replace(ground.names(0), "")
    assert texts.replace("\n", "").isprintable()


def test_follow_through_is_worth_attacking_but_for_its_guards(numpy_judge, tmp_path, monkeypatch):
    """The family that a naive grader has no use for: its attack works where nothing guards the follow-through."""
    [attack] = [attack for attack in attacks(FOLLOWING) if attack.name == "helpers_that_mean_nothing"]
    earned = {}
    for guarded in (True, False):
        if not guarded:
            monkeypatch.setattr(numpy_judge.guards, "of", lambda question, check: [])
        with arena.arena(tmp_path / str(guarded)) as ground, monkeypatch.context() as patch:
            earned[guarded] = score(graded(attack, numpy_judge, ground, patch).grade, "both")
    assert earned[True] < earned[False]


def test_a_fair_notebook_graded_after_all_of_them_still_gets_its_marks(numpy_judge, ground, monkeypatch):
    right = Attack("", "", "", "", 0, "", ("def wave(x):\n    return x * np.tanh(0.7390851332 * x) + halve(x)",))
    grade = graded(right, numpy_judge, ground, monkeypatch).grade
    assert (grade.score, grade.possible) == (11, 11)
