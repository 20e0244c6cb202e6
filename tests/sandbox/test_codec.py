"""Only plain data crosses, and nothing malformed gets through."""

from __future__ import annotations

import collections
import contextlib
import copy
import enum
import pickle
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_np

from autograder.sandbox import codec

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
    assert same(codec.decode(codec.encode(value)), value)


@given(values)
def test_the_same_value_always_gives_the_same_bytes(value: object) -> None:
    sent = codec.encode(value)
    assert codec.encode(copy.deepcopy(value)) == sent
    assert codec.encode(codec.decode(sent)) == sent


def test_values_that_differ_in_little_give_different_bytes() -> None:
    nan = np.array([np.nan])
    other_nan = (nan.view("i8") + 1).view("f8")
    zeros = [np.zeros(2, dtype) for dtype in ("?", "i1", "u1", "i2", "f2", "i4", "f4", "i8", "u8", "f8", "c8", "c16")]
    shapes = [np.zeros(shape) for shape in [(), (1,), (1, 1), (0,), (0, 1), (1, 0), (2, 3), (3, 2)]]
    plain = [0, 0.0, -0.0, False, None, "", [], (), {}, [0], (0,), {"a": 0}, {"a": 0.0}, [[]], [()], "a", ["a"]]
    orders = [{"a": 1, "b": 2}, {"b": 2, "a": 1}]
    alike = [*zeros, *shapes, nan, other_nan, -nan, np.array([-0.0, 0.0]), *plain, *orders]
    alike += [codec.Tensor(zeros[-1]), [zeros[0], zeros[1]], [zeros[1], zeros[0]], codec.Ref("a"), codec.Opaque("a")]
    alike += [codec.Ref("a", ()), ["a", None], ("r", "a", None)]
    assert len({codec.encode(value) for value in alike}) == len(alike)


@pytest.mark.parametrize(
    ("array", "crosses_as"),
    [
        (np.arange(12.0).reshape(3, 4)[::2, ::-1], "<f8"),
        (np.asfortranarray(np.arange(12.0).reshape(3, 4)), "<f8"),
        (np.arange(6.0).reshape(2, 3).T, "<f8"),
        (np.arange(6, dtype=">i4").reshape(2, 3), "<i4"),
        (np.array([1 + 2j, 3], ">c16"), "<c16"),
        (np.array([1, 2.5, True], object), "<f8"),
        (np.array([1.5], np.longdouble), "<f8"),
        (np.array([1.5], np.clongdouble), "<c16"),
        (np.broadcast_to(np.float32(2), (2, 3)), "<f4"),
        (np.array([3], np.longlong), "<i8"),
        (np.frombuffer(bytes(9), np.uint8)[1:].view("f8"), "<f8"),
        (np.arange(3.0).astype(np.dtype("f8", metadata={"made": "up"})), "<f8"),
        (np.ma.masked_array([1.0, 2.0], [True, False]), "<f8"),
        (np.array([[True, False]]).view(np.recarray), "|b1"),
        (np.array(2.5), "<f8"),
        (np.zeros((3, 0, 2), "i2"), "<i2"),
    ],
)
def test_an_array_of_whatever_form_comes_back_as_a_plain_one(array: np.ndarray, crosses_as: str) -> None:
    found = codec.decode(codec.encode(array))
    assert type(found) is np.ndarray and found.dtype is np.dtype(crosses_as)
    assert found.shape == array.shape and np.array_equal(found, np.asarray(array))
    assert found.flags.c_contiguous and found.flags.aligned and found.flags.writeable and found.flags.owndata


def test_no_bit_of_a_number_is_lost() -> None:
    bits = np.array([0x7FF0000000000001, 0xFFF8000000000123, 0x8000000000000000, 1], "u8")
    assert codec.decode(codec.encode(bits.view("f8"))).tobytes() == bits.tobytes()
    (number,) = bits[1:2].view("f8").tolist()
    assert np.float64(codec.decode(codec.encode(number))).tobytes() == bits[1].tobytes()


def test_arrays_keep_their_places() -> None:
    value = {"a": [np.arange(3), (np.zeros(0), {"b": np.array(True)})], "c": (np.ones((2, 2), "f4"), [np.array(1j)])}
    assert same(codec.decode(codec.encode(value)), value)
    assert same(codec.decode(codec.encode([np.ones(1), ["a", np.ones(2)]])), [np.ones(1), ["a", np.ones(2)]])


def test_arrays_too_large_to_cross_become_opaque() -> None:
    assert "array of" in codec.decode(codec.encode(np.broadcast_to(0.0, 2**40))).type_name
    assert "array of" in codec.decode(codec.encode(np.array(["a"]))).type_name


def test_references_keep_their_arguments() -> None:
    for ref in (codec.Ref("f"), codec.Ref("f", ()), codec.Ref("f", (1, [codec.Ref("g", ("a",))]))):
        assert codec.decode(codec.encode([ref])) == [ref]


def test_an_outline_tells_the_sizes_of_all_arrays_and_lists_wherever_they_stand() -> None:
    tensor = codec.Tensor(np.zeros((2, 0), np.float32))
    shapes, refers = codec.outline(codec.encode([np.zeros((2, 3)), {"key": np.zeros(())}, [1.5] * 7, tensor]))
    assert shapes[:3] == [(2, 3), (), (2, 0)] and {(4,), (1,), (7,)} <= set(shapes[3:])
    assert not refers and codec.outline(codec.NOTHING) == ([], False)


@pytest.mark.parametrize("place", [lambda ref: ref, lambda ref: ([1, {"key": (ref,)}],)])
@pytest.mark.parametrize("arguments", [None, (), (np.zeros(4),)])
def test_an_outline_tells_of_references(place: Callable[[Any], Any], arguments: tuple[Any, ...] | None) -> None:
    assert codec.outline(codec.encode(place(codec.Ref("f", arguments)))).refers


@given(st.binary(max_size=200))
def test_random_bytes_are_refused_or_plain(data: bytes) -> None:
    with contextlib.suppress(codec.Malformed):
        codec.encode(codec.decode(data))


def test_what_is_no_data_becomes_the_name_of_its_type() -> None:
    for value, name in [(object(), "object"), (len, "builtin_function_or_method"), ({1: 2}, "dict with keys")]:
        assert isinstance(found := codec.decode(codec.encode(value)), codec.Opaque) and name in found.type_name
    assert codec.decode(codec.encode(np.array([object()]))) == codec.Opaque("array of object")
    assert codec.decode(codec.encode(2**70)) == codec.Opaque("int of more than 64 bits")


def test_subclasses_cross_as_what_they_are_underneath() -> None:
    class Liar(np.ndarray):
        def __eq__(self, other: object) -> bool:  # type: ignore[override]
            return True

    colour = enum.IntEnum("colour", ["RED"])
    pair = collections.namedtuple("pair", "a b")
    assert type(codec.decode(codec.encode(np.ones(2).view(Liar)))) is np.ndarray
    assert codec.decode(codec.encode(colour.RED)) == 1
    assert codec.decode(codec.encode(pair(1, 2))) == (1, 2)
    assert codec.decode(codec.encode(np.float64(2))).shape == ()


def test_nesting_ends_where_the_contract_says() -> None:
    deep: object = 0
    for _ in range(codec.MAX_DEPTH + 5):
        deep = [deep]
    assert "nested more than" in str(codec.decode(codec.encode(deep)))
    for depth in (codec.MAX_DEPTH + 3, 5000):
        with pytest.raises(codec.Malformed):
            codec.decode(msgspec.msgpack.encode((b"\x91" * depth + b"\x00", [], b"")))


def parts(structure: object, heads: list[object], data: bytes) -> bytes:
    """A value made by hand: whatever stands in its three parts."""
    encode = msgspec.msgpack.encode
    return encode((encode(structure), [encode(head) for head in heads], data))


@pytest.mark.parametrize(
    ("head", "data"),
    [
        (["<f8", [2**60]], b""),
        (["<f8", [2**61, 2**3]], b""),
        (["<f8", [2**64 - 1]], b""),
        (["<f8", [-1, -8]], bytes(8)),
        (["<f8", [2]], bytes(8)),
        (["<f8", [2]], bytes(15)),
        (["<f8", [2]], bytes(17)),
        (["<f8", []], b""),
        (["<f8", [2**40, 0]], b""),
        (["<f8", [0, 2**63]], b""),
        (["<f8", [0] * 33], b""),
        (["<f8", [1] * 64], bytes(8)),
        (["<f8", [1.0]], bytes(8)),
        (["|O", [1]], bytes(8)),
        (["<U1", [2]], bytes(8)),
        (["<M8[s]", [1]], bytes(8)),
        ([">f8", [1]], bytes(8)),
        (["float64", [1]], bytes(8)),
        (["f8,f8", [1]], bytes(16)),
        (["<f8"], bytes(8)),
        (["<f8", [1], 0], bytes(8)),
        ([], b""),
        (None, b""),
    ],
)
def test_an_array_that_lies_about_itself_is_refused(head: object, data: bytes) -> None:
    with pytest.raises(codec.Malformed):
        codec.decode(parts(b"a", [head], data))


F8 = ["<f8", [1]]


@pytest.mark.parametrize(
    ("structure", "heads", "data"),
    [
        (b"a", [], b""),
        (b"a", [], bytes(8)),
        (None, [F8], bytes(8)),
        (None, [], bytes(8)),
        ([b"a", b"a"], [F8], bytes(8)),
        ([b"a", b"a"], [F8, F8], bytes(8)),
        ([b"a"], [F8, F8], bytes(16)),
        (b"x", [F8], bytes(8)),
        (b"", [F8], bytes(8)),
        (b"(", [F8], bytes(8)),
        (b"aa", [F8, F8], bytes(16)),
        ({b"a": 1}, [], b""),
        ({1: 2}, [], b""),
        ({None: 2}, [], b""),
        ([b"r"], [], b""),
        ([b"r", 1, None], [], b""),
        ([b"r", "f", [1]], [], b""),
        ([b"r", "f", None, None], [], b""),
        ([b"o"], [], b""),
        ([b"o", 1], [], b""),
        ([b"o", "a", None], [], b""),
        ([1, b"(", 2], [], b""),
        (msgspec.msgpack.Ext(1, b""), [], b""),
        (msgspec.msgpack.Ext(-1, bytes(4)), [], b""),
        ([msgspec.msgpack.Ext(2, b""), 1], [], b""),
    ],
)
def test_places_and_arrays_that_do_not_belong_together_are_refused(
    structure: object, heads: list[object], data: bytes
) -> None:
    with pytest.raises(codec.Malformed):
        codec.decode(parts(structure, heads, data))


@pytest.mark.parametrize("data", [b"", b"\xc0", msgspec.msgpack.encode([b"\xc0", []]), codec.NOTHING + b"\x00"])
def test_what_has_other_parts_is_refused(data: bytes) -> None:
    with pytest.raises(codec.Malformed):
        codec.decode(data)
    with pytest.raises(codec.Malformed):
        codec.outline(data[:1] or data)


def test_no_value_unfolds_to_much_more_than_was_sent() -> None:
    long = [None] * (codec.MAX_ITEMS + 1)
    for structure, heads in [(long, []), ([long[:60_000], long[:60_000]], []), ([b"(", *long], []), (None, long)]:
        with pytest.raises(codec.Malformed):
            codec.decode(parts(structure, heads, b""))
    nested = b"\xdd" + (2**23).to_bytes(4, "big") + b"\x90" * 2**23
    for read in (codec.decode, codec.outline):
        with pytest.raises(codec.Malformed, match="structure"):
            read(msgspec.msgpack.encode((nested, [], b"")))


@given(values, st.data())
def test_a_value_with_wrong_bytes_in_it_is_refused_or_plain(value: object, data: st.DataObject) -> None:
    raw = bytearray(codec.encode(value))
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    with contextlib.suppress(codec.Malformed):
        codec.encode(codec.decode(bytes(raw)))


def test_a_pickle_is_only_bytes() -> None:
    with pytest.raises(codec.Malformed):
        codec.decode(pickle.dumps(print))
    with pytest.raises(codec.Malformed):
        codec.decode(parts(msgspec.msgpack.Ext(77, pickle.dumps(print)), [], b""))


def test_tensors_keep_their_mark() -> None:
    torch = pytest.importorskip("torch")
    found = codec.decode(codec.encode(torch.ones(2, requires_grad=True)))
    assert isinstance(found, codec.Tensor) and found.array.dtype == np.float32
    assert "meta" in codec.decode(codec.encode(torch.ones(2, device="meta"))).type_name


def given_arguments() -> bytes:
    weights = {"W": np.arange(4.0).reshape(2, 2), "b": np.array([0.0, np.nan]), "h": 2}
    return codec.encode(((np.ones(3), [weights, {"list": [1, 2]}], "text", (0.5, None)), {"mask": np.array([True])}))


@given(values, values)
def test_arguments_that_nobody_changed_are_known_to_be_as_sent(first: object, second: object) -> None:
    sent = codec.encode(((first,), {"second": second}))
    arguments = codec.Arguments(sent)
    assert arguments.plain and same(arguments.value, ((first,), {"second": second}))
    assert arguments.back(arguments.value) is None
    assert arguments.back(copy.deepcopy(arguments.value)) is None


CHANGES: list[Callable[[Any, Any], Any]] = [
    lambda args, kwargs: args[0].__setitem__(1, 7),
    lambda args, kwargs: np.negative(args[0], out=args[0]),
    lambda args, kwargs: args[1][0]["W"].sort(axis=0, kind="stable") or args[1][0]["W"].__imul__(2),
    lambda args, kwargs: args[1][0]["b"].__setitem__(0, -0.0),
    lambda args, kwargs: args[1][0]["b"].view("i8").__iadd__(1),
    lambda args, kwargs: setattr(args[0], "shape", (3, 1)),
    lambda args, kwargs: setattr(args[0], "dtype", np.int64),
    lambda args, kwargs: args[1][0].update(W=args[1][0]["W"].astype("f4")),
    lambda args, kwargs: args[1][0].update(W=args[1][0]["W"].T),
    lambda args, kwargs: args[1][0].update(h=2.0),
    lambda args, kwargs: args[1][0].update(h=object()),
    lambda args, kwargs: args[1][0].update(W=args[1][0].pop("W")),
    lambda args, kwargs: args[1][0].clear(),
    lambda args, kwargs: args[1][1]["list"].append(3),
    lambda args, kwargs: args[1][1]["list"].reverse(),
    lambda args, kwargs: args[1].pop(),
    lambda args, kwargs: kwargs.update(more=1),
    lambda args, kwargs: kwargs["mask"].__setitem__(0, False),
]


@pytest.mark.parametrize("change", CHANGES)
def test_changed_arguments_come_back(change: Callable[[Any, Any], Any]) -> None:
    sent = given_arguments()
    arguments = codec.Arguments(sent)
    change(*arguments.value)
    back = arguments.back(arguments.value)
    assert back is not None and back == codec.encode(arguments.value) != sent


def test_arguments_changed_to_the_same_are_as_sent() -> None:
    arguments = codec.Arguments(given_arguments())
    (x, [weights, _], _, _), kwargs = arguments.value
    weights.update(W=weights["W"].copy(), h=int("2"))
    kwargs.update(mask=kwargs.pop("mask"))
    x[:] = x.copy()
    assert arguments.back(arguments.value) is None


def test_arguments_with_a_reference_or_a_tensor_are_encoded_again() -> None:
    for passed in (codec.Ref("f"), codec.Tensor(np.ones(2)), [{"a": codec.Ref("f", (1,))}]):
        arguments = codec.Arguments(codec.encode(((passed,), {})))
        assert not arguments.plain and arguments.back(arguments.value) is None
        assert arguments.back(((1,), {})) == codec.encode(((1,), {}))
    with pytest.raises(codec.Malformed):
        codec.Arguments(b"")
