"""What the judge may ask of its zygote. Both ends are the grader's own; students never see this socket."""

from __future__ import annotations

import msgspec

from autograder.sandbox.confine import Confinement


class Spawn(msgspec.Struct, tag=True, array_like=True):
    """Fork a worker that serves the socket travelling with this message."""

    confinement: Confinement
    scratch: str
    output_limit: int
    functions: list[str]
    values: list[str]


class Sweep(msgspec.Struct, tag=True, array_like=True):
    """Kill all descendants but `keep`."""

    keep: int = 0


class Usage(msgspec.Struct, tag=True, array_like=True):
    """How many seconds of CPU have the descendants used?"""


class Done(msgspec.Struct, array_like=True):
    """The answer to each: the worker's pid, the seconds, or nothing."""

    number: float = 0


Order = Spawn | Sweep | Usage

decoder = msgspec.msgpack.Decoder(Order)
done_decoder = msgspec.msgpack.Decoder(Done)


def frame(message: Order | Done) -> bytes:
    """A message as it travels: its length in four bytes, then msgpack."""
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(4, "little") + body
