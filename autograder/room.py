"""How much may be remembered."""

from __future__ import annotations

from collections.abc import Callable


class Room:
    """Bytes for what a process remembers of what it graded.

    What does not fit any more makes room by having everything forgotten: what the submissions have in common comes
    again with the next of them, what was a single one's never does.
    """

    def __init__(self, most: int, forget: Callable[[], None]) -> None:
        """`forget` empties the memory that has this room."""
        self.most = most
        self.taken = 0
        self._forget = forget
        self._held: dict[bytes, bytes] = {}

    def hold(self, sent: bytes) -> bytes:
        """One copy of a call's arguments for all that is remembered of such calls: some are megabytes."""
        if sent not in self._held:
            self.take(len(sent))
            self._held[sent] = sent
        return self._held[sent]

    def take(self, size: int) -> None:
        """For something of so many bytes that is about to be remembered."""
        self.taken += size
        if self.taken > self.most:
            self._forget()
            self._held.clear()
            self.taken = size
