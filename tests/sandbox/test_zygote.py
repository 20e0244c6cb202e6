"""Nothing that a submission has started outlives it, however it detaches itself."""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from autograder.sandbox import zygote

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox's processes are Linux's")


def alone(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test in a process of its own, which adopts orphans as the zygote does: it ends all that it finds below."""

    @functools.wraps(test)
    def in_a_child(**arguments: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # pytest's threads do not follow, and are not needed
            pid = os.fork()
        if pid == 0:
            os._exit(_status(test, arguments))
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0, "see what the test's process has printed"

    return in_a_child


def _status(test: Callable[..., None], arguments: dict[str, Any]) -> int:
    try:
        ctypes.CDLL(None).prctl(zygote.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        test(**arguments)
        zygote.end_all()
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


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
@alone
def test_no_descendant_is_left(script: str) -> None:
    started(script)
    zygote.sweep(keep=0)
    assert zygote.descendants(os.getpid()) == []
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@alone
def test_who_has_ended_already_is_no_hindrance() -> None:
    os.kill(started(SLEEPER), signal.SIGKILL)
    zygote.sweep(keep=0)
    zygote.sweep(keep=0)


@pytest.mark.parametrize("script", [SLEEPER, DAEMON, FAMILY, SPREADING])
@alone
def test_one_is_kept_where_all_others_end(script: str) -> None:
    kept = started(SLEEPER)
    started(script)
    zygote.sweep(keep=kept)
    assert zygote.descendants(os.getpid()) == [kept]
    assert zygote.alive(kept)


@alone
def test_the_others_may_be_below_the_one_that_is_kept() -> None:
    kept = started(FAMILY)
    zygote.sweep(keep=kept)
    assert [pid for pid in zygote.descendants(os.getpid()) if zygote.alive(pid)] == [kept]


@alone
def test_parents_are_listed_before_their_children() -> None:
    parent = started(FAMILY)
    assert zygote.descendants(os.getpid())[0] == parent
    assert len(zygote.descendants(os.getpid())) == 7


@alone
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
