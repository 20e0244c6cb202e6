"""Fills the pipe in which a cell's statements are noted, and waits for somebody to read it."""

# %%
import os, stat


def pipes():
    """Every pipe that this process holds."""
    for descriptor in range(3, 256):
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                yield descriptor
        except OSError:
            pass


# %%
def wave(x):
    while True:
        for descriptor in pipes():
            os.set_blocking(descriptor, True)
            os.write(descriptor, b"\xff" * 2**20)


# %%
wave(0)
