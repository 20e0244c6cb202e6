"""What may cross between the judge and the sandbox: plain data, nothing else.

A *value* is None, a bool, int, float, str, list, tuple, dict with str keys, an array (dtype, shape, bytes) or
`Opaque(type name)` for everything that is none of these. A *message* is one of the structs below. Both are msgpack;
neither side ever loads a pickle, imports a class by name or reads an attribute whose name came over the wire.
"""

from __future__ import annotations

import math
import socket
import struct
import sys
import time
from typing import Annotated, Any

import msgspec
import numpy as np

MAX_DEPTH = 8
"""Values nest no deeper; what lies below is Opaque on the way out, an error on the way in."""

MAX_FRAME = 32 * 2**20
"""Bytes of one message: a hundred times the largest array that a lab exchanges."""

MAX_STATEMENTS = 1_000
"""Statements of a cell that are told of: in a few, something may hang; so many are data."""

MAX_ITEMS = 100_000
"""Items of all lists, tuples and dicts of one value: whoever has more numbers than that has them in an array."""

DTYPES = frozenset("?bhilqBHILQefdFD")
"""NumPy type characters that may cross: bool, integers, floats and complex numbers of fixed width."""

_DTYPE = {np.dtype(char).newbyteorder("<").str: np.dtype(char).newbyteorder("<") for char in DTYPES}
"""By the names under which they cross."""

_NARROWER = {"g": "d", "G": "D"}
"""A long double is not the same everywhere: it crosses as a double."""

_Side = Annotated[int, msgspec.Meta(ge=0)]

_TUPLE, _ARRAY, _OPAQUE, _REF = 1, 2, 3, 4


class WireError(Exception):
    """Bytes that are no message or no value."""


class Opaque(msgspec.Struct, frozen=True):
    """Stands for a value that may not cross; only the name of its type does."""

    type_name: str


class Tensor(msgspec.Struct, frozen=True, eq=False):
    """An array that was a torch tensor on the other side."""

    array: np.ndarray


class Ref(msgspec.Struct, frozen=True):
    """Names something on the other side: the object itself, or, with arguments, what calling it gives."""

    name: str
    arguments: tuple[Any, ...] | None = None


class _ArrayRecord(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    dtype: str
    shape: Annotated[list[_Side], msgspec.Meta(max_length=32)]
    torch: bool
    data: bytes


class _RefRecord(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    name: str
    arguments: bytes | None


_PLAIN: tuple[Any, ...] = (dict, list, tuple, str, int, float)

_NUMBERS = (bool, int, float, np.float64, np.float32, np.int64)
"""What arrays of objects may hold to cross as numbers: `np.frompyfunc` makes such arrays."""

_encoder = msgspec.msgpack.Encoder()
_array_decoder = msgspec.msgpack.Decoder(_ArrayRecord)
_ref_decoder = msgspec.msgpack.Decoder(_RefRecord)


# --- values ---------------------------------------------------------------------------------------------------------


def encode(value: Any) -> bytes:
    """A value as bytes. Whatever may not cross becomes Opaque; this never raises for odd values."""
    return _encoder.encode(_pack(value, 0))


def decode(data: bytes) -> Any:
    """The value behind `encode`'s bytes.

    Raises WireError for anything malformed: unknown extension, dtype outside the whitelist, a shape that does not
    fit the bytes, keys that are no str, nesting below MAX_DEPTH, more than MAX_ITEMS.
    """
    try:
        value = _Unpacker().decode(data)
        _check(value, 0, MAX_ITEMS)
    except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError, UnicodeDecodeError) as error:
        raise WireError(f"not a wire value: {error}") from None
    return value


def _pack(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind is np.ndarray:
        return _pack_array(value, torch=False)
    if value is None or kind is bool or kind is float:
        return value
    if kind is int:
        return value if -(2**63) <= value < 2**64 else _opaque("int of more than 64 bits")
    if kind is str:
        return value.encode("utf-8", "replace").decode()
    if kind in (list, tuple, dict) and depth >= MAX_DEPTH:
        return _opaque(f"{kind.__name__} nested more than {MAX_DEPTH} deep")
    if kind in (list, tuple, dict) and len(value) > MAX_ITEMS:
        return _opaque(f"{kind.__name__} of {len(value):,} items")
    if kind is list:
        return [_pack(item, depth + 1) for item in value]
    if kind is tuple:
        return msgspec.msgpack.Ext(_TUPLE, _encoder.encode([_pack(item, depth + 1) for item in value]))
    if kind is dict:
        if not all(type(key) is str for key in value):
            return _opaque("dict with keys that are not str")
        return {key: _pack(item, depth + 1) for key, item in value.items()}
    return _pack_object(value, depth)


def _pack_object(value: Any, depth: int) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return _pack_array(value, torch=False)
    if isinstance(value, Tensor):
        return _pack_array(value.array, torch=True)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return _pack_tensor(value, torch)
    if isinstance(value, Ref):
        arguments = None if value.arguments is None else _encoder.encode(_pack(value.arguments, depth + 1))
        return msgspec.msgpack.Ext(_REF, _encoder.encode(_RefRecord(value.name, arguments)))
    if isinstance(value, Opaque):
        return _opaque(value.type_name)
    for plain in _PLAIN:
        if isinstance(value, plain):  # named tuples, enums and the like cross as what they are underneath
            return _pack(plain(value), depth)
    return _opaque(type(value).__name__)


def _pack_array(value: Any, torch: bool) -> msgspec.msgpack.Ext:
    array = np.array(value, order="C", copy=None, subok=False)
    if array.nbytes > MAX_FRAME // 2:
        return _opaque(f"array of {array.nbytes:,} bytes")
    if (name := array.dtype.str) not in _DTYPE:
        dtype = _crossing(array).newbyteorder("<")
        if (name := dtype.str) not in _DTYPE:
            return _opaque(f"array of {array.dtype.name}")
        array = array.astype(dtype)
    record = _ArrayRecord(name, list(array.shape), torch, array.tobytes())
    return msgspec.msgpack.Ext(_ARRAY, _encoder.encode(record))


def _crossing(array: np.ndarray) -> np.dtype[Any]:
    """The type as which an array may cross: an array of objects that all are numbers is one of numbers."""
    kind = array.dtype.char
    if kind == "O" and array.size <= MAX_ITEMS and all(type(item) in _NUMBERS for item in array.flat):
        return np.dtype("d")
    return np.dtype(_NARROWER.get(kind, kind))


def _pack_tensor(value: Any, torch: Any) -> msgspec.msgpack.Ext:
    try:
        tensor = value.detach().cpu()
        if tensor.dtype == torch.bfloat16:
            tensor = tensor.float()
        return _pack_array(tensor.resolve_conj().resolve_neg().numpy(), torch=True)
    except (RuntimeError, TypeError, NotImplementedError):
        return _opaque(f"tensor on {value.device}")


def _opaque(type_name: str) -> msgspec.msgpack.Ext:
    return msgspec.msgpack.Ext(_OPAQUE, type_name.encode("utf-8", "replace")[:200])


_LEAVES = frozenset({type(None), bool, int, float, str, np.ndarray, Tensor, Opaque})


class _Unpacker:
    """Decodes one value, and counts its extensions: each of them costs a call, however few its bytes."""

    def __init__(self) -> None:
        self.left = MAX_ITEMS
        self.decode = msgspec.msgpack.Decoder(ext_hook=self.unpack).decode

    def unpack(self, code: int, data: memoryview) -> Any:
        self.left -= 1
        if self.left < 0:
            raise ValueError(f"more than {MAX_ITEMS} items")
        if code == _TUPLE:
            items = self.decode(data)
            if not isinstance(items, list):
                raise ValueError("a tuple's items are no list")
            return tuple(items)
        if code == _ARRAY:
            return _unpack_array(_array_decoder.decode(data))
        if code == _OPAQUE:
            return Opaque(bytes(data[:200]).decode("utf-8", "replace"))
        if code == _REF:
            record = _ref_decoder.decode(data)
            arguments = None if record.arguments is None else self.decode(record.arguments)
            if arguments is not None and not isinstance(arguments, tuple):
                raise ValueError("a reference's arguments are no tuple")
            return Ref(record.name, arguments)
        raise ValueError(f"unknown extension {code}")


def _unpack_array(record: _ArrayRecord) -> np.ndarray | Tensor:
    dtype = _DTYPE.get(record.dtype)
    if dtype is None:
        raise ValueError("an array of a type that may not cross")
    if math.prod(record.shape) * dtype.itemsize != len(record.data):
        raise ValueError("an array whose shape does not fit its bytes")
    array = np.ndarray(record.shape, dtype, record.data).copy()
    return Tensor(array) if record.torch else array


def _check(value: Any, depth: int, left: int) -> int:
    """Raises ValueError unless this is a value of at most `left` items; returns how many more there may be."""
    kind = type(value)
    if kind in _LEAVES:
        return left
    if kind is dict:
        if not all(type(key) is str for key in value):
            raise ValueError("a dict with keys that are not str")
        items: Any = value.values()
    elif kind is list or kind is tuple:
        items = value
    elif kind is Ref:
        items = value.arguments or ()
    else:
        raise ValueError(f"a {kind.__name__}")
    if depth >= MAX_DEPTH + 2:
        raise ValueError("nested too deep")
    left -= len(items)
    if left < 0:
        raise ValueError(f"more than {MAX_ITEMS} items")
    for item in items:
        left = _check(item, depth + 1, left)
    return left


# --- messages to the worker -----------------------------------------------------------------------------------------


class RunCell(msgspec.Struct, tag=True, array_like=True):
    """Run one code cell of the notebook, or its statements before `stop_before`; tells of each (`Began`)."""

    index: int
    source: str
    stop_before: int | None = None


class Rebuild(msgspec.Struct, tag=True, array_like=True):
    """All cells have run: make the one namespace that is checked."""

    given_source: str


class Fork(msgspec.Struct, tag=True, array_like=True):
    """Fork; the child answers on the socket that travels with this message."""


class Load(msgspec.Struct, tag=True, array_like=True):
    """Load the stand-ins: code of the suites' that runs beside the student's."""

    source: str


class Bind(msgspec.Struct, tag=True, array_like=True):
    """Put these stand-ins, and no others, under names that the student's code calls."""

    names: dict[str, str]


class Consult(msgspec.Struct, tag=True, array_like=True):
    """From now on, calls of these names ask the judge (`Ask`) and return its answer.

    Those in `beside` return it as the student's own function does: in front of whatever else that one returns.
    """

    names: list[str]
    beside: list[str] = []


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


Request = RunCell | Rebuild | Load | Fork | Bind | Consult | Call | Fetch | Answer


NOTHING = encode(None)
"""The value None, encoded."""


# --- messages to the judge ------------------------------------------------------------------------------------------


class Ready(msgspec.Struct, tag=True, array_like=True):
    """Done; `protections` lists what confines a process that has just started."""

    protections: list[str] = []


class Began(msgspec.Struct, tag=True, array_like=True):
    """A cell has come to its statement of this number, counted from 0; comes before the reply, and wants no answer."""

    statement: int


class CellRan(msgspec.Struct, tag=True, array_like=True):
    """A cell has run; `error` is its exception in one line, if it stopped early."""

    error: str | None
    notes: list[str]
    output: str


class Returned(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """What a call returned, its arguments afterwards (None: as they were sent), and what it printed."""

    value: bytes
    arguments: bytes | None
    output: str


class Raised(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """A call raised: the type's name, the text, and where in the notebook (`cell 7, line 3`)."""

    type_name: str
    text: str
    place: str


class NotThere(msgspec.Struct, tag=True, array_like=True, frozen=True):
    """There is no such name, or it is no function. `value` describes what stands there,
    `names` what else is defined."""

    name: str
    value: str | None
    names: tuple[str, ...]


class Ask(msgspec.Struct, tag=True, array_like=True):
    """A consulted name was called with the encoded `(args, kwargs)`."""

    name: str
    arguments: bytes


Said = Returned | Raised | NotThere
"""What a call or a fetch may bring."""

Reply = Ready | Began | CellRan | Returned | Raised | NotThere | Ask

request_decoder = msgspec.msgpack.Decoder(Request)
reply_decoder = msgspec.msgpack.Decoder(Reply)


# --- frames ---------------------------------------------------------------------------------------------------------

_LENGTH = struct.Struct("<I")


def send(sock: socket.socket, message: Request | Reply, fds: tuple[int, ...] = ()) -> None:
    """Write one message as a length-prefixed frame, file descriptors beside its first byte."""
    body = _encoder.encode(message)
    frame = _LENGTH.pack(len(body)) + body
    if fds:
        sent = socket.send_fds(sock, [frame], list(fds))
        frame = frame[sent:]
    sock.sendall(frame)


def receive_exactly(sock: socket.socket, count: int, deadline: float | None = None) -> bytes:
    """Read `count` bytes; EOFError when the other side has closed, TimeoutError after `deadline` (time.monotonic)."""
    parts = bytearray()
    while len(parts) < count:
        if deadline is not None:
            sock.settimeout(max(deadline - time.monotonic(), 1e-6))
        part = sock.recv(min(count - len(parts), 1 << 20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


def receive_body(sock: socket.socket, seconds: float | None = None) -> bytes:
    """Read one frame's body, which must be there within `seconds`, however slowly it trickles in.

    Raises EOFError, TimeoutError, or WireError when it claims more than MAX_FRAME bytes.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    (length,) = _LENGTH.unpack(receive_exactly(sock, _LENGTH.size, deadline))
    if length > MAX_FRAME:
        raise WireError(f"a message of {length:,} bytes")
    return receive_exactly(sock, length, deadline)


def receive_body_and_fds(sock: socket.socket) -> tuple[bytes, list[int]]:
    """As `receive_body`, with at most one file descriptor that travels beside the frame."""
    head, fds, _, _ = socket.recv_fds(sock, _LENGTH.size, 1)
    if not head:
        raise EOFError
    head += receive_exactly(sock, _LENGTH.size - len(head))
    (length,) = _LENGTH.unpack(head)
    if length > MAX_FRAME:
        raise WireError(f"a message of {length:,} bytes")
    return receive_exactly(sock, length), fds
