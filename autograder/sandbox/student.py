"""The handle with which suites call a student's functions.

`student.layer_norm(x, gamma, beta)` runs in the sandbox and returns plain data. Every call is also kept as an
`Observation` (what came back, what became of the arguments), which messages and diagnosis are made from.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from autograder.sandbox import codec, wire
from autograder.sandbox.host import WALL_FACTOR, Channel, TimedOut, WorkerDied
from autograder.sandbox.notebook import RunningNotebook
from autograder.sandbox.similar import similar_name


class CallError(AssertionError):
    """A call gave no value to compare. `status` is the verdict: failed, error or timeout; `text` is what an exception
    said, with its type's name in front."""

    def __init__(self, status: str, message: str, kind: str = "", text: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind or status
        self.text = text

    def anew(self) -> CallError:
        """The same, to be raised: what is raised holds on to all that is at work, and observations are kept."""
        return CallError(self.status, str(self), self.kind, self.text)


MOST_KEPT = 2**26
"""Bytes that the answers of one notebook may take up, which are kept until it has been marked: twenty times what those
of any known answer to the labs do."""

ITEM_BYTES = 100
"""About what each item of a value takes."""

FETCHED = b""
"""What was `sent` where a variable was fetched and nothing was called."""


@dataclass(frozen=True)
class Observation:
    """What one call did, or what a variable held. `back` are the encoded arguments as they were afterwards."""

    name: str
    sent: bytes
    value: Any = None
    back: bytes = codec.NOTHING
    output: str = ""
    error: CallError | None = None

    def returned(self) -> Any:
        """The value; raises the error where there is none."""
        if self.error is not None:
            raise self.error.anew()
        return self.value

    @property
    def arguments(self) -> Any:
        """The (args, kwargs) as they were after the call, made anew for the few that ask. None where they cannot be
        read."""
        try:
            return codec.decode(self.back)
        except codec.Malformed:
            return None


class Exchange(NamedTuple):
    """What was asked of a notebook, and what its process said, or why it said nothing."""

    name: str
    sent: bytes
    said: wire.Reply | CallError


class Consultant(Protocol):
    """Answers for functions that the student's code calls and that are not the student's."""

    names: frozenset[str]
    beside: frozenset[str]
    """Names whose own function is called as well, for what it returns beside its value."""

    def answer(self, name: str, asked: bytes, sent: bytes) -> bytes | None:
        """The value for a call with the encoded `asked`, in the course of one with `sent`; None if there is none."""


class Callee(Protocol):
    """What a check can call: a student's function, the reference's, or a misconception's."""

    name: str
    tolerance: float
    is_standin: bool

    def observe(self, *args: Any, **kwargs: Any) -> Observation: ...
    def repeat(self, call: Observation) -> Observation: ...


@dataclass(frozen=True)
class Handle:
    """A function of the student's, or a class: call it, or pass it to another call, where it travels as a name."""

    name: str
    owner: Student

    @property
    def tolerance(self) -> float:
        """The tolerance that the rubric gives the check that is running."""
        return self.owner.tolerance

    @property
    def is_standin(self) -> bool:
        """Whether it is a helper of the grader's, whose name no student has seen."""
        return self.name in self.owner.standin_names

    def observe(self, *args: Any, **kwargs: Any) -> Observation:
        """Call it in the sandbox, and say all that happened. Never raises for what the student's code does."""
        return self.owner.observe(self.name, args, kwargs)

    def repeat(self, call: Observation) -> Observation:
        """Call it in the sandbox with the arguments of another call."""
        return self.owner.call(self.name, call.sent)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it in the sandbox; raises CallError where no value came back."""
        observation = self.observe(*args, **kwargs)
        observation.returned()
        value = self.owner.plain(observation)
        if isinstance(value, codec.Opaque):
            message = f"`{self.name}` returned {kind_of(value)}, not numbers or arrays."
            raise CallError("failed", message, "type")
        return as_arrays(value)


@dataclass
class Student:
    """A notebook's functions and values, as seen from the judge.

    Calls share one process, which is replaced when a call hangs or kills it, here or in another copy of the notebook.
    It is a copy of the notebook's, or that one itself where the notebook lends it. `bound` puts stand-ins under names
    that the student's functions call; others measure the student's classes. A `consultant` answers for further names.
    """

    notebook: RunningNotebook
    standin_names: frozenset[str] = frozenset()
    bound: Mapping[str, str] = field(default_factory=dict)
    consultant: Consultant | None = None
    tolerance: float = 1e-5
    call_seconds: float = 5.0
    trail: list[Observation] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)
    """All that was asked since the running check began."""
    rehearsed: list[Exchange] = field(default_factory=list)
    """What is known already of what the running check will ask: it is not asked again."""
    notes: list[str] = field(default_factory=list)
    plain: Callable[[Observation], Any] = field(default=lambda observation: observation.value)
    _channel: Channel | None = None
    _made_after: int = 0

    def __getattr__(self, name: str) -> Handle:
        if name.startswith("_"):
            raise AttributeError(name)
        return Handle(name, self)

    def value(self, name: str) -> Any:
        """A variable of the notebook. Raises CallError when there is none."""
        observation = self._observed(name, FETCHED)
        value = observation.returned()
        self.trail.append(observation)
        return value

    def observe(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Observation:
        """Call a name in the sandbox; what went wrong is part of the observation."""
        return self.call(name, codec.encode((as_refs(args), as_refs(kwargs))))

    def call(self, name: str, sent: bytes) -> Observation:
        """Call a name in the sandbox with encoded arguments."""
        observation = self._observed(name, sent)
        self.trail.append(observation)
        return observation

    def ask(self, name: str, sent: bytes) -> wire.Reply | CallError:
        """What the sandbox says to a call, or to FETCHED for a variable; the error where it cannot say anything."""
        exchange = self.rehearsed.pop(0) if self.rehearsed else None
        if exchange is None or (exchange.name, exchange.sent) != (name, sent):
            self.rehearsed.clear()
            exchange = Exchange(name, sent, self.answer(name, sent))
        self.exchanges.append(exchange)
        return exchange.said

    def answer(self, name: str, sent: bytes) -> wire.Reply | CallError:
        """What the sandbox says; where no call leaves a trace, what it said to an earlier check that called alike.

        Within a check only the first answer may be an earlier one: it may look at whether two calls agree.
        """
        if self.notebook.calls.kept > MOST_KEPT:
            message = f"The notebook had returned more than {MOST_KEPT // 2**20} MB in all before this call."
            return CallError("error", message, "too much")
        if not self.notebook.lends or any((name, sent) == (before.name, before.sent) for before in self.exchanges):
            return self._ask_now(name, sent)
        said = self.notebook.said.setdefault(self._binding, {})
        found = said.get((name, sent)) or self._ask_now(name, sent)
        if isinstance(found, wire.Said):
            said[name, sent] = found
        return found

    def subject(self, name: str, sent: bytes) -> str:
        """The student's own function that a call is about: a helper, given or the grader's, is passed it."""
        if name not in self.standin_names and name not in self.notebook.lab.given:
            return name
        args, kwargs = codec.decode(sent)
        passed = [item.name for item in (*args, *kwargs.values()) if isinstance(item, codec.Ref)]
        return next((item for item in passed if item in self.notebook.lab.functions), name)

    def _ask_now(self, name: str, sent: bytes) -> wire.Reply | CallError:
        request: wire.Request = wire.Call(name, sent, standin=name in self.standin_names)
        request = wire.Fetch(name) if sent == FETCHED else request
        until = self.notebook.calls.spent + WALL_FACTOR * self.call_seconds  # however often it asks meanwhile
        try:
            while isinstance(said := self._ask(request, until), wire.Ask):
                request = wire.Answer(self._consulted(said, sent))
            return self._meant(said) if isinstance(said, wire.NotThere) else said
        except CallError as error:
            return error

    def _observed(self, name: str, sent: bytes) -> Observation:
        said = self.ask(name, sent)
        try:
            if isinstance(said, CallError):
                raise said
            if not isinstance(said, wire.Returned):
                raise self._error(self.subject(name, sent), said)
            value, back = self._decoded(said.value), sent if said.arguments is None else said.arguments
            self.notebook.calls.kept += _size(said) + ITEM_BYTES * items_in(value)
            return Observation(name, sent, value, back, said.output)
        except CallError as error:
            return Observation(name, sent, error=error.anew())

    def __enter__(self) -> Student:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Throw this process away, or give it back."""
        if self._channel is not None and self._channel is not self.notebook.stem:
            self._channel.close()
        self._channel = None

    def _ask(self, request: wire.Request, until: float) -> wire.Reply:
        """The reply to a request; CallError where there is none, or so many seconds of the notebook's are spent."""
        budget = self.notebook.calls
        if budget.spent >= budget.total:
            raise CallError("timeout", _USED_UP)
        seconds = self.notebook.lab.limits.call_seconds
        message = f"Getting the notebook ready for the call took more than {seconds:g} seconds and was stopped."
        try:
            channel = self._ready(seconds)
            message = f"The call took more than {self.call_seconds:g} seconds and was stopped."
            if budget.spent >= until:
                raise TimedOut
            return self._request(channel, request, self.call_seconds)
        except TimedOut:
            self._give_up()
            raise CallError("timeout", _USED_UP if budget.spent >= budget.total else message) from None
        except WorkerDied:
            self._give_up()
            raise CallError("error", "The call ended Python: an exit, a crash, or too much memory.", "killed") from None

    def _ready(self, seconds: float) -> Channel:
        """The process that answers, with what it needs under the names it needs it, made in so many seconds."""
        if self._made_after != self.notebook.endings:  # another copy has hung, and this one was ended with it
            self.close()
        if self._channel is None:
            self._channel = self.notebook.stem if self.notebook.lends else self.notebook.fork(self.notebook.calls)
            self._made_after = self.notebook.endings
        binding = self._binding
        if self._channel.bound != binding:
            self._request(self._channel, binding, seconds)
            self._channel.bound = binding
        return self._channel

    def _request(self, channel: Channel, request: wire.Request, seconds: float) -> wire.Reply:
        """A process's reply within so many seconds and what is left of the notebook's, to which they are counted."""
        budget = self.notebook.calls
        with budget.counting(channel):
            return channel.request(request, budget.allow(seconds))

    @property
    def _binding(self) -> wire.Bind:
        """What its process has to put under which names."""
        asking, beside = (self.consultant.names, self.consultant.beside) if self.consultant else ((), ())
        return wire.Bind(tuple(sorted(self.bound.items())), tuple(sorted(asking)), tuple(sorted(beside)))

    def _give_up(self) -> None:
        hung = self._channel
        self.close()
        self.notebook.end_copies(hung)

    def _consulted(self, question: wire.Ask, sent: bytes) -> bytes | None:
        """The answer to a question from within a call; the time it takes is the student's. Only copies with a
        consultant have a right to ask."""
        if self.consultant is None:
            return None
        started = time.perf_counter()
        try:
            return self.consultant.answer(question.name, question.arguments, sent)
        finally:
            self.notebook.calls.spent += time.perf_counter() - started

    def _decoded(self, data: bytes) -> Any:
        try:
            return codec.decode(data)
        except codec.Malformed:
            raise CallError("error", "What came back could not be read as data.") from None

    def _meant(self, reply: wire.NotThere) -> wire.NotThere:
        """With the name that was probably meant, one of the notebook's own which no question and no lesson has given.

        It is part of the reply, so that what is known of one notebook's is not told of another's.
        """
        lab = self.notebook.lab
        asked = {*lab.functions, *(value for question in lab.questions.values() for value in question.values)}
        sources = [cell.source for cell in self.notebook.cells if cell.runs]
        own = [source for source in sources if source.strip() not in self.notebook.given_source]
        similar = similar_name(reply.name, own, asked.union(lab.given)) if reply.name in asked else ""
        return wire.NotThere(reply.name, reply.value, similar)

    def _stub(self, text: str) -> str | None:
        """The function or method that a stub's exception names, if it is one that a question asks for.

        A student can raise the same with a word that tells what the function was called with.
        """
        stub = _STUB.fullmatch(text)
        return stub["name"] if stub and stub["home"] in self.notebook.lab.functions else None

    def _error(self, name: str, reply: wire.Reply) -> CallError:
        match reply:
            case wire.NotThere(value=None):
                name = reply.name if reply.name in self.notebook.lab.functions else name
                meant = f" Did you mean `{reply.meant}`?" if reply.meant else ""
                return CallError("failed", f"`{name}` is not defined.{meant}", "undefined")
            case wire.NotThere():
                return CallError("failed", f"`{name}` is {reply.value}, not a function.", "not callable")
            case wire.Raised(type_name="NotImplementedError"):
                name = self._stub(reply.text) or name
                return CallError("failed", f"`{name}` is not written yet: it still raises NotImplementedError.", "stub")
            case wire.Raised():
                where = f" ({reply.place})" if re.fullmatch(r"cell \d{1,4}, line \d{1,4}", reply.place) else ""
                message = f"`{name}` raised {_what_was_raised(reply)}{where}."
                return CallError("error", message, f"raised {reply.type_name}", reply.text)
        return CallError("error", f"`{name}` gave an answer that is none.")


def _size(said: wire.Returned) -> int:
    return len(said.value) + len(said.arguments or b"") + len(said.output)


def kind_of(value: codec.Opaque) -> str:
    """What a value that may not cross is, in words, if these are words."""
    return f"something of type {value.type_name}" if _WORDS.fullmatch(value.type_name) else "something odd"


def _what_was_raised(reply: wire.Raised) -> str:
    """An exception's type and text. A student can give a type any name, and have its process say anything: what is no
    name of a type is left out."""
    kind, _, text = reply.text.partition(": ")
    kind = kind if kind.isidentifier() else "an exception"
    return f"{kind}: {text}" if text else kind


_WORDS = re.compile(r"[\w\[\]]+(?: [\w\[\]]+(?:,\d+)*)*")
"""A type's name, or what the codec says in place of one."""

_USED_UP = "The time for the whole notebook was used up before this check."

_STUB = re.compile(
    r"NotImplementedError: (?P<name>(?P<home>\w+)(?:\.(?:__init__|__call__|forward|backward))?) is not written yet"
)

Shape = tuple[int, ...]
"""Of an array, or the length of a list, alone."""

GROWTH, SMALL = 4, 64
"""What the reference is to work on may be GROWTH times as large as what the check passed in, and always so long as
GROWTH times SMALL."""


def outsized(shapes: Iterable[Shape], like: Iterable[Shape]) -> bool:
    """Whether an array or a list of the student's is so much larger than the judge's own that it can only mean harm.

    Attention, for one, takes memory by the square of the length.
    """
    ours = list(like)
    longest = GROWTH * max([SMALL, *(side for shape in ours for side in shape)])
    largest = GROWTH * max([SMALL, *map(math.prod, ours)])
    return any(math.prod(shape) > largest or max(shape, default=0) > longest for shape in shapes)


def shapes_in(value: Any) -> list[Shape]:
    """The shapes of all arrays in a wire value, and the lengths of its lists."""
    match value:
        case np.ndarray():
            return [value.shape]
        case codec.Tensor(array=array):
            return [array.shape]
        case list() | tuple():
            return [(len(value),), *(shape for item in value for shape in shapes_in(item))]
        case dict():
            return shapes_in(list(value.values()))
    return []


def items_in(value: Any) -> int:
    """How many objects a wire value is made of, an array being one."""
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + sum(map(items_in, value)) if isinstance(value, list | tuple) else 1


def as_refs(value: Any) -> Any:
    """Arguments as they may travel: handles become references by name, torch tensors arrays marked as such."""
    if isinstance(value, list | tuple):
        return type(value)(as_refs(item) for item in value)
    if isinstance(value, dict):
        return {key: as_refs(item) for key, item in value.items()}
    if hasattr(value, "observe") and hasattr(value, "name"):
        return codec.Ref(value.name)
    return value


def as_arrays(value: Any) -> Any:
    """What came back, as a suite sees it: what was a tensor is an array."""
    if isinstance(value, codec.Tensor):
        return value.array
    if isinstance(value, list | tuple):
        return type(value)(as_arrays(item) for item in value)
    if isinstance(value, dict):
        return {key: as_arrays(item) for key, item in value.items()}
    return value
