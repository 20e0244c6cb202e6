"""Why a check failed: the misconception whose outputs the student's equal, if exactly one does.

All calls that a question's checks made are compared, values and what became of the arguments, with what each known
misconception does when it is called alike. Two that fit name none, and so does a slip that nobody has described yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.compare import array_of, near, normalised
from autograder.course import Question
from autograder.master import Case
from autograder.reference import Answers
from autograder.sandbox import codec
from autograder.sandbox.student import CallError, Observation

CLOSENESS = 1e-9
"""Relative and absolute distance at which two float64 outputs are called the same mistake."""

UNWRITTEN = frozenset({"undefined", "not callable", "stub"})
"""Kinds of trouble that need no further cause."""


@dataclass(frozen=True, eq=False)
class Trail:
    """The calls of one check, and the stand-ins that were bound meanwhile. Each is like itself alone."""

    calls: tuple[Observation, ...]
    bound: Mapping[str, str]
    closeness: float = CLOSENESS


def diagnose(question: Question, trails: Iterable[Trail], answers: Answers) -> Case | None:
    """The one misconception of this question that does what the student's code did, call for call."""
    trails = tuple(trails)
    calls = [call for trail in trails for call in trail.calls]
    if all(call.error is not None and call.error.kind in UNWRITTEN for call in calls):
        return None
    clues = [Clue.of(call, trail, answers) for trail in trails for call in trail.calls]
    fitting = [case for case in answers.misconceptions(question.name) if _fits(case, clues, answers)]
    return fitting[0] if len(fitting) == 1 and fitting[0].named else None


def closeness_of(tolerance: float) -> float:
    """How close two outputs of one mistake must be, where a check allows so much.

    A check of float32 arithmetic has a wide tolerance, and two ways to write one mistake differ by its rounding.
    """
    return max(CLOSENESS, tolerance / 1000)


@dataclass(frozen=True, eq=False)
class Clue:
    """A call of the student's beside the same call of the right answer."""

    call: Observation
    right: Observation
    bound: Mapping[str, str]
    closeness: float
    is_wrong: bool
    """Whether the two differ."""

    @classmethod
    def of(cls, call: Observation, trail: Trail, answers: Answers) -> Clue:
        right = answers.reference(trail.bound).repeat(call)
        return cls(call, right, trail.bound, trail.closeness, not alike(call, right, trail.closeness))


def _fits(case: Case, clues: Sequence[Clue], answers: Answers) -> bool:
    explains = False
    for clue, theirs in _repeated(case, clues, answers):
        if not alike(clue.call, theirs, clue.closeness):
            return False
        explains = explains or not alike(theirs, clue.right, clue.closeness)
    return explains


def _repeated(case: Case, clues: Sequence[Clue], answers: Answers) -> Iterator[tuple[Clue, Observation]]:
    """What the case does when it is called alike. What is known of that comes first, and of that what went wrong, which
    hardly another case does. The rest is computed in the order of the calls: a case may keep something of them."""
    unknown = []
    for clue in sorted(clues, key=lambda clue: not clue.is_wrong):
        if known := answers.misconception(case, clue.bound).recalled(clue.call):
            yield clue, known
        else:
            unknown.append(clue)
    for clue in sorted(unknown, key=clues.index):
        yield clue, answers.misconception(case, clue.bound).repeat(clue.call)


def alike(a: Observation, b: Observation, closeness: float = CLOSENESS) -> bool:
    """Whether two calls did the same: the same trouble, or the same value and the same arguments afterwards."""
    if a.error is not None or b.error is not None:
        return a.error is not None and b.error is not None and _wording(a.error) == _wording(b.error)
    if a.value is None and b.value is None and bool(a.output) != bool(b.output):
        return False  # one shows its result and returns nothing, the other is empty
    value, theirs = normalised(a.value, b.value, []), normalised(b.value, b.value, [])
    return close(value, theirs, closeness) and (a.back == b.back or close(_afterwards(a), _afterwards(b), closeness))


def _afterwards(call: Observation) -> object:
    """What became of the arguments. One that was passed by name comes back as its type's, and a function of the
    student's may be of any type."""
    return _without_types(call.arguments)


def _without_types(value: object) -> object:
    match value:
        case codec.Opaque():
            return None
        case list() | tuple():
            return [_without_types(item) for item in value]
        case dict():
            return {key: _without_types(item) for key, item in value.items()}
    return value


def _wording(error: CallError) -> tuple[str, str]:
    """What an error says, but for numbers: of one type there are many, and each may have another cause."""
    return error.kind, re.sub(r"\d+", "#", error.text)


def close(a: object, b: object, closeness: float = CLOSENESS) -> bool:
    """Whether two wire values agree to rounding."""
    if isinstance(a, dict) and isinstance(b, dict):
        if _holds_shapes(a) and _holds_shapes(b):
            return sorted(a.values()) == sorted(b.values())
        return a.keys() == b.keys() and all(close(a[key], b[key], closeness) for key in a)
    numeric = (bool, int, float, np.ndarray, codec.Tensor)
    if isinstance(a, numeric) and isinstance(b, numeric):
        left, right = array_of(a), array_of(b)
        return left.shape == right.shape and bool(near(left, right, closeness).all())
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(close(x, y, closeness) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and a == b


def _holds_shapes(value: dict[str, object]) -> bool:
    """Whether a dict says how large the parameters of a module are: what these are called is a student's own choice."""
    return all(type(item) is tuple and all(type(side) is int for side in item) for item in value.values())
