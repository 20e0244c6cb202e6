"""Reads and writes the machine's devices: memory, disks, terminals, the kernel's log.

naive: loot
"""

# %%
import os

for path in ("/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda", "/dev/tty", "/dev/console", "/dev/ptmx", "/proc/kcore"):
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        haul("CANARY-HOME: opened", path)
        os.close(descriptor)
    except OSError:
        pass
for kind in (0o060000, 0o020000, 0o010000):
    try:
        os.mknod("device", kind | 0o666, os.makedev(1, 3))
        haul("CANARY-HOME: made a device")
        os.unlink("device")
    except OSError:
        pass
