"""Leaves threads running that are no daemons, and one that starts others.

naive: harm
"""

# %%
import threading, time


def forever():
    while True:
        time.sleep(0.01)


for _ in range(5):
    threading.Thread(target=forever).start()
