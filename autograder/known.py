"""Verdicts that are known already.

A check sees a notebook through what its calls bring back, and through nothing else: after the same replies it asks
the same next, and in the end finds the same. So what it asked, was told and found is kept. A notebook whose replies
have all been heard before is judged by them; where one says something new, the check is run on what was said so far
and goes on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import msgspec

from autograder.compare import normalised
from autograder.course import Check, Question
from autograder.diagnosis import Trail, closeness_of, diagnose
from autograder.master import Case
from autograder.reference import Answers, Implementation
from autograder.room import Room
from autograder.sandbox import wire
from autograder.sandbox.student import ITEM_BYTES, CallError, Exchange, Observation, Student, items_in
from autograder.suite import Suite, Verdict

MOST_BYTES = 64 * 2**20
"""Of what is kept: what a class has in common is a small part of it."""

LARGEST = 2**20
"""Bytes that one check's replies may have to be kept."""

REPLY_BYTES = 1000
"""About what a reply takes beside its own bytes."""

Replies = tuple[wire.Reply | CallError, ...]


class Next(NamedTuple):
    """What a check asks after certain replies."""

    name: str
    sent: bytes


@dataclass(frozen=True)
class Found:
    """What a check finds after certain replies, with notes for the student, and the calls by which it came to that."""

    verdict: Verdict
    trail: Trail
    notes: tuple[str, ...]


class Known:
    """The ways of a lab's checks so far, and the causes that were found; one for all submissions."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self._after: dict[tuple[Check, Replies], Next | Found] = {}
        self._causes: dict[tuple[Trail, ...], Case | None] = {}
        self._kept: set[Trail] = set()
        self._room = Room(MOST_BYTES, self._forget)

    def found(self, check: Check, student: Student, reference: Implementation) -> Found:
        """What a check finds on a notebook. Raises as `Suite.run` does."""
        if reference.memo is None:  # it is built on this student's own functions
            return self._run(check, student, reference)
        student.exchanges, student.rehearsed = [], []
        step = self._follow(check, student)
        if step is None:
            found = self._run(check, student, reference, student.exchanges)
            return self._keep(check, student.exchanges, found)
        return step

    def cause(self, question: Question, trails: tuple[Trail, ...], answers: Answers) -> Case | None:
        """The misconception that explains these trails; those that are kept are looked at once."""
        if not self._kept.issuperset(trails):
            return diagnose(question, trails, answers)
        if trails not in self._causes:
            self._causes[trails] = diagnose(question, trails, answers)
        return self._causes[trails]

    def _follow(self, check: Check, student: Student) -> Found | None:
        """Ask what the check would ask, as long as it is known; None where a reply is new."""
        replies: Replies = ()
        while isinstance(step := self._after.get((check, replies)), Next):
            said = student.ask(*step)
            if not isinstance(said, wire.Said):
                return None
            replies = (*replies, said)
        return step

    def _run(
        self, check: Check, student: Student, reference: Implementation, rehearsed: Sequence[Exchange] = ()
    ) -> Found:
        prepare(student, reference, rehearsed)
        verdict = self.suite.run(check, student, reference)
        trail = Trail(tuple(student.trail), student.bound, closeness_of(check.tolerance))
        return Found(verdict, trail, tuple(student.notes))

    def _keep(self, check: Check, exchanges: Sequence[Exchange], found: Found) -> Found:
        """Keep what was found unless it takes too much; returns it in the form in which it is kept."""
        if not all(isinstance(exchange.said, wire.Said) for exchange in exchanges):
            return found
        size = sum(_size(exchange.said) for exchange in exchanges) + sum(map(_size_of, found.trail.calls))
        if size > LARGEST:
            return found
        asked = [Next(exchange.name, self._room.hold(exchange.sent)) for exchange in exchanges]
        found = replace(found, trail=replace(found.trail, calls=tuple(map(self._with_shared, found.trail.calls))))
        self._room.take(size)
        self._kept.add(found.trail)
        replies: Replies = ()
        for exchange, step in zip(exchanges, asked, strict=True):
            self._after[check, replies] = step
            replies = (*replies, exchange.said)
        self._after[check, replies] = found
        return found

    def _with_shared(self, call: Observation) -> Observation:
        sent = self._room.hold(call.sent)
        return replace(call, sent=sent, back=sent if call.back == sent else call.back)

    def _forget(self) -> None:
        self._after.clear()
        self._causes.clear()
        self._kept.clear()


def prepare(student: Student, reference: Implementation, rehearsed: Sequence[Exchange] = ()) -> None:
    """Before a check: what the student's functions return takes the form of what the reference's do."""

    def plain(seen: Observation) -> Any:
        right = reference.call(seen.name, seen.sent)
        return seen.value if right.error else normalised(seen.value, right.value, student.notes)

    student.trail, student.exchanges, student.notes = [], [], []
    student.rehearsed = list(rehearsed)
    student.plain = plain


def _size(said: object) -> int:
    """Bytes of a reply, which are kept as they came and as a value."""
    return REPLY_BYTES + 2 * len(msgspec.msgpack.encode(said))


def _size_of(call: Observation) -> int:
    """Bytes of what a call's value is made of, and of arguments that came back changed, as they came and decoded."""
    return ITEM_BYTES * items_in(call.value) + (2 * len(call.back) if call.back != call.sent else 0)
