"""What a grade hangs on, as short digests: with all of them unchanged, grading again would give the same grade."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from autograder.course import Course, Lab

GIVEN_FROM = re.compile(rb"^# given from: (\w+)", re.M)
CELL = re.compile(rb"^# %%", re.M)


class Fingerprint(msgspec.Struct, frozen=True):
    """One digest for each thing that may change between two gradings of the same file."""

    suite: str
    rubric: str
    answers: str
    grader: str


def fingerprint(lab: Lab) -> Fingerprint:
    """Read what decides a lab's grades; no suite is imported and no notebook parsed."""
    return Fingerprint(
        suite=_of_files(
            path for side in ("public", "hidden") for path in _sources(lab.root / "tests" / side / lab.name)
        ),
        rubric=_digest([msgspec.json.encode([lab.limits, lab.warm, lab.given, lab.questions])]),
        answers=_digest(_answers(lab.master)),
        grader=grader_version(lab.warm),
    )


NOTHING = Fingerprint("", "", "", "")
"""For a grade that is no one's but the machine's fault: it is never taken for done."""


def of_reading(course: Course) -> Fingerprint:
    """What the refusal of a file hangs on: how it is read, and which labs there are."""
    return Fingerprint("", _digest(name.encode() for name in course.labs), "", grader_version(()))


def _answers(master: Path) -> Iterable[bytes]:
    """The code of a master, of the labs that it takes given functions from, and the known wrong answers."""
    source = master.read_bytes()
    yield from (cell for cell in CELL.split(source) if not cell.startswith(b" [markdown]"))
    yield from (path.read_bytes() for path in _sources(master.parent / "misconceptions"))
    for name in GIVEN_FROM.findall(source):
        yield from _answers(master.parent.parent / name.decode() / "lab.py")


@cache
def grader_version(warm: tuple[str, ...]) -> str:
    """This package's own code, and the versions of what student code runs on."""
    code = _of_files(_sources(Path(__file__).parent))
    return _digest([code.encode(), sys.version.encode(), *(_version(name).encode() for name in ("numpy", *warm))])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _of_files(paths: Iterable[Path]) -> str:
    return _digest(part for path in paths for part in (path.name.encode(), path.read_bytes()))


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:20]
