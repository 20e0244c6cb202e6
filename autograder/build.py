"""What is handed out, made from what only staff see: `assignments/` and `dist/`.

Everything is made in memory first, read by the guard, and only then compared with the disk or written there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.assign import requirements, student_notebook
from autograder.bundle import autograder_zip
from autograder.course import Course, CourseError, Lab
from autograder.errors import Explained
from autograder.files import write_whole
from autograder.guard import leaks
from autograder.kits import classroom50, github_staff, github_template
from autograder.lint import problems
from autograder.master import Master, read_master

DIST = Path("dist")


class BuildError(Explained):
    """A master or a public suite that must not be built as it is: one line a problem."""

    def __init__(self, problems: Iterable[CourseError]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


@dataclass(frozen=True)
class BuildReport:
    """Which files, relative to the course, were as they should be, were written, or are stale."""

    current: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.stale


def build(
    course: Course, lab_names: Iterable[str] = (), *, check: bool = False, release: Iterable[str] = ()
) -> BuildReport:
    """Build the named labs, or all of them; with `check` write nothing and say what is stale.

    A lab that opens only after another has closed goes to `dist/` only when it is named in `release`.
    Raises `BuildError` for what the lint or the guard finds, before anything is written.
    """
    labs = _chosen(course, lab_names)
    _chosen(course, release)
    withheld = tuple(lab.name for lab in labs if lab.requires_closed and lab.name not in set(release))
    products: dict[Path, bytes] = {}
    for lab in labs:
        master = _linted(lab)
        handed_out = student_files(lab, master)
        products |= handed_out
        if lab.name not in withheld:
            products |= grader_files(lab, master, handed_out)
    if check:
        return _compared(course.root, products, withheld)
    return _written(course.root, products, withheld)


def student_files(lab: Lab, master: Master) -> dict[Path, bytes]:
    """`assignments/<lab>/`: path relative to the course -> bytes. Raises `BuildError`."""
    notebook = student_notebook(lab, master)
    readme = lab.master.parent / "README-student.md"
    if not readme.is_file():
        missing = CourseError("the student's README is missing", "Write it", file=str(readme.relative_to(lab.root)))
        raise BuildError([missing])
    folder = Path("assignments", lab.name)
    return _guarded(
        lab,
        master,
        {
            folder / f"{lab.name}.ipynb": notebook.encode(),
            folder / "requirements.txt": requirements(lab, master).encode(),
            folder / "README.md": readme.read_bytes(),
        },
    )


def grader_files(lab: Lab, master: Master, handed_out: dict[Path, bytes]) -> dict[Path, bytes]:
    """`dist/<lab>/`: what graders elsewhere need, made from the lab and from what its students receive."""
    folder = DIST / lab.name
    notebook = handed_out[lab.handout.relative_to(lab.root)]
    template = github_template(lab, master, {path.name: data for path, data in handed_out.items()})
    return {
        folder / "autograder.zip": autograder_zip(lab, notebook),
        **_below(folder / "github-staff", github_staff(lab, notebook)),
        **_guarded(lab, master, _below(folder / "github-template", template)),
        **_guarded(lab, master, _below(folder / "classroom50", classroom50(lab, master))),
    }


def _below(folder: Path, files: Mapping[str, bytes]) -> dict[Path, bytes]:
    return {folder / path: data for path, data in files.items()}


def _guarded(lab: Lab, master: Master, files: dict[Path, bytes]) -> dict[Path, bytes]:
    """Files that students will read, once it is sure that none tells a secret. The package knows no lab."""
    texts = {path: data.decode() for path, data in files.items() if path.suffix != ".whl"}
    if found := [leak for path, text in texts.items() for leak in leaks(lab, master, text, str(path))]:
        raise BuildError(found)
    return files


def _chosen(course: Course, names: Iterable[str]) -> list[Lab]:
    wanted = list(names) or list(course.labs)
    if unknown := [name for name in wanted if name not in course.labs]:
        raise CourseError(f"there is no lab {unknown[0]}", f"Labs here: {', '.join(course.labs)}", key="labs")
    return [course.labs[name] for name in wanted]


def _linted(lab: Lab) -> Master:
    master = read_master(lab.master)
    if found := problems(lab, master):
        raise BuildError(found)
    return master


def _compared(root: Path, products: dict[Path, bytes], withheld: tuple[str, ...]) -> BuildReport:
    """`dist/` is not kept in git: what was never built there is not stale."""
    kept = {path: data for path, data in products.items() if _built_here(root, path)}
    stale = tuple(str(path) for path, data in kept.items() if not _holds(root / path, data))
    return BuildReport(
        current=tuple(str(path) for path in kept if str(path) not in stale), stale=stale, withheld=withheld
    )


def _written(root: Path, products: dict[Path, bytes], withheld: tuple[str, ...]) -> BuildReport:
    changed = {path: data for path, data in products.items() if not _holds(root / path, data)}
    for path, data in changed.items():
        write_whole(root / path, data)
    current = tuple(str(path) for path in products if path not in changed)
    return BuildReport(current=current, written=tuple(map(str, changed)), withheld=withheld)


def _built_here(root: Path, path: Path) -> bool:
    return DIST not in path.parents or (root / DIST / path.parts[1]).is_dir()


def _holds(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data
