"""Many submissions on an executor: each worker process has a judge of its own, and takes the next file when it is free."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course, load_course
from autograder.grade import Judge, rejected
from autograder.record import Grade
from autograder.sandbox.confine import FIRST_UID
from autograder.submission import Rejected, read_submission


@dataclass(frozen=True)
class Task:
    """One file to grade; `lab` is asked for, or None where the notebook must say."""

    file: str
    path: Path
    lab: str | None


class Grader:
    """Grades one file after the other, for any lab of the course; judges are made when first needed."""

    def __init__(self, course: Course, slot: int = 0) -> None:
        self.course = course
        self.slot = slot
        self._judges: dict[str, Judge] = {}

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def grade(self, task: Task) -> Grade:
        """The record of one file, whatever lies there."""
        try:
            submission = read_submission(task.path, task.file, lab=task.lab)
            name = task.lab or submission.lab
            if name not in self.course.labs:
                raise _no_lab(name, self.course, submission.sha256)
        except Rejected as reason:
            lab = self.course.labs.get(task.lab or "", next(iter(self.course.labs.values())))
            return rejected(lab, task.file, reason)
        return self.judge(str(name)).grade(submission)

    def judge(self, lab: str) -> Judge:
        """The judge of a lab."""
        if lab not in self._judges:
            self._judges[lab] = Judge(self.course.labs[lab], FIRST_UID + self.slot)
        return self._judges[lab]

    def close(self) -> None:
        """End all sandboxes."""
        for judge in self._judges.values():
            judge.close()
        self._judges.clear()


def grade_all(course: Course, tasks: Sequence[Task], jobs: int) -> Iterator[Grade]:
    """Grade the tasks on `jobs` processes; grades come as they are ready, in no order."""
    if jobs == 1:
        with Grader(course) as grader:
            yield from map(grader.grade, tasks)
        return
    context = multiprocessing.get_context("spawn")
    slots = context.SimpleQueue()
    for slot in range(jobs):
        slots.put(slot)
    with ProcessPoolExecutor(jobs, context, _start, (course.root, slots)) as executor:
        for future in as_completed([executor.submit(_grade, task) for task in tasks]):
            yield future.result()


_grader: Grader


def _start(root: Path, slots: multiprocessing.SimpleQueue[int]) -> None:
    global _grader
    _grader = Grader(load_course(root), slots.get())


def _grade(task: Task) -> Grade:
    return _grader.grade(task)


def _no_lab(name: str | None, course: Course, sha256: str) -> Rejected:
    problem = f"the notebook says it is for {name}, which is no lab here" if name else "the notebook does not say its lab"
    reason = Rejected(problem, f"Name one with --lab: {', '.join(course.labs)}")
    reason.sha256 = sha256
    return reason
