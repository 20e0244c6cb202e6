"""The naive grader at work in a cage: what it lets an attack kill, fill or overwrite is nobody else's.

The cage is a machine within the machine: processes, network, shared memory and a small disk of its own (`unshare`),
where root is left behind before anything runs. `python -m tests.attacks.cage ATTACK FOLDER UID` is what goes on inside.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from autograder.sandbox.slots import own_uid

from .arena import COURSE, HERE, Arena, Attack, arena, open_to_all, read_attack, secrets_in, state

KILLING = ("bombs", "lingering")
"""Families that are shown in a cage or not at all: they kill what they can, or fill what there is."""

SECONDS = 90
"""Wall-clock time after which a cage is torn down with all that is in it."""

DISK = "size=512m,nr_inodes=50k,mode=755"
PROCESSES = 2000


@cache
def walls() -> tuple[str, ...]:
    """The command that puts a cage around what follows it; empty where none can be had."""
    as_root = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    command = ("unshare", *as_root, "--pid", "--fork", "--kill-child", "--mount-proc", "--net", "--ipc")
    if shutil.which("unshare") is None:
        return ()
    return command if subprocess.run([*command, "true"], capture_output=True).returncode == 0 else ()


def what_works_on_the_naive_grader(attack: Attack, folder: Path) -> list[str]:
    """Runs the attack there, in a cage; returns what it achieved. Skips where there is no cage for a killer."""
    if not walls() and attack.family in KILLING:
        pytest.skip("this attack kills what it can, and there are no namespaces here to keep it in (see `unshare`)")
    folder.mkdir()
    uid = own_uid() if walls() and os.geteuid() == 0 else None
    inside = [sys.executable, "-m", "tests.attacks.cage", str(attack), str(folder), str(uid or "")]
    ran = subprocess.run([*walls(), *inside], cwd=HERE.parents[1], stdout=subprocess.PIPE, timeout=SECONDS, check=True)
    achieved: list[str] = json.loads(ran.stdout)
    return achieved


# --- within the cage ------------------------------------------------------------------------------------------------


def main(name: str, folder: Path, uid: str) -> None:
    """Prints what the attack achieved, as JSON."""
    attack = read_attack(HERE / "cases" / f"{name}.py")
    caged = os.getpid() == 1
    assert caged or attack.family not in KILLING
    if caged:
        subprocess.run(["mount", "-t", "tmpfs", "-o", DISK, "cage", str(folder)], check=True)
        bring_up_loopback()
    with arena(folder, as_user(uid)) as ground:
        print(json.dumps(achieved(attack, ground, caged, as_user(uid))))


def as_user(uid: str) -> list[str]:
    """The command that makes root the user that follows, who may read Python wherever it lies."""
    kept = "+dac_read_search"
    become = ["setpriv", "--reuid", uid, "--regid", uid, "--clear-groups", "--inh-caps", kept, "--ambient-caps", kept]
    return become if uid else []


def bring_up_loopback() -> None:
    """A new network has a loopback device that is down; 0x8914 is SIOCSIFFLAGS, 0x41 up and running."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14s", b"lo", 0x41, b""))


def achieved(attack: Attack, ground: Arena, caged: bool, who: list[str]) -> list[str]:
    notebook = ground.notebook(attack, grader=ground.bystander.pid)
    work, course = ground.folder / "work", ground.folder / "course"  # a copy: some attacks change it
    work.mkdir()
    shutil.copytree(COURSE, course)
    open_to_all(work, course)
    notebook.write_text(notebook.read_text().replace(str(COURSE), str(course)))
    said = ground.folder / "said"
    process = subprocess.Popen(
        [*who, "sh", "-c", '"$@"; :', "parent", sys.executable, str(HERE / "naive.py"), str(course), str(notebook)],
        cwd=work,
        env={**os.environ, "ANSWERS": "CANARY-ENV"},
        stdin=subprocess.DEVNULL,
        stdout=said.open("wb"),
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=bounded_and_alone if who else bounded,
    )
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(30 if attack.family == "tensors" else 4)
    hung = process.poll() is None
    time.sleep(0.1)  # for what ends by itself
    outlived = caged and not hung and everybody() - {os.getpid(), ground.bystander.pid}
    full = caged and is_full(work)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    loot = work / "loot"
    stolen = loot.is_file() and secrets_in(loot.read_text(errors="replace"))
    lines = said.read_text(errors="replace").split("\n")[-2:-1]
    no_verdict = not any(re.fullmatch(r'\{"wave": \d\}', line) for line in lines)
    found = ["full marks"] if lines == ['{"wave": 4}'] else []
    found += ["harm"] if no_verdict or hung or outlived or full or ground.unharmed() else []
    return found + (["loot"] if stolen else [])


def bounded() -> None:
    """So that a bomb only hurts the process it is in."""
    for kind, limit in (
        (resource.RLIMIT_AS, 4 * 2**30),
        (resource.RLIMIT_FSIZE, 2**26),
        (resource.RLIMIT_CPU, 15),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (limit, limit))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "wb", buffering=0) as file:
        file.write(b"1000")  # should memory run out, nobody else goes first


def bounded_and_alone() -> None:
    """The same, for a user whose processes are all in the cage: they can be counted."""
    bounded()
    resource.setrlimit(resource.RLIMIT_NPROC, (PROCESSES, PROCESSES))


def is_full(folder: Path) -> bool:
    """Whether there is no more room, for bytes or for files."""
    found = os.statvfs(folder)
    return found.f_bavail == 0 or found.f_favail == 0


def everybody() -> set[int]:
    """Pids of all processes there are, but for those that nobody has buried yet."""
    pids = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    return {pid for pid in pids if state(pid) not in ("", "Z")}


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
