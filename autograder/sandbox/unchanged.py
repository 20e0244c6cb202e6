"""Whether a given function or class is still what the notebook was handed.

One that is stays the object it was: other names, defaults and subclasses that a notebook has made of it hold on to it.
"""

from __future__ import annotations

import types
from typing import Any

_PLAIN = frozenset([bool, int, float, str, type(None)])
_WRITTEN_BY_PYTHON = frozenset(["__dict__", "__weakref__", "__firstlineno__", "__static_attributes__"])


def is_unchanged(now: Any, given: Any) -> bool:
    """Whether `now` does what `given` does, which was made afresh from the text. Anything unusual is a change."""
    if type(now) is not type(given):
        return False
    if isinstance(now, types.FunctionType):
        return _is_same_function(now, given)
    return isinstance(now, type) and _is_same_class(now, given)


def _is_same_function(now: types.FunctionType, given: types.FunctionType) -> bool:
    return (
        now.__globals__ is given.__globals__
        and _text_of(now.__code__) == _text_of(given.__code__)
        and _is_plain_and_same(now.__defaults__ or (), given.__defaults__ or ())
        and not now.__kwdefaults__
        and not given.__kwdefaults__
        and not now.__dict__
    )


def _is_same_class(now: type, given: type) -> bool:
    parts, fresh = ({k: v for k, v in vars(it).items() if k not in _WRITTEN_BY_PYTHON} for it in (now, given))
    bases = zip(now.__bases__, given.__bases__, strict=False)
    return (
        parts.keys() == fresh.keys()
        and len(now.__bases__) == len(given.__bases__)
        and all(base is other or is_unchanged(base, other) for base, other in bases)
        and all(is_unchanged(parts[k], fresh[k]) or _is_plain_and_same((parts[k],), (fresh[k],)) for k in parts)
    )


def _is_plain_and_same(now: tuple[Any, ...], given: tuple[Any, ...]) -> bool:
    return len(now) == len(given) and all(
        type(a) is type(b) and type(a) in _PLAIN and a == b for a, b in zip(now, given, strict=True)
    )


def _text_of(code: types.CodeType) -> tuple[Any, ...]:
    """All that code does, wherever it stands."""
    constants = (_text_of(it) if isinstance(it, types.CodeType) else (type(it), repr(it)) for it in code.co_consts)
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return code.co_code, code.co_exceptiontable, counts, names, tuple(constants)
