"""Stops its own process, and its parent's.

naive: harm
"""

# %%
import os, signal

for pid in (os.getppid(), GRADER, BYSTANDER):
    try:
        os.kill(pid, signal.SIGSTOP)
    except OSError:
        pass
os.kill(os.getpid(), signal.SIGSTOP)
