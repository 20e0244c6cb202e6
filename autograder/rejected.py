"""Files that cannot be graded: what they are instead, and what to do about it, in the student's words."""

from __future__ import annotations

import re

import msgspec

MB = 2**20

SAVE_AS_NOTEBOOK = "In Jupyter or Colab download the notebook as .ipynb, and hand in that file"
SEND_ZIP = "Hand in the .ipynb file itself, or a .zip that holds it"
PULL_LFS = "Run git lfs pull, and hand in the notebook itself"
SAVE_AGAIN = "Open the notebook in Jupyter, save it, check that it opens again, and hand in the new file"


class Rejected(Exception):
    """It cannot be graded: ``reason`` is for the student, ``sha256`` is empty when nothing was read.

    ``for_staff`` is a remedy that only those who grade have.
    """

    def __init__(self, problem: str, remedy: str, for_staff: str = "") -> None:
        self.problem, self.remedy, self.for_staff, self.sha256 = problem, remedy, for_staff, ""
        super().__init__(self.reason)

    @property
    def reason(self) -> str:
        return f"{self.problem}. {self.remedy}."


def too_large(limit: int) -> Rejected:
    """The refusal of a file of more than so many bytes."""
    remedy = "Clear all outputs, leave out data and model files, save, and hand in the smaller file"
    return Rejected(f"the file is larger than {limit // MB} MB", remedy)


_OTHER_FILES = tuple(
    (re.compile(beginning, re.DOTALL | re.IGNORECASE), problem, remedy)
    for beginning, problem, remedy in (
        (rb"%PDF", "this is a PDF, not a notebook", SAVE_AS_NOTEBOOK),
        (rb"Rar!\x1a\x07", "this is a RAR archive, not a notebook", SEND_ZIP),
        (rb"7z\xbc\xaf\x27\x1c", "this is a 7z archive, not a notebook", SEND_ZIP),
        (rb"\x1f\x8b|.{257}ustar", "this is a tar or gzip archive, not a notebook", SEND_ZIP),
        (rb"\xd0\xcf\x11\xe0", "this is an Office document, not a notebook", SAVE_AS_NOTEBOOK),
        (rb"\x89PNG|\xff\xd8\xff|GIF8", "this is a picture, not a notebook", SAVE_AS_NOTEBOOK),
        (
            rb"\x00\x05\x16\x07",
            "this is what macOS keeps beside a file, not the file itself",
            SAVE_AS_NOTEBOOK,
        ),
        (rb"version https://git-lfs", "this is a Git LFS pointer, not the notebook it stands for", PULL_LFS),
        (
            rb"\s*<(!doctype|!--|html|head|body|div|\?xml)",
            "this is a web page (HTML), not a notebook",
            SAVE_AS_NOTEBOOK,
        ),
    )
)


def refuse_other_files(raw: bytes) -> None:
    """Files that are plainly something else, told by how they begin."""
    if not raw or raw.isspace():
        raise Rejected("the file is empty", SAVE_AGAIN)
    if not raw.strip(b"\x00"):
        raise Rejected("the file holds nothing but zeros, as when a disk or a sync fails", SAVE_AGAIN)
    head = raw[:1024]
    for beginning, problem, remedy in _OTHER_FILES:
        if beginning.match(head):
            raise Rejected(problem, remedy)


_CONFLICT = re.compile(rb"^(<<<<<<<|>>>>>>>|\|\|\|\|\|\|\|) |^=======\r?$", re.MULTILINE)
_SCRIPT = re.compile(rb"^(import|from|def|class|#|%|print)\b", re.MULTILINE)


def diagnosis(raw: bytes, error: Exception) -> Rejected:
    """Why this is no notebook, in the student's words."""
    if isinstance(error, RecursionError):
        return Rejected("the file nests deeper than any notebook", SAVE_AGAIN)
    if conflict := _CONFLICT.search(raw):
        problem = f"the file holds git conflict markers (line {_line(raw, conflict.start())})"
        return Rejected(problem, "Settle the conflict, check that the notebook opens in Jupyter, and hand it in")
    if raw.lstrip()[:1] not in (b"{", b"["):
        what = "it looks like a Python script" if _SCRIPT.search(raw[:MB]) else "it does not begin with {"
        return Rejected(f"the file is not a notebook (not JSON): {what}", SAVE_AS_NOTEBOOK)
    if isinstance(error, msgspec.ValidationError):
        return Rejected("the file is JSON but not a notebook: its parts have other types", SAVE_AS_NOTEBOOK)
    if "truncated" in str(error):
        problem = "the file is not a readable notebook: it stops half way, as when an upload is cut off"
        return Rejected(problem, SAVE_AGAIN)
    place = re.search(r"byte (\d+)", str(error))
    where = f" (line {_line(raw, int(place[1]))})" if place else ""
    return Rejected(f"the file is not a readable notebook: its JSON is damaged{where}", SAVE_AGAIN)


def _line(raw: bytes, offset: int) -> int:
    return raw.count(b"\n", 0, offset) + 1
