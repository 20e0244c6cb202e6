"""Writes one file without end, and claims a terabyte of another."""

# %%
import os

for write in (
    lambda file: file.truncate(2**40),
    lambda file: os.posix_fallocate(file.fileno(), 0, 2**40),
    lambda file: [file.write(bytes(2**20)) for _ in range(500)],
):
    try:
        with open("large", "wb") as file:
            write(file)
    except OSError:
        pass
