"""The other ways by which a notebook reaches a function of its own than by its name.

`ln = layer_norm`, `def feed_forward(…, act=gelu)`, `ACTS = {"gelu": gelu}`: what stands in for a function has to stand
there as well.
"""

from __future__ import annotations

import contextlib
import types
from functools import partial
from typing import Any

Space = dict[str, Any]


def is_own(value: Any) -> bool:
    """Whether it is a function or a class that the notebook defines: whatever else has its name may be anybody's."""
    return isinstance(value, types.FunctionType | type) and value.__module__ == "__main__"


def swap(space: Space, old: Any, new: Any) -> None:
    """Put `new` where a namespace holds `old`: under any name, in defaults, partials, classes, lists and dicts."""
    for name, value in list(space.items()):
        if value is old:
            space[name] = new
        elif isinstance(value, partial) and value.func is old:
            space[name] = partial(new, *value.args, **value.keywords)
        elif isinstance(value, types.FunctionType):
            _swap_defaults(value, old, new)
        elif type(value) is list or type(value) is dict:
            _swap_items(value, old, new)
        elif is_own(value):
            _swap_attributes(value, old, new)


def _swap_defaults(function: types.FunctionType, old: Any, new: Any) -> None:
    if function.__defaults__ and any(value is old for value in function.__defaults__):
        function.__defaults__ = tuple(new if value is old else value for value in function.__defaults__)
    _swap_items(function.__kwdefaults__ or {}, old, new)


def _swap_items(container: list[Any] | dict[Any, Any], old: Any, new: Any) -> None:
    pairs = container.items() if isinstance(container, dict) else enumerate(container)
    for key in [key for key, value in pairs if value is old]:
        container[key] = new


def _swap_attributes(of: type, old: Any, new: Any) -> None:
    for name, value in list(vars(of).items()):
        if value is old or (isinstance(value, staticmethod) and value.__func__ is old):
            with contextlib.suppress(Exception):  # a class may refuse it
                setattr(of, name, new if value is old else staticmethod(new))
        elif isinstance(value, types.FunctionType):
            _swap_defaults(value, old, new)
