"""Only plain data crosses, and nothing malformed gets through."""

from __future__ import annotations

import collections
import contextlib
import enum
import pickle

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_np

from autograder.sandbox import wire

scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text()
dtypes = st.sampled_from(["?", "i1", "i8", "u2", "f2", "f4", "f8", "c16"])
arrays = dtypes.flatmap(lambda dtype: st_np.arrays(dtype, st_np.array_shapes(min_dims=0, max_dims=3, min_side=0)))
values = st.recursive(
    scalars | arrays,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and (a == b or (a != a and b != b))


@given(values)
def test_plain_data_comes_back_as_it_was(value: object) -> None:
    assert same(wire.decode(wire.encode(value)), value)


@given(st.binary(max_size=200))
def test_random_bytes_are_refused_or_plain(data: bytes) -> None:
    with contextlib.suppress(wire.WireError):
        wire.encode(wire.decode(data))


def test_what_is_no_data_becomes_the_name_of_its_type() -> None:
    for value, name in [(object(), "object"), (len, "builtin_function_or_method"), ({1: 2}, "dict with keys")]:
        assert isinstance(found := wire.decode(wire.encode(value)), wire.Opaque) and name in found.type_name
    assert wire.decode(wire.encode(np.array([object()]))) == wire.Opaque("array of object")
    assert wire.decode(wire.encode(2**70)) == wire.Opaque("int of more than 64 bits")


def test_subclasses_cross_as_what_they_are_underneath() -> None:
    class Liar(np.ndarray):
        def __eq__(self, other: object) -> bool:  # type: ignore[override]
            return True

    colour = enum.IntEnum("colour", ["RED"])
    pair = collections.namedtuple("pair", "a b")
    assert type(wire.decode(wire.encode(np.ones(2).view(Liar)))) is np.ndarray
    assert wire.decode(wire.encode(colour.RED)) == 1
    assert wire.decode(wire.encode(pair(1, 2))) == (1, 2)
    assert wire.decode(wire.encode(np.float64(2))).shape == ()


def test_nesting_ends_where_the_contract_says() -> None:
    deep: object = 0
    for _ in range(wire.MAX_DEPTH + 5):
        deep = [deep]
    assert "nested more than" in str(wire.decode(wire.encode(deep)))
    with pytest.raises(wire.WireError):
        wire.decode(b"\x91" * 5000 + b"\x00")


@pytest.mark.parametrize(
    "record",
    [
        ["<f8", [2**60], False, b""],
        ["<f8", [-1, -8], False, bytes(8)],
        ["<f8", [2], False, bytes(8)],
        ["|O", [1], False, bytes(8)],
        ["<U1", [2], False, bytes(8)],
        ["f8,f8", [1], False, bytes(16)],
        ["<f8", [1] * 64, False, bytes(8)],
        ["<f8", [1], False],
    ],
)
def test_an_array_that_lies_about_itself_is_refused(record: list[object]) -> None:
    data = msgspec.msgpack.encode(msgspec.msgpack.Ext(2, msgspec.msgpack.encode(record)))
    with pytest.raises(wire.WireError):
        wire.decode(data)


def test_a_pickle_is_only_bytes() -> None:
    with pytest.raises(wire.WireError):
        wire.decode(pickle.dumps(print))
    with pytest.raises(wire.WireError):
        wire.decode(msgspec.msgpack.encode(msgspec.msgpack.Ext(77, pickle.dumps(print))))


def test_tensors_keep_their_mark() -> None:
    torch = pytest.importorskip("torch")
    found = wire.decode(wire.encode(torch.ones(2, requires_grad=True)))
    assert isinstance(found, wire.Tensor) and found.array.dtype == np.float32
    assert "meta" in wire.decode(wire.encode(torch.ones(2, device="meta"))).type_name
