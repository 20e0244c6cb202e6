"""One call of `autograder grade`: what is new is graded into the gradebook, and the results are written from it."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from autograder.classroom import Classroom, Hall, Task
from autograder.course import Course
from autograder.fingerprint import NOTHING, fingerprint, of_reading
from autograder.gradebook import REJECTED, Gradebook, Graded
from autograder.progress import Watch
from autograder.submission import digest, unopened

GRADEBOOK = "gradebook.sqlite"


@dataclass
class Session:
    """The submissions of one call, and the gradebook that they go into."""

    course: Course
    book: Gradebook
    tasks: Sequence[Task]

    def __post_init__(self) -> None:
        self.on = {lab.name: fingerprint(lab) for lab in self.course.labs.values()}
        self.on[REJECTED] = of_reading(self.course)
        self.stopped = False
        """Whether somebody interrupted before all were graded."""

    def waiting(self, fresh: bool = False) -> list[Task]:
        """The tasks without a grade; all of them if they are to be graded afresh."""
        if fresh or not len(self.book):
            return list(self.tasks)
        return [task for task in self.tasks if not self._is_graded(task)]

    def grade(self, tasks: Sequence[Task], hall: Hall, watch: Watch) -> None:
        """Grade and keep each as soon as it is ready, until all are done or somebody interrupts; then close the hall.

        Raises ClassroomError or GradebookError; what was kept until then stays.
        """
        classroom = Classroom(hall, self.course, watch.say)
        left = len(tasks)
        with _stopping_at_interrupts(classroom, watch), hall:
            for task, grade in classroom.grades(tasks):
                left -= 1
                on = self.on[grade.lab if grade.status == "graded" else REJECTED]
                self.book.add(Graded(grade, task.lab or "", NOTHING if task.file in classroom.failed else on))
                watch.add(grade)
            self.stopped = classroom.stopping and left > 0

    def _is_graded(self, task: Task) -> bool:
        content = digest(task.path)
        known = self.book.has(task.file, task.lab or "", content or "", self.on)
        return known if content is not None else known and self._was_refused_alike(task)

    def _was_refused_alike(self, task: Task) -> bool:
        """Of what cannot be opened there are no bytes to tell whether it is the same: the reason has to."""
        newest = self.book.newest(task.file)
        return newest is not None and newest.reason == unopened(task.path)


@contextlib.contextmanager
def _stopping_at_interrupts(classroom: Classroom, watch: Watch) -> Iterator[None]:
    """The first Ctrl-C (or SIGTERM) lets what is being graded come to its end; the second ends it at once.

    No interrupt raises anything: a row of the gradebook is written whole, and the hall is closed in peace. Whoever has
    interrupted is not heard again, since what is left to do takes a moment.
    """

    interrupts = count()

    def stop(number: int, frame: object) -> None:
        if next(interrupts):  # one may come while another is heard: no two are the first
            classroom.end()
            return
        classroom.stop()
        watch.say("Stopping when what is being graded is done. Press Ctrl-C again to stop at once.")

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if classroom.stopping else handler)
