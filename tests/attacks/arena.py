"""Where attacks are tried, on a naive grader (see cage.py) and on ours, with everything laid out that they might want.

An attack is a file of cells in `cases/<family>/`. Its docstring says what it does, and in lines of their own:

    naive: full marks | loot | harm    it is shown to work on the naive grader
    earns: N                           it earns a fair N points for `wave`
    costs: center                      it breaks its own process, and so loses what it had right

It is given, by name, all that an attacker could find out: every path, every pid.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.record import Grade

HERE = Path(__file__).parent
COURSE = HERE / "course"

SECRETS = ("CANARY-ANSWERS", "CANARY-INPUTS", "CANARY-OTHER", "CANARY-HOME", "CANARY-ENV", "7390851332")
"""What only staff may see: marks in the answers, the hidden inputs, another submission, a home, the environment."""

HIDDEN_NUMBERS = ("5671432904", "8767262154", "1a3e8daf0926", "567143", "876726")
"""Numbers that hidden checks pass in. A student's code is given them; no message may."""

PRELUDE = """
import numpy as np

def halve(x):
    return x / 2

def center(x):
    return x - x.mean(axis=-1, keepdims=True)

def both(x):
    return center(wave(x))

def wave(x):
    return 3.0 * x

def haul(*things):
    with open("loot", "a") as file:
        print(*things, file=file)
"""
"""An honest start, with a wrong `wave`; `haul` is where an attack puts what it has got hold of."""


@dataclass(frozen=True)
class Attack:
    """One attacking notebook."""

    family: str
    name: str
    what: str
    naive: str
    earns: int
    costs: str
    cells: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.family}/{self.name}"


def attacks(*families: str) -> list[Attack]:
    """All attacks of these families, or of all."""
    paths = sorted((HERE / "cases").glob("*/*.py"))
    return [read_attack(path) for path in paths if not families or path.parent.name in families]


def read_attack(path: Path) -> Attack:
    source = path.read_text()
    doc = ast.get_docstring(ast.parse(source)) or ""
    told = dict(re.findall(r"^(naive|earns|costs): (.+)$", doc, re.M))
    cells = re.split(r"^# %%.*\n", source, flags=re.M)[1:]
    what = doc.partition("\n\n")[0]
    return Attack(
        family=path.parent.name,
        name=path.stem,
        what=what,
        naive=told.get("naive", ""),
        earns=int(told.get("earns", 0)),
        costs=told.get("costs", ""),
        cells=tuple(cells),
    )


@dataclass
class Arena:
    """One attack's surroundings: victims, and what became of them."""

    folder: Path
    bystander: subprocess.Popen[bytes]
    port: int
    socket: Path
    calls_from_within: list[str] = field(default_factory=list)

    @property
    def precious(self) -> Path:
        return self.folder / "victims" / "precious.txt"

    def names(self, grader: int) -> str:
        """What the attacker knows, as the notebook's first cell."""
        known = {
            "COURSE": str(COURSE),
            "OTHER": str(self.folder / "victims" / "other.ipynb"),
            "HOME": str(self.folder / "victims" / "home"),
            "PRECIOUS": str(self.precious),
            "BYSTANDER": self.bystander.pid,
            "GRADER": grader,
            "PORT": self.port,
            "UNIX_SOCKET": str(self.socket),
        }
        return "\n".join(f"{name} = {value!r}" for name, value in known.items())

    def notebook(self, attack: Attack, grader: int) -> Path:
        cells = [self.names(grader), PRELUDE, *attack.cells]
        path = self.folder / "attack.ipynb"
        path.write_text(json.dumps(as_notebook(cells)))
        return path

    def unharmed(self) -> list[str]:
        """What is wrong; empty where all is well."""
        wrong = []
        try:
            there = sorted(os.listdir(self.precious.parent)) == ["home", "other.ipynb", "precious.txt"]
            modes = {path.stat().st_mode & 0o777 for path in (self.precious, self.precious.parent)}
            if not there or modes != {0o777} or self.precious.read_text() != "precious":
                wrong.append("files outside were changed")
        except OSError:
            wrong.append("files outside are gone")
        if self.bystander.poll() is not None or state(self.bystander.pid) == "T":
            wrong.append("another process was stopped")
        if self.calls_from_within:
            wrong.append("a connection came from within")
        return wrong


def as_notebook(cells: list[str] | tuple[str, ...]) -> dict[str, object]:
    """A notebook in nbformat's form."""
    return {
        "cells": [
            {"cell_type": "code", "id": f"c{n}", "metadata": {}, "outputs": [], "execution_count": None, "source": cell}
            for n, cell in enumerate(cells)
        ],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def open_to_all(*folders: Path) -> None:
    """Lets anybody read and write these folders and all that is in them."""
    for folder in folders:
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o777)


@contextlib.contextmanager
def arena(folder: Path, as_user: Sequence[str] = ()) -> Iterator[Arena]:
    """Lays out the victims, listens for connections, and clears up afterwards.

    `as_user` is the command that starts the bystander as the attack's own user, where it is to be killed.
    """
    victims = folder / "victims"
    (victims / "home").mkdir(parents=True)
    for above in (folder, *folder.parents):
        if above.name.startswith(("pytest-", "test_")):
            above.chmod(0o755)
    (victims / "home" / "key").write_text("CANARY-HOME")
    (victims / "precious.txt").write_text("precious")
    (victims / "other.ipynb").write_text(json.dumps(as_notebook(["# CANARY-OTHER"])))
    open_to_all(victims)  # that nothing is taken is not to be due to modes
    listener = socket.create_server(("127.0.0.1", 0))
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("127.0.0.1", listener.getsockname()[1]))
    local = socket.socket(socket.AF_UNIX)
    short = Path(tempfile.mkdtemp(dir="/tmp"))  # a socket's path may have a hundred characters, no more
    short.chmod(0o755)
    local.bind(str(short / "socket"))
    local.listen()
    (short / "socket").chmod(0o777)
    bystander = subprocess.Popen([*as_user, "sleep", "600"])
    ground = Arena(folder, bystander, listener.getsockname()[1], short / "socket")
    stop = threading.Event()
    ears = [
        threading.Thread(target=_listen, args=(ear, ground, stop), daemon=True) for ear in (listener, datagrams, local)
    ]
    for ear in ears:
        ear.start()
    try:
        yield ground
    finally:
        stop.set()
        bystander.kill()
        bystander.wait()
        for ear in ears:
            ear.join()
        for opened in (listener, datagrams, local):
            opened.close()
        shutil.rmtree(short)


def _listen(ear: socket.socket, ground: Arena, stop: threading.Event) -> None:
    ear.settimeout(0.05)
    while not stop.is_set():
        with contextlib.suppress(TimeoutError):
            if ear.type == socket.SOCK_DGRAM:
                ear.recv(100)
            else:
                ear.accept()[0].close()
            ground.calls_from_within.append(ear.type.name)


# --- evidence -------------------------------------------------------------------------------------------------------


def secrets_in(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret in text]


def texts_of(grade: Grade) -> str:
    """Everything in a record that a person may read."""
    checks = [check.message for question in grade.questions for check in question.checks]
    return "\n".join([*checks, *grade.notes, *grade.warnings, *(cell.message for cell in grade.cells)])


def processes_of(uid: int) -> dict[int, str]:
    """Pid -> state of every process of a user, zombies included."""
    found = {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdecimal() and entry.stat().st_uid == uid:
                found[int(entry.name)] = state(int(entry.name))
    return found


def below(pid: int) -> list[int]:
    """Pids of all descendants of a process."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, task.read_text().split()):
                found += [child, *below(child)]
    return found


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""
