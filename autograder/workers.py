"""Local processes that grade: each with a warm sandbox and a user id of its own, and replaced when it dies."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

import msgspec

from autograder.classroom import ClassroomError, Grader, Task
from autograder.cores import shared_out
from autograder.course import load_course
from autograder.errors import Explained
from autograder.files import remove_tree
from autograder.parent import end_with_the_parent
from autograder.sandbox.slots import own_uid
from autograder.scratch import Scratch

T = TypeVar("T")

CLEAR_UP_SECONDS = 5.0
"""How long it is tried to remove the files of killed processes' submissions; then they stay where they are."""


@dataclass
class Place:
    """Where one process works: a core, or any if it is None. Its pool is made when it is first needed."""

    core: int | None
    pool: ProcessPoolExecutor | None = None

    def give_up(self) -> None:
        """Have nothing more to do with a process that has died."""
        if self.pool is not None:
            self.pool.shutdown(wait=False)
            self.pool = None


class Workers(Executor):
    """An executor of `places` processes. Each is a pool of one, so that its death breaks nothing but its own call."""

    lost: tuple[type[BaseException], ...] = (BrokenProcessPool,)
    is_deserted = False
    """Never: who dies is replaced."""

    def __init__(self, root: Path, places: int) -> None:
        """`root` is the course's folder."""
        self.places = places
        self._folder = Scratch()
        self.scratch = self._folder.path
        self._setup = root, self.scratch
        self._ended = False
        self._free: SimpleQueue[Place] = SimpleQueue()
        for core in shared_out(places):
            self._free.put(Place(core))

    def grade(self, task: Task) -> Future[bytes]:
        """Have a file graded by the process that is free."""
        return self.submit(_grade, task)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Have a free process call this; waits for one while none is free."""
        place = self._free.get()
        try:
            with _deaf_to_interrupts():
                try:
                    future = self._pool(place).submit(fn, *args, **kwargs)
                except BrokenProcessPool:  # it died while it was idle
                    place.give_up()
                    future = self._pool(place).submit(fn, *args, **kwargs)
        except BaseException:
            place.give_up()  # no process can be had: whoever ends this must not wait for its place
            self._free.put(place)
            raise
        future.add_done_callback(lambda done: self._back(place, done))
        return future

    def end(self) -> None:
        """End the processes and their sandboxes at once, whatever they are grading.

        May be called from a signal's handler, and again.
        """
        self._ended = True
        for process in multiprocessing.active_children():
            for sandbox in _children(process.pid):  # first: it would complain that nobody hears it
                with contextlib.suppress(OSError):
                    os.kill(sandbox, signal.SIGKILL)
            process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, and remove what was left of submissions whose processes were killed."""
        if self._ended:
            self.end()  # of one that was being started nobody knew yet
        pools = [place.pool for _ in range(self.places) if (place := self._free.get()).pool is not None]
        with ThreadPoolExecutor(self.places) as together:
            for pool in pools:
                together.submit(pool.shutdown, wait, cancel_futures=cancel_futures)
        self._clear_up()

    def _clear_up(self) -> None:
        """A killed process's sandbox may write a moment longer, until it notices that nobody is there."""
        until = time.monotonic() + CLEAR_UP_SECONDS
        while self.scratch.exists() and time.monotonic() < until:
            try:
                remove_tree(self.scratch)
            except OSError:
                time.sleep(0.05)
        self._folder.let_go()

    def _pool(self, place: Place) -> ProcessPoolExecutor:
        if place.pool is None:
            place.pool = self._new(place.core)
        return place.pool

    def _new(self, core: int | None) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _start, (*self._setup, core))

    def _back(self, place: Place, done: Future[Any]) -> None:
        if not done.cancelled() and isinstance(done.exception(), BrokenProcessPool):
            place.give_up()
        self._free.put(place)


def _children(pid: int | None) -> list[int]:
    """The processes that a process has started; none where the system does not say, and they end a moment later."""
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, children.read_text().split())
    return found


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes that start meanwhile hear no Ctrl-C: the grader is told, perhaps a moment later, and sees to their end.

    What is blocked here is blocked in a new process, too, until `_start` has it ignored. Were it ignored here, it would
    be lost. `resource_tracker` sees to its own process, but lets interrupts through in this one when it starts that.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


# --- in the worker's process ----------------------------------------------------------------------------------------

_root: Path
_grader: Grader | None = None


def _start(root: Path, scratch: Path, core: int | None) -> None:
    global _root
    _root = root
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if core is not None:
        os.sched_setaffinity(0, {core})  # the sandbox, which is started from here, stays there as well
    tempfile.tempdir = str(scratch)
    end_with_the_parent()


def _grade(task: Task) -> bytes:
    global _grader
    try:
        if _grader is None:
            _grader = Grader(load_course(_root), own_uid())
        return msgspec.json.encode(_grader.grade(task))
    except Explained as error:
        raise ClassroomError(str(error)) from None
