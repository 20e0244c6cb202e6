"""Answers that run in the judge: the reference, and the misconceptions.

An `Implementation` is a namespace made from the master's given cells and answers, in which one question's answer may
be replaced by a case's, and some functions by the student's own. It is called exactly as a student's notebook is, so
that a check does not know which of them it judges.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import io
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from autograder.alarm import at_most
from autograder.course import Lab
from autograder.master import Case, Master, read_cases, read_master, read_python
from autograder.room import Room
from autograder.sandbox import codec
from autograder.sandbox.state import seed_everything
from autograder.sandbox.student import FETCHED, CallError, Observation, as_arrays, as_refs, outsized
from autograder.sandbox.wire import MAX_LINE


@dataclass(frozen=True)
class LocalFunction:
    """One function of an implementation, with the face of a student's `Handle`."""

    name: str
    owner: Implementation

    @property
    def tolerance(self) -> float:
        return self.owner.tolerance

    @property
    def is_standin(self) -> bool:
        return self.name in self.owner._standins

    def observe(self, *args: Any, **kwargs: Any) -> Observation:
        """Call it here; never raises for what the function does."""
        return self.owner.observe(self.name, args, kwargs)

    def repeat(self, call: Observation) -> Observation:
        """Call it here with the arguments of another call."""
        return self.owner.call(self.name, call.sent)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it here; raises CallError where it raises."""
        return as_arrays(self.observe(*args, **kwargs).returned())


class Memo:
    """What answers give for the calls of the suites, computed once a process, and their namespaces."""

    def __init__(self) -> None:
        self.namespaces: dict[Any, dict[str, Any]] = {}
        self.advice: dict[tuple[str, bytes, bytes], bytes | None] = {}
        self.room = Room(MEMO_BYTES, self._forget)
        self._outputs: dict[Any, Observation] = {}

    def get(self, key: Any) -> Observation | None:
        return self._outputs.get(key)

    def add(self, key: Any, found: Observation) -> None:
        """Keep an output."""
        self.room.take(ENTRY_BYTES + (len(found.back) if found.back is not found.sent else 0))
        self._outputs[key] = found

    def advise(self, key: tuple[str, bytes, bytes], answer: bytes | None) -> None:
        """Keep what was answered to a question of a student's code."""
        self.room.take(ENTRY_BYTES + len(key[1]) + len(answer or b""))
        self.advice[key] = answer

    def _forget(self) -> None:
        self._outputs.clear()
        self.advice.clear()


MEMO_BYTES = 64 * 2**20
"""Of remembered outputs: several times what the suites of a lab need."""

ENTRY_BYTES = 2000
"""About what an output takes beside its arguments."""


@dataclass
class Implementation:
    """A right or a wrong set of answers, run here.

    `case` is executed after `source`, and so replaces one answer; it has `seconds` for each call. The memo is shared by
    all submissions; an implementation that calls a student's functions has none.
    """

    source: str
    case: str = ""
    seconds: float = 0
    standins: str = ""
    replaced: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    bound: Mapping[str, str] = field(default_factory=dict)
    memo: Memo | None = None
    tolerance: float = 1e-5
    trail: list[Observation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> LocalFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        return LocalFunction(name, self)

    @property
    def _standins(self) -> dict[str, Any]:
        return _loaded(self.standins)

    @property
    def _key(self) -> tuple[Any, ...]:
        return self.source, self.case, tuple(sorted(self.bound.items()))

    @functools.cached_property
    def _namespace(self) -> dict[str, Any]:
        """Made anew, but for answers whose outputs are remembered: those need no second one."""
        if self.memo is None:
            return self._executed()
        if self._key not in self.memo.namespaces:
            self.memo.namespaces[self._key] = self._executed()
        return self.memo.namespaces[self._key]

    def _executed(self) -> dict[str, Any]:
        space: dict[str, Any] = {"__name__": "reference"}
        with at_most(self.seconds):
            for source in (self.source, self.case):
                exec(compiled(source, "<reference>"), space)
        space.update(self.replaced)
        space.update({name: self._standins[standin] for name, standin in self.bound.items()})
        return space

    def value(self, name: str) -> Any:
        """A variable of this implementation. Raises CallError when there is none."""
        if name not in self._namespace:
            raise CallError("failed", f"`{name}` is not defined.", "undefined")
        value = self._namespace[name]
        self.trail.append(Observation(name, FETCHED, value))
        return value

    def observe(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Observation:
        """Call a function with copies of the arguments."""
        return self.call(name, codec.encode((as_refs(args), as_refs(kwargs))))

    def call(self, name: str, sent: bytes) -> Observation:
        """Call a function with encoded arguments."""
        found = self._recall(name, sent)
        self.trail.append(found)
        return found

    def repeat(self, call: Observation) -> Observation:
        """Do here what somebody's code was called to do."""
        return self._fetch(call.name) if call.sent == FETCHED else self._recall(call.name, call.sent)

    def _fetch(self, name: str) -> Observation:
        try:
            return Observation(name, FETCHED, self._namespace.get(name))
        except Exception as error:  # a case may break before it comes to its answer
            return Observation(name, FETCHED, error=_raised(name, error))

    def recalled(self, call: Observation) -> Observation | None:
        """What is known already of what `repeat` gives, if it is."""
        return self.memo.get((*self._key, call.name, call.sent)) if self.memo else None

    def _recall(self, name: str, sent: bytes) -> Observation:
        """The same call is computed once for all submissions."""
        if self.memo is None:
            return self._compute(name, sent)
        sent = self.memo.room.hold(sent)
        key = (*self._key, name, sent)
        found = self.memo.get(key)
        if found is None:
            found = self._compute(name, sent)
            self.memo.add(key, found)
        return found

    def subject(self, name: str, sent: bytes) -> str:
        """The function that a call is about; nobody reads what is said of one here."""
        return name

    def parameters(self, name: str) -> list[str]:
        """The names of a function's parameters; none where they cannot be told."""
        function = (self._standins.get(name) if self.standins else None) or self._namespace.get(name)
        try:
            return list(inspect.signature(function).parameters) if callable(function) else []
        except (TypeError, ValueError):
            return []

    def _compute(self, name: str, sent: bytes) -> Observation:
        seed_everything()
        try:
            function = self._standins.get(name) if self.standins and name in self._standins else None
            function = self._namespace.get(name) if function is None else function
            if not callable(function):
                raise CallError("failed", f"`{name}` is not defined.", "undefined")
            arguments = codec.Arguments(sent)
            args, kwargs = given = arguments.value if arguments.plain else self._revive(arguments.value)
            with _quietly() as output, at_most(self.seconds):
                value = function(*args, **kwargs)
        except CallError as error:
            return Observation(name, sent, error=error.anew())
        except NotImplementedError:
            return Observation(name, sent, error=CallError("failed", f"`{name}` is not written yet.", "stub"))
        except Exception as error:
            return Observation(name, sent, error=_raised(name, error))
        back = arguments.back(given)
        return Observation(name, sent, _as_sent(value), sent if back is None else back, output.getvalue())

    def _revive(self, value: Any) -> Any:
        match value:
            case list():
                return [self._revive(item) for item in value]
            case tuple():
                return tuple(self._revive(item) for item in value)
            case dict():
                return {key: self._revive(item) for key, item in value.items()}
            case codec.Ref(name=name, arguments=arguments):
                space = self._standins if self.standins and name in self._standins else self._namespace
                if name not in space:
                    raise CallError("failed", f"`{name}` is not defined.", "undefined")
                found = space[name]
                return found if arguments is None else found(*self._revive(arguments))
            case codec.Tensor(array=array):
                return sys.modules["torch"].from_numpy(array)
        return value


@dataclass
class Consultant:
    """The right answers for what a student's code asks from within a call: see `sandbox.student.Consultant`."""

    right: Implementation
    names: frozenset[str]
    beside: frozenset[str]
    memo: Memo

    def answer(self, name: str, asked: bytes, sent: bytes) -> bytes | None:
        """Right blocks all ask the same in the course of a check's calls, so the answer is mostly known."""
        if name not in self.names:
            return None
        key = name, asked, sent
        if key not in self.memo.advice:
            try:
                question = codec.outline(asked)
                if question.refers or outsized(question.shapes, codec.outline(sent).shapes):
                    return None  # no honest code asks for such a thing: a name would be looked up among the answers
                found = self.right.repeat(Observation(name, asked))
            except Exception:  # whatever a student's code sends may trip the reference; the student is told so
                return None
            self.memo.advise(key, None if found.error is not None else codec.encode(found.value))
        return self.memo.advice[key]


class Answers:
    """All that a lab's judge knows: the reference, the misconceptions, and what they output."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.master: Master = read_master(lab.master)
        self.given_source = self.master.given_source()
        standins = lab.root / "tests" / "hidden" / lab.name / "standins.py"
        self.standins = _text(standins)
        self.standin_names = frozenset(_defined(read_python(self.standins, str(standins))))
        read_python(self.reference_source, f"{lab.master}: what it makes of given cells and answers")
        self.memo = Memo()
        self._misconceptions: dict[str, tuple[Case, ...]] = {}

    @property
    def complete(self) -> bool:
        """Whether the master holds answers: that of a student's copy of the course has none."""
        return any(cell.is_solution for cell in self.master.cells)

    @functools.cached_property
    def reference_source(self) -> str:
        return self.master.reference_source()

    @functools.cached_property
    def given(self) -> dict[str, Any]:
        """The given names, as every student has them."""
        space: dict[str, Any] = {"__name__": "given"}
        exec(compiled(self.given_source, "<given cells>"), space)
        return space

    def misconceptions(self, question: str) -> tuple[Case, ...]:
        """The wrong answers that students are known to give to a question, read when they are first asked for."""
        if question not in self._misconceptions:
            path = self.lab.master.parent / "misconceptions" / f"{question}.py"
            self._misconceptions[question] = read_cases(path) if path.is_file() else ()
        return self._misconceptions[question]

    def reference(self, bound: Mapping[str, str] | None = None) -> Implementation:
        """The right answers, with stand-ins bound for one check."""
        return Implementation(self.reference_source, standins=self.standins, bound=bound or {}, memo=self.memo)

    def misconception(self, case: Case, bound: Mapping[str, str] | None = None) -> Implementation:
        """The right answers but for one question, which a case answers."""
        return self._with(case, bound=bound or {}, memo=self.memo)

    def consultant(self, names: Iterable[str], beside: frozenset[str]) -> Consultant:
        """The right answers for whatever a student's code asks of these functions."""
        return Consultant(self.reference(), frozenset(names), beside, self.memo)

    def built_on(self, functions: Mapping[str, Callable[..., Any]], case: Case | None = None) -> Implementation:
        """The reference, or a misconception, that calls the given functions in place of its own."""
        if case is None:
            return Implementation(self.reference_source, standins=self.standins, replaced=functions)
        return self._with(case, replaced=functions)

    def _with(self, case: Case, **rest: Any) -> Implementation:
        seconds = self.lab.limits.call_seconds
        return Implementation(self.reference_source, case.source, seconds, self.standins, **rest)


@functools.cache
def _loaded(standins: str) -> dict[str, Any]:
    """The namespace of stand-ins, one for all: nothing in it outlives a call, as in the sandbox."""
    space: dict[str, Any] = {"__name__": "standins"}
    exec(compiled(standins, "<standins>"), space)
    return space


@functools.cache
def compiled(source: str, name: str) -> Any:
    """Code for `exec`, compiled once."""
    return compile(source, name, "exec")


def _raised(name: str, error: Exception) -> CallError:
    kind, text = type(error).__name__, " ".join(str(error).split())
    said = f"{kind}: {text}"[:MAX_LINE] if text else kind
    return CallError("error", f"`{name}` raised {said}.", f"raised {kind}", said)


@contextlib.contextmanager
def _quietly() -> Iterator[io.StringIO]:
    """Wrong answers print and divide by zero; nobody needs to hear of it."""
    with (
        contextlib.redirect_stdout(io.StringIO()) as output,
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        yield output


def _as_sent(value: Any) -> Any:
    """A value as it would have come over the wire: a student's and the reference's are compared as the same types."""
    return codec.decode(codec.encode(value))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8-sig") if path.is_file() else ""


def _defined(tree: ast.Module) -> list[str]:
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
