"""Results of the audit that need not be found again: kept by the content of all that they depend on."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import platform
from pathlib import Path
from typing import TypeVar

import msgspec

from autograder.course import Lab
from autograder.files import write_whole
from autograder.master import Case, read_master

PACKAGES = ("cosmic-ray", "ipython", "msgspec", "numpy", "pytest", "torch")
HERE = Path(__file__).parent
Result = TypeVar("Result", bound=msgspec.Struct)


class Kept:
    """A folder of results, a file each, with the digest under which they were found."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def recall(self, name: str, key: str, kind: type[Result]) -> tuple[Result, ...] | None:
        """What was kept, if nothing that it depends on has changed."""
        if self.folder is None:
            return None
        try:
            found = (self.folder / name).read_bytes()
            found_key, results = msgspec.json.decode(found, type=tuple[str, tuple[kind, ...]])  # type: ignore[valid-type]
        except (OSError, msgspec.MsgspecError):
            return None
        return results if found_key == key else None

    def remember(self, name: str, key: str, results: tuple[msgspec.Struct, ...]) -> None:
        """Keep results in place of what was kept under this name."""
        if self.folder is not None:
            write_whole(self.folder / name, msgspec.json.encode((key, results)))


def digest(*parts: str | bytes) -> str:
    """One digest of many texts; where one ends and the next begins counts, too."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        found.update(len(data).to_bytes(8, "little") + data)
    return found.hexdigest()


def surroundings(lab: Lab) -> str:
    """The digest of all that an answer to a lab, or to a part of one, is judged with: libraries' versions as well."""
    return digest(said(lab), platform.python_version(), *map(_version, PACKAGES))


def said(lab: Lab) -> str:
    """The digest of master, rubric, suites and grader; of the suites only those of the questions that are there."""
    master = read_master(lab.master)
    rubric = [list(lab.questions.values()), lab.limits, lab.warm, lab.given]
    folders = [lab.root / "tests" / side / lab.name for side in ("public", "hidden")]
    files = [path for folder in folders for path in sorted(folder.rglob("*.py")) if _is_read(path, lab)]
    return digest(
        master.given_source(),
        master.reference_source(),
        msgspec.json.encode(rubric),
        *(path.read_bytes() for path in files),
        *(path.read_bytes() for path in sorted(_modules())),
    )


def _is_read(path: Path, lab: Lab) -> bool:
    """Whether a file of the suites is shared by all, or belongs to a question that is there."""
    return not path.stem.startswith("test_") or path.stem.removeprefix("test_") in lab.questions


def text_of(cases: list[Case]) -> str:
    """All that cases say."""
    return "\n".join(map(repr, cases))


def _modules() -> set[Path]:
    """The grader's modules that decide a grade: the audit's, the sandbox's, and all that they import."""
    found: set[Path] = set()
    waiting = {HERE / "audit.py", *(HERE / "sandbox").glob("*.py")}
    while waiting:
        path = waiting.pop()
        found.add(path)
        waiting |= {module for module in _imports(path) if module.is_file()} - found
    return found


def _imports(path: Path) -> set[Path]:
    modules: set[Path] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == HERE.name:
            module = HERE.joinpath(*str(node.module).split(".")[1:])
            modules |= {module.with_suffix(".py"), *(module / f"{alias.name}.py" for alias in node.names)}
    return modules


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""
