"""Leaves a daemon behind: forked twice, in a session of its own, deaf to SIGTERM.

naive: harm
"""

# %%
import os, signal, time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        time.sleep(600)
    os._exit(0)
