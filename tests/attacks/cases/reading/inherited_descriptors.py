"""Looks for files that were left open across the fork."""

# %%
import os, stat

for descriptor in range(3, 256):
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            haul(os.listdir(descriptor), "CANARY-INPUTS: an open folder")
        if stat.S_ISREG(mode):
            haul(os.pread(descriptor, 10_000, 0), "CANARY-INPUTS: an open file")
    except OSError:
        pass
