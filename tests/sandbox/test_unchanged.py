"""A given class stays what it was as long as nothing about it has changed."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.sandbox.unchanged import is_unchanged

GIVEN = """
class Base:
    width = 4

    def forward(self, x, scale=2):
        return [x * scale for _ in range(self.width)]


class Attention(Base):
    def forward(self, x):
        return super().forward(x)
"""


@pytest.fixture
def space() -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(GIVEN, "<cell 1>", "exec", dont_inherit=True), space)
    return space


def unchanged(space: dict[str, Any], name: str = "Attention") -> bool:
    """Whether the class is what the given cells make of it."""
    now = space[name]
    exec(compile(f"# above\n\n{GIVEN}", "<given cells>", "exec", dont_inherit=True), space)
    return is_unchanged(now, space[name])


def test_a_class_is_unchanged_wherever_its_text_stands(space: dict[str, Any]) -> None:
    assert unchanged(space)


def test_a_subclass_does_not_change_it(space: dict[str, Any]) -> None:
    exec("class Own(Attention):\n    pass", space)
    assert unchanged(space)


@pytest.mark.parametrize(
    "touch",
    [
        "Attention.__doc__ = 'Looks at all tokens.'",
        "Attention.__annotations__",
        "Attention.calls = 0",
        "Attention.forward.calls = 0",
    ],
)
def test_what_does_nothing_is_no_change(space: dict[str, Any], touch: str) -> None:
    exec(touch, space)
    assert unchanged(space)


def test_a_notebook_may_have_its_annotations_from_the_future() -> None:
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(f"from __future__ import annotations\n{GIVEN}", space)
    assert unchanged(space)


@pytest.mark.parametrize(
    "change",
    [
        "Attention.forward.__closure__[0].cell_contents = int",
        "Attention.forward.__signature__ = None",
        "Attention.training = property(lambda self: 0)",
        "Attention._forward = 0",
        "Attention.__call__ = 0",
        "Attention.forward = lambda self, x: 0",
        "Base.forward = lambda self, x, scale=2: 0",
        "Base.forward.__defaults__ = (3,)",
        "Base.width = 5",
        "Base.width = 4.0",
        "del Attention.forward",
        "class Attention(Base):\n    def forward(self, x):\n        return super().forward(2 * x)",
        "class Meta(type):\n    pass\nclass Attention(Base, metaclass=Meta):\n    forward = Attention.forward",
        "Attention = 1",
    ],
)
def test_whatever_is_done_to_it_or_its_base_is_a_change(space: dict[str, Any], change: str) -> None:
    exec(change, space)
    assert not unchanged(space)
