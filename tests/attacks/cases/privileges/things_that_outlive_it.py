"""Leaves shared memory, queues, keys, timers and files in memory to whoever comes next.

naive: loot
"""

# %%
import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)
for made in (
    libc.shmget(0x7A11, 4096, 0o1666),
    libc.semget(0x7A11, 1, 0o1666),
    libc.msgget(0x7A11, 0o1666),
    libc.mq_open(b"/attack", os.O_CREAT | os.O_RDWR, 0o666, None),
    libc.memfd_create(b"attack", 0),
):
    if made >= 0:
        haul("CANARY-OTHER: made", made)
for folder in ("/dev/shm", "/tmp", "/var/tmp", "/run/lock", os.path.dirname(PRECIOUS)):
    try:
        with open(folder + "/attack-was-here", "w") as file:
            file.write("x")
        haul("CANARY-OTHER: wrote to", folder)
        os.unlink(folder + "/attack-was-here")
    except OSError:
        pass
libc.shmctl(libc.shmget(0x7A11, 4096, 0), 0, None)
libc.semctl(libc.semget(0x7A11, 1, 0), 0, 0)
libc.msgctl(libc.msgget(0x7A11, 0), 0, None)
libc.mq_unlink(b"/attack")
