"""Which statement a cell has come to.

The process that runs it notes each in a pipe at which nobody waits: the judge looks only when a cell does not come
back. What it finds there may be anything, since student code runs beside whoever writes it; and what student code does
to the pipe ends with its process, which has one of its own.
"""

from __future__ import annotations

import contextlib
import os
from io import FileIO

_BYTES = 4
_MOST_READS = 64
"""As many as empty any pipe; who goes on writing is not listened to."""


class Steps:
    """The judge's end of one process's pipe."""

    def __init__(self) -> None:
        reader, writer = os.pipe()
        for end in (reader, writer):
            os.set_blocking(end, False)
        self._reader, self._writer = FileIO(reader, "r"), FileIO(writer, "w")

    @property
    def pipe(self) -> int:
        """The other end, for the process that runs the cells."""
        return self._writer.fileno()

    def last(self) -> int | None:
        """The number of the last statement that was noted since this was asked before; None if none was."""
        noted = b""
        for _ in range(_MOST_READS):
            part = self._reader.read(2**16)
            if not part:
                break
            noted = part
        return int.from_bytes(noted[-_BYTES:], "little") if noted else None

    def hand_over(self) -> None:
        """Close the other end here: its process has it now."""
        self._writer.close()

    def close(self) -> None:
        self._reader.close()
        self._writer.close()


def note(pipe: int, statement: int) -> None:
    """Note a statement, from 0, that is about to run; where nobody has looked for long, the pipe is full."""
    with contextlib.suppress(OSError):
        os.write(pipe, statement.to_bytes(_BYTES, "little"))
