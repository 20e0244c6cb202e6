"""Files are written whole or not at all, and folders removed whatever is in them."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from autograder.errors import Explained


class FileError(Explained):
    """A file cannot be written; what was there before still is."""

    @classmethod
    def of(cls, path: Path, error: OSError) -> FileError:
        """What the system says of it, and what to do."""
        return cls(
            f"{path} cannot be written: {error.strerror}. What was there is as it was. Make room, or look at the "
            "folder's permissions, and run the same command again."
        )


def write_whole(path: Path, data: bytes | Iterable[bytes], mode: int = 0o644) -> None:
    """Write beside the file and rename: a reader sees the old content or the new, never a half.

    `data` may come in pieces, so that large files need little memory. Raises FileError.
    """
    beside = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
            beside = file.name
            file.writelines([data] if isinstance(data, bytes) else data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, mode)
        os.replace(beside, path)
        beside = None
    except OSError as error:
        raise FileError.of(path, error) from None
    finally:
        if beside is not None:
            with contextlib.suppress(OSError):
                os.unlink(beside)


def remove_tree(folder: Path) -> None:
    """Remove a folder that a student's code has filled, however deep it is and whatever modes are set in it.

    One step down or up at a time, so that neither a path nor a stack grows with the depth.
    """
    names: list[str] = []
    os.chmod(folder, 0o700)
    here = os.open(folder, os.O_DIRECTORY | os.O_NOFOLLOW)
    while (below := _remove_files(here)) or names:
        if below:
            os.chmod(below, 0o700, dir_fd=here)
            there = os.open(below, os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            names.append(below)
        else:
            there = os.open("..", os.O_DIRECTORY, dir_fd=here)
            os.rmdir(names.pop(), dir_fd=there)
        os.close(here)
        here = there
    os.close(here)
    os.rmdir(folder)


def _remove_files(folder: int) -> str:
    """Remove what is no folder; returns the name of the first folder met on the way, or nothing."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                return entry.name
            os.unlink(entry.name, dir_fd=folder)
    return ""
