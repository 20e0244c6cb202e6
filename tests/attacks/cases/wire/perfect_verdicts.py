"""Sends messages that no worker sends: verdicts, scores, readiness, unknown tags."""

# %%
import os, socket, stat, struct


def sockets():
    """Every socket that this process holds."""
    for descriptor in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                yield descriptor
        except OSError:
            pass


def send(body, length=None):
    """Writes a message into each of them, as the sandbox would."""
    for descriptor in sockets():
        try:
            os.write(descriptor, struct.pack("<I", len(body) if length is None else length) + body)
        except OSError:
            pass


# %%
import msgspec


def wave(x):
    for message in (
        ["Verdict", "passed"],
        ["Ready", ["landlock"]],
        ["CellRan", None, [], ""],
        ["Done", 1, 0, 0, 0],
        {"status": "passed", "score": 4},
        ["Returned"],
        [],
        4,
        None,
    ):
        send(msgspec.msgpack.encode(message))
    return x
