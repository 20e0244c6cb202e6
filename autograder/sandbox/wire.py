"""What is said between the judge and the sandbox: messages, and the frames in which they travel.

A message is one of the structs below, as msgpack. Values in it, such as a call's arguments, are `codec`'s bytes.
"""

from __future__ import annotations

import ast
import codeop
import marshal
import socket
import struct
import time
from functools import cache
from typing import Annotated

import msgspec

from autograder.sandbox.codec import MAX_FRAME, Malformed

_encoder = msgspec.msgpack.Encoder()

MAX_LINE = 300
"""Characters of a name, a note or an exception's line: a message to the judge with a longer one is none."""

MAX_LINES = 100
"""Notes of one cell, protections."""

Line = Annotated[str, msgspec.Meta(max_length=MAX_LINE)]
_Few = msgspec.Meta(max_length=MAX_LINES)


# --- messages to the worker -----------------------------------------------------------------------------------------


class RunCell(msgspec.Struct, tag=True, array_like=True):
    """Run one code cell of the notebook, or its statements before `stop_before`; each is noted (`steps`)."""

    index: int
    source: str
    stop_before: int | None = None


class Rebuild(msgspec.Struct, tag=True, array_like=True):
    """All cells have run: make the one namespace that is checked. `given` is the given cells' code (`code_of`)."""

    given: bytes


class Fork(msgspec.Struct, tag=True, array_like=True):
    """Fork; the child answers on the socket that travels with this message."""


class Load(msgspec.Struct, tag=True, array_like=True):
    """Load the stand-ins: code of the suites' (`code_of`) that runs beside the student's."""

    code: bytes


class Bind(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """Put other functions under names that the student's code calls, and under no others.

    `standins` are names with the stand-ins for them. Functions under the names in `asking` ask the judge (`Ask`) and
    return its answer; those that are in `beside`, too, as the student's own does: in front of whatever else it returns.
    """

    standins: tuple[tuple[str, str], ...] = ()
    asking: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


class Call(msgspec.Struct, tag=True, array_like=True):
    """Call `name` with the encoded `(args, kwargs)`; `standin` looks it up among the stand-ins."""

    name: str
    arguments: bytes
    standin: bool = False


class Fetch(msgspec.Struct, tag=True, array_like=True):
    """Send the value of a variable."""

    name: str


class Answer(msgspec.Struct, tag=True, array_like=True):
    """The judge's answer to `Ask`: an encoded value, or None when there is none."""

    value: bytes | None


@cache
def code_of(source: str, name: str) -> bytes:
    """Code of the lab's own, compiled once for all notebooks: `marshal.loads` gives a list for `exec`.

    It is compiled statement by statement, as in a notebook: Python writes a method's call differently where the import
    of what it is called on stands beside it.
    """
    compiler = codeop.Compile()  # it remembers what was imported from __future__
    statements = ast.parse(source, name).body
    return marshal.dumps([compiler(ast.Module([node], []), name, "exec") for node in statements])  # type: ignore[arg-type]


Request = RunCell | Rebuild | Load | Fork | Bind | Call | Fetch | Answer


# --- messages to the judge ------------------------------------------------------------------------------------------


class Ready(msgspec.Struct, tag=True, array_like=True):
    """Done; `protections` lists what confines a process that has just started."""

    protections: Annotated[list[Line], _Few] = []


class CellRan(msgspec.Struct, tag=True, array_like=True):
    """A cell has run; `error` is its exception in one line, if it stopped early."""

    error: Line | None
    notes: Annotated[list[Line], _Few]
    output: str


class Returned(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """What a call returned, its arguments afterwards (None: as they were sent), and what it printed."""

    value: bytes
    arguments: bytes | None
    output: str


class Raised(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """A call raised: the type's name, the text, and where in the notebook (`cell 7, line 3`)."""

    type_name: Line
    text: Line
    place: Line


class NotThere(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """There is no such name, or it is no function. `value` describes what stands there; the judge adds what may have
    been `meant`."""

    name: Line
    value: Line | None
    meant: Line = ""


class Ask(msgspec.Struct, tag=True, array_like=True):
    """A consulted name was called with the encoded `(args, kwargs)`."""

    name: Line
    arguments: bytes


Said = Returned | Raised | NotThere
"""What a call or a fetch may bring."""

Reply = Ready | CellRan | Returned | Raised | NotThere | Ask

request_decoder = msgspec.msgpack.Decoder(Request)
reply_decoder = msgspec.msgpack.Decoder(Reply)


# --- frames ---------------------------------------------------------------------------------------------------------

MIN_PART, MAX_PART = 2**14, 2**18
"""Bytes that are read at once: most frames fit into the least; the most is about what a socket holds, so that no more
memory than that is taken for what was promised."""

_LENGTH = struct.Struct("<I")


def send(sock: socket.socket, message: Request | Reply, fds: tuple[int, ...] = ()) -> None:
    """Write one message as a length-prefixed frame, file descriptors beside its first byte."""
    frame = bytearray(_LENGTH.size)
    _encoder.encode_into(message, frame, _LENGTH.size)
    _LENGTH.pack_into(frame, 0, len(frame) - _LENGTH.size)
    sent = socket.send_fds(sock, [frame], list(fds)) if fds else 0
    sock.sendall(memoryview(frame)[sent:])


class Inbox:
    """The frames that come in on a socket, read in large parts: most are there whole with the first."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._read = memoryview(b"")

    @property
    def has_more(self) -> bool:
        """Whether some of the next frame has been read already."""
        return len(self._read) > 0

    def body(self, seconds: float) -> memoryview:
        """The next frame's body, which must be there within `seconds`, however slowly it trickles in.

        Raises EOFError when the other side has closed, TimeoutError, or Malformed when it claims more than MAX_FRAME
        bytes.
        """
        deadline = time.monotonic() + seconds
        self._read_to(_LENGTH.size, deadline)
        end = _LENGTH.size + _length(self._read)
        self._read_to(end, deadline)
        body, self._read = self._read[_LENGTH.size : end], self._read[end:]
        return body

    def _read_to(self, count: int, deadline: float) -> None:
        parts, size = [self._read], len(self._read)
        while size < count:
            self._sock.settimeout(max(deadline - time.monotonic(), 1e-6))
            part = self._sock.recv(min(max(count - size, MIN_PART), MAX_PART))
            if not part:
                raise EOFError
            parts.append(memoryview(part))
            size += len(part)
        self._read = parts[0] if len(parts) == 1 else memoryview(b"".join(parts))


def receive_exactly(sock: socket.socket, count: int) -> bytes:
    """Read `count` bytes; EOFError when the other side has closed."""
    parts: list[bytes] = []
    while count:
        part = sock.recv(min(count, MAX_PART))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def receive_body(sock: socket.socket) -> bytes:
    """Read one frame's body. Raises EOFError, or Malformed when it claims more than MAX_FRAME bytes."""
    return receive_exactly(sock, _length(receive_exactly(sock, _LENGTH.size)))


def receive_body_and_fds(sock: socket.socket, most: int = 1) -> tuple[bytes, list[int]]:
    """As `receive_body`, with at most so many file descriptors that travel beside the frame."""
    head, fds, _, _ = socket.recv_fds(sock, _LENGTH.size, most)
    if not head:
        raise EOFError
    head += receive_exactly(sock, _LENGTH.size - len(head))
    return receive_exactly(sock, _length(head)), fds


def _length(head: bytes | memoryview) -> int:
    """The length of the body behind a frame's head."""
    length: int = _LENGTH.unpack_from(head)[0]
    if length > MAX_FRAME:
        raise Malformed(f"a message of {length:,} bytes")
    return length
