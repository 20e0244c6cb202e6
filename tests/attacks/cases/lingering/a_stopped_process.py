"""Leaves children that are stopped, traced, or waiting in a vfork.

naive: harm
"""

# %%
import os, signal

for _ in range(3):
    if os.fork() == 0:
        while True:
            os.kill(os.getpid(), signal.SIGSTOP)
