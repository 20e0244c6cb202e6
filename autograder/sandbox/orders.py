"""What the judge may ask of its zygote. Both ends are the grader's own; students never see this socket."""

from __future__ import annotations

import msgspec

from autograder.sandbox.confine import Confinement

SCRATCH_LIMIT = 2**30
"""Bytes that a submission's folder may hold: models and plots of a lesson are far below, a full disk is far above."""


class Spawn(msgspec.Struct, tag=True, array_like=True):
    """Fork a worker that serves the socket travelling with this message, and notes steps in the pipe beside it."""

    confinement: Confinement
    scratch: str
    output_limit: int
    functions: list[str]
    values: list[str]


class Sweep(msgspec.Struct, tag=True, array_like=True):
    """Kill all descendants but `keep`."""

    keep: int = 0


class Usage(msgspec.Struct, tag=True, array_like=True):
    """What have the descendants used, their folder included?"""

    scratch: str


class Done(msgspec.Struct, array_like=True):
    """The answer to each: a worker's pid, or CPU seconds and bytes of memory and of files, or nothing."""

    pid: int = 0
    seconds: float = 0
    memory: int = 0
    disk: int = 0


Order = Spawn | Sweep | Usage

decoder = msgspec.msgpack.Decoder(Order)
done_decoder = msgspec.msgpack.Decoder(Done)


def frame(message: Order | Done) -> bytes:
    """A message as it travels: its length in four bytes, then msgpack."""
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(4, "little") + body
