"""Whether `docs/audit.md` still holds, told without an audit.

Each section ends with a mark: one digest of its text and of all that an audit of that lab reads. So a fresh clone,
which has no results of its own, sees in a second that the page belongs to the labs, suites, cases and grader beside it.
Versions of Python and libraries are left out: the page is the same whichever of those that are allowed made it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.course import Lab
from autograder.kept import HERE, digest, said

FAULT = "- FAULT: "
_MARK = re.compile(r"\n\n<!-- audited: (?P<mark>\w+) -->\Z")
_SECTION = re.compile(r"^## (?P<lab>\w+):.*?(?=^## |\Z)", re.M | re.S)
_SUMMARY = re.compile(
    r"^alternatives (\d+)/(\d+) accepted, misconceptions (\d+)/(\d+) caught, named (\d+), mutants (\d+)/(\d+) killed",
    re.M,
)


def sections_of(page: str) -> dict[str, str]:
    """Lab -> its section, mark and all."""
    return {match["lab"]: match[0].strip() for match in _SECTION.finditer(page)}


def marked(lab: Lab, section: str) -> str:
    """A section with the mark that makes it belong to what was audited."""
    return f"{section}\n\n<!-- audited: {_mark(lab, section)} -->"


def stale(labs: Sequence[Lab], page: str) -> Iterator[str]:
    """Which of the page's sections no longer hold, in a sentence each."""
    sections = sections_of(page)
    for lab in labs:
        section = sections.get(lab.name, "")
        mark = _MARK.search(section)
        if mark is None or mark["mark"] != _mark(lab, section[: mark.start()]):
            yield f"docs/audit.md is stale: {lab.name} is not what was audited. Run `autograder audit {lab.name}`."


def admitted(labs: Sequence[Lab], page: str) -> Iterator[str]:
    """The faults that the page itself admits."""
    sections = sections_of(page)
    for lab in labs:
        section = sections.get(lab.name, "")
        yield from (line.removeprefix(FAULT) for line in section.splitlines() if line.startswith(FAULT))


def total(labs: Sequence[Lab], page: str) -> str:
    """The summaries of some labs' sections as one."""
    sections = sections_of(page)
    found = [match.groups() for lab in labs for match in _SUMMARY.finditer(sections.get(lab.name, ""))]
    accepted, right, caught, wrong, named, killed, mutants = (sum(int(row[i]) for row in found) for i in range(7))
    return sentence(f"{accepted}/{right}", f"{caught}/{wrong}", named, f"{killed}/{mutants}")


def sentence(accepted: str, caught: str, named: int, killed: str) -> str:
    """The last line of `autograder audit`, in every case."""
    return f"alternatives {accepted} accepted, misconceptions {caught} caught, named {named}, mutants {killed} killed"


def _mark(lab: Lab, section: str) -> str:
    folder = lab.master.parent
    cases = [folder / "equivalent_mutants.yml", *sorted(folder.glob("alternatives/*.py"))]
    cases += sorted(folder.glob("misconceptions/*.py"))
    return digest(said(lab), _bytes(HERE / "matrix.py"), *map(_bytes, cases), section)[:20]


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
