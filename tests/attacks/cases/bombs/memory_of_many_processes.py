"""Takes memory in many processes, each of them within its limit."""

# %%
import os, time

for _ in range(10):
    if os.fork() == 0:
        hoard = bytearray(b"x") * 300_000_000
        time.sleep(600)
time.sleep(600)
