"""What was handed in: finding it, reading it as a `Submission` or `Rejected`, and whose it is.

The content decides, never the name: a zip called ``hw.ipynb`` is a zip. A zip is read entry by entry
in memory and nothing is written to disk, so that no entry can escape, link or fill anything.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

import msgspec
from msgspec import Struct

from autograder.notebook import MAX_NOTEBOOK, Cell, Notebook, read_notebook
from autograder.rejected import MB, SAVE_AS_NOTEBOOK, Rejected, too_large

__all__ = [
    "Cell",
    "Rejected",
    "Submission",
    "contents",
    "digest",
    "find_submissions",
    "notebook_in",
    "read_submission",
    "student_name",
]

MAX_ZIP = 512 * MB  # data and models lie in some; only notebooks are unpacked
MAX_DIRECTORY = 2 * MB  # a zip's list of some 25,000 entries
MAX_NOTEBOOKS = 10  # in one zip
SEND_ONE = "Hand in the one notebook, as it is or in a zip of its own"
ZIP_AGAIN = "Make the zip again with your computer's own zip, or hand in the .ipynb file itself"


class Submission(Struct, frozen=True, kw_only=True):
    """A notebook that can be graded. ``notes`` are for students too, ``warnings`` for staff alone."""

    file: str
    sha256: str
    lab: str | None
    build: str | None
    cells: tuple[Cell, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def read_submission(path: Path, name: str | None = None, *, lab: str | None = None) -> Submission:
    """Read the file or zip at ``path``; ``lab`` helps to pick one of several notebooks in a zip.

    Raises `Rejected`, and nothing else, whatever lies there.
    """
    with _open(path) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
        try:
            notebook, warnings, _ = _read(file, lab)
        except Rejected as rejected:
            rejected.sha256 = digest
            raise
    return Submission(
        file=path.name if name is None else name,
        sha256=digest,
        lab=notebook.lab,
        build=notebook.build,
        cells=notebook.cells,
        notes=notebook.notes,
        warnings=warnings,
    )


def contents(path: Path) -> bytes:
    """The bytes of what was handed in, to be read elsewhere. Raises `Rejected` as `read_submission` does."""
    with _open(path) as file:
        return file.read()


def notebook_in(path: Path, lab: str | None = None) -> bytes:
    """The bytes of the very notebook that `read_submission` reads, be it in a zip. Raises `Rejected` as that does."""
    with _open(path) as file:
        return _read(file, lab).raw()


def digest(path: Path) -> str | None:
    """The sha256 of what `read_submission` would read; None where it may not be opened."""
    try:
        with _open(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (Rejected, OSError):
        return None


def unopened(path: Path) -> str | None:
    """Why `read_submission` would refuse this without reading a byte of it; None where it may be opened."""
    try:
        _open(path).close()
    except Rejected as rejected:
        return rejected.reason
    return None


def _open(path: Path) -> io.BufferedReader:
    """The file itself: never what a link points to, a pipe that does not end, or a device."""
    flags = os.O_RDONLY
    for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, flag, 0)
    try:
        if path.is_symlink():
            raise Rejected("this is a link, not a file", "Hand in the notebook itself")
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        raise Rejected("the file cannot be opened", "Ask your instructor to look at its permissions") from None
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_size <= MAX_ZIP:
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISREG(status.st_mode):
        raise too_large(MAX_ZIP)
    raise Rejected("this is not an ordinary file", "Hand in the notebook itself")


class _Found(NamedTuple):
    """The notebook to grade; `raw` gives its bytes as long as the file is open."""

    notebook: Notebook
    warnings: tuple[str, ...]
    raw: Callable[[], bytes]


def _read(file: BinaryIO, lab: str | None) -> _Found:
    start = file.read(4)
    file.seek(0)
    if start in (b"PK\x03\x04", b"PK\x05\x06"):
        return _from_zip(file, lab)
    raw = file.read(MAX_NOTEBOOK + 1)
    return _Found(read_notebook(raw), (), lambda: raw)


# --- Zips ---------------------------------------------------------------------------------------------------


class _Careful:
    """A file that hands over little at once: zipfile reads the whole list of a zip's files in one go."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > MAX_DIRECTORY:
            raise Rejected("the zip holds many thousands of files", SEND_ONE)
        return self._file.read(size if size >= 0 else MAX_DIRECTORY)


class _Zip:
    """An opened zip: the entries that may be read, and what was refused."""

    def __init__(self, file: BinaryIO) -> None:
        self.entries: dict[str, zipfile.ZipInfo] = {}
        self.refused: Counter[str] = Counter()
        self.example: dict[str, str] = {}
        with _explained():
            self._zip = zipfile.ZipFile(_Careful(file))
            for entry in self._zip.infolist():
                self._admit(entry)

    def _admit(self, entry: zipfile.ZipInfo) -> None:
        name = entry.filename.replace("\\", "/")
        parts = PurePosixPath(name).parts
        mode = stat.S_IFMT(entry.external_attr >> 16)
        if ".." in parts or name.startswith("/") or re.match("[A-Za-z]:", name):
            self._refuse("climb out of the zip", name)
        elif mode not in (0, stat.S_IFREG, stat.S_IFDIR):
            self._refuse("are links or devices", name)
        elif not entry.is_dir() and not _is_clutter(parts):
            self.entries[name] = entry

    def _refuse(self, why: str, name: str) -> None:
        self.refused[why] += 1
        self.example.setdefault(why, name)

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(f"Entries that {why} were refused: {such}." for why, such in self._examples())

    @property
    def refusals(self) -> str:
        """What was refused and why, within a sentence; empty where nothing was."""
        return "; ".join(f"entries that {why}: {such}" for why, such in self._examples())

    def _examples(self) -> Iterator[tuple[str, str]]:
        return ((why, f"{count}, such as {quoted(self.example[why])}") for why, count in self.refused.items())

    def names(self, *endings: str) -> list[str]:
        return sorted(name for name in self.entries if name.lower().endswith(endings))

    def read(self, name: str) -> bytes:
        """An entry's bytes, a little at a time, so that a bomb stops at the limit."""
        entry = self.entries[name]
        if entry.flag_bits & 1:
            raise Rejected("the zip is locked with a password", "Make it again without one")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise Rejected("the zip is packed in an unusual way", ZIP_AGAIN)
        content = bytearray()
        with _explained(), self._zip.open(entry) as file:
            while piece := file.read(MB):
                content += piece
                if len(content) > MAX_NOTEBOOK:
                    raise too_large(MAX_NOTEBOOK)
        return bytes(content)


@contextmanager
def _explained() -> Iterator[None]:
    """What goes wrong inside zipfile, said to a student."""
    try:
        yield
    except _ZIP_TROUBLE:
        raise Rejected("the zip is damaged, as when an upload is cut off", ZIP_AGAIN) from None


_ZIP_TROUBLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)
_NOTEBOOKS = (".ipynb", ".ipynb.txt")


def _from_zip(file: BinaryIO, lab: str | None) -> _Found:
    archive = _Zip(file)
    warnings = archive.warnings
    zips = archive.names(".zip")
    if not archive.names(*_NOTEBOOKS) and len(zips) == 1:
        archive = _Zip(io.BytesIO(archive.read(zips[0])))
        warnings += archive.warnings
    if names := archive.names(*_NOTEBOOKS):
        name, notebook = _choose(archive, names, lab)
        return _Found(notebook, warnings, lambda: archive.read(name))
    raise _no_notebook(archive)


def _no_notebook(archive: _Zip) -> Rejected:
    if any(name.startswith(("word/", "xl/", "ppt/")) for name in archive.entries):
        return Rejected("this is an Office document, not a notebook", SAVE_AS_NOTEBOOK)
    if refused := archive.refusals:
        return Rejected(f"the zip holds no notebook that may be read ({refused})", SEND_ONE)
    held = listed(sorted(archive.entries), quoted) or "nothing"
    return Rejected(f"the zip holds no notebook (it holds {held})", SEND_ONE)


def _choose(archive: _Zip, names: list[str], lab: str | None) -> tuple[str, Notebook]:
    """The notebook to grade: the only one, the only one of this lab, the one named like it, or all the same."""
    names = [name for name in names if not name.endswith("-checkpoint.ipynb")] or names
    if len(names) > MAX_NOTEBOOKS:
        raise Rejected(f"the zip holds {len(names)} notebooks", SEND_ONE)
    readable: dict[str, Notebook] = {}
    trouble: list[Rejected] = []
    for name in names:
        try:
            readable[name] = read_notebook(archive.read(name))
        except Rejected as rejected:
            trouble.append(Rejected(f"{quoted(name)} in the zip: {rejected.problem}", rejected.remedy))
    if not readable:
        raise trouble[0]
    fitting = {name: n for name, n in readable.items() if n.lab and n.lab == (lab or n.lab)}
    fitting = fitting or {name: n for name, n in readable.items() if PurePosixPath(name).stem == lab} or readable
    fitting = _named_like_its_lab(fitting) or fitting
    name, notebook = next(iter(fitting.items()))
    if any(other.cells != notebook.cells for other in fitting.values()):
        problem = f"the zip holds {len(fitting)} notebooks ({listed(fitting, quoted)})"
        raise Rejected(f"{problem}, and nothing says which one to grade", SEND_ONE)
    if len(names) == 1:
        return name, notebook
    note = f"The zip holds {len(names)} notebooks; {quoted(name)} was graded."
    return name, msgspec.structs.replace(notebook, notes=(*notebook.notes, note))


def _named_like_its_lab(notebooks: dict[str, Notebook]) -> dict[str, Notebook]:
    """Of several notebooks of one lab those that kept the name under which it is handed out."""
    if len({notebook.lab for notebook in notebooks.values()}) > 1:
        return {}
    return {name: n for name, n in notebooks.items() if n.lab and PurePosixPath(name).stem == n.lab}


def _is_clutter(parts: Sequence[str]) -> bool:
    """What systems and editors add to a folder: never what a student means to hand in."""
    hidden = any(folder.startswith(".") or folder in ("__MACOSX", "site-packages") for folder in parts[:-1])
    return hidden or parts[-1].startswith("._")


def _shown(name: str) -> str:
    """A name from a student's file, fit to be printed."""
    plain = "".join(c if c.isprintable() else "?" for c in name)
    return plain if len(plain) <= 60 else plain[:59] + "…"


def quoted(name: str) -> str:
    """A name from a student's file inside a message: from the first mark to the next, so that it can be left out."""
    return f"“{_shown(name.translate(_MARKS))}”"


_MARKS = str.maketrans("“”", '""')
QUOTED = re.compile("“[^”]*”")
"""A name that `quoted` put into a message."""


def listed(names: Iterable[str], form: Callable[[str], str] = _shown) -> str:
    """The first of some names, fit to be printed."""
    names = list(names)
    return ", ".join([form(name) for name in names[:3]] + ["…"] * (len(names) > 3))


# --- Finding submissions ------------------------------------------------------------------------------------


def find_submissions(paths: Sequence[Path], out: Path) -> list[tuple[str, Path]]:
    """All submissions in the files and folders given, as (``file``, path) in path order; not those in ``out``.

    ``file`` is relative to the folder given. Where two would share it, both are named from the folder that
    holds all paths given. No two share it in the end.
    """
    found: dict[Path, str] = {}
    for given in paths:
        if given.is_dir():
            for path in _search(given, out.resolve()):
                found.setdefault(path.parent.resolve() / path.name, path.relative_to(given).as_posix())
        else:
            found.setdefault(given.resolve(), given.name)
    while shared := {name for name, times in Counter(found.values()).items() if times > 1}:
        base = Path(os.path.commonpath([path.parent for path in found]))
        found |= {path: path.relative_to(base).as_posix() for path, name in found.items() if name in shared}
    return sorted(zip(_all_encodable(list(found.values())), found, strict=True))


def other_files(paths: Iterable[Path], out: Path) -> list[str]:
    """What else lies in the folders given, by name: perhaps somebody's work in another form."""
    there = (path for given in paths if given.is_dir() for path in _walk(given, out.resolve()))
    return sorted(_encodable(path.name) for path in there if not _is_submission(path) and path.name[0] != ".")


def folders_left_out(paths: Iterable[Path], out: Path) -> dict[str, str]:
    """Folders that were not searched, named from the folder given, and why not."""
    left: dict[str, str] = {}
    for given in paths:
        if given.is_dir():
            for path, why in _unsearched(given, out.resolve()):
                left[_encodable(path.relative_to(given).as_posix() if path != given else str(given))] = why
    return dict(sorted(left.items()))


def _unsearched(folder: Path, out: Path) -> Iterator[tuple[Path, str]]:
    errors: list[OSError] = []
    for here, folders, _ in _steps(folder, out, errors.append):
        yield from ((Path(here, name), "a link") for name in folders if Path(here, name).is_symlink())
    yield from ((Path(os.fsdecode(error.filename)), error.strerror or "unreadable") for error in errors)


def _search(folder: Path, out: Path) -> Iterator[Path]:
    return filter(_is_submission, _walk(folder, out))


def _is_submission(path: Path) -> bool:
    return path.name.lower().endswith((*_NOTEBOOKS, ".zip")) and not path.name.startswith("._")


def _walk(folder: Path, out: Path) -> Iterator[Path]:
    for here, _, files in _steps(folder, out):
        yield from (Path(here, name) for name in files)


def _steps(
    folder: Path, out: Path, onerror: Callable[[OSError], None] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each folder to be searched, with the folders and files in it. Links to folders are named, never followed."""
    for here, folders, files in os.walk(folder, onerror=onerror):
        folders[:] = [
            name
            for name in folders
            if name not in ("__MACOSX", ".ipynb_checkpoints") and Path(here, name).resolve() != out
        ]
        yield here, folders, files


def _all_encodable(names: Sequence[str]) -> list[str]:
    """The names, escaped where they must be; a number tells apart what escaping makes equal."""
    taken = {name for name in names if _encodable(name) == name}
    encoded = {name: name for name in taken}
    for name in sorted(set(names) - taken):
        folder, plain = PurePosixPath(_encodable(name)).parent, PurePosixPath(_encodable(name)).name
        ending = _SUFFIX.search(plain)
        stem, end = (plain[: ending.start()], ending[0]) if ending else (plain, "")
        candidates = (f"{stem}{f'~{number}' * (number > 1)}{end}" for number in count(1))
        encoded[name] = next(n for c in candidates if (n := (folder / c).as_posix()) not in taken)
        taken.add(encoded[name])
    return [encoded[name] for name in names]


def _encodable(name: str) -> str:
    """A file's name that every report can hold: bytes that are no UTF-8 and control characters escaped."""
    plain = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if unicodedata.category(c) not in _CONTROL else ascii(c)[1:-1] for c in plain)


_CONTROL = ("Cc", "Zl", "Zp")


# --- Whose it is --------------------------------------------------------------------------------------------

# What each system makes of a student's upload. The first that fits gives the name.
_SYSTEMS = (
    # GitHub Classroom: "lab-submissions/lab-jdoe/hw.ipynb", as cloned by gh and as collected by autograder
    re.compile(r"(?:^|/)(?P<slug>[^/]+)-submissions/(?P=slug)-(?P<student>[^/]+)/"),
    # Moodle: "Jane Doe_123456_assignsubmission_file_/hw.ipynb", or in front of the file's own name
    re.compile(r"(?:^|/)(?P<student>[^/]+?)_\d+_assignsubmission_(?:file|onlinetext)"),
    # Canvas: "doejane_12345_678910_hw-2.ipynb", "doejane_LATE_12345_678910_hw.ipynb"
    re.compile(r"(?:^|/)(?P<student>[^/_]+)_(?:LATE_)?\d{2,}_\d{4,}_[^/]*$"),
    # Blackboard: "Lab 1_jdoe_attempt_2025-01-31-12-00-00_hw.ipynb"
    re.compile(r"(?:^|/)[^/]*?_(?P<student>[^/_]+)_attempt_\d{4}-\d\d-\d\d"),
    # Brightspace: "12345-67890 - Jane Doe - Jan 31, 2025 1200 PM/hw.ipynb"
    re.compile(r"(?:^|/)\d+-\d+ - (?P<student>[^/]+?) - [^/]*\d{4}[^/]*(?:/|$)"),
    # Gradescope: "submission_123456/hw.ipynb"
    re.compile(r"(?:^|/)(?P<student>submission_\d+)/"),
    # GitHub Classroom elsewhere: "lab-1-jdoe/hw.ipynb"
    re.compile(r"(?:^|/)(?:lab|hw|homework|assignment|exercise)[-_]?\d*-(?P<student>[a-z][a-z0-9-]*)/", re.I),
)
_SUFFIX = re.compile(r"(?:\.ipynb(?:\.txt)?|\.zip)+$", re.I)
_COPY = re.compile(r"(?: ?\(\d+\)| copy(?: \d+)?| - copy|-copy\d*|-checkpoint)$|^copy of ", re.I)


def student_name(file: str) -> str:
    """Whose submission this is, as far as its path says: the stem without what browsers and an LMS add."""
    for system in _SYSTEMS:
        if match := system.search(file):
            return match["student"]
    stem = _SUFFIX.sub("", PurePosixPath(file).name)
    while (shorter := _COPY.sub("", stem).strip()) not in ("", stem):
        stem = shorter
    return stem or file
