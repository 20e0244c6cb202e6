"""Work that a person marks: the plots and answers of the questions of kind `written`, taken from a notebook's file."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograder.course import Lab

IMAGES = ("image/png", "image/jpeg")
LONGEST_TEXT = 20_000
LARGEST_IMAGE = 4 * 2**20
"""Characters and bytes that are shown of one piece: more is no answer to these questions."""

_MARK = re.compile(r"<!--\s*(?P<what>BEGIN|END) QUESTION\s*-->")


@dataclass(frozen=True)
class Piece:
    """A text, or an image in base64."""

    kind: str
    text: str
    mime: str = ""


def written_work(notebook: bytes, lab: Lab) -> dict[str, list[Piece]]:
    """Question -> what was handed in: the n-th part that Otter marks off is for the n-th written question."""
    names = [question.name for question in lab.questions.values() if question.kind == "written"]
    work: dict[str, list[Piece]] = {name: [] for name in names}
    for name, cells in zip(names, _parts(_cells(notebook)), strict=False):
        work[name] = [piece for cell in cells for piece in _pieces(cell)]
    return work


def _cells(notebook: bytes) -> list[dict[str, Any]]:
    try:
        cells = json.loads(notebook)["cells"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    return [cell for cell in cells if isinstance(cell, dict)] if isinstance(cells, list) else []


def _parts(cells: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The cells of each part. Otter writes the end of one and the beginning of the next into one cell."""
    part: list[dict[str, Any]] | None = None
    for cell in cells:
        source, place, asks = _text(cell.get("source")), 0, False
        for mark in _MARK.finditer(source):
            asks = mark["what"] == "BEGIN"
            if part is not None:
                yield part if asks else [*part, cell | {"source": source[place : mark.start()]}]
            part, place = [] if asks else None, mark.end()
        if part is not None and not asks:
            part.append(cell)
    if part is not None:  # its end was deleted: too much is better than nothing
        yield part


def _pieces(cell: dict[str, Any]) -> Iterator[Piece]:
    source = _text(cell.get("source")).strip()
    if source:
        yield Piece("text", source[:LONGEST_TEXT])
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else []:
        data = output.get("data") if isinstance(output, dict) else None
        if not isinstance(data, dict):
            continue
        for mime in IMAGES:
            image = "".join(_text(data.get(mime)).split())
            if image and len(image) < LARGEST_IMAGE and _is_base64(image):
                yield Piece("image", image, mime)


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
