"""How far grading is: a bar on a terminal, a line a minute elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.record import Grade

SLOW_SECONDS = 10.0
"""A submission that takes longer is counted as slow: most take a fraction of a second."""

LINE_SECONDS = 60.0
"""Between two lines where there is no terminal."""


class Tally:
    """What has been graded so far, and how fast."""

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.total = total
        self.done = 0
        self.rejected = 0
        self.slow: list[str] = []
        self._clock = clock
        self._started = clock()

    def add(self, grade: Grade) -> None:
        """One more is graded."""
        self.done += 1
        self.rejected += grade.status == "rejected"
        if grade.seconds > SLOW_SECONDS:
            self.slow.append(grade.file)

    @property
    def rate(self) -> float:
        """Submissions a second since the start."""
        return self.done / max(self._clock() - self._started, 1e-9)

    @property
    def seconds_left(self) -> float:
        return (self.total - self.done) / self.rate if self.done else float("inf")

    def line(self) -> str:
        """All of it in one line."""
        left = f", {duration(self.seconds_left)} left" if 0 < self.done < self.total else ""
        return f"{self.done} of {self.total}, {self.rate:.1f} a second{left}{self.trouble()}"

    def trouble(self) -> str:
        """The counts that are not zero: rejected and slow ones."""
        counts = ((self.rejected, "rejected"), (len(self.slow), "slow"))
        return "".join(f", {count} {word}" for count, word in counts if count)


class Watch:
    """Shows a tally while it grows. Use as a context manager."""

    def __init__(self, console: Console, tally: Tally, clock: Callable[[], float] = time.monotonic) -> None:
        self.console = console
        self.tally = tally
        self._clock = clock
        self._said = clock()
        columns = (
            TextColumn("grading"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]:.1f}/s"),
            TimeRemainingColumn(elapsed_when_finished=True),
            TextColumn("{task.fields[trouble]}"),
        )
        self._bar = Progress(*columns, console=console, disable=not console.is_terminal)
        self._task = self._bar.add_task("grading", total=tally.total, rate=0.0, trouble="")

    def __enter__(self) -> Watch:
        self._bar.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._bar.stop()

    def add(self, grade: Grade) -> None:
        """One more is graded."""
        tally = self.tally
        tally.add(grade)
        self._bar.update(self._task, completed=tally.done, rate=tally.rate, trouble=tally.trouble().lstrip(", "))
        if not self.console.is_terminal and self._clock() - self._said >= LINE_SECONDS:
            self._said = self._clock()
            self.say(tally.line())

    def say(self, text: str) -> None:
        """A line of its own, above the bar."""
        self._bar.console.print(text, markup=False)


def duration(seconds: float) -> str:
    """A time in the unit that suits it: 40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
