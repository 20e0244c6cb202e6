"""What works on this machine: protections, versions, cores, memory, and what to do about the rest.

`examine` gathers it as data, `render` shows it. Nothing is assumed: protections are tried, a worker started.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.cores import cores
from autograder.course import Limits
from autograder.errors import SandboxError
from autograder.protections import Protection, protections
from autograder.sandbox import wire
from autograder.sandbox.confine import FIRST_UID, lies_open, probe
from autograder.sandbox.host import TimedOut, WorkerDied, Zygote

NEEDED_ON_LINUX = ("rlimits", "no_new_privs", "landlock", "seccomp")
"""Without one of these some attack in docs/security.md has nothing in its way. The others add to them."""

_OPTIONAL = {
    "torch": "for labs in PyTorch",
    "matplotlib": "for notebooks with plots, and the report's histogram",
    "dask": "for --scheduler",
}


@dataclass(frozen=True)
class Package:
    """One package: `wanted` is the versions that suit, `version` None where it is not installed."""

    name: str
    version: str | None
    wanted: str
    suits: bool
    optional: bool


@dataclass(frozen=True)
class Trial:
    """A worker started for the occasion: the seconds it took and what it says is on, or what went wrong."""

    seconds: float
    protections: tuple[str, ...]
    trouble: str


@dataclass(frozen=True)
class Report:
    """Everything that `autograder doctor` knows. Memory is in bytes, 0 where the system does not tell."""

    protections: tuple[Protection, ...]
    packages: tuple[Package, ...]
    trial: Trial
    python: str
    system: str
    cores: int
    memory: int
    containers: tuple[str, ...]
    course_lies_open: bool

    @property
    def ok(self) -> bool:
        """Whether this machine can grade, and safely."""
        return not self.troubles

    @property
    def troubles(self) -> tuple[str, ...]:
        """What keeps this machine from grading, or from grading safely; one sentence and its remedy each."""
        off = [layer for layer in self.protections if not layer.on and layer.name in NEEDED_ON_LINUX]
        unfit = [package for package in self.packages if not package.suits]
        return (
            *(f"{layer.name} is off: {layer.why}. {layer.remedy}" for layer in off),
            *(_misfit(package) for package in unfit),
            *([self.trial.trouble] if self.trial.trouble else []),
            *([_LIES_OPEN] if self.course_lies_open else []),
        )


_LIES_OPEN = (
    "the course lies where every submission may read, among Python's own folders. "
    "Move it out of the virtual environment or the system's library folders."
)


def examine(course: Path | None = None) -> Report:
    """Tries everything here; takes a second or two. `course` is the folder of the course, if there is one."""
    return Report(
        protections=protections(),
        packages=_packages(),
        trial=_try_a_worker(),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        cores=len(cores()),
        memory=_memory(),
        containers=tuple(engine for engine in ("docker", "podman") if shutil.which(engine)),
        course_lies_open=course is not None and lies_open(course),
    )


# --- versions -----------------------------------------------------------------------------------


def _packages() -> tuple[Package, ...]:
    """What this package requires, by its own metadata, and what some labs need besides."""
    try:
        lines = importlib.metadata.requires("autograder") or []
    except importlib.metadata.PackageNotFoundError:
        lines = []
    required = [Requirement(line) for line in lines]
    needed = [_package(wish, optional=False) for wish in required if wish.marker is None]
    wishes = {name: Requirement(name) for name in _OPTIONAL}
    wishes |= {wish.name: wish for wish in required if wish.marker and wish.name in _OPTIONAL}  # several extras name it
    return (*needed, *(_package(wishes[name], optional=True) for name in sorted(wishes)))


def _package(wish: Requirement, optional: bool) -> Package:
    try:
        version = importlib.metadata.version(wish.name)
    except importlib.metadata.PackageNotFoundError:
        return Package(wish.name, None, str(wish.specifier), suits=optional, optional=optional)
    suits = wish.specifier.contains(version, prereleases=True)
    return Package(wish.name, version, str(wish.specifier), suits, optional)


def _misfit(package: Package) -> str:
    found = f"is {package.version}" if package.version else "is not installed"
    wish = f"{package.name}{package.wanted}"
    return f"{package.name} {found}, {wish} is needed. Run: {sys.executable} -m pip install '{wish}'"


# --- the machine --------------------------------------------------------------------------------


def _try_a_worker() -> Trial:
    """Runs one cell in the sandbox, as grading would."""
    started = time.perf_counter()
    uid = FIRST_UID if probe()["uid"].on else None
    with tempfile.TemporaryDirectory() as folder:
        try:
            with Zygote((), uid) as zygote:
                _, channel, protections = zygote.spawn(Path(folder), [], [], Limits())
                reply = channel.request(wire.RunCell(0, "answer = 42"), Limits().cell_seconds)
                channel.close()
                zygote.sweep()
        except (SandboxError, TimedOut, WorkerDied, OSError) as error:
            return Trial(0.0, (), f"no notebook can be run here: {str(error) or type(error).__name__}")
    if not isinstance(reply, wire.CellRan) or reply.error:
        return Trial(0.0, (), f"a notebook's first cell does not run here: {reply}")
    return Trial(time.perf_counter() - started, tuple(protections), "")


def _memory() -> int:
    """The machine's, or less where a container has been given less."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            return min(machine, int(Path(path).read_text()))
        except (OSError, ValueError):  # absent, or the word "max"
            continue
    return machine


# --- showing it ---------------------------------------------------------------------------------


def render(report: Report) -> RenderableType:
    """The report as a page for the terminal; says everything in words as well as in colours."""
    return Group(
        _machine_lines(report),
        _protection_table(report),
        _package_table(report),
        _verdict(report),
    )


def _machine_lines(report: Report) -> Text:
    memory = f", {report.memory / 2**30:.1f} GiB of memory" if report.memory else ""
    cores = f"{report.cores} core{'' if report.cores == 1 else 's'}"
    engines = ", ".join(report.containers) or "none (only `otter grade` needs one)"
    lines = [f"Python {report.python} on {report.system}, {cores}{memory}", f"Container engines: {engines}"]
    if not report.trial.trouble:
        on = ", ".join(report.trial.protections)
        lines.append(f"A notebook's process starts in {report.trial.seconds:.1f} s, protected by {on}")
    return Text("\n".join(lines) + "\n")


def _protection_table(report: Report) -> Table:
    table = Table("", "Protection", "What it does", "Why, and what to do", title="Protections")
    for layer in report.protections:
        mark = Text("on", style="green") if layer.on else Text("off", style="yellow")
        table.add_row(mark, layer.name, layer.purpose, f"{layer.why}. {layer.remedy}".strip())
    return table


def _package_table(report: Report) -> Table:
    table = Table("Package", "Version", "Needed", title="Packages")
    for package in report.packages:
        wanted = package.wanted or "any"
        purpose = f" ({_OPTIONAL[package.name]})" if package.optional else ""
        version = package.version or "not installed"
        table.add_row(package.name, Text(version, style="" if package.suits else "red"), wanted + purpose)
    return table


def _verdict(report: Report) -> Text:
    if report.ok:
        return Text("\nEverything that grading needs works here.", style="green")
    return Text("\n" + "\n".join(f"Trouble: {trouble}" for trouble in report.troubles), style="red")
