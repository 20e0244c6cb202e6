"""Notes one statement after the other, slowly, as if it came on, and in the end one that no cell has."""

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
import time


def progress():
    for number in range(10**9):
        for descriptor in pipes():
            os.write(descriptor, (number % 900 or 2**32 - 1).to_bytes(4, "little"))
        time.sleep(0.05)


def wave(x):
    progress()


# %%
progress()
