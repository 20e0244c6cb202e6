"""Values as bytes: what may cross between the judge and the sandbox, which is plain data and nothing else.

A value is None, a bool, int, float, str, list, tuple, dict with str keys, an array (dtype, shape, bytes) or
`Opaque(type name)` for everything that is none of these. It travels as msgpack; neither side ever loads a pickle,
imports a class by name or reads an attribute whose name came over the wire.
"""

from __future__ import annotations

import math
import sys
from functools import lru_cache
from operator import is_
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np

MAX_DEPTH = 8
"""Values nest no deeper; what lies below is Opaque on the way out, an error on the way in."""

MAX_FRAME = 32 * 2**20
"""Bytes of one message: a hundred times the largest array that a lab exchanges."""

MAX_STRUCTURE = 4 * 2**20
"""Bytes of a value's structure, without its arrays: each of them may become an empty list, which takes 80."""

MAX_ITEMS = 100_000
"""Items of all lists, tuples and dicts of one value: whoever has more numbers than that has them in an array."""

DTYPES = frozenset("?bhilqBHILQefdFD")
"""NumPy type characters that may cross: bool, integers, floats and complex numbers of fixed width."""

_DTYPES = {name: np.dtype(name) for name in (np.dtype(char).newbyteorder("<").str for char in DTYPES)}
"""By the names under which they cross."""

_NAMES: dict[int, str] = {np.dtype(char).num: np.dtype(char).str for char in DTYPES if np.dtype(char).str in _DTYPES}
"""The names under which this machine's own types cross, by NumPy's numbers for them."""

_NARROWER = {"g": "d", "G": "D"}
"""A long double is not the same everywhere: it crosses as a double."""

_ARRAY, _TENSOR, _TUPLE, _REF, _OPAQUE = b"a", b"t", b"(", b"r", b"o"
"""Marks in a value's structure: bytes are no value, and so can mean nothing else."""


class Malformed(Exception):
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


_PLAIN: tuple[Any, ...] = (dict, list, tuple, str, int, float)

_NUMBERS = (bool, int, float, np.float64, np.float32, np.int64)
"""What arrays of objects may hold to cross as numbers: `np.frompyfunc` makes such arrays."""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder()
_Heads = Annotated[list[bytes], msgspec.Meta(max_length=MAX_ITEMS)]
_parts_decoder = msgspec.msgpack.Decoder(tuple[memoryview, _Heads, memoryview])


# --- packing and unpacking --------------------------------------------------------------------------------------------
#
# A value crosses in three parts: its structure, a head for each of its arrays, and the bytes of them all. In the
# structure stands a mark for each array: the first mark is the first head's array, whose bytes come first, and so on,
# so that no two arrays can claim the same bytes. A list that begins with another mark is what that mark says.


def encode(value: Any) -> bytes:
    """A value as bytes, the same for the same value. Whatever may not cross becomes Opaque; never raises for it."""
    packer = _Packer()
    structure = packer.pack(value, 0)
    return _encoder.encode((_encoder.encode(structure), packer.heads, b"".join(packer.pieces)))


def decode(data: bytes) -> Any:
    """The value behind `encode`'s bytes; its arrays are new and own their memory.

    Raises Malformed for anything malformed: unknown extension, dtype outside the whitelist, shapes that do not fit
    the bytes, keys that are no str, nesting below MAX_DEPTH, more than MAX_ITEMS.
    """
    return _unpacked(data).value


class Outline(NamedTuple):
    """How large a value is: the shapes of its arrays, and the lengths of its lists, tuples and dicts. `refers` says
    that it names something on the other side."""

    shapes: list[tuple[int, ...]]
    refers: bool


def outline(data: bytes) -> Outline:
    """What `encode`'s bytes are, told without making the arrays. Raises Malformed, but not for all that `decode`
    does."""
    try:
        structure, heads, _ = _parts_decoder.decode(data)
        if len(structure) > MAX_STRUCTURE:
            raise ValueError(f"a structure of {len(structure):,} bytes")
        lengths: list[tuple[int, ...]] = []
        refers = _measure(_decoder.decode(structure), lengths)
        return Outline([*(_array(head)[1] for head in heads), *lengths], refers)
    except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError) as error:
        raise Malformed(f"not a wire value: {error}") from None


def _measure(node: Any, lengths: list[tuple[int, ...]]) -> bool:
    """Note the lengths of a structure's lists and dicts; whether there is a reference in it."""
    if type(node) is not list and type(node) is not dict:
        return False
    lengths.append((len(node),))
    inside = [_measure(item, lengths) for item in (node.values() if type(node) is dict else node)]
    return any(inside) or (type(node) is list and node[:1] == [_REF])


def _unpacked(data: bytes) -> _Unpacker:
    try:
        return _Unpacker(data)
    except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError, UnicodeDecodeError) as error:
        raise Malformed(f"not a wire value: {error}") from None


_STR = frozenset([str])


class _Packer:
    """Takes a value apart: `pack` gives its structure; `heads` and `pieces` gather what its arrays are and hold."""

    def __init__(self) -> None:
        self.heads: list[bytes] = []
        self.pieces: list[bytes] = []

    def pack(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind is np.ndarray:
            return self.array(value)
        if kind is dict or kind is list or kind is tuple:
            return self.container(value, kind, depth)
        if value is None or kind is bool or kind is float:
            return value
        if kind is int:
            return value if -(2**63) <= value < 2**64 else _opaque("int of more than 64 bits")
        if kind is str:
            return value.encode("utf-8", "replace").decode()
        return self.object(value, depth)

    def container(self, value: Any, kind: type, depth: int) -> Any:
        if depth >= MAX_DEPTH:
            return _opaque(f"{kind.__name__} nested more than {MAX_DEPTH} deep")
        if len(value) > MAX_ITEMS:
            return _opaque(f"{kind.__name__} of {len(value):,} items")
        if kind is list:
            return [self.pack(item, depth + 1) for item in value]
        if kind is tuple:
            return [_TUPLE, *[self.pack(item, depth + 1) for item in value]]
        if not _STR.issuperset(map(type, value)):
            return _opaque("dict with keys that are not str")
        return {key: self.pack(item, depth + 1) for key, item in value.items()}

    def object(self, value: Any, depth: int) -> Any:
        if isinstance(value, np.ndarray | np.generic):
            return self.array(_bare(value))
        if isinstance(value, Tensor):
            return self.array(_bare(value.array), _TENSOR)
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.Tensor):
            return self.tensor(value, torch)
        if isinstance(value, Ref):
            return [_REF, value.name, None if value.arguments is None else self.pack(value.arguments, depth + 1)]
        if isinstance(value, Opaque):
            return _opaque(value.type_name)
        for plain in _PLAIN:
            if isinstance(value, plain):  # named tuples, enums and the like cross as what they are underneath
                return self.pack(plain(value), depth)
        return _opaque(type(value).__name__)

    def array(self, array: np.ndarray, mark: bytes = _ARRAY) -> Any:
        head = _head(array.dtype.num, array.dtype.isnative, array.shape)
        if head is None:
            return self.odd_array(array, mark)
        self.heads.append(head)
        self.pieces.append(array.tobytes())
        return mark

    def odd_array(self, array: np.ndarray, mark: bytes) -> Any:
        """An array that may not cross, or not as it is."""
        if array.nbytes > MAX_FRAME // 2:
            return _opaque(f"array of {array.nbytes:,} bytes")
        dtype = _DTYPES.get(_crossing(array).newbyteorder("<").str)
        if dtype is None:
            return _opaque(f"array of {array.dtype.name}")
        self.heads.append(_encoder.encode(_Head(dtype.str, array.shape)))
        self.pieces.append(array.astype(dtype).tobytes())
        return mark

    def tensor(self, value: Any, torch: Any) -> Any:
        try:
            if value.dtype == torch.bfloat16:
                value = value.float()
            return self.array(_bare(value.numpy(force=True)), _TENSOR)
        except (RuntimeError, TypeError, NotImplementedError):
            return _opaque(f"tensor on {value.device}")


def _opaque(type_name: str) -> Any:
    return [_OPAQUE, type_name.encode("utf-8", "replace")[:200].decode("utf-8", "replace")]


def _bare(value: Any) -> np.ndarray:
    """The array itself, of no subclass: those may lie about what they hold."""
    return np.array(value, copy=None, subok=False)


def _crossing(array: np.ndarray) -> np.dtype[Any]:
    """The type as which an array may cross: an array of objects that all are numbers is one of numbers."""
    kind = array.dtype.char
    if kind == "O" and array.size <= MAX_ITEMS and all(type(item) in _NUMBERS for item in array.flat):
        return np.dtype("d")
    return np.dtype(_NARROWER.get(kind, kind))


class _Unpacker:
    """Puts a value together again: `arrays` are its own, `views` the same ones on the bytes as they came."""

    def __init__(self, data: bytes) -> None:
        structure, heads, pieces = _parts_decoder.decode(data)
        if len(structure) > MAX_STRUCTURE:
            raise ValueError(f"a structure of {len(structure):,} bytes")
        self.views = _views(heads, pieces)
        self.arrays = [view.copy() for view in self.views]
        self.plain = True
        """Whether no reference and no tensor is in it."""
        self._left = MAX_ITEMS
        self._next = iter(self.arrays)
        self.value = self.unpack(_decoder.decode(structure), 0)
        if next(self._next, None) is not None:
            raise ValueError("an array without a place")

    def unpack(self, node: Any, depth: int) -> Any:
        kind = type(node)
        if kind is bytes:
            array = next(self._next, None)
            if node == _ARRAY and array is not None:
                return array
            return self.tensor(node, array)
        if kind in _SCALARS:
            return node
        if kind is not dict and kind is not list:
            raise ValueError(f"a {kind.__name__}")
        if depth >= MAX_DEPTH + 2:
            raise ValueError("nested too deep")
        self._left -= len(node)
        if self._left < 0:
            raise ValueError(f"more than {MAX_ITEMS} items")
        if kind is dict:
            if not _STR.issuperset(map(type, node)):
                raise ValueError("a dict with keys that are not str")
            return {key: self.unpack(item, depth + 1) for key, item in node.items()}
        if node and type(node[0]) is bytes and node[0] in _LISTS:
            return self.marked(node[0], node[1:], depth)
        return [self.unpack(item, depth + 1) for item in node]

    def tensor(self, mark: bytes, array: np.ndarray | None) -> Tensor:
        """The next array as a tensor, if there is one and the mark says so."""
        if array is None:
            raise ValueError("a place without an array")
        if mark != _TENSOR:
            raise ValueError("an unknown mark")
        self.plain = False
        return Tensor(array)

    def marked(self, mark: bytes, nodes: list[Any], depth: int) -> Any:
        items = tuple([self.unpack(node, depth + 1) for node in nodes])
        if mark == _TUPLE:
            return items
        match items:
            case (str(name),) if mark == _OPAQUE:
                return Opaque(name[:200])
            case (str(name), None | tuple() as arguments) if mark == _REF:
                self.plain = False
                return Ref(name, arguments)
        raise ValueError("a mark without what it marks")


_SCALARS = frozenset({type(None), bool, int, float, str})
_LISTS = (_TUPLE, _REF, _OPAQUE)


def _views(heads: list[bytes], data: memoryview) -> list[np.ndarray]:
    """Arrays that share out the bytes among them, in their order."""
    views, start, size = [], 0, len(data)
    for head in heads:
        dtype, shape, length = _array(head)
        if start + length > size:
            raise ValueError("an array whose shape does not fit its bytes")
        views.append(np.ndarray(shape, dtype, data, start))
        start += length
    if start != size:
        raise ValueError("bytes that no array has")
    return views


class Arguments:
    """A call's arguments on the side that calls: `value` as it came, and what has become of it.

    `plain` says that nothing in it is a reference or a tensor, so that the call can be given it as it is. Hardly any
    call changes its arguments: that it did not is seen without encoding them all again.
    """

    def __init__(self, sent: bytes) -> None:
        """Raises Malformed as `decode` does."""
        unpacked = _unpacked(sent)
        self.sent, self.value, self.plain = sent, unpacked.value, unpacked.plain
        self._arrays, self._views = unpacked.arrays, unpacked.views
        self._held: list[tuple[Any, list[Any]]] = []
        if self.plain:
            self._remember(self.value)

    def back(self, now: Any) -> bytes | None:
        """What `encode` gives for the arguments after the call; None where that is what was sent."""
        if now is self.value and self.plain and self._is_as_it_was():
            return None
        back = encode(now)
        return None if back == self.sent else back

    def _remember(self, container: Any) -> None:
        items = _items(container)
        self._held.append((container, items))
        for item in items:
            if type(item) in _CONTAINERS:
                self._remember(item)

    def _is_as_it_was(self) -> bool:
        """Whether all containers hold the very same objects as before, and the arrays the same bytes."""
        return all(_holds(*held) for held in self._held) and all(map(_equals, self._arrays, self._views))


_CONTAINERS = frozenset([dict, list, tuple])


def _items(container: Any) -> list[Any]:
    return [*container, *container.values()] if type(container) is dict else list(container)


def _holds(container: Any, items: list[Any]) -> bool:
    now = _items(container)
    return len(now) == len(items) and all(map(is_, now, items))


def _equals(array: np.ndarray, view: np.ndarray) -> bool:
    return array.dtype is view.dtype and array.shape == view.shape and array.tobytes() == view.tobytes()


# --- heads of arrays ------------------------------------------------------------------------------------------------
#
# A check's calls pass arrays of the same few types and shapes again and again: what is said of them is kept.

_HEADS = 1024
"""How many are kept."""

_Side = Annotated[int, msgspec.Meta(ge=0)]


class _Head(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    dtype: str
    shape: Annotated[tuple[_Side, ...], msgspec.Meta(max_length=32)]


_head_decoder = msgspec.msgpack.Decoder(_Head)


@lru_cache(_HEADS)
def _head(number: int, native: bool, shape: tuple[int, ...]) -> bytes | None:
    """The head of an array of NumPy's type of this number; None where it may not cross as it is."""
    name = _NAMES.get(number) if native else None
    if name is None or math.prod(shape) * _DTYPES[name].itemsize > MAX_FRAME // 2:
        return None
    return _encoder.encode(_Head(name, shape))


@lru_cache(_HEADS)
def _array(head: bytes) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    """What a head says: the array's type, its shape and its size in bytes."""
    said = _head_decoder.decode(head)
    dtype = _DTYPES.get(said.dtype)
    if dtype is None:
        raise ValueError("an array of a type that may not cross")
    if math.prod(side or 1 for side in said.shape) > MAX_FRAME:
        raise ValueError("an array too long to be here, even one without items")
    return dtype, said.shape, math.prod(said.shape) * dtype.itemsize


NOTHING = encode(None)
"""The value None, encoded."""
