"""Sleeps, reads from a terminal that is not there, and waits for a lock that nobody opens.

naive: harm
"""

# %%
import threading

lock = threading.Lock()
lock.acquire()
try:
    input("your answer?")
except EOFError:
    pass
lock.acquire()


# %%
def wave(x):
    import time

    time.sleep(1000)
