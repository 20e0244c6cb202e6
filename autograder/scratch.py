"""The folder that holds all files of the submissions being graded; that of a grader who was killed is removed later.

Whoever has such a folder holds a lock on it, which the kernel takes back however that process ends. So a folder that
can be locked is nobody's.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import tempfile
from pathlib import Path

from autograder.files import remove_tree

PREFIX = "autograder-scratch-"
UNLOCKED = "new-"
"""In front of a folder's name until it is locked: under its own name it is never met without a lock."""


class Scratch:
    """A folder of this process's own, locked until `let_go`."""

    def __init__(self) -> None:
        remove_those_left_behind()
        made = Path(tempfile.mkdtemp(prefix=UNLOCKED + PREFIX))
        made.chmod(0o711)  # submissions run as other users, and reach their own folders below it
        self._lock: int | None = os.open(made, os.O_RDONLY | os.O_DIRECTORY)
        with contextlib.suppress(OSError):  # where there are no locks, nobody removes what others have left
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.path = made.rename(made.with_name(made.name.removeprefix(UNLOCKED)))

    def let_go(self) -> None:
        """Leave it to whoever comes next."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def remove_those_left_behind() -> None:
    """Remove this user's folders whose graders have gone, as far as that can be done."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            status = folder.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid():
                _remove_unless_locked(folder)


def _remove_unless_locked(folder: Path) -> None:
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove_tree(folder)
    finally:
        os.close(lock)
