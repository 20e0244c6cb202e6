"""The other ways by which a notebook reaches a function of its own than by its name.

`ln = layer_norm`, `def feed_forward(…, act=gelu)`, `ACTS = {"gelu": gelu}`: what stands in for a function has to stand
there as well, and to leave every such place as it was.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable
from functools import partial
from operator import is_
from typing import Any

import numpy as np

Space = dict[str, Any]


MOST_ITEMS = 10_000
"""A longer list or dict holds data: it is not looked into."""

_LEAVES = frozenset({type(None), bool, int, float, str, bytes, np.ndarray, types.ModuleType, types.BuiltinFunctionType})
"""What nothing else is in."""


def is_own(value: Any) -> bool:
    """Whether it is something to call that the notebook has made: whatever else has its name may be anybody's."""
    if isinstance(value, types.FunctionType | type):
        return value.__module__ == "__main__"
    return isinstance(value, partial | np.vectorize) or type(value).__module__ == "__main__"


class Substitute:
    """Has a name of a namespace, and whatever the notebook has made of it, mean something else, until `undo`.

    That is any other name, defaults, closures, partials, classes and their objects, lists, tuples and dicts.
    """

    def __init__(self, space: Space, name: str, value: Any) -> None:
        self._own, self._value = space.get(name), value
        self._back: list[Callable[[], Any]] = []
        self._seen: set[int] = set()
        if is_own(self._own):
            with contextlib.suppress(RecursionError):
                self._in_items(space)
        self._set_item(space, name, value)

    def undo(self) -> None:
        """Put back what was there before. Of several substitutes the last one is to be undone first."""
        for put_back in reversed(self._back):
            with contextlib.suppress(Exception):  # the place may be gone
                put_back()

    def _anew(self, value: Any) -> Any:
        """What stands for a value that cannot be changed itself; the very same where there is nothing to change."""
        kind = type(value)
        if value is self._own:
            return self._value
        if kind is tuple:
            items = tuple(map(self._anew, value))
            return value if all(map(is_, items, value)) else items
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
        elif type(value) is list or type(value) is dict:
            if len(value) <= MOST_ITEMS:
                self._in_items(value)
        elif isinstance(value, type):
            if is_own(value):
                self._in_attributes(value)
        elif isinstance(value, staticmethod | classmethod):
            self._in(value.__func__)
        elif type(value) is tuple:
            for item in value:
                self._in(item)
        elif type(value) is types.SimpleNamespace or type(value).__module__ == "__main__":
            with contextlib.suppress(AttributeError):  # one with slots
                self._in_items(object.__getattribute__(value, "__dict__"))

    def _in_function(self, function: types.FunctionType) -> None:
        self._set_attribute(function, "__defaults__", function.__defaults__)
        self._in_items(function.__kwdefaults__ or {})
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if name != "__class__":  # what `super()` is about stays what it is
                with contextlib.suppress(ValueError):  # an empty cell
                    self._set_attribute(cell, "cell_contents", cell.cell_contents)

    def _in_items(self, container: list[Any] | dict[Any, Any]) -> None:
        pairs = container.items() if isinstance(container, dict) else enumerate(container)
        for key, value in list(pairs):
            if type(value) in _LEAVES:
                continue
            now = self._anew(value)
            if now is value:
                self._in(value)
            else:
                self._set_item(container, key, now)

    def _in_attributes(self, of: type) -> None:
        for name, value in list(vars(of).items()):
            self._set_attribute(of, name, value)

    def _set_item(self, container: Any, key: Any, now: Any) -> None:
        if isinstance(container, dict) and key not in container:
            self._back.append(partial(container.pop, key))
        else:
            self._back.append(partial(container.__setitem__, key, container[key]))
        container[key] = now

    def _set_attribute(self, of: Any, name: str, value: Any) -> None:
        if type(value) in _LEAVES:
            return
        now = self._anew(value)
        if now is value:
            self._in(value)
            return
        with contextlib.suppress(Exception):  # a class may refuse it
            setattr(of, name, now)
            self._back.append(partial(setattr, of, name, value))
