"""The process in which one notebook runs.

It is forked from the zygote, confines itself, runs the cells and answers the judge's requests in a loop. `Fork` makes
a copy that answers on a socket of its own, so that a check can be tried in a process that is then thrown away. All of
this shares its memory with the student's code: nothing said here is trusted on the other side.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import socket
import sys
import threading
import types
import warnings
from collections.abc import Callable
from typing import Any

from autograder.sandbox import codec, wire
from autograder.sandbox.aliases import Substitute, as_it_is, in_order
from autograder.sandbox.confine import with_reserve
from autograder.sandbox.namespace import Ledger
from autograder.sandbox.shell import CellShell, one_line, place_of
from autograder.sandbox.state import GlobalState
from autograder.sandbox.steps import note


class Worker:
    """One notebook's process: its namespace, and the loop that answers requests."""

    def __init__(self, sock: socket.socket, steps: int, shell: CellShell, state: GlobalState, names: Names) -> None:
        """`steps` is the pipe for the statements of cells."""
        self.sock = sock
        self.steps = steps
        self.shell = shell
        self.state = state
        self.namespace: dict[str, Any] = shell.user_ns
        self.ledger = Ledger(self.namespace, names.functions, names.values)
        self.standins: dict[str, Any] = {}
        self.substitutes: list[Substitute] = []
        self.asking = threading.Lock()
        """Held by the thread that waits for an answer of the judge's."""
        shell.ledger = self.ledger
        shell.began = self.began
        self.pid = os.getpid()
        self.output = state.reset()

    def serve(self) -> None:
        """Answer requests until the judge hangs up."""
        while True:
            body, fds = wire.receive_body_and_fds(self.sock)
            request = wire.request_decoder.decode(body)
            reply = self.fork(fds[0]) if isinstance(request, wire.Fork) else self.answer(request)
            if os.getpid() != self.pid:
                os._exit(0)  # a copy that the student's code made must not answer in this one's place
            wire.send(self.sock, reply)

    def answer(self, request: wire.Request) -> wire.Reply:
        """The reply to one request."""
        match request:
            case wire.RunCell():
                return self.run_cell(request)
            case wire.Call():
                return self.call(request)
            case wire.Fetch():
                return self.fetch(request)
            case wire.Rebuild():
                self.state.reset()
                self.ledger.rebuild(marshal.loads(request.given))
            case wire.Load():
                self.load(request)
            case wire.Bind():
                self.bind(request)
        return wire.Ready()

    def run_cell(self, request: wire.RunCell) -> wire.CellRan:
        error, notes = self.shell.run(request.index + 1, request.source, request.stop_before)
        self.ledger.after_cell()
        return wire.CellRan(error, notes, self.output.take())

    def began(self, statement: int) -> None:
        """Note where the cell is, in case it does not come back."""
        if os.getpid() == self.pid:
            note(self.steps, statement)

    def fork(self, fd: int) -> wire.Ready:
        """Fork; the child goes on with the new socket, the parent answers on the old one."""
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        with warnings.catch_warnings(), with_reserve():
            warnings.simplefilter("ignore")  # a student's thread may be running; it does not follow
            pid = os.fork()
        if pid == 0:
            self.sock.close()
            self.sock = socket.socket(fileno=fd)
            self.pid = os.getpid()
            self.bind(wire.Bind())
        else:
            os.close(fd)
        return wire.Ready()

    def load(self, request: wire.Load) -> None:
        """Run the stand-ins; a notebook that has broken what these import goes without them."""
        space: dict[str, Any] = {"__name__": "standins"}
        with contextlib.suppress(Exception):
            for code in marshal.loads(request.code):
                exec(code, space)
            self.standins = space

    def bind(self, request: wire.Bind) -> None:
        """Put other functions under these names, and what was there before under those of the last time."""
        for substitute in reversed(self.substitutes):
            substitute.undo()
        self.substitutes = []
        for name, standin in request.standins:
            self.substitutes.append(Substitute(self.namespace, name, self.standins[standin]))
        for name in request.asking:
            own = as_it_is(self.namespace.get(name))
            self.substitutes.append(Substitute(self.namespace, name, self.consulted(name, own, name in request.beside)))

    def consulted(self, name: str, own: Any, returns_more: bool) -> Callable[..., Any]:
        """A function of that name which asks the judge, in place of the student's own, which may return more than was
        asked."""

        def ask(*args: Any, **kwargs: Any) -> Any:
            sent = codec.encode(in_order(own, args, kwargs) if kwargs else (args, kwargs))
            with self.asking:
                wire.send(self.sock, wire.Ask(name, sent))
                reply = wire.request_decoder.decode(wire.receive_body(self.sock))
            if not isinstance(reply, wire.Answer) or reply.value is None:
                raise ValueError(f"{name} cannot take these arguments")
            value = self.revive(codec.decode(reply.value))
            if not returns_more:
                return value
            own_args, own_kwargs = self.revive(codec.decode(sent))
            return (value, *own(*own_args, **own_kwargs)[1:])

        return ask

    def call(self, request: wire.Call) -> wire.Reply:
        space = self.standins if request.standin else self.namespace
        function = space.get(request.name, _MISSING)
        if function is _MISSING or not callable(function):
            return self.not_there(request.name, function)
        output = self.state.reset()
        try:
            arguments = codec.Arguments(request.arguments)
            args, kwargs = given = arguments.value if arguments.plain else self.revive(arguments.value)
            value = function(*args, **kwargs)
            back = arguments.back(given)
            return wire.Returned(codec.encode(value), back, output.take())
        except _NotThere as missing:
            return self.not_there(missing.name, _MISSING)
        except BaseException as error:
            return wire.Raised(type(error).__name__[:100], one_line(error), place_of(error))

    def fetch(self, request: wire.Fetch) -> wire.Reply:
        value = self.namespace.get(request.name, _MISSING)
        if value is _MISSING:
            return self.not_there(request.name, value)
        return wire.Returned(codec.encode(value), None, "")

    def not_there(self, name: str, value: Any) -> wire.NotThere:
        return wire.NotThere(name, None if value is _MISSING else _described(value))

    def revive(self, value: Any) -> Any:
        """What came over the wire as a student's function takes it: names become objects, tensors torch's."""
        kind = type(value)
        if kind is dict:
            return {key: self.revive(item) for key, item in value.items()}
        if kind is list or kind is tuple:
            return kind([self.revive(item) for item in value])
        if kind is codec.Ref:
            return self.look_up(value)
        if kind is codec.Tensor:
            import torch

            return torch.from_numpy(value.array)
        return value

    def look_up(self, ref: codec.Ref) -> Any:
        space = self.standins if ref.name in self.standins else self.namespace
        if ref.name not in space:
            raise _NotThere(ref.name)
        found = space[ref.name]
        return found if ref.arguments is None else found(*self.revive(ref.arguments))


class _NotThere(Exception):
    """A call was to be given something that the notebook does not define."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Names:
    """What the lab's questions ask for: functions and classes, and plain values."""

    def __init__(self, functions: list[str], values: list[str]) -> None:
        self.functions = frozenset(functions)
        self.values = frozenset(values)


_MISSING = object()


def _described(value: Any) -> str:
    if value is ...:
        return "Ellipsis"
    if value is None:
        return "None"
    name = type(value).__name__[:100]
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


class _OtterNotebook:
    """Stands for `otter.Notebook`: the public checks run on the judge's side."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name.startswith("__"):
            raise AttributeError(name)
        return _nothing


def _nothing(*args: Any, **kwargs: Any) -> None:
    return None


def install_otter_standin() -> None:
    """`import otter` must work in a notebook, quickly and without its kernel hooks."""
    module = types.ModuleType("otter")
    module.Notebook = _OtterNotebook  # type: ignore[attr-defined]
    module.__version__ = "0"  # type: ignore[attr-defined]
    sys.modules["otter"] = module
