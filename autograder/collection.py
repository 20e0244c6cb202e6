"""What was collected from a class's repositories: one file beside the notebooks, which a later run goes on from."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from autograder.errors import Explained
from autograder.files import write_whole

FILE = "collected.json"
SCHEMA = "autograder/collection/v1"

Status = Literal["collected", "nothing", "unreadable"]


class CollectionError(Explained):
    """A folder of collected notebooks cannot be used; the text says why, and what to do."""


class Entry(msgspec.Struct, kw_only=True):
    """One repository, by the name that it has now, and what was collected from it.

    `status`: collected, nothing (was handed in), or unreadable; `reason` says why. `file` is the notebook here, `path`
    the one there. `settled` is the deadline for which nothing can change any more.
    """

    name: str
    student: str
    status: Status
    reason: str | None = None
    commit: str | None = None
    pushed: datetime | None = None
    path: str | None = None
    blob: str | None = None
    file: str | None = None
    sha256: str | None = None
    settled: datetime | None = None
    gone: bool = False


class Collection(msgspec.Struct, kw_only=True):
    """A class's repositories, by their number, which stays the same when a repository is renamed."""

    schema: str = SCHEMA
    organisation: str
    prefix: str
    lab: str
    repositories: dict[str, Entry] = {}

    def save(self, folder: Path) -> None:
        """Write it whole; raises FileError."""
        write_whole(folder / FILE, msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


def load_collection(folder: Path) -> Collection | None:
    """What was collected into a folder; None where nothing was. Raises CollectionError."""
    path = folder / FILE
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Collection)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CollectionError(f"{path} cannot be read: {error.strerror}. Look at its permissions.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise CollectionError(f"{path} is damaged. Move its folder away, and collect again.") from None
    if found.schema != SCHEMA:
        raise CollectionError(
            f"{path} is of another version of autograder ({found.schema}). Collect into a new folder."
        )
    return found
