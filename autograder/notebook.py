"""The bytes of a notebook, in whatever form, become its cells, or `Rejected` with a reason in plain words.

Only what grading needs is built: msgspec skips outputs, images and unknown keys without making objects of
them, so that a notebook of 60 MB costs little more than its own bytes. Everything kept has a bound. What can
be repaired is, and a note says so.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from autograder.mending import as_utf8, mend
from autograder.rejected import MB, SAVE_AS_NOTEBOOK, Rejected, diagnosis, refuse_other_files, too_large

MAX_NOTEBOOK = 64 * MB  # a notebook full of figures has 20
MAX_TEXT = 4 * MB  # of all cells together, outputs not counted
MAX_CELLS = 10_000
MAX_MARKS = 1_000_000  # brackets, commas and strings: as many are looked at where an entry is odd

Kind = Literal["code", "markdown", "raw"]


class Cell(Struct, frozen=True):
    """One cell. ``index`` counts all cells of the notebook, from 0."""

    index: int
    source: str
    tags: tuple[str, ...]
    kind: Kind

    @property
    def runs(self) -> bool:
        """Whether it is run where a notebook is graded."""
        return self.kind == "code" and "otter_ignore" not in self.tags


class Notebook(Struct, frozen=True):
    """What grading needs of a notebook; ``lab`` and ``build`` are those that its metadata names."""

    lab: str | None
    build: str | None
    cells: tuple[Cell, ...]
    notes: tuple[str, ...]


class WholeCell(Struct, frozen=True):
    """A cell with what grading does not need: its id, and its outputs and attachments as they stand in the file."""

    source: str
    kind: Kind
    id: str
    outputs: list[Any]
    attachments: dict[str, Any]


class WholeNotebook(Struct, frozen=True):
    """The same cells as in `Notebook`, whole, for pages that show them to a person."""

    build: str | None
    cells: tuple[WholeCell, ...]


def read_notebook(raw: bytes) -> Notebook:
    """Read a notebook of nbformat 3, 4 or later. Raises `Rejected`, and nothing else."""
    return _readable(raw)[0]


def read_whole(raw: bytes) -> WholeNotebook:
    """Read what `read_notebook` reads, with the same repairs, and keep outputs. Raises `Rejected`, and nothing else."""
    notebook, mended = _readable(raw)
    return WholeNotebook(notebook.build, tuple(_whole(notebook.cells, mended)))


def _readable(raw: bytes) -> tuple[Notebook, bytes]:
    """The notebook, and its bytes as they could be read."""
    if len(raw) > MAX_NOTEBOOK:
        raise too_large(MAX_NOTEBOOK)
    raw, notes = as_utf8(raw)
    refuse_other_files(raw)
    try:
        return _decode_without_tail(raw, notes)
    except (msgspec.DecodeError, RecursionError):
        mended, repairs = mend(raw)
    try:
        return _decode_without_tail(mended, notes + repairs)
    except (msgspec.DecodeError, RecursionError) as error:
        if _TOO_MANY in str(error):
            remedy = "Keep the cells of the assignment"
            raise Rejected(f"the notebook has more than {MAX_CELLS:,} cells", remedy) from None
        raise diagnosis(mended, error) from None


# --- From JSON to cells -------------------------------------------------------------------------------------


class _Countdown(threading.local):
    left = MAX_CELLS


_cells_allowed = _Countdown()


class _Counted(Struct):
    """Counts while msgspec decodes, so that a million tiny cells stop at the first ten thousand."""

    def __post_init__(self) -> None:
        _cells_allowed.left -= 1
        if _cells_allowed.left < 0:
            raise ValueError(_TOO_MANY)


_NOTHING = Raw(b"null")


class _RawCell(_Counted):
    cell_type: Raw = _NOTHING
    source: Raw = _NOTHING
    input: Raw = _NOTHING  # nbformat 3: the source of a code cell
    metadata: Raw = _NOTHING


class _RawWorksheet(_Counted):
    cells: list[_RawCell] = []


class _RawNotebook(Struct):
    cells: list[_RawCell] | None = None
    worksheets: list[_RawWorksheet] | None = None  # nbformat 3: where the cells are
    metadata: Raw = _NOTHING


class _OpenWorksheet(_Counted):
    cells: Raw = _NOTHING


class _OpenNotebook(Struct):
    """As `_RawNotebook`, where an entry among the cells may be anything."""

    cells: Raw = _NOTHING
    worksheets: list[_OpenWorksheet] | None = None
    metadata: Raw = _NOTHING


_ValueT = TypeVar("_ValueT")
_TOO_MANY = "too many cells"
_NO_CELL, _NO_TEXT = "is no cell", "holds no text"
_MARK = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{},]', re.DOTALL)
_decoder = msgspec.json.Decoder(_RawNotebook)
_one_by_one = msgspec.json.Decoder(_OpenNotebook)
_cell_decoder = msgspec.json.Decoder(_RawCell)


_TAIL = re.compile(r"trailing characters \(byte (\d+)\)")
_STRAY = (b"", b"}")


def _decode_without_tail(raw: bytes, notes: tuple[str, ...]) -> tuple[Notebook, bytes]:
    """Behind a complete notebook zeros, blanks or one more bracket may follow, as some disks and editors leave them."""
    try:
        return _decode(raw, notes), raw
    except msgspec.DecodeError as error:
        tail = _TAIL.search(str(error))
        if tail is None:
            raise
        end = int(tail[1]) - 1  # it counts from 1
        if raw[end:].strip(b"\x00 \t\r\n") not in _STRAY:
            raise
    note = "Behind the notebook's end the file holds characters that mean nothing; they were left out."
    return _decode(raw[:end], (*notes, note)), raw[:end]


def _decode(raw: bytes, notes: tuple[str, ...]) -> Notebook:
    found, old, metadata_of_all = _parts(raw)
    if found is None:
        raise Rejected("the file is JSON but not a notebook: it has no cells", SAVE_AS_NOTEBOOK)
    if old:
        notes += ("The notebook has an old format (nbformat 3); it was read all the same.",)
    odd: dict[int, str] = {}
    cells = tuple(_cells(found, odd))
    if odd and not cells:
        raise msgspec.ValidationError("no entry is a cell")
    if not any(cell.source.strip() for cell in cells):
        remedy = "Perhaps this is a new notebook: hand in the one you worked in"
        raise Rejected("all cells of the notebook are empty", remedy)
    metadata = _part(metadata_of_all, _Metadata) or _Metadata()
    notes += (*_left_out(odd), *_language_note(metadata))
    return Notebook(_lab(metadata), _build(metadata), cells, notes)


def _parts(raw: bytes) -> tuple[Sequence[_RawCell | None] | None, bool, Raw]:
    """The cells, None for an entry that is no cell; whether they are nbformat 3's; the metadata."""
    _cells_allowed.left = MAX_CELLS
    try:
        notebook = _decoder.decode(raw)
    except msgspec.ValidationError as error:
        if _TOO_MANY in str(error):
            raise
        return _parts_one_by_one(raw)
    if notebook.cells is None and notebook.worksheets is not None:
        return [cell for sheet in notebook.worksheets for cell in sheet.cells], True, notebook.metadata
    return notebook.cells, False, notebook.metadata


def _parts_one_by_one(raw: bytes) -> tuple[Sequence[_RawCell | None] | None, bool, Raw]:
    _cells_allowed.left = MAX_CELLS
    notebook = _one_by_one.decode(raw)
    old = _absent(notebook.cells) and notebook.worksheets is not None
    lists = [sheet.cells for sheet in notebook.worksheets or ()] if old else [notebook.cells]
    lists = [entries for entries in lists if not _absent(entries)]
    if not lists and not old:
        return None, False, notebook.metadata
    return [_as_cell(entry) for entries in lists for entry in _entries(entries)], old, notebook.metadata


def _entries(array: Raw) -> Iterator[bytes]:
    """What stands in a list, one by one, without making objects of it."""
    text = memoryview(array)
    if text[0] != ord("["):
        raise msgspec.ValidationError("no list of cells")
    depth, start = 0, 1
    for mark in islice(_MARK.finditer(text), MAX_MARKS):
        kind = text[mark.start()]
        depth += (kind in b"[{") - (kind in b"]}")
        if depth == 0 or (depth == 1 and kind == ord(",")):
            if entry := bytes(text[start : mark.start()]).strip():
                yield entry
            start = mark.end()
        if depth == 0:
            return
    raise msgspec.ValidationError("more in it than in any notebook")


def _as_cell(entry: bytes) -> _RawCell | None:
    if entry.startswith(b"{"):
        return _cell_decoder.decode(entry)
    if _cells_allowed.left <= 0:
        raise msgspec.ValidationError(_TOO_MANY)
    _cells_allowed.left -= 1
    return None


def _left_out(odd: dict[int, str]) -> Iterator[str]:
    """Notes that name the cells by their numbers, counted from the top."""
    for one, several in ((_NO_CELL, "are no cells"), (_NO_TEXT, "hold no text")):
        numbers = [str(index + 1) for index, why in odd.items() if why == one]
        if len(numbers) == 1:
            yield f"Cell {numbers[0]} {one} and was left out."
        elif numbers:
            yield f"Cells {', '.join(numbers[:5])}{', …' * (len(numbers) > 5)} {several} and were left out."


def _cells(found: Sequence[_RawCell | None], odd: dict[int, str]) -> Iterator[Cell]:
    """The cells that can be read; what the others are goes to `odd`."""
    room = MAX_TEXT
    for index, raw in enumerate(found):
        if raw is None:
            odd[index] = _NO_CELL
            continue
        text = raw.input if _absent(raw.source) else raw.source
        room -= _size(text)
        if room < 0:
            problem = f"the cells hold more than {MAX_TEXT // MB} MB of text, outputs not counted"
            remedy = "Take out data and images that are pasted into cells, save, and hand in the new file"
            raise Rejected(problem, remedy)
        try:
            yield Cell(index, _source(text), _tags(raw.metadata), _kind(raw.cell_type))
        except msgspec.ValidationError:
            odd[index] = _NO_TEXT


class _Beside(Struct):
    id: Raw = _NOTHING
    metadata: Raw = _NOTHING
    outputs: Raw = _NOTHING
    attachments: Raw = _NOTHING


class _WorksheetBeside(Struct):
    cells: list[Raw] = []


class _NotebookBeside(Struct):
    cells: list[Raw] | None = None
    worksheets: list[_WorksheetBeside] | None = None


class _Identified(Struct):
    id: str = ""


def _whole(cells: tuple[Cell, ...], raw: bytes) -> Iterator[WholeCell]:
    """The cells with what lies beside their source. Whatever of that has another form is not there."""
    notebook = msgspec.json.decode(raw, type=_NotebookBeside)
    beside = notebook.cells
    if beside is None:
        beside = [cell for sheet in notebook.worksheets or () for cell in sheet.cells]
    for cell in cells:
        more = _value(beside[cell.index], _Beside) or _Beside()
        identified = _part(more.metadata, _Identified)  # where Colab keeps it
        yield WholeCell(
            cell.source,
            cell.kind,
            _value(more.id, str) or (identified.id if identified else ""),
            _value(more.outputs, list) or [],
            _value(more.attachments, dict) or {},
        )


def _value(raw: Raw, kind: type[_ValueT]) -> _ValueT | None:
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, RecursionError):
        return None


def _size(raw: Raw) -> int:
    return memoryview(raw).nbytes


def _absent(raw: Raw) -> bool:
    return _size(raw) == 4 and bytes(raw) == b"null"


def _source(raw: Raw) -> str:
    text = msgspec.json.decode(raw, type=str | list[str] | None)
    if isinstance(text, list):
        # Some tools leave the newlines out of the list.
        glue = "" if any(line.endswith("\n") for line in text[:-1]) else "\n"
        text = glue.join(text)
    return (text or "").replace("\r\n", "\n").replace("\r", "\n")


def _kind(raw: Raw) -> Kind:
    kind = bytes(raw).lower()
    if kind in (b'"code"', b"null"):
        return "code"
    return "markdown" if kind in (b'"markdown"', b'"heading"') else "raw"


# --- Metadata -----------------------------------------------------------------------------------------------

_Label = Annotated[str, Meta(pattern=r"^[\w. -]{1,100}\Z")]


class _Metadata(Struct):
    autograder: Raw = _NOTHING
    otter: Raw = _NOTHING
    kernelspec: Raw = _NOTHING
    language_info: Raw = _NOTHING


class _Ours(Struct):
    lab: _Label | None = None
    build: _Label | None = None


class _Otters(Struct):
    assignment_name: _Label | None = None


class _KernelSpec(Struct):
    language: _Label | None = None


class _LanguageInfo(Struct):
    name: _Label | None = None


class _CellMetadata(Struct):
    tags: tuple[str, ...] = ()


_PartT = TypeVar("_PartT", bound=Struct)


def _part(raw: Raw, kind: type[_PartT]) -> _PartT | None:
    """A part of the metadata; None where it has another shape, since metadata must never cost a grade."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, RecursionError):
        return None


def _tags(raw: Raw) -> tuple[str, ...]:
    part = _part(raw, _CellMetadata) if _size(raw) < 100_000 else None
    return part.tags if part else ()


def _lab(metadata: _Metadata) -> str | None:
    """Our own metadata first, then what ``otter assign`` writes from the assignment's name."""
    ours = _part(metadata.autograder, _Ours)
    otters = _part(metadata.otter, _Otters)
    return (ours and ours.lab) or (otters and otters.assignment_name) or None


def _build(metadata: _Metadata) -> str | None:
    ours = _part(metadata.autograder, _Ours)
    return ours.build if ours else None


def _language_note(metadata: _Metadata) -> tuple[str, ...]:
    kernel = _part(metadata.kernelspec, _KernelSpec)
    info = _part(metadata.language_info, _LanguageInfo)
    language = (kernel and kernel.language) or (info and info.name) or "python"
    if language.lower().startswith(("python", "ipython")):
        return ()
    return (f"This is not a Python notebook: it says that its language is {language}. It was run as Python.",)
