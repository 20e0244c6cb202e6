"""The ladder of a comparison, and the sentences it stops with."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_np

from autograder.compare import (
    Mismatch,
    assert_choice,
    assert_matches,
    assert_same_twice,
    assert_unchanged,
    compare,
    near,
    normalised,
    relation_of,
)
from autograder.reference import Implementation
from autograder.sandbox import codec
from autograder.sandbox.student import CallError

X = np.arange(6.0).reshape(2, 3)

numbers = st.sampled_from([0.0, 1.0, 1.000001, 1 + 1e-10, -1.0, 1e300, -1e308, 1e308, np.inf, -np.inf, np.nan])
whole = st.sampled_from([-(2**63), -1, 0, 1, 2**53, 2**53 + 1, 2**63 - 1])
arrays = st.one_of(
    st_np.arrays("f8", 3, elements=numbers),
    st_np.arrays("i8", 3, elements=whole),
    st_np.arrays(st.sampled_from(["f4", "u1", "u8", "?"]), 3, elements=st.sampled_from([0, 1])),
)
pairs = st.tuples(arrays, arrays)


def implementation(body: str) -> Any:
    return Implementation(f"import numpy as np\ndef f(x, *more):\n    {body}\n").f


def verdict(body: str, right: str = "return 2 * x", **settings: Any) -> str:
    with pytest.raises((Mismatch, CallError)) as caught:
        assert_matches(implementation(body), implementation(right), X, **settings)
    return str(caught.value)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise ValueError('no')", "raised"),
        ("pass", "returned None. Is the `return` missing?"),
        ("return 'text'", "returned a str, not an array of shape (2, 3)"),
        ("return (i for i in x)", "something of type generator"),
        ("return 2 * x[0]", "has shape (3,), not (2, 3)"),
        ("return 2 * x.T", "Is something transposed?"),
        ("return 2 * x + 0j", "complex"),
        ("return x / 0", "NaN or infinity at 6 of 6 places"),
        ("return 2 * x + (x > 4)", "1 of 6 values are off"),
        ("return 3 * x", "1.5 times what it should be"),
        ("return -2 * x", "its sign is wrong"),
    ],
)
def test_the_first_rung_that_breaks_is_named(body: str, said: str) -> None:
    assert said in verdict(body)


@pytest.mark.parametrize(
    "body",
    ["return 2 * x, 'cache'", "return (2 * x).astype('f4')", "return (2 * x).tolist()", "return np.matrix(2 * x)"],
)
def test_only_the_numbers_count(body: str) -> None:
    assert_matches(implementation(body), implementation("return 2 * x"), X)


def test_a_message_holds_neither_input_nor_expected_value() -> None:
    message = verdict("return 2 * x + 0.123 * (x > 4)", "return 2 * x + 0.5 * (x > 4)")
    assert "0.123" not in message and "10.5" not in message


def test_the_detail_for_public_checks_names_place_and_values() -> None:
    with pytest.raises(Mismatch) as caught:
        assert_matches(implementation("return x + (x == 3)"), implementation("return x"), X)
    assert "[1, 0], is 4, expected 3" in caught.value.detail


def test_notes_say_what_was_overlooked() -> None:
    notes: list[str] = []
    assert np.array_equal(normalised((X, "cache"), X, notes), X)
    normalised(codec.Tensor(X.astype("f4")), X, notes)
    assert [note.split()[0:3] for note in notes] == [
        ["The", "first", "item"],
        ["A", "torch", "tensor"],
        ["The", "answer", "was"],
    ]


def test_a_tensor_for_a_number_is_not_told_that_the_lesson_asks_for_numpy() -> None:
    notes: list[str] = []
    normalised(codec.Tensor(np.array(2.0)), 2.0, notes)
    assert notes == ["A torch tensor was taken for the number that it holds."]


@given(pairs, st.sampled_from([1e-9, 1e-5, 1e-2]))
def test_near_is_what_numpy_calls_close(pair: tuple[np.ndarray, np.ndarray], tolerance: float) -> None:
    got, right = pair
    with np.errstate(over="ignore"):
        expected = np.isclose(got, right, tolerance, tolerance, equal_nan=True)
    assert np.array_equal(near(got, right, tolerance), expected)


def test_a_part_of_the_output_is_compared_alone() -> None:
    right = "return x, {'W': x}"
    assert_matches(implementation("return 0, {'W': x}"), implementation(right), X, part=(1, "W"), label="dW")
    assert "there is no 'W'" in verdict("return x, {}", right, part=(1, "W"), label="dW")


def test_norm_wise_comparison_forgives_single_places() -> None:
    nudged = "return x + 1e-7 * (x == 0)"
    assert_matches(implementation(nudged), implementation("return x"), X, tolerance=1e-6, norm_wise=True)
    assert "not right" in verdict("return x + 1e-3", "return x", tolerance=1e-6, norm_wise=True)


def test_exact_means_exact() -> None:
    assert_matches(implementation("return x"), implementation("return x"), X, tolerance=0)
    assert verdict("return x + 1e-15 * (x > 0)", "return x", tolerance=0)


def test_arguments_must_come_back_unchanged() -> None:
    assert_unchanged(implementation("return x + 1"), X)
    with pytest.raises(Mismatch, match="second argument"):
        assert_unchanged(implementation("more[0]['W'] += 1; return x"), X, {"W": X})


def test_the_same_call_must_give_the_same_again() -> None:
    assert_same_twice(implementation("return x * np.random.rand()"), X)  # seeded before every call
    with pytest.raises(Mismatch, match="another value"):
        assert_same_twice(implementation("f.n = getattr(f, 'n', 0) + 1; return f.n"), X)
    with pytest.raises(Mismatch, match="other numbers of the same shape what it gave before"):
        assert_same_twice(
            implementation("f.kept = getattr(f, 'kept', {}); return f.kept.setdefault(x.shape, x + 1)"), X
        )


@pytest.mark.parametrize("body", ["return 3", "return x * 0", "yield x", "return (x for x in x)", "return [0.0, 0.0]"])
def test_what_is_always_the_same_or_no_number_is_not_taken_for_a_kept_answer(body: str) -> None:
    assert_same_twice(implementation(body), X)


def test_a_kept_answer_is_found_among_several() -> None:
    kept = "f.kept = getattr(f, 'kept', {}); return f.kept.setdefault(x.shape, (x + 1, 3))"
    with pytest.raises(Mismatch, match="keep the first answer"):
        assert_same_twice(implementation(kept), X)


@pytest.mark.parametrize("given", ["b", " B ", "(b)", "b.", "B)", " (b). ", "b\n", "b\xa0", "b\r", "\u3000b ."])
def test_a_choice_is_read_kindly(given: str) -> None:
    assert_choice({"shape": given}, {"shape": "b"}, "shape")


@pytest.mark.parametrize("given", [None, {}, {"shape": None}, {"shape": "a"}, {"shape": 2}, "b"])
def test_a_wrong_or_missing_choice_is_told(given: Any) -> None:
    with pytest.raises(Mismatch, match="shape"):
        assert_choice(given, {"shape": "b"}, "shape")


def test_dicts_are_compared_key_by_key() -> None:
    compare(OrderedDict(a=1.0), {"a": 1}, "`f`", 1e-5)
    with pytest.raises(Mismatch, match="lacks `b`"):
        compare({"a": 1.0}, {"a": 1.0, "b": 2.0}, "`f`", 1e-5)


def test_a_transpose_is_recognised() -> None:
    square = np.random.default_rng(0).standard_normal((3, 3))
    assert "transposed" in relation_of(square.T, square)
    assert relation_of(square + 1, square) == ""


def test_plain_numbers_in_lists_are_not_made_arrays_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr("autograder.compare.array_of", lambda item: made.append(item) or np.array(item))
    lists = [[np.array(0.5), *[1.0, 2, True] * 100], [0.0] * 301]
    array = normalised(lists, np.zeros((2, 301)), [])
    assert array.dtype == np.float64 and array.tolist() == [[0.5, *[1.0, 2.0, 1.0] * 100], [0.0] * 301]
    assert len(made) < 5
