"""Locks the course and other people's files by their modes, times and attributes.

naive: harm
"""

# %%
import os

for path in (PRECIOUS, os.path.dirname(PRECIOUS)):
    for change in (
        lambda: os.utime(path, (0, 0)),
        lambda: os.setxattr(path, "user.attack", b"1"),
        lambda: os.truncate(path, 0),
        lambda: os.rename(path, path + ".taken"),
        lambda: os.chmod(path, 0),
    ):
        try:
            change()
        except OSError:
            pass
