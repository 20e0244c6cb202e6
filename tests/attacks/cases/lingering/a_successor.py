"""Keeps a process ready that forks a new one as soon as it is about to be killed. (It gives up after three seconds.)

naive: harm
"""

# %%
import os, time

until = time.time() + 3
for _ in range(4):
    if os.fork() == 0:
        while time.time() < until:
            try:
                if os.fork() == 0:
                    os.setsid()
                    time.sleep(0.02)
                    continue
                os.wait()
            except OSError:
                time.sleep(0.01)
        os._exit(0)
