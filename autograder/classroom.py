"""Many submissions on an executor: whoever is free takes the next file, and grades come as they are ready.

Any executor of `concurrent.futures`' kind will do: local processes (`workers`), or a Dask cluster (`cluster`). No
more files are handed out than can be graded at once, so memory does not grow with the class. A worker that dies takes
no grade with it: its file is graded again, once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from autograder.course import Course
from autograder.errors import Explained, SandboxError
from autograder.record import Grade, rejected
from autograder.submission import Rejected, digest, read_submission

if TYPE_CHECKING:
    from autograder.grade import Judge

FAILURES_IN_A_ROW = 3
"""Submissions that may end their graders one after the other; with more of them, it is the machine that is at fault."""

LOOK_SECONDS = 0.5
"""How often the wish to stop is looked at, and whether anybody is at work."""

DESERTED_SECONDS = 60
"""How long new workers are waited for where all have gone."""


class ClassroomError(Explained):
    """Grading cannot go on, whatever is handed in; the text says why, and what to do."""


class LostError(Exception):
    """A file's sandbox ended while it was graded: it is worth another try."""


@dataclass(frozen=True)
class Task:
    """One file to grade; `lab` is asked for, or None where the notebook must say."""

    file: str
    path: Path
    lab: str | None


class Grader:
    """Grades one file after the other, for any lab of the course; judges are made when first needed."""

    def __init__(self, course: Course, uid: int | None = None) -> None:
        """`uid` is whom the submissions' processes become where root may choose."""
        self.course = course
        self.uid = uid
        self._judges: dict[str, Judge] = {}

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def grade(self, task: Task) -> Grade:
        """The record of one file, whatever lies there.

        Raises LostError when the sandbox is gone and a new one may do better, SandboxError when none can be made, and
        SuiteError when a check is at fault.
        """
        try:
            submission = read_submission(task.path, task.file, lab=task.lab)
            name = task.lab or submission.lab
            if name not in self.course.labs:
                raise _no_lab(name, self.course, submission.sha256)
        except Rejected as reason:
            return refused(self.course, task, reason)
        judge = self.judge(str(name))
        judge.warm_up(submission)
        try:
            return judge.grade(submission)
        except SandboxError as error:
            self.close()
            raise LostError(str(error)) from None

    def judge(self, lab: str) -> Judge:
        """The judge of a lab."""
        if lab not in self._judges:
            from autograder.grade import Judge  # numpy, pytest and more, which those who only hand out work never need

            judge = Judge(self.course.labs[lab], self.uid)
            judge.try_the_master()
            self._judges[lab] = judge
        return self._judges[lab]

    def close(self) -> None:
        """End all sandboxes."""
        for judge in self._judges.values():
            judge.close()
        self._judges.clear()


class Hall(AbstractContextManager[Any], Protocol):
    """Where grading happens: an executor, and what it takes to have one file graded there."""

    lost: tuple[type[BaseException], ...]
    """What a future raises when its worker has died."""

    @property
    def places(self) -> int:
        """How many files may be handed out at once. Raises ClassroomError when the hall itself is gone."""

    @property
    def is_deserted(self) -> bool:
        """Whether nobody is at work who could grade what is handed out. Raises as `places` does."""

    def grade(self, task: Task) -> Future[bytes]:
        """Hand out a file: the future's result is its record as JSON. Raises as `places` does.

        The future raises LostError when another try may do better, ClassroomError if nothing can be graded.
        """

    def end(self) -> None:
        """Give up what is being graded, so that leaving takes no time."""


class Classroom:
    """One class in one hall. Iterate over `grades`; call `stop` to hand out no more, `end` to wait for nothing."""

    def __init__(self, hall: Hall, course: Course, say: Callable[[str], None] = lambda text: None) -> None:
        """`say` tells those who watch what they should know meanwhile."""
        self.hall = hall
        self.course = course
        self.say = say
        self.stopping = False
        self.ended = False
        self._running: dict[Future[bytes], tuple[Task, int]] = {}
        self._lost: tuple[type[BaseException], ...] = (BrokenExecutor, LostError, *hall.lost)
        self.failed: set[str] = set()
        """Files that were rejected because of the grader, not of what is in them."""
        self._failed_in_a_row = 0
        self._deserted_since: float | None = None

    def stop(self) -> None:
        """Hand out no more files; those that are being graded come to their end."""
        self.stopping = True

    def end(self) -> None:
        """Give up what is being graded. What has come to its end is still told."""
        self.stopping = self.ended = True
        self.hall.end()

    def grades(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Grade]]:
        """Each task with its grade as they are ready, in no order.

        A file that ends its worker twice, or trips the grader itself, is rejected. Raises ClassroomError.
        """
        waiting = iter(tasks)
        self._hand_out(waiting)
        while self._running and not self.ended:
            done, _ = wait(self._running, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                task, attempt = self._running.pop(future)
                grade = self._collect(future, task, attempt)
                self._hand_out(waiting)
                if grade is not None:
                    yield task, grade
            self._see_who_is_at_work()

    def _see_who_is_at_work(self) -> None:
        """Where nobody is, new workers are waited for: not for ever, and not by those who want to stop."""
        if not self.hall.is_deserted:
            self._deserted_since = None
        elif self.stopping:
            self.end()
        elif self._deserted_since is None:
            self._deserted_since = time.monotonic()
            self.say(f"No workers are left. New ones are waited for, {DESERTED_SECONDS} s at most.")
        elif time.monotonic() - self._deserted_since > DESERTED_SECONDS:
            raise ClassroomError(
                f"no workers are left, and none came in {DESERTED_SECONDS} s. What was graded is kept: start workers, "
                "and run the same command again."
            )

    def _hand_out(self, waiting: Iterator[Task]) -> None:
        while len(self._running) < self.hall.places and not self.stopping:
            task = next(waiting, None)
            if task is None:
                return
            self._submit(task, attempt=1)

    def _submit(self, task: Task, attempt: int) -> None:
        self._running[self.hall.grade(task)] = task, attempt

    def _collect(self, future: Future[bytes], task: Task, attempt: int) -> Grade | None:
        """A task's grade; None when it has been handed out again, or was given up."""
        try:
            grade = msgspec.json.decode(future.result(), type=Grade)
        except self._lost:
            if self.ended:
                return None
            if attempt == 1:
                self._submit(task, attempt=2)
                return None
            return self._failed(task, "grading this file ended the grader's own process, twice")
        except Explained:
            raise
        except Exception as error:
            return self._failed(task, f"the grader failed on this file ({type(error).__name__}: {error})")
        self._failed_in_a_row = 0
        return grade

    def _failed(self, task: Task, problem: str) -> Grade:
        self._failed_in_a_row += 1
        if self._failed_in_a_row > FAILURES_IN_A_ROW:
            raise ClassroomError(
                f"{FAILURES_IN_A_ROW + 1} submissions in a row came to grief, the last thus: {problem}. It is hardly "
                "they. Look at this machine's memory and at `autograder doctor`, and run the same command again."
            )
        self.failed.add(task.file)
        reason = Rejected(problem, "Your instructor has to look at it; it says nothing about your work")
        reason.sha256 = digest(task.path) or ""
        return refused(self.course, task, reason)


def refused(course: Course, task: Task, reason: Rejected) -> Grade:
    """The record of a file that was not graded, in the lab that was asked for or else the first."""
    lab = course.labs.get(task.lab or "", next(iter(course.labs.values())))
    return rejected(lab, task.file, reason)


def _no_lab(name: str | None, course: Course, sha256: str) -> Rejected:
    problem = f"the notebook is for {name}, which is no lab here" if name else "the notebook does not say its lab"
    remedy = "Hand in the notebook that was handed out to you, with your answers in it"
    reason = Rejected(problem, remedy, f"Name a lab with --lab to have it graded: {', '.join(course.labs)}.")
    reason.sha256 = sha256
    return reason
