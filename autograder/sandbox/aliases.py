"""The other ways by which a notebook reaches a function of its own than by its name.

`ln = layer_norm`, `def feed_forward(…, act=gelu)`, `ACTS = {"gelu": gelu}`: what stands in for a function has to stand
there as well, and to leave every such place as it was. A plain function is changed itself, so that whoever has it has
the other one. A class, or an object that is called, is replaced wherever it is found.
"""

from __future__ import annotations

import contextlib
import inspect
import types
from collections.abc import Callable, Iterator
from functools import partial
from operator import is_
from typing import Any

import numpy as np

Space = dict[str, Any]


MOST_ITEMS = 10_000
"""A longer list or dict holds data: it is not looked into."""

_LEAVES = frozenset({type(None), bool, int, float, str, bytes, np.ndarray, types.ModuleType, types.BuiltinFunctionType})
"""What nothing else is in."""

_PLAIN = (type(None), bool, int, float, str)


def is_own(value: Any) -> bool:
    """Whether it is something to call that the notebook has made: whatever else has its name may be anybody's."""
    if isinstance(value, types.FunctionType | types.MethodType | type):
        return value.__module__ == "__main__"
    return isinstance(value, partial | np.vectorize) or type(value).__module__ == "__main__"


def as_it_is(value: Any) -> Any:
    """What does what a function does now, whatever becomes of that: a copy of it. Anything else is given back."""
    return _copy(value) if isinstance(value, types.FunctionType) else value


def _copy(of: types.FunctionType) -> types.FunctionType:
    copy = types.FunctionType(of.__code__, of.__globals__, of.__name__, of.__defaults__, of.__closure__)
    copy.__kwdefaults__ = of.__kwdefaults__
    copy.__dict__.update(of.__dict__)
    return copy


def in_order(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A call's arguments by their places, whatever this function calls them. Last ones that are its defaults are left
    out; so is nothing else, and where a place would be empty all stay as they are."""
    try:
        signature = inspect.signature(function)
        given = list(signature.bind(*args, **kwargs).arguments.items())
    except (TypeError, ValueError):
        return args, kwargs
    parameters = list(signature.parameters.values())
    while given and _is_same(given[-1][1], signature.parameters[given[-1][0]].default):
        given.pop()
    by_place = all(parameter.kind is parameter.POSITIONAL_OR_KEYWORD for parameter in parameters[: len(given)])
    if not by_place or [name for name, _ in given] != [parameter.name for parameter in parameters[: len(given)]]:
        return args, kwargs
    return tuple(value for _, value in given), {}


def _is_same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and type(value) in _PLAIN and value == default)


class Substitute:
    """Has a name of a namespace, and whatever the notebook has made of it, mean something else, until `undo`."""

    def __init__(self, space: Space, name: str, value: Any) -> None:
        self._own, self._value = space.get(name), value
        self._back: list[Callable[[], Any]] = []
        self._seen: set[int] = set()
        if isinstance(self._own, types.FunctionType):
            value = self._changed(self._own) if is_own(self._own) else value
        elif is_own(self._own):
            with contextlib.suppress(RecursionError):
                self._in_items(space)
        self._set_item(space, name, value)

    def undo(self) -> None:
        """Put back what was there before. Of several substitutes the last one is to be undone first."""
        for put_back in reversed(self._back):
            with contextlib.suppress(Exception):  # the place may be gone
                put_back()

    def _changed(self, function: types.FunctionType) -> types.FunctionType:
        """Have a function of the notebook's call what stands in for it; returns one for this name alone, which is like
        it in all else."""
        self._back.append(partial(setattr, function, "__code__", function.__code__))
        twin = _copy(function)
        twin.__code__ = function.__code__ = _calling(self._value, function.__code__)
        return twin

    def _anew(self, value: Any) -> Any:
        """What stands for a value that cannot be changed itself; the very same where there is nothing to change."""
        kind = type(value)
        if value is self._own:
            return self._value
        if isinstance(value, tuple):
            items = list(map(self._anew, value))
            return value if all(map(is_, items, value)) else tuple.__new__(kind, items)
        if kind is partial:
            parts = value.func, value.args, tuple(value.keywords.values())
            func, args, values = now = self._anew(parts)
            return value if now is parts else partial(func, *args, **dict(zip(value.keywords, values, strict=True)))
        if kind is staticmethod or kind is classmethod:
            function = self._anew(value.__func__)
            return value if function is value.__func__ else kind(function)
        return value

    def _in(self, value: Any) -> None:
        """Whatever a value holds that can be changed."""
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        if isinstance(value, types.FunctionType):
            self._in_function(value)
        elif isinstance(value, list | dict):
            if len(value) <= MOST_ITEMS:
                self._in_items(value)
        elif isinstance(value, type):
            if is_own(value):
                self._in_class(value)
        elif isinstance(value, staticmethod | classmethod):
            self._in(value.__func__)
        elif isinstance(value, types.MethodType):
            self._in(value.__self__)
        elif isinstance(value, tuple):
            for item in value:
                self._in(item)
        elif isinstance(value, types.SimpleNamespace | np.vectorize):
            self._in_object(value)
        if type(value).__module__ == "__main__" and not isinstance(value, type):
            self._in_object(value)

    def _in_function(self, function: types.FunctionType) -> None:
        self._set_attribute(function, "__defaults__", function.__defaults__)
        self._in_items(function.__kwdefaults__ or {})
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if name != "__class__":  # what `super()` is about stays what it is
                with contextlib.suppress(ValueError):  # an empty cell
                    self._set_attribute(cell, "cell_contents", cell.cell_contents)

    def _in_items(self, container: list[Any] | dict[Any, Any]) -> None:
        pairs = dict.items(container) if isinstance(container, dict) else enumerate(list.__iter__(container))
        for key, value in list(pairs):
            if type(value) in _LEAVES:
                continue
            now = self._anew(value)
            if now is value:
                self._in(value)
            else:
                self._set_item(container, key, now)

    def _in_class(self, of: type) -> None:
        self._set_attribute(of, "__bases__", of.__bases__)
        for name, value in list(vars(of).items()):
            self._set_attribute(of, name, value)

    def _in_object(self, of: Any) -> None:
        with contextlib.suppress(AttributeError):  # one with slots
            attributes = object.__getattribute__(of, "__dict__")
            if type(attributes) is dict:
                self._in_items(attributes)
        for slot in _slots(type(of)):
            with contextlib.suppress(AttributeError):  # an empty one
                self._set_attribute(of, slot.__name__, slot.__get__(of), slot.__set__)

    def _set_item(self, container: Any, key: Any, now: Any) -> None:
        kind: Any = dict if isinstance(container, dict) else list
        if isinstance(container, dict) and key not in container:
            self._back.append(partial(container.pop, key))
        else:
            self._back.append(partial(kind.__setitem__, container, key, kind.__getitem__(container, key)))
        kind.__setitem__(container, key, now)

    def _set_attribute(self, of: Any, name: str, value: Any, put: Callable[[Any, Any], None] | None = None) -> None:
        if type(value) in _LEAVES:
            return
        now = self._anew(value)
        if now is value:
            self._in(value)
            return
        put = put or (lambda of, value: setattr(of, name, value))
        with contextlib.suppress(Exception):  # a class may refuse it
            put(of, now)
            self._back.append(partial(put, of, value))


def _slots(kind: type) -> Iterator[types.MemberDescriptorType]:
    for each in kind.__mro__:
        if each.__module__ == "__main__":
            yield from (member for member in vars(each).values() if type(member) is types.MemberDescriptorType)


_OTHER = "the other function"


def _passes_on(*args: Any, **kwargs: Any) -> Any:
    other: Any = "the other function"
    return other(*args, **kwargs)


def _calling(other: Callable[..., Any], code: types.CodeType) -> types.CodeType:
    """Code that calls another function with whatever it is called with, for a function that has this code."""
    pattern = _passes_on.__code__
    constants = tuple(other if constant == _OTHER else constant for constant in pattern.co_consts)
    return pattern.replace(co_consts=constants, co_freevars=code.co_freevars)
