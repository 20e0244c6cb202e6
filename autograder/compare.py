"""The vocabulary of a check: what a suite may assert, and the sentences it fails with.

A comparison climbs a ladder and stops at the first rung that breaks: called without trouble, returned something, of
the right type, shape and dtype, finite, with the right values. Only numbers are judged: a tensor for an array, float32
for float64 or `(out, cache)` for `out` pass with a note. The values themselves are compared as exact-type float64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import numpy as np

from autograder.sandbox import codec
from autograder.sandbox.student import Callee, Observation, kind_of

Part = int | str | tuple[int | str, ...] | None
Test = TypeVar("Test", bound=Callable[..., object])


class Mismatch(AssertionError):
    """A comparison failed.

    The message holds no input and no expected value, so that a hidden check may show it; `detail` names places and
    values, for public checks and for staff.
    """

    def __init__(self, rung: str, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.rung = rung
        self.detail = detail


class Pending(Exception):
    """The check leaves its points to a person, and says why."""


# --- what a suite says ----------------------------------------------------------------------------------------------


def assert_matches(
    student: Callee,
    reference: Callee,
    *args: Any,
    tolerance: float | None = None,
    part: Part = None,
    norm_wise: bool = False,
    label: str | None = None,
    **kwargs: Any,
) -> None:
    """The student's function returns what the reference returns.

    `tolerance` is rtol and atol alike (0: equal exactly) and defaults to the rubric's for this check. `part` picks an
    entry of the output, such as `(1, "Wq")` of `(dx, grads)`, and `label` names it in messages. `norm_wise` compares
    ‖a − b‖ / max(‖a‖ + ‖b‖, 1e-12) instead of element by element. Raises Mismatch, or CallError where a call gave no
    value.
    """
    known = reference.observe(*args, **kwargs)
    expected = known.returned()
    observation = student.repeat(known)
    value = normalised(observation.returned(), expected, notes_of(student))
    what = _called(student, observation, label)
    if part is not None:
        _insist_on_parts(value, expected, f"`{observation.name}`")
    value, expected = _picked(value, part, what), _picked(expected, part, "the reference")
    compare(value, expected, what, student.tolerance if tolerance is None else tolerance, norm_wise)


def assert_unchanged(student: Callee, *args: Any, **kwargs: Any) -> None:
    """The arguments of a call come back as they went in."""
    observation = student.observe(*args, **kwargs)
    observation.returned()
    if observation.back == observation.sent:
        return
    sent_args, sent_kwargs = codec.decode(observation.sent)
    back_args, back_kwargs = observation.arguments
    names = [_ordinal(position) for position in range(len(sent_args))]
    pairs = [*zip(names, sent_args, back_args, strict=True), *((k, v, back_kwargs[k]) for k, v in sent_kwargs.items())]
    for name, sent, back in pairs:
        if not isinstance(sent, codec.Ref) and not same(sent, back):
            raise Mismatch(
                "unchanged",
                f"{_called(student, observation)} changes its {name} argument in place: whoever called it still needs "
                "the old values. Compute new arrays, or work on a copy.",
            )


def assert_same_twice(student: Callee, *args: Any, **kwargs: Any) -> None:
    """The same call gives the same value again, and one with other numbers of the same shapes does not give it, too."""
    first = student.observe(*args, **kwargs)
    other = student.observe(*_changed(args), **_changed(kwargs))
    second = student.repeat(first)
    value = first.returned()
    if _varies(value) and not other.error and other.sent != first.sent and same(value, other.value):
        raise Mismatch(
            "repeatable",
            f"{_called(student, second)} gives for other numbers of the same shape what it gave before. "
            "Does something keep the first answer?",
        )
    if not same(value, second.returned()):
        raise Mismatch(
            "repeatable",
            f"{_called(student, second)} gives another value when it is called again with the same arguments. "
            "Something outlives the call: a global, a default argument, a random draw.",
        )


def _varies(value: Any) -> bool:
    """Whether there are different numbers in it: what is always 3, or never a number, keeps nothing."""
    if _is_numeric(value):
        return len(np.unique(array_of(value))) > 1
    return isinstance(value, list | tuple) and any(map(_varies, value))


def _changed(value: Any) -> Any:
    """The same with other numbers in its arrays, in no symmetry to those that were there."""
    if isinstance(value, np.ndarray):
        return 0.75 * np.flip(value) if value.dtype.kind == "f" else np.flip(value)
    if isinstance(value, list | tuple):
        return type(value)(map(_changed, value))
    if isinstance(value, dict):
        return {key: _changed(item) for key, item in value.items()}
    return value


def assert_choice(given: Any, right: Any, key: str | None = None) -> None:
    """A multiple-choice answer is the right one; `key` picks it from a dict of answers."""
    name = "Your choice" if key is None else f"Your choice for `{key}`"
    if key is not None:
        if not isinstance(given, dict):
            raise Mismatch("type", f"{name} is missing: the answers must stand in a dict, one letter for each key.")
        given, right = given.get(key), right[key]
    if not isinstance(given, str) or not given.strip():
        raise Mismatch("something", f"{name} is missing. Pick one of the letters.")
    if letter_of(given) != right:
        raise Mismatch("values", f"{name} is not the best answer. Read the passage it refers to once more.")


def letter_of(given: str) -> str:
    """The letter of an answer, however it is written: `B`, `(b)`, ` b. `."""
    return "".join(given.split()).strip("().").lower()


def pending(why: str) -> NoReturn:
    """Leave this check's points to a person."""
    raise Pending(why)


def bind(**names: str) -> Callable[[Test], Test]:
    """Mark a check: for it, the names that a question calls are bound to stand-ins, on both sides."""

    def mark(test: Test) -> Test:
        test.bound_standins = names  # type: ignore[attr-defined]
        return test

    return mark


def conduct(test: Test) -> Test:
    """Mark a check of good conduct (arguments left alone): it counts once a value of the question is right."""
    test.is_conduct = True  # type: ignore[attr-defined]
    return test


class _Standin:
    """Names stand-ins as arguments: `standin("tied_model")` is what its factory returns, on either side."""

    def __call__(self, factory: str, *args: Any) -> codec.Ref:
        return codec.Ref(factory, args)

    def name(self, function: str) -> codec.Ref:
        """The stand-in itself."""
        return codec.Ref(function)


standin = _Standin()


# --- normalising ----------------------------------------------------------------------------------------------------


_TENSOR_FOR_ARRAY = "A torch tensor was taken for an array: this lesson asks for NumPy."
_TENSOR_FOR_NUMBER = "A torch tensor was taken for the number that it holds."


def normalised(value: Any, like: Any, notes: list[str]) -> Any:
    """A student's value in the form of the reference's, with a note for the student where the two forms differ."""
    if isinstance(value, tuple) and not isinstance(like, tuple) and not _is_numbers(value) and value:
        _note(notes, "The first item of a tuple was taken for the answer.")
        value = value[0]
    if isinstance(like, tuple) and isinstance(value, list | tuple) and len(value) == len(like):
        return tuple(normalised(a, b, notes) for a, b in zip(value, like, strict=True))
    if isinstance(like, dict) and isinstance(value, dict):
        return {key: normalised(item, like[key], notes) if key in like else item for key, item in value.items()}
    if not _is_numeric(like):
        return value
    if isinstance(value, codec.Tensor) and not isinstance(like, codec.Tensor):
        _note(notes, _TENSOR_FOR_ARRAY if isinstance(like, np.ndarray) else _TENSOR_FOR_NUMBER)
    if _precision(value) in ("e", "f") and _precision(like) == "d":
        _note(notes, "The answer was computed in a precision lower than float64.")
    if isinstance(value, list | tuple) and _is_numbers(value):
        return array_of(value)
    if isinstance(value, list) and isinstance(like, np.ndarray | codec.Tensor):
        return _stacked(value, notes)
    return value


def array_of(value: Any) -> np.ndarray:
    """A numeric value as an array; numbers and lists of numbers become arrays of float64."""
    if isinstance(value, codec.Tensor):
        return value.array
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, list | tuple):
        return np.array(value if _is_plain(value) else [float(array_of(item)) for item in value], dtype=float)
    return np.array(value)


_REAL = "fiub"
"""NumPy's letters for kinds of real numbers."""


def near(got: np.ndarray, right: np.ndarray, tolerance: float) -> np.ndarray:
    """Where two arrays of one shape agree: `numpy.isclose` with rtol = atol and NaN equal to NaN, but faster."""
    with np.errstate(over="ignore"):
        if got.dtype.kind in _REAL and right.dtype.kind in _REAL and np.isfinite(right).all():
            right = right if right.dtype.kind == "f" else right.astype(np.float64)  # whole numbers overflow
            return np.asarray(np.abs(got - right) <= tolerance + tolerance * np.abs(right))
        return np.asarray(np.isclose(got, right, rtol=tolerance, atol=tolerance, equal_nan=True))


def notes_of(student: Any) -> list[str]:
    """Where the notes about a student's answers are gathered."""
    notes: list[str] = student.owner.notes
    return notes


def same(a: Any, b: Any) -> bool:
    """Whether two wire values are equal, NaN and all."""
    if isinstance(a, codec.Tensor) and isinstance(b, codec.Tensor):
        return same(a.array, b.array)
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()
    if type(a) is not type(b):
        return False
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return bool(a == b) or (a != a and b != b)


def _stacked(value: list[Any], notes: list[str]) -> Any:
    try:
        array = np.array(_arrays_in(value))
        if array.dtype.kind == "c":
            return value
        array = array.astype(float)
    except (ValueError, TypeError):
        return value
    _note(notes, "A list was taken for an array.")
    return array


def _arrays_in(value: list[Any] | tuple[Any, ...]) -> Any:
    """What NumPy makes an array of: plain numbers stay as they are, which takes a tenth of the time."""
    if _is_plain(value):
        return value
    return [_arrays_in(item) if isinstance(item, list | tuple) else _array_in(item) for item in value]


def _array_in(item: Any) -> Any:
    if isinstance(item, dict | codec.Opaque):
        raise TypeError("not a number")
    return item if type(item) in _PLAIN else array_of(item)


def _precision(value: Any) -> str:
    """NumPy's letter for the type of an array's numbers; empty for what is no array."""
    return array_of(value).dtype.char if isinstance(value, np.ndarray | codec.Tensor) else ""


def _is_numeric(value: Any) -> bool:
    return isinstance(value, bool | int | float | np.ndarray | codec.Tensor) or _is_numbers(value)


def _is_numbers(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) > 0
        and (
            _is_plain(value)
            or all(
                isinstance(item, bool | int | float)
                or (isinstance(item, np.ndarray | codec.Tensor) and _is_real_number(array_of(item)))
                for item in value
            )
        )
    )


def _is_plain(items: list[Any] | tuple[Any, ...]) -> bool:
    """Whether all are numbers of Python's own: long lists are looked at again and again."""
    return _PLAIN.issuperset(map(type, items))


_PLAIN = frozenset([bool, int, float])


def _is_real_number(array: np.ndarray) -> bool:
    return array.ndim == 0 and array.dtype.kind != "c"


def _note(notes: list[str], note: str) -> None:
    if note not in notes:
        notes.append(note)


# --- the ladder -----------------------------------------------------------------------------------------------------


def compare(value: Any, expected: Any, what: str, tolerance: float, norm_wise: bool = False) -> None:
    """Climb from type to values; raises Mismatch at the first rung that breaks."""
    if value is None and expected is not None:
        is_call = what.startswith("`") and what.endswith("`")
        raise Mismatch(
            "something", f"{what} returned None. Is the `return` missing?" if is_call else f"{what} is None."
        )
    if isinstance(expected, dict):
        _compare_dicts(value, expected, what, tolerance, norm_wise)
    elif isinstance(expected, tuple):
        _compare_tuples(value, expected, what, tolerance, norm_wise)
    elif _is_numeric(expected):
        _compare_numbers(value, expected, what, tolerance, norm_wise)
    elif type(value) is not type(expected):
        raise Mismatch("type", f"{what} returned {described(value)}, not {described(expected)}.")
    elif not same(value, expected):
        raise Mismatch("values", f"{what} returned another value than asked.", f"It returned {value!r}.")


def described(value: Any) -> str:
    """A value's kind in words: what it is and its shape, never what is in it."""
    match value:
        case None:
            return "None"
        case codec.Opaque():
            return kind_of(value)
        case codec.Tensor(array=array):
            return f"a tensor of shape {array.shape}"
        case np.ndarray(ndim=0):
            return "a number"
        case np.ndarray():
            return f"an array of shape {value.shape}"
        case bool() | int() | float():
            return "a number"
        case list() | tuple() | dict():
            return f"a {type(value).__name__} of {len(value)}"
    return f"a {type(value).__name__}"


def _compare_dicts(value: Any, expected: dict[str, Any], what: str, tolerance: float, norm_wise: bool) -> None:
    if not isinstance(value, dict):
        raise Mismatch("type", f"{what} returned {described(value)}, not a dict.")
    missing = [key for key in expected if key not in value]
    if missing:
        raise Mismatch("shape", f"{what} lacks {_listed(missing)}: the dict must have every key that is asked for.")
    extra = [key for key in value if key not in expected]
    if extra:
        raise Mismatch("shape", f"{what} has {len(extra)} more key{'s' * (len(extra) > 1)} than asked for.")
    for key, item in expected.items():
        compare(value[key], item, f"{what}[{key!r}]", tolerance, norm_wise)


def _compare_tuples(value: Any, expected: tuple[Any, ...], what: str, tolerance: float, norm_wise: bool) -> None:
    if not isinstance(value, list | tuple) or len(value) != len(expected):
        raise Mismatch("type", f"{what} returned {described(value)}, not {len(expected)} values.")
    for position, (item, right) in enumerate(zip(value, expected, strict=True)):
        compare(item, right, f"{what}[{position}]", tolerance, norm_wise)


def _compare_numbers(value: Any, expected: Any, what: str, tolerance: float, norm_wise: bool) -> None:
    if not _is_numeric(value):
        raise Mismatch("type", f"{what} returned {described(value)}, not {described(expected)}.")
    got, right = array_of(value), array_of(expected)
    if got.shape != right.shape:
        raise Mismatch("shape", f"{what} has shape {got.shape}, not {right.shape}.{_shape_hint(got, right)}")
    if got.dtype.kind == "c":
        raise Mismatch("dtype", f"{what} holds complex numbers; real ones were asked for.")
    got, right = got.astype(np.float64), right.astype(np.float64)
    if np.isfinite(right).all() and not np.isfinite(got).all():
        count = int((~np.isfinite(got)).sum())
        raise Mismatch("finite", f"{what} holds NaN or infinity at {count} of {got.size} places.")
    _compare_values(got, right, what, tolerance, norm_wise)


def _compare_values(got: np.ndarray, right: np.ndarray, what: str, tolerance: float, norm_wise: bool) -> None:
    with np.errstate(all="ignore"):
        difference = np.abs(got - right)
        if tolerance == 0:
            wrong = ~((got == right) | (np.isnan(got) & np.isnan(right)))
        elif norm_wise:
            distance = np.linalg.norm(difference) / np.maximum(np.linalg.norm(got) + np.linalg.norm(right), 1e-12)
            wrong = np.full(got.shape, not distance <= tolerance)
        else:
            wrong = ~near(got, right, tolerance)
    if not wrong.any():
        return
    place = tuple(int(i) for i in np.unravel_index(int(np.argmax(wrong)), wrong.shape))
    detail = f"{_place(place)} is {got[place]:.6g}, expected {right[place]:.6g}; "
    detail += f"the largest difference is {np.fmax.reduce(difference, axis=None):.3g}, the tolerance {tolerance:g}."
    relation = relation_of(got, right)
    if relation or norm_wise:
        raise Mismatch("values", f"{what} is not right{relation or ' in its values'}.", detail)
    if got.ndim == 0:
        raise Mismatch("values", f"{what} is another number than the right one.", detail)
    off = f"{int(wrong.sum())} of {wrong.size} values are off" if wrong.size > 1 else "the value is off"
    raise Mismatch("values", f"{what} has the right shape, but {off}.", detail)


def relation_of(got: np.ndarray, right: np.ndarray) -> str:
    """How a wrong array hangs together with the right one, where the two tell: a factor, a sign, a transpose."""
    size = float(np.vdot(right, right))
    if size == 0 or got.size < 2:
        return ""
    factor = float(np.vdot(right, got)) / size
    if (
        abs(factor) > 1e-9
        and abs(factor - 1) > 1e-3
        and np.allclose(got, factor * right, rtol=1e-6, atol=1e-9 * abs(factor))
    ):
        if np.isclose(factor, -1):
            return ": its sign is wrong"
        return f": it is {factor:.4g} times what it should be"
    square = got.ndim >= 2 and got.shape[-1] == got.shape[-2]
    if square and np.allclose(got, np.swapaxes(right, -1, -2), rtol=1e-6, atol=1e-9):
        return ": it is transposed"
    return ""


def _shape_hint(got: np.ndarray, right: np.ndarray) -> str:
    if got.ndim == right.ndim + 1 and got.shape[1:] == right.shape:
        return " There is one axis too many in front: is a sum over the batch missing?"
    if got.shape == right.shape[::-1]:
        return " Is something transposed?"
    if got.ndim < right.ndim:
        return " Look at the axes that are summed or averaged away."
    return ""


def _picked(value: Any, part: Part, what: str) -> Any:
    for key in () if part is None else part if isinstance(part, tuple) else (part,):
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            raise Mismatch("shape", f"{what}: there is no {key!r} in what came back ({described(value)}).") from None
    return value


def _called(student: Callee, observation: Observation, label: str | None = None) -> str:
    """What a message speaks of; a helper of the grader's own has a name that no student has seen."""
    if label and student.is_standin:
        return label[0].upper() + label[1:]
    return f"{label} from `{observation.name}`" if label else f"`{observation.name}`"


def _insist_on_parts(value: Any, expected: Any, what: str) -> None:
    """Where several values are asked for, one of them alone must not be taken apart."""
    if not isinstance(expected, tuple) or isinstance(value, tuple | np.ndarray):
        return
    if not isinstance(value, list) or (_is_numbers(value) and len(value) != len(expected)):
        raise Mismatch("type", f"{what} returned {described(value)}, not {len(expected)} values.")


def _place(place: tuple[int, ...]) -> str:
    return f"The first that differs, [{', '.join(map(str, place))}]," if place else "It"


def _ordinal(position: int) -> str:
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
    return words[position] if position < len(words) else f"{position + 1}th"


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:8])
    return shown if len(names) <= 8 else f"{shown} and {len(names) - 8} more"
