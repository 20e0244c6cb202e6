"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from autograder.errors import Explained


class FileError(Explained):
    """A file cannot be written; what was there before still is."""


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
        raise FileError(
            f"{path} cannot be written: {error.strerror}. What was there is as it was. Make room, or look at the "
            "folder's permissions, and run the same command again."
        ) from None
    finally:
        if beside is not None:
            with contextlib.suppress(OSError):
                os.unlink(beside)
