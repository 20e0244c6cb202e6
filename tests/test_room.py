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
