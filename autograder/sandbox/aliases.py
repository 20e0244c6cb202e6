"""The other ways by which a notebook reaches a function of its own than by its name.

`ln = layer_norm`, `def feed_forward(…, act=gelu)`, `ACTS = {"gelu": gelu}`: what stands in for a function has to stand
there as well, and to leave every such place as it was.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable
from functools import partial
from typing import Any

Space = dict[str, Any]


def is_own(value: Any) -> bool:
    """Whether it is a function or a class that the notebook defines: whatever else has its name may be anybody's."""
    return isinstance(value, types.FunctionType | type) and value.__module__ == "__main__"


class Substitute:
    """Has a name of a namespace, and whatever the notebook has made of it, mean something else, until `undo`.

    That is any other name, defaults, partials, classes, lists and dicts.
    """

    def __init__(self, space: Space, name: str, value: Any) -> None:
        self._own, self._value = space.get(name), value
        self._back: list[Callable[[], Any]] = []
        if is_own(self._own):
            self._everywhere(space)
        self._set_item(space, name, value)

    def undo(self) -> None:
        """Put back what was there before. Of several substitutes the last one is to be undone first."""
        for put_back in reversed(self._back):
            with contextlib.suppress(Exception):  # the place may be gone
                put_back()

    def _everywhere(self, space: Space) -> None:
        for name, value in list(space.items()):
            if value is self._own:
                self._set_item(space, name, self._value)
            elif isinstance(value, partial) and value.func is self._own:
                self._set_item(space, name, partial(self._value, *value.args, **value.keywords))
            elif isinstance(value, types.FunctionType):
                self._in_defaults(value)
            elif type(value) is list or type(value) is dict:
                self._in_items(value)
            elif is_own(value):
                self._in_attributes(value)

    def _in_defaults(self, function: types.FunctionType) -> None:
        defaults = function.__defaults__ or ()
        if any(value is self._own for value in defaults):
            now = tuple(self._value if value is self._own else value for value in defaults)
            self._set_attribute(function, "__defaults__", defaults, now)
        self._in_items(function.__kwdefaults__ or {})

    def _in_items(self, container: list[Any] | dict[Any, Any]) -> None:
        pairs = container.items() if isinstance(container, dict) else enumerate(container)
        for key in [key for key, value in pairs if value is self._own]:
            self._set_item(container, key, self._value)

    def _in_attributes(self, of: type) -> None:
        for name, value in list(vars(of).items()):
            if value is self._own:
                self._set_attribute(of, name, value, self._value)
            elif isinstance(value, staticmethod) and value.__func__ is self._own:
                self._set_attribute(of, name, value, staticmethod(self._value))
            elif isinstance(value, types.FunctionType):
                self._in_defaults(value)

    def _set_item(self, container: Any, key: Any, now: Any) -> None:
        is_new = isinstance(container, dict) and key not in container
        self._back.append(
            partial(container.pop, key) if is_new else partial(container.__setitem__, key, container[key])
        )
        container[key] = now

    def _set_attribute(self, of: Any, name: str, before: Any, now: Any) -> None:
        with contextlib.suppress(Exception):  # a class may refuse it
            setattr(of, name, now)
            self._back.append(partial(setattr, of, name, before))
