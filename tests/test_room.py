"""How much may be remembered."""

from __future__ import annotations

from autograder.room import Room


def test_all_is_forgotten_when_there_is_no_room_for_the_next() -> None:
    kept: list[int] = []
    room = Room(10, kept.clear)
    for size in (4, 6):
        room.take(size)
        kept.append(size)
    assert kept == [4, 6]
    room.take(1)
    assert kept == []
    assert room.taken == 1


def test_arguments_are_held_once_and_counted_once() -> None:
    room = Room(1000, lambda: None)
    first, again = b"arguments" * 10, bytearray(b"arguments" * 10)
    assert room.hold(first) is first
    assert room.hold(bytes(again)) is first
    assert room.taken == len(first)


def test_what_was_held_is_forgotten_with_the_rest() -> None:
    room = Room(100, lambda: None)
    held = room.hold(b"a" * 90)
    room.take(20)
    assert room.taken == 20
    again = bytes(bytearray(held))
    assert room.hold(again) is again
