"""Forks until nothing more can be forked, and starts threads by the thousand.

naive: harm
"""

# %%
import os, threading, time

for _ in range(60):
    try:
        if os.fork() == 0:
            time.sleep(600)
            os._exit(0)
    except OSError:
        pass
for _ in range(1000):
    try:
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    except RuntimeError:
        break
