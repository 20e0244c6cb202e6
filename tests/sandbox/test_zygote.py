"""Nothing that a submission has started outlives it, however it detaches itself."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from autograder.sandbox import zygote

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox's processes are Linux's")


@pytest.fixture(autouse=True)
def adopting_orphans() -> Iterator[None]:
    """As in the zygote: who loses its parent becomes a child of this process. None is there before, none after."""
    prctl = ctypes.CDLL(None).prctl
    prctl(zygote.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    yield
    zygote.end_all()
    prctl(zygote.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def started(script: str) -> int:
    """Pid of a child that runs a script and has said that it is ready."""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.stdout.close()
    process.returncode = 0  # the zygote takes leave of it, not this object
    return process.pid


SLEEPER = "import time; print('ready', flush=True); time.sleep(60)"

DAEMON = """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print('ready', flush=True)
time.sleep(60)
"""

FAMILY = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.fork()
        time.sleep(60)
time.sleep(0.2)
print('ready', flush=True)
time.sleep(60)
"""

THREADED = """
import os, threading, time
threading.Thread(target=lambda: os.fork() or time.sleep(60)).start()
time.sleep(0.2)
print('ready', flush=True)
time.sleep(60)
"""

SPREADING = """
import os, time
print('ready', flush=True)
end = time.monotonic() + 20
while time.monotonic() < end:
    if os.fork() == 0:
        os.setsid()
    else:
        time.sleep(0.001)
        os._exit(0)
"""


@pytest.mark.parametrize("script", [SLEEPER, DAEMON, FAMILY, THREADED, SPREADING])
def test_no_descendant_is_left(script: str) -> None:
    started(script)
    zygote.sweep(keep=0)
    assert zygote.descendants(os.getpid()) == []
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_who_has_ended_already_is_no_hindrance() -> None:
    os.kill(started(SLEEPER), signal.SIGKILL)
    zygote.sweep(keep=0)
    zygote.sweep(keep=0)


@pytest.mark.parametrize("script", [SLEEPER, DAEMON, FAMILY, SPREADING])
def test_one_is_kept_where_all_others_end(script: str) -> None:
    kept = started(SLEEPER)
    started(script)
    zygote.sweep(keep=kept)
    assert zygote.descendants(os.getpid()) == [kept]
    assert zygote.alive(kept)


def test_the_others_may_be_below_the_one_that_is_kept() -> None:
    kept = started(FAMILY)
    zygote.sweep(keep=kept)
    assert [pid for pid in zygote.descendants(os.getpid()) if zygote.alive(pid)] == [kept]


def test_parents_are_listed_before_their_children() -> None:
    parent = started(FAMILY)
    assert zygote.descendants(os.getpid())[0] == parent
    assert len(zygote.descendants(os.getpid())) == 7


def test_the_end_is_waited_for_and_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking again and again took as much of the processor as ending them."""
    looks: list[int] = []
    look = zygote.descendants

    def counted(pid: int) -> list[int]:
        looks.append(pid)
        return look(pid)

    started(FAMILY)
    monkeypatch.setattr(zygote, "descendants", counted)
    zygote.sweep(keep=0)
    assert looks.count(os.getpid()) == 1
