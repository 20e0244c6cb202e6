"""One notebook, run in the sandbox.

Its cells run in order and go on after an error. A cell that hangs or ends Python is cut off above the statement that
does so, or else left out, when the notebook is run again, so that the rest of it still counts. What is left at the end
is the *stem*: a process that holds the rebuilt namespace and does nothing but fork, so that every check can have a
fresh copy. Where no call can leave a trace, it answers as well.
"""

from __future__ import annotations

import contextlib
import socket
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import Lab
from autograder.files import remove_tree
from autograder.sandbox import wire
from autograder.sandbox.host import Channel, TimedOut, WorkerDied, Zygote
from autograder.submission import Cell

HURRIED_SECONDS = 1.0
"""A cell's limit once half the notebook's time is spent, unless it has come to its end before."""

AFTER_A_HANG = 0.25
"""Part of its limit that such a cell keeps once another has hung: a function that hangs does so in all demo cells."""


CHEAP_SECONDS = 1.0
"""Cells that have run so long would be missed: the process that holds what they made is not risked in a call."""


@dataclass(frozen=True)
class CellTrouble:
    """A cell that did not run to its end; `index` is its place in the notebook, from 0."""

    index: int
    status: str
    message: str


@dataclass
class Budget:
    """CPU seconds that one phase of a submission may use in all."""

    total: float
    spent: float = 0.0
    hung: int = 0
    finished: set[int] = field(default_factory=set)
    """The cells that have come to their end: run again, they may take as long as before."""
    kept: int = 0
    """Bytes, about, that the answers to calls take up in the judge."""

    def allow(self, seconds: float) -> float:
        """At most `seconds`, and no more than what is left; raises TimedOut when nothing is."""
        if self.spent >= self.total:
            raise TimedOut
        return min(seconds, self.total - self.spent)

    @contextlib.contextmanager
    def counting(self, channel: Channel) -> Iterator[None]:
        """Count what a process takes meanwhile, whatever comes of it."""
        before = channel.seconds
        try:
            yield
        finally:
            self.spent += channel.seconds - before


@dataclass
class RunningNotebook:
    """A submission's processes, from its first cell to its end. Use as a context manager.

    `forgetful` says that no call of its functions can leave a trace.
    """

    zygote: Zygote
    lab: Lab
    cells: tuple[Cell, ...]
    given_source: str
    standins: str = ""
    forgetful: bool = False
    troubles: list[CellTrouble] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    protections: list[str] = field(default_factory=list)
    output: dict[int, str] = field(default_factory=dict)
    reached: int = 0
    """The statement, from 0, at which the last cell that did not come back was."""
    endings: int = 0
    """How often all copies have been ended."""
    lends: bool = False
    """Whether the stem answers calls, too."""
    said: dict[wire.Bind, dict[tuple[str, bytes], wire.Said]] = field(default_factory=dict)
    """What it answered, by what stood under which names, and by name and arguments."""

    def __enter__(self) -> RunningNotebook:
        self.scratch = Path(tempfile.mkdtemp(prefix="notebook-"))
        self.calls = Budget(self.lab.limits.total_seconds)
        try:
            self._run_until_it_ends()
        except BaseException:
            self.close()
            raise
        was_whole = all(trouble.status == "error" for trouble in self.troubles)
        self.lends = self.forgetful and was_whole and self.stem.seconds < CHEAP_SECONDS
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process and remove every file of this submission."""
        try:
            self.zygote.sweep()
        finally:
            with contextlib.suppress(AttributeError):
                self.stem.close()
            remove_tree(self.scratch)

    def fork(self, budget: Budget) -> Channel:
        """A copy of the notebook's process, to be used and thrown away; making it takes of the budget.

        Raises WorkerDied or TimedOut when the notebook's process cannot be copied.
        """
        seconds = self.lab.limits.call_seconds
        ours, theirs = socket.socketpair()
        copy = Channel(ours, self.zygote)
        try:
            with theirs, budget.counting(self.stem):
                self.stem.request(wire.Fork(), budget.allow(seconds), (theirs.fileno(),))
            with budget.counting(copy):
                copy.receive(budget.allow(seconds))
        except BaseException:
            copy.close()
            raise
        return copy

    def end_copies(self, hung: Channel | None = None) -> None:
        """End every process of the notebook but the stem; where that is the one that `hung`, it is made anew."""
        if hung is self.stem:
            self.take_back()
            return
        self.endings += 1
        self.zygote.sweep(keep=self.pid)

    def take_back(self) -> None:
        """Lend the stem no more: the notebook is run again, to be copied. It finds nothing of the first time, and what
        its cells say this time nobody is told: they could have seen a check's arguments."""
        if not self.lends:
            return
        self.lends = False
        said = self.troubles, self.notes, dict(self.output)
        self.close()
        self.scratch = Path(tempfile.mkdtemp(prefix="notebook-"))
        self._run_until_it_ends()
        self.troubles, self.notes, self.output = said

    def _run_until_it_ends(self) -> None:
        stopped: dict[int, CellTrouble] = {}
        ends: dict[int, int] = {}  # cell -> the statement before which it ends
        budget = Budget(self.lab.limits.total_seconds)
        cells = [cell for cell in self.cells if cell.runs]
        while True:
            trouble = self._run_once([c for c in cells if ends.get(c.index) != 0], ends, budget)
            if trouble is None:
                break
            again = trouble.index in stopped
            ends[trouble.index] = 0 if again else self.reached
            stopped[trouble.index] = trouble
            self.zygote.sweep()
            self.stem.close()
        self.troubles = sorted([*self.troubles, *stopped.values()], key=lambda trouble: trouble.index)
        self.end_copies()

    def _run_once(self, cells: Iterable[Cell], ends: Mapping[int, int], budget: Budget) -> CellTrouble | None:
        """Run the cells in a new worker; returns the one that hung or ended it, if one did."""
        self._start()
        self.troubles, self.notes = [], []
        for cell in cells:
            try:
                self._run_cell(cell, ends.get(cell.index), self._cell_limit(cell, budget), budget)
                budget.finished.add(cell.index)
            except (TimedOut, WorkerDied) as end:
                self.reached = self.stem.reached()
                left_out = "was left out from there on." if self.reached else "was left out."
                if isinstance(end, TimedOut):
                    budget.hung += 1
                    return CellTrouble(cell.index, "timeout", f"The cell took too long and {left_out}")
                ended = f"The cell ended Python, or used too much memory, and {left_out}"
                return CellTrouble(cell.index, "killed", ended)
        given, standins = wire.code_of(self.given_source, "<given cells>"), wire.code_of(self.standins, "<standins>")
        try:
            for request in (wire.Rebuild(given), wire.Load(standins)):
                self.stem.request(request, self.lab.limits.cell_seconds)
        except (TimedOut, WorkerDied):
            self.zygote.sweep()  # the notebook has broken Python itself: every check will say so
        return None

    def _run_cell(self, cell: Cell, end: int | None, seconds: float, budget: Budget) -> None:
        self.stem.reached()  # what the cell before has noted is of no use any more
        with budget.counting(self.stem):
            reply = self.stem.request(wire.RunCell(cell.index, cell.source, end), seconds)
        if not isinstance(reply, wire.CellRan):
            raise WorkerDied
        self.output[cell.index] = reply.output[: self.lab.limits.output_kb * 1024]
        self.notes += [note for note in reply.notes if note not in self.notes]
        if reply.error is not None:
            self.troubles.append(CellTrouble(cell.index, "error", reply.error))

    def _cell_limit(self, cell: Cell, budget: Budget) -> float:
        seconds = self.lab.limits.cell_seconds
        if cell.index in budget.finished:
            return seconds
        if budget.spent > budget.total / 2:
            return min(seconds, HURRIED_SECONDS)
        return seconds * AFTER_A_HANG if budget.hung else seconds

    def _start(self) -> None:
        self.pid, self.stem, self.protections = self.zygote.spawn(
            self.scratch,
            list(self.lab.functions),
            [name for question in self.lab.questions.values() for name in question.values],
            self.lab.limits,
        )
