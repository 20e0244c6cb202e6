"""Work that a person marks: the plots and answers of the questions of kind `written`, taken from a notebook's file."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

from autograder.course import Lab
from autograder.notebook import WholeCell, WholeNotebook, read_whole
from autograder.rejected import Rejected

SVG = "image/svg+xml"
IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp", SVG)
OLD_NAMES = {"png": "image/png", "jpeg": "image/jpeg", "svg": SVG, "html": "text/html"}
"""How nbformat 3 names what lies in an output."""

LONGEST_TEXT = 20_000
LARGEST_IMAGE = 4 * 2**20
"""Characters and bytes that are shown of one piece: more is no answer to these questions."""

BELOW = "picture-below"
"""Stands in a text for a picture that was pasted into it, which is shown below."""

SOMEWHERE = ""
"""Stands for a written question of which nobody can say which one it is."""

_MARK = re.compile(r"<!--\s*(?P<what>BEGIN|END) QUESTION\s*-->")
_PASTED = re.compile(r"data:(?P<mime>image/[\w.+-]+);base64,(?P<image>[A-Za-z0-9+/=]+)")
_LINKED = re.compile(
    r"!\[[^\]]*\]\(\s*<?(?P<target>[^)>\s]+)|<img\b[^>]*?\bsrc\s*=\s*[\"']?(?P<source>[^\"'>\s]+)", re.I
)


@dataclass(frozen=True)
class Piece:
    """A text, an image in base64, or a note of ours on what is not shown."""

    kind: str
    text: str
    mime: str = ""


@dataclass(frozen=True)
class _Segment:
    """What a cell, or a part of one between two marks, holds, and the written question that it belongs to."""

    question: str | None
    text: str
    cell: WholeCell
    asks: bool = False


@dataclass(frozen=True)
class _Handout:
    """What tells the written questions of a lab apart, taken from the notebook that was handed out.

    Questions are told by their headings, and by the cells' ids where a notebook comes from the same build. `texts` are
    those of the questions, `given` those of all cells.
    """

    build: str | None = None
    headings: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, str | None] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    given: frozenset[str] = frozenset()


def written_work(notebook: bytes, lab: Lab) -> dict[str, list[Piece]]:
    """Question -> what was handed in between the marks that Otter writes around it.

    Where a student deleted a mark, and nothing else tells whose work it is, all work is shown, and a note says so.
    """
    names = [question.name for question in lab.questions.values() if question.kind == "written"]
    try:
        whole = read_whole(notebook)
    except Rejected:
        return {name: [] for name in names}
    handout = _handout_of(lab, names)
    segments = list(_segments(whole, names, handout))
    found = {segment.question for segment in segments}
    work = {name: _work_of(name, segments, handout) for name in names}
    missing = [name for name in names if name not in found]
    for name in missing:
        work[name] = [Piece("note", f"Its place could not be told, either: look under {missing[0]}.")]
    if missing:
        work[missing[0]] = [Piece("note", _LOST), *_everything(segments, handout)]
    for name, following in pairwise(names):
        if following in missing and name in found:
            work[name].insert(0, Piece("note", f"Where {following} begins could not be told: this may be part of it."))
    return work


_LOST = (
    "Where this question begins could not be told, for its mark was deleted. Here is all that was handed in and does "
    "not stand in the handout: look for the answer in it."
)


# --- whose work it is -----------------------------------------------------------------------------------------------


def _handout_of(lab: Lab, names: Sequence[str]) -> _Handout:
    """The landmarks of the notebook that is handed out; none where it is not there, or marks other questions."""
    try:
        whole = read_whole(lab.handout.read_bytes())
    except (OSError, Rejected):
        return _Handout()
    segments = list(_segments(whole, names, _Handout()))
    texts = {segment.question: segment.text.strip() for segment in segments if segment.asks and segment.question}
    if list(texts) != list(names):
        return _Handout()
    headings = {_heading(text): name for name, text in texts.items()}
    return _Handout(
        build=whole.build,
        headings=headings if len(headings) == len(names) else {},
        ids={segment.cell.id: segment.question for segment in segments if segment.cell.id},
        texts=texts,
        given=frozenset(segment.text.strip() for segment in segments),
    )


def _segments(whole: WholeNotebook, names: Sequence[str], handout: _Handout) -> Iterator[_Segment]:
    """The notebook in segments. Otter writes the end of one question and the beginning of the next into one cell."""
    ids = handout.ids if whole.build and whole.build == handout.build else {}
    begun = iter(_begun(whole.cells, names, handout.headings, ids))
    question: str | None = None
    for cell in whole.cells:
        place, asks = 0, False
        marks = _marks(cell)
        if not marks:
            question = ids.get(cell.id, _named(cell, handout.headings) or question)
        for mark in marks:
            yield _Segment(question, cell.source[place : mark.start()], cell)
            asks, place = mark["what"] == "BEGIN", mark.end()
            question = next(begun) if asks else None
        yield _Segment(question, cell.source[place:], cell, asks)


def _begun(
    cells: Iterable[WholeCell], names: Sequence[str], headings: Mapping[str, str], ids: Mapping[str, str | None]
) -> list[str]:
    """The question that each mark of a beginning begins: by its heading or its cell, else, if none is gone, in turn."""
    found = [
        headings.get(_heading(cell.source[mark.end() :])) or ids.get(cell.id) or SOMEWHERE
        for cell in cells
        for mark in _marks(cell)
        if mark["what"] == "BEGIN"
    ]
    in_turn = len(found) == len(names) and all(a in (SOMEWHERE, b) for a, b in zip(found, names, strict=True))
    return list(names) if in_turn else found


def _marks(cell: WholeCell) -> list[re.Match[str]]:
    return [] if cell.kind == "code" else list(_MARK.finditer(cell.source))


def _named(cell: WholeCell, headings: Mapping[str, str]) -> str | None:
    """The question that a text is headed by, though its mark is gone."""
    return None if cell.kind == "code" else headings.get(_heading(cell.source))


def _heading(text: str) -> str:
    """The first line of a question's text, by which it is known."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


# --- what is shown of it --------------------------------------------------------------------------------------------


def _work_of(question: str, segments: Iterable[_Segment], handout: _Handout) -> list[Piece]:
    mine = (segment for segment in segments if segment.question == question)
    return [piece for segment in mine for piece in _pieces(segment, handout)]


def _everything(segments: Iterable[_Segment], handout: _Handout) -> list[Piece]:
    """All pieces that are not as they were handed out; of a cell that is, what came out of it."""
    return [
        piece
        for segment in segments
        for piece in _pieces(segment, handout)
        if piece.kind == "image" or segment.text.strip() not in handout.given
    ]


def _pieces(segment: _Segment, handout: _Handout) -> Iterator[Piece]:
    text = segment.text.strip()
    if segment.asks and segment.question != SOMEWHERE:
        text = _answer_below(text, handout.texts.get(segment.question or "", ""))
    pasted = [*_PASTED.finditer(text)] if segment.cell.kind != "code" else []
    for picture in reversed(pasted):
        text = f"{text[: picture.start()]}{BELOW}{text[picture.end() :]}"
    if text:
        yield from _text_pieces(text)
    for picture in pasted:
        yield from _pictures({picture["mime"]: picture["image"]}, "A pasted picture")
    if segment.cell.kind == "code":
        yield from _outputs(segment.cell.outputs)
    else:
        yield from _linked(text, segment.cell.attachments)


def _answer_below(text: str, asked: str) -> str:
    """What a student wrote into a question's own cell; where it was rewritten, all of it."""
    if asked and text.startswith(asked):
        return text.removeprefix(asked).strip()
    return text if asked and _heading(text) == _heading(asked) else ""


def _text_pieces(text: str) -> Iterator[Piece]:
    yield Piece("text", text[:LONGEST_TEXT])
    if len(text) > LONGEST_TEXT:
        more = len(text) - LONGEST_TEXT
        yield Piece(
            "note", f"The text goes on: {more:,} more characters are not shown. Open the notebook to read them."
        )


def _linked(text: str, attachments: Mapping[str, Any]) -> Iterator[Piece]:
    """The pictures that a text shows: those that were pasted lie in its cell, others nowhere in the file."""
    for link in _LINKED.finditer(text):
        target = link["target"] or link["source"]
        kind, _, name = target.partition(":")
        if kind.lower() != "attachment":
            if target != BELOW:
                yield Piece("note", f"A picture is not shown, for it lies outside the notebook: {target[:200]}")
            continue
        data = attachments.get(unquote(name), attachments.get(name))
        yield from _pictures(data if isinstance(data, dict) else {}, f"The picture {unquote(name)[:200]}")


def _outputs(outputs: Iterable[Any]) -> Iterator[Piece]:
    for output in outputs:
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        if not isinstance(data, dict):
            data = {mime: output[name] for name, mime in OLD_NAMES.items() if name in output}
        if any(mime not in ("text/plain", "text/latex", "text/markdown") for mime in data):
            yield from _pictures(data, "An output")


def _pictures(data: Mapping[str, Any], what: str) -> Iterator[Piece]:
    """The first of several forms of one picture that can be shown, or that none can."""
    for mime in IMAGES:
        image = _image(data.get(mime), mime)
        if image:
            yield Piece("image", image, mime)
            return
    kinds = ", ".join(sorted(str(mime)[:50] for mime in data)[:3]) or "nothing in the file"
    yield Piece("note", f"{what} is not shown here ({kinds}). Open the notebook to see it.")


def _image(data: Any, mime: str) -> str:
    """An image in base64; nothing where it is none, or too large. An SVG lies in a notebook as text."""
    text = _text(data)
    if mime == SVG and "<svg" in text:
        text = base64.b64encode(text.encode("utf-8", "replace")).decode()
    image = "".join(text.split())
    return image if len(image) < LARGEST_IMAGE and _is_base64(image) else ""


def _text(source: Any) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True
