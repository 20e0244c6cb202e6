"""What other tools, editors and disks do to a file of JSON, undone; a note says what was."""

from __future__ import annotations

import codecs
import re

from autograder.rejected import MB

MAX_MENDED = 16 * MB
"""Bytes of the largest file that is mended: each string is looked at in turn, which is slow."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def as_utf8(raw: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The same text in UTF-8 without a byte order mark. Latin-1 is left to `mend`."""
    mark, encoding = next(((m, e) for m, e in _BOMS if raw.startswith(m)), (b"", "utf-8"))
    if not mark and re.match(rb"[\s{]\x00", raw):
        encoding = "utf-16-le"
    if not mark and re.match(rb"\x00[\s{]", raw):
        encoding = "utf-16-be"
    body = raw[len(mark) :] if mark else raw
    if encoding == "utf-8":
        return _without_marks(body), ()
    text = body.decode(encoding, "ignore")
    note = f"The file was saved as {encoding[:6].upper()}; it was read as such."
    return _without_marks(text.encode("utf-8", "replace")), (note,)


_MARKS_IN_FRONT = re.compile(rb"(?:\s*+\xef\xbb\xbf)+")


def _without_marks(raw: bytes) -> bytes:
    """Without byte order marks that stand in front a second time, or behind blank lines; the lines stay."""
    front = _MARKS_IN_FRONT.match(raw)
    return front[0].replace(codecs.BOM_UTF8, b"") + raw[front.end() :] if front else raw


_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|-?\bInfinity\b|\bNaN\b', re.DOTALL)
_ODD = re.compile(
    rb"(?P<pair>\\u[dD][89abAB]..\\u[dD][c-fC-F]..)|(?P<half>\\u[dD][89a-fA-F]..)|\\.|(?P<control>[\x00-\x1f])",
    re.DOTALL,
)


def mend(raw: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Mends what other tools and editors do to JSON; the same bytes where that is not the trouble."""
    if len(raw) > MAX_MENDED:
        return raw, ()
    notes: tuple[str, ...] = ()
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        raw = _from_latin(raw)
        notes += ("The file is not UTF-8; it was read as Western European text (Windows-1252).",)
    mended = _TOKEN.sub(_mend_token, raw)
    if mended != raw:
        notes += ("The file is not strict JSON (NaN, or odd characters in text); it was read all the same.",)
    return mended, notes


def _from_latin(raw: bytes) -> bytes:
    try:
        return raw.decode("cp1252").encode()
    except UnicodeDecodeError:
        return raw.decode("latin-1").encode()


def _mend_token(match: re.Match[bytes]) -> bytes:
    token = match[0]
    if not token.startswith(b'"'):
        return b"null"
    return _ODD.sub(_mend_character, token)


def _mend_character(match: re.Match[bytes]) -> bytes:
    if match["control"]:
        return b"\\u%04x" % match[0][0]
    return b"\\ufffd" if match["half"] else match[0]
