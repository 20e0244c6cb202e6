"""What may keep something of a call, and what cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from autograder.course import Course
from autograder.facts import LONGEST
from autograder.grade import Judge
from autograder.master import read_master
from autograder.record import Grade
from autograder.reference import Answers
from autograder.submission import Submission, read_submission
from autograder.traces import MOST, is_forgetful
from benchmarks.classes import write_class
from tests.conftest import lost, submission

GIVEN = "import numpy as np\n\nSIZE = 8\nRUNS = {}\n\ndef softmax(x):\n    return np.exp(x) / np.exp(x).sum()\n"
ANSWER = "def gelu(x):\n    return np.tanh(x)\n"


def forgets(*sources: str, asked: tuple[str, ...] = ("gelu", "Block")) -> bool:
    return is_forgetful(submission(GIVEN, *sources).cells, GIVEN, asked)


def cases(text: str) -> dict[str, str]:
    """Sources by what they are, each below its name."""
    return dict(part.split("\n", 1) for part in text.split("#: ")[1:])


KEEPING = cases("""
#: a global
def gelu(x):
    global last
    last = x
    return x

#: a hook for all modules, by its own name
from torch.nn.modules.module import register_module_forward_hook as hook
def gelu(x):
    hook(print)
    return x

#: a dict of the notebook's
cache = {}
def gelu(x):
    return cache.setdefault(x.size, x)

#: an array of the notebook's
last = np.zeros(8)
def gelu(x):
    last[:] = x
    return x

#: a list that a helper fills
seen = []
def note(x):
    seen.append(x)
def gelu(x):
    note(x)
    return x

#: a list that a lambda fills
seen = []
note = lambda x: seen.append(x)
def gelu(x):
    note(x)
    return x

#: a default
def gelu(x, seen=[]):
    seen.append(x)
    return seen[0]

#: a keyword's default
def gelu(x, *, seen={}):
    return seen.setdefault('x', x)

#: a default of the notebook's
seen = []
def gelu(x, seen=seen):
    return seen.append(x) or seen[0]

#: a default of a function inside
def gelu(x):
    return (lambda y, seen=np.zeros(3): seen)(x)

#: an attribute of the function
def gelu(x):
    gelu.last = x
    return x

#: an attribute that is set beside it
def gelu(x):
    gelu.seen.append(x)
    return x
gelu.seen = []

#: an attribute of a module
def gelu(x):
    np.last = x
    return x

#: a cache
import functools
@functools.lru_cache
def gelu(x):
    return x

#: a cache around it
import functools
def slow(x):
    return x
gelu = functools.cache(slow)

#: a closure
def made():
    seen = []
    return lambda x: seen.append(x) or seen[0]
gelu = made()

#: an iterator
import itertools
calls = itertools.count()
def gelu(x):
    return x * next(calls)

#: a generator
calls = (i for i in range(9))
def gelu(x):
    return x * next(calls)

#: a list of the class
class Block:
    seen = []
    def forward(self, x):
        self.seen.append(x)

#: a module of the class
from torch import nn
class Block(nn.Module):
    norm = nn.LayerNorm(8)

#: the class itself
class Block:
    def forward(self, x):
        type(self).last = x
        Block.last = x

#: the class's dict
class Block:
    def forward(self, x):
        self.__class__.last = x

#: a method given to the class
class Block:
    pass
Block.seen = []
def gelu(x):
    Block.seen.append(x)

#: a property that is kept
from functools import cached_property
class Block:
    @cached_property
    def x(self): ...

#: an instance
class Block:
    def __call__(self, x):
        self.last = x
block = Block()
def gelu(x):
    return block(x)

#: an instance that is asked for
class Norm:
    def __call__(self, x):
        self.last = x
gelu = Norm()

#: a metaclass
class Meta(type): ...
class Block(metaclass=Meta): ...

#: a base that is made
import collections
class Block(collections.namedtuple('Block', 'x')): ...

#: a file
def gelu(x):
    np.save('x.npy', x)
    return np.load('x.npy')

#: a file that is opened
def gelu(x):
    return open('x').read()

#: a module of files
import pathlib
def gelu(x):
    return pathlib.Path('x').read_text()

#: a module that is imported inside
def gelu(x):
    import os
    return os.environ

#: a thread
import threading
def gelu(x):
    return np.tanh(x)

#: names by their text
def gelu(x):
    globals()['last'] = x
    return x

#: code by its text
exec('def gelu(x): ...')

#: a magic
%run other.py
def gelu(x):
    return np.tanh(x)

#: a shell's command
files = !ls
def gelu(x):
    return np.tanh(x)

#: a name from nowhere
from mine import *
def gelu(x):
    return helper(x)

#: a name of a loop
for scale in (1, 2):
    pass
def gelu(x):
    return x * scale

#: a name that is bound twice
SCALE = 1
SCALE = [1]
def gelu(x):
    return x * SCALE[0]

#: a part of an array
row = np.eye(3)[0]
def gelu(x):
    row[:] = x
    return row

#: an array by a method that has a function's name
last = np.zeros(8).astype(int)
mask = np.tril(np.ones((3, 3))).log()
def gelu(x):
    mask[:] = x
    return mask

#: an array of constants
scales = np.sqrt((1.0, 2.0))
def gelu(x):
    scales[:] = x
    return scales

#: a global that another function makes
cache = None
def reset():
    global cache
    cache = {}
reset()
def gelu(x):
    return cache.setdefault(x.size, x)

#: an attribute that another function sets
def attach(function):
    function.seen = []
attach(print)
def gelu(x):
    gelu.seen.append(x)
    return x

#: a method from outside
def add_to(cls):
    return lambda method: setattr(cls, method.__name__, method)
class Block: ...
calls = []
@add_to(Block)
def forward(self, x):
    calls.append(x)

#: a method that is put in
calls = []
def forward(self, x):
    calls.append(x)
class Block: ...
Block.forward = forward

#: a list under another name
memo = []
gelu.memo = memo
def gelu(x):
    return gelu.memo.append(x)

#: a function of NumPy's that is replaced
calls = []
def tanh(x):
    calls.append(x)
np.tanh = tanh
def gelu(x):
    return np.tanh(x)

#: a given function in a version of one's own
seen = []
def softmax(x):
    seen.append(x)
    return x
def gelu(x, softmax=softmax):
    return softmax(x)

#: something given that can change
def gelu(x):
    return RUNS.pop("first", 400)

#: a function that is called self
def gelu(x):
    self = gelu
    self.calls = 1
    return x

#: a method of the class
class Block:
    @classmethod
    def forward(self, x):
        self.last = x

#: a name that a match binds
cache = None
match []:
    case cache: pass
def gelu(x):
    return cache.append(x)

#: a name that a walrus binds
cache = None
[(cache := []) for _ in range(1)]
def gelu(x):
    return cache.append(x)

#: a line that only IPython sees
%pip install x\x0ccache = []
def gelu(x):
    return x

#: a setting that nobody puts back
import torch
def gelu(x):
    torch.set_num_interop_threads(1)
    return x

#: a reader by its own name
from numpy import load
def gelu(x):
    return load("x.npy")

#: a class that its objects share
class Settings:
    depth = 1
class Block:
    def __init__(self):
        self.settings = Settings
        self.settings.depth = 2

#: a name that a timed statement binds
cache = None
%time cache = {}
def gelu(x):
    return cache.setdefault(x.size, x)

#: an array of named constants
S = (1.0, 2.0)
scales = np.sqrt(S)
def gelu(x):
    scales[0] *= 2
    return x * scales

#: what a function holds
def gelu(x, kept=print.__dict__):
    return kept.setdefault("x", x)
""")


@pytest.mark.parametrize("source", KEEPING.values(), ids=KEEPING.keys())
def test_what_may_keep_something_is_seen(source: str) -> None:
    assert not forgets(source)


FORGETTING = cases("""
#: a plain answer
def gelu(x):
    return np.tanh(x)

#: no answer
x = 1

#: numbers
import math
A, B = math.sqrt(2 / math.pi), 0.044715
C = (1, 2.0)
def gelu(x):
    return A * x + B * C[0]

#: numbers of NumPy's
_C = np.sqrt(2.0 / np.pi)
Real = np.float64
def gelu(x, kind=Real):
    return kind(_C * x)

#: a given name
def gelu(x):
    return softmax(x) * SIZE

#: helpers
half = lambda x: x / 2
def twice(x):
    return 2 * x
def gelu(x):
    return half(twice(x))

#: a function inside
def gelu(x):
    seen = []
    def note(y):
        seen.append(y)
    note(x)
    return seen[0]

#: comprehensions
def gelu(x):
    return sum([row for row in x]) + max(a * b for a, b in zip(x, x))

#: its own name
x = np.ones(3)
out = {}
def gelu(x):
    out = np.empty_like(x)
    out[0] = 1
    return out

#: a class
from torch import nn
import torch.nn.functional as F
class Block(nn.Module):
    '''Its text.'''
    width: int = 8
    def __init__(self, norm=nn.LayerNorm):
        super().__init__()
        self.norm = norm(8)
        self.calls = []
    @property
    def size(self):
        return 8
    def forward(self, x):
        self.calls.append(x)
        self.count = 1
        return F.gelu(self.norm(x))

#: without gradients
import torch
@torch.no_grad()
def gelu(x):
    return x

#: demonstrations
def gelu(x):
    return np.tanh(x)
x = np.ones(3)
results = {}
results['x'] = gelu(x)
print([gelu(y) for y in (x, 2 * x)])

#: plots
import matplotlib.pyplot as plt
seen = []
def plot(x):
    seen.append(plt.plot(x))
def gelu(x):
    return np.tanh(x)

#: a module's setting
import torch
torch.backends.cudnn.deterministic = True
def gelu(x):
    return np.tanh(x)

#: harmless magics
%matplotlib inline
%pip install numpy
!pip install numpy
def gelu(x):
    return np.tanh(x)

#: a type
from numpy.typing import NDArray
Array = NDArray[np.float64]
def gelu(x: Array) -> Array:
    return x

#: what a loop of its own and an error are called
def gelu(x):
    try:
        return np.tanh(x)
    except ValueError as error:
        print(error)
    match x:
        case [first, *rest]:
            return first, rest

#: a measured cell
%time x = np.ones(3)
def gelu(x):
    return x
""")


@pytest.mark.parametrize("source", FORGETTING.values(), ids=FORGETTING.keys())
def test_what_keeps_nothing_is_seen(source: str) -> None:
    assert forgets(source)


@pytest.mark.parametrize(
    "source", ["def gelu(x:\n", "\0", "return 1", "(" * 5000, "# only a comment", "", "x = 1\n" * LONGEST]
)
def test_whatever_a_cell_holds_there_is_an_answer(source: str) -> None:
    assert forgets(source) in (True, False)


def test_what_lies_deep_is_read_but_once() -> None:
    """Else some hundred characters would take hours."""
    source = "x"
    for _ in range(60):
        source = f"[0 for _ in {source}]"
    assert forgets(source)


def test_a_notebook_without_end_is_not_read() -> None:
    assert not forgets(*[f"x = {number}" + " # and so on" * 1000 for number in range(MOST // 10_000)])


@pytest.mark.parametrize("lab", ["numpy_block", "torch_block", "block_backward"])
def test_handouts_and_right_answers_keep_nothing(course: Course, lab: str) -> None:
    """Or else the way that is faster would be taken by nobody."""
    its, given = course.labs[lab], Answers(course.labs[lab]).given_source
    handout = read_submission(its.handout).cells
    assert is_forgetful(handout, given, its.functions)
    master = read_master(its.master)
    answers = [source for name in its.questions if (source := master.solution_source(name))]
    assert is_forgetful([*handout, *submission(*answers).cells], given, its.functions)


HANGS = "\ndef rms_norm(x, gamma, eps=1e-5):\n    while True: pass"


@pytest.fixture(scope="module")
def hasty(course: Course) -> Iterator[Judge]:
    """A judge of Lab 1 who waits for no call longer than half a second."""
    lab = course.labs["numpy_block"]
    limits = msgspec.structs.replace(lab.limits, call_seconds=0.5)
    questions = {name: msgspec.structs.replace(question, limits=limits) for name, question in lab.questions.items()}
    judge = Judge(msgspec.structs.replace(lab, limits=limits, questions=questions))
    yield judge
    judge.close()


@pytest.fixture
def alike(monkeypatch: pytest.MonkeyPatch) -> Callable[[Judge, Submission], Grade]:
    """Grades a notebook twice: as it would be, and with copies for its checks. Both must come to the same."""

    def grades(judge: Judge, notebook: Submission) -> Grade:
        lent = judge.grade(notebook)
        with monkeypatch.context() as patched:
            patched.setattr("autograder.grade.is_forgetful", lambda *notebook: False)
            copied = judge.grade(notebook)
        assert without_seconds(lent) == without_seconds(copied)
        return lent

    return grades


def without_seconds(grade: Grade) -> Any:
    """A grade's record, but for what was measured."""
    record = msgspec.to_builtins(grade)
    for part in (record, *(check for question in record["questions"] for check in question["checks"])):
        del part["seconds"]
    return record


def test_a_notebook_that_hangs_is_marked_as_if_it_had_been_copied(
    hasty: Judge, answers: dict[str, str], alike: Callable[[Judge, Submission], Grade]
) -> None:
    notebook = submission(*(answers | {"rms_norm": answers["rms_norm"] + HANGS}).values())
    assert set(lost(alike(hasty, notebook))) == {"rms_norm"}


TELLS = """
import os
def rms_norm(x, gamma, eps=1e-5):
    open("seen", "a").write(str(x.ravel()[:3]))
    while True: pass
"""
AGAIN = "import os\nassert not os.path.exists('seen'), open('seen').read()"


def test_what_cells_say_when_they_are_run_again_nobody_is_told(
    hasty: Judge, answers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if a function were trusted that keeps its arguments."""
    monkeypatch.setattr("autograder.grade.is_forgetful", lambda *notebook: True)
    grade = hasty.grade(submission(*(answers | {"rms_norm": answers["rms_norm"] + TELLS}).values(), AGAIN))
    assert (grade.cells, set(lost(grade))) == ([], {"rms_norm"})


USES_UP = """
used, right = [], layer_norm
def layer_norm(x, gamma, beta, eps=1e-5):
    if x.shape[-1] == 64:
        used.append(x)
    elif used:
        raise MemoryError
    return right(x, gamma, beta, eps)
"""
"""After the public check of the last function, whose arrays have 64 columns, no call finds memory."""


def test_what_earlier_calls_have_used_up_costs_nothing(
    judge: Judge, answers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.grade.is_forgetful", lambda *notebook: True)
    notebook = submission(*(answers | {"depth": answers["depth"] + USES_UP}).values())
    assert lost(judge.grade(notebook)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("lab", ["numpy_block", "torch_block", "block_backward"])
def test_a_class_is_marked_alike_in_one_process_and_in_copies(
    judges: Callable[[str], Judge], lab: str, alike: Callable[[Judge, Submission], Grade], tmp_path: Path
) -> None:
    judge = judges(lab)
    for path in write_class(tmp_path / "class", judge.lab, 25, seed=1):
        alike(judge, read_submission(path))
