"""Whether a given function or class is still what the notebook was handed.

One that is stays the object it was: other names, defaults and subclasses that a notebook has made of it hold on to it.
"""

from __future__ import annotations
import __future__

import types
from typing import Any

_PLAIN = frozenset([bool, int, float, str, type(None)])
_SAY_NOTHING = frozenset(
    ["__dict__", "__weakref__", "__doc__", "__annotations__", "__firstlineno__", "__static_attributes__"]
)
"""Attributes of a class that do nothing, or that Python writes when somebody looks."""

_FUTURE = sum(getattr(__future__, name).compiler_flag for name in ("annotations", "generator_stop"))
"""Flags of code that tell what its notebook has imported from __future__ above it."""


def is_unchanged(now: Any, given: Any) -> bool:
    """Whether `now` does what `given` does, which was made afresh from the text. Anything unusual is a change."""
    if type(now) is not type(given):
        return False
    if isinstance(now, types.FunctionType):
        return _is_same_function(now, given)
    return isinstance(now, type) and _is_same_class(now, given)


def _is_same_function(now: types.FunctionType, given: types.FunctionType, of: type | None = None) -> bool:
    """Of a class's method, all that it is closed over is the class."""
    return (
        now.__globals__ is given.__globals__
        and all(cell.cell_contents is of for cell in now.__closure__ or ())
        and _text_of(now.__code__) == _text_of(given.__code__)
        and _is_plain_and_same(now.__defaults__ or (), given.__defaults__ or ())
        and not now.__kwdefaults__
        and not given.__kwdefaults__
        and not any(name.startswith("__") for name in now.__dict__)
    )


def _is_same_class(now: type, given: type) -> bool:
    parts, fresh = ({k: v for k, v in vars(it).items() if k not in _SAY_NOTHING} for it in (now, given))
    more = parts.keys() - fresh.keys()
    bases = zip(now.__bases__, given.__bases__, strict=False)
    return (
        parts.keys() >= fresh.keys()
        and all(type(parts[name]) in _PLAIN and name[0] != "_" and not hasattr(given, name) for name in more)
        and len(now.__bases__) == len(given.__bases__)
        and all(base is other or is_unchanged(base, other) for base, other in bases)
        and all(_is_same_part(parts[name], fresh[name], now) for name in fresh)
    )


def _is_same_part(now: Any, given: Any, of: type) -> bool:
    if isinstance(now, types.FunctionType) and isinstance(given, types.FunctionType):
        return _is_same_function(now, given, of)
    return _is_plain_and_same((now,), (given,))


def _is_plain_and_same(now: tuple[Any, ...], given: tuple[Any, ...]) -> bool:
    return len(now) == len(given) and all(
        type(a) is type(b) and type(a) in _PLAIN and a == b for a, b in zip(now, given, strict=True)
    )


def _text_of(code: types.CodeType) -> tuple[Any, ...]:
    """All that code does, wherever it stands."""
    constants = (_text_of(it) if isinstance(it, types.CodeType) else (type(it), repr(it)) for it in code.co_consts)
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & ~_FUTURE
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return code.co_code, code.co_exceptiontable, counts, names, tuple(constants)
