"""Starts, limits and ends the sandbox's processes, from the judge's side.

One `Zygote` serves one judge, one submission at a time. A `Channel` speaks with one of its processes and enforces
limits: CPU seconds as the kernel counts them, with wall-clock time at four times that as a fallback, so that a busy
machine changes no grade.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from autograder.course import Limits
from autograder.errors import SandboxError
from autograder.sandbox import codec, orders, wire
from autograder.sandbox.confine import Confinement
from autograder.sandbox.orders import Done, Order, Spawn, Sweep, Usage
from autograder.sandbox.steps import Steps

WALL_FACTOR = 4
"""Wall-clock seconds allowed for each CPU second: a machine four times oversubscribed still grades alike."""

IDLE_SHARE = 0.02
"""Share of a core below which a worker is waiting for something, not for its turn: then wall-clock time counts."""

POLL_SECONDS = 0.25
"""How often a running call's CPU time is looked at; calls shorter than this are never looked at."""

HEADROOM = 2**30
"""Address space beyond a notebook's own allowance: libraries and thread stacks that are mapped, not used."""

TRANSFER_SECONDS = 10
"""Wall-clock seconds for one message once it has begun: a worker that stops in the middle is taken for dead."""

START_SECONDS = 30
"""CPU seconds in which a forked worker must be ready; it takes milliseconds."""

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_MMAP_THRESHOLD_": "33554432",
    "MALLOC_TRIM_THRESHOLD_": "268435456",
    "MALLOC_TOP_PAD_": "1048576",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}
"""All that a student's process sees of the environment.

One thread, so that sums come out alike everywhere; and memory that was freed is kept for the next array, since getting
it anew from the kernel, page by page, took a tenth of a grade's time. What is got is got on pages of 2 MB where the
kernel has them, which is a quarter of the kernel's part in the rest.
"""


class WorkerDied(Exception):
    """A worker ended, or sent something that is no message."""


class TimedOut(Exception):
    """A request took longer than its limit."""


class Channel:
    """The judge's end of one worker's socket."""

    def __init__(self, sock: socket.socket, zygote: Zygote, steps: Steps | None = None) -> None:
        """`steps` tells how far a cell has come, of a process that runs cells."""
        self.sock = sock
        self.inbox = wire.Inbox(sock)
        self.zygote = zygote
        self.seconds = 0.0
        self.bound = wire.Bind()
        """What its process was last told to put under which names."""
        self.steps = steps
        self._started = self._looked = 0.0
        self._cpu_before: float | None = None

    def request(self, message: wire.Request, seconds: float, fds: tuple[int, ...] = ()) -> wire.Reply:
        """Send a message and wait for its reply, at most `seconds` of CPU time.

        Raises TimedOut or WorkerDied; after either the worker must be ended.
        """
        try:
            self.sock.settimeout(TRANSFER_SECONDS)
            wire.send(self.sock, message, fds)
        except OSError as error:
            raise WorkerDied(str(error)) from None
        return self.receive(seconds)

    def receive(self, seconds: float) -> wire.Reply:
        """Wait for a reply, at most `seconds` of CPU time. Raises as `request` does."""
        self._started = self._looked = time.perf_counter()
        self._cpu_before = None
        try:
            self._wait(seconds)
            return wire.reply_decoder.decode(self.inbox.body(TRANSFER_SECONDS))
        except TimeoutError:
            raise TimedOut from None
        except (OSError, EOFError, codec.Malformed, msgspec.MsgspecError, RecursionError) as error:
            raise WorkerDied(str(error)) from None
        finally:
            self.seconds += time.perf_counter() - self._started

    def _wait(self, seconds: float) -> None:
        """Until something can be read; whoever says a little all the time is looked at as well."""
        pause = min(POLL_SECONDS, seconds)
        while not self._has_come(pause) or time.perf_counter() - self._looked > pause:
            self._looked = time.perf_counter()
            used = self.zygote.usage()
            if used.memory > self.zygote.memory_limit or used.disk > orders.SCRATCH_LIMIT:
                raise WorkerDied("too much memory or disk")
            self._cpu_before = used.seconds if self._cpu_before is None else self._cpu_before
            wall, cpu = self._looked - self._started, used.seconds - self._cpu_before
            asleep = cpu < IDLE_SHARE * wall
            if wall > seconds * (1 if asleep else WALL_FACTOR) or min(wall, cpu + POLL_SECONDS) > seconds:
                raise TimedOut

    def _has_come(self, pause: float) -> bool:
        return self.inbox.has_more or bool(select.select([self.sock], [], [], pause)[0])

    def reached(self) -> int:
        """The statement that the cell which did not come back had come to, from 0."""
        return (self.steps.last() if self.steps else None) or 0

    def close(self) -> None:
        self.sock.close()
        if self.steps:
            self.steps.close()


class Zygote:
    """A warm process that forks workers. Use as a context manager, or call `close`."""

    def __init__(self, warm: tuple[str, ...], uid: int | None = None) -> None:
        """Start it and wait until it has imported `warm`; `uid` is whom its workers become where root may choose."""
        self.uid = uid
        self.scratch, self.memory_limit = "", 0
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-m", "autograder.sandbox.zygote", str(theirs.fileno()), *warm],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=ENVIRONMENT,
                cwd="/",
            )
        try:
            self._receive()
        except SandboxError:
            self.close()
            raise
        self.warm_bytes = _virtual_size(self._process.pid)

    def __enter__(self) -> Zygote:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def spawn(
        self, scratch: Path, functions: list[str], values: list[str], limits: Limits
    ) -> tuple[int, Channel, list[str]]:
        """Fork a worker: its pid, the channel to it, and the protections that are truly on.

        `functions` and `values` are the names that the lab's questions ask for.
        """
        confinement = Confinement(
            memory_bytes=self.warm_bytes + HEADROOM + limits.memory_mb * 2**20,
            uid=self.uid,
            gid=self.uid,
            writable=(str(scratch),),
        )
        self.scratch = str(scratch)
        self.memory_limit = HEADROOM + limits.memory_mb * 2**20  # of all processes together
        order = Spawn(confinement, str(scratch), limits.output_kb * 1024, functions, values)
        ours, theirs = socket.socketpair()
        steps = Steps()
        channel = Channel(ours, self, steps)
        try:
            with theirs:
                pid = self._order(order, theirs.fileno(), steps.pipe).pid
            steps.hand_over()
            ready = channel.receive(START_SECONDS)
        except (TimedOut, WorkerDied):
            ready = None
        except SandboxError:
            channel.close()
            raise
        if not isinstance(ready, wire.Ready):
            channel.close()
            raise SandboxError("a new worker did not say that it is ready. Run `autograder doctor`.")
        return pid, channel, ready.protections

    def usage(self) -> Done:
        """What the current submission's processes and files take up."""
        return self._order(Usage(self.scratch))

    def sweep(self, keep: int = 0) -> None:
        """End all of the current submission's processes but one."""
        self._order(Sweep(keep))

    def close(self) -> None:
        """End it and everything below it."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
            return
        self._process.kill()
        self._process.wait()

    def _order(self, order: Order, *fds: int) -> Done:
        frame = orders.frame(order)
        try:
            if fds:
                sent = socket.send_fds(self._control, [frame], list(fds))
                frame = frame[sent:]
            self._control.sendall(frame)
        except OSError:
            raise SandboxError(_GONE) from None
        return self._receive()

    def _receive(self) -> Done:
        try:
            return orders.done_decoder.decode(wire.receive_body(self._control))
        except (OSError, EOFError, msgspec.MsgspecError):
            raise SandboxError(_GONE) from None


_GONE = "the sandbox's warm process has ended. Run `autograder doctor` to see what works here."


def _virtual_size(pid: int) -> int:
    """Address space of a process in bytes; 0 where the kernel does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
