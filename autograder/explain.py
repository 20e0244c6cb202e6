"""For staff: what a question's checks called, with what, what came back, and what was expected."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from autograder.compare import array_of, described, normalised
from autograder.course import Question
from autograder.grade import Judge, printable
from autograder.marking import Run
from autograder.reference import Answers
from autograder.sandbox import wire
from autograder.sandbox.student import Observation
from autograder.submission import Submission

MOST_NUMBERS = 24
"""An array is printed whole up to here, and by its first numbers beyond."""

WIDEST_MAP, TALLEST_MAP = 64, 16
"""Columns and rows of a heat map."""

NEAREST = 3
"""Misconceptions that are listed with their distance."""


def explain(judge: Judge, submission: Submission, question: Question) -> RenderableType:
    """Mark a submission and show all that happened in one question. Raises as `Judge.grade` does."""
    with judge.running(submission) as marking:
        runs = marking.mark()[question.name]
        shown = [_check(run, judge.answers) for run in runs]
    return Group(_origin(submission, question), *shown, _nearest(runs, question, judge.answers))


def _origin(submission: Submission, question: Question) -> RenderableType:
    """The cells that the answer comes from."""
    names = [*question.functions, *question.values]
    binds = re.compile(rf"^[ \t]*(?:def|class)[ \t]+(?:{'|'.join(names)})\b|^(?:{'|'.join(names)})[ \t]*=", re.M)
    found = [cell for cell in submission.cells if cell.kind == "code" and binds.search(cell.source)]
    panels = [Panel(Text(printable_lines(cell.source)), title=f"cell {cell.index + 1}") for cell in found]
    return Group(*panels) if panels else Text(f"No cell binds {', '.join(names)}.")


def _check(run: Run, answers: Answers) -> RenderableType:
    side = "public" if run.check.visible else "hidden"
    title = f"{run.check.name} ({side}): {run.verdict.status}"
    title += ", with right helpers" if run.follow_through else ""
    title += f", {run.case.name}" if run.case else ""
    lines = [Text(printable(f"{run.verdict.message} {run.verdict.detail}").strip())] if run.verdict.message else []
    reference = answers.reference(run.trail.bound)
    calls = [part for call in run.trail.calls for part in _call(call, reference.repeat(call))]
    return Panel(Group(*lines, *calls), title=title, title_align="left")


def _call(call: Observation, right: Observation) -> Iterator[RenderableType]:
    args, kwargs = wire.decode(call.sent)
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("called", f"{call.name} with")
    for number, argument in enumerate(args, 1):
        table.add_row(f"  {number}", shown(argument))
    for name, argument in kwargs.items():
        table.add_row(f"  {name}", shown(argument))
    table.add_row("came back", str(call.error) if call.error else shown(call.value))
    table.add_row("expected", str(right.error) if right.error else shown(right.value))
    yield table
    if not call.error and not right.error:
        yield from _difference(normalised(call.value, right.value, []), right.value)


def _difference(value: object, expected: object) -> Iterator[RenderableType]:
    got, right = _numbers(value), _numbers(expected)
    if got is None or right is None or got.shape != right.shape or not got.size:
        return
    difference = np.abs(got - right)
    if not difference.any():
        return
    worst = tuple(int(i) for i in np.unravel_index(int(np.nanargmax(difference)), difference.shape))
    yield Text(
        f"largest difference {difference[worst]:.3g} at {list(worst)}: {got[worst]:.6g}, expected {right[worst]:.6g}"
    )
    if difference.ndim >= 2:
        yield heat_map(difference)


def heat_map(difference: np.ndarray) -> Text:
    """The last two axes of a difference, one character an entry: the darker, the larger."""
    plane = difference.reshape(-1, difference.shape[-1])[:TALLEST_MAP, :WIDEST_MAP]
    scale = plane.max() or 1.0
    shades = " ░▒▓█"
    rows = ["".join(shades[int(np.ceil(4 * value / scale))] for value in row) for row in np.nan_to_num(plane)]
    return Text("\n".join(f"│{row}│" for row in rows))


def _nearest(runs: list[Run], question: Question, answers: Answers) -> RenderableType:
    """The misconceptions whose outputs lie nearest, over all calls of the question."""
    calls = [(call, run.trail.bound) for run in runs for call in run.trail.calls if not call.error]
    distances: list[tuple[float, str]] = []
    for case in answers.misconceptions[question.name]:
        implementation = {id(bound): answers.misconception(case, bound) for _, bound in calls}
        apart = [_distance(call, implementation[id(bound)].repeat(call)) for call, bound in calls]
        distances.append((max(apart, default=np.inf), case.name))
    table = Table("misconception", "largest distance", title="Nearest misconceptions", title_justify="left")
    for distance, name in sorted(distances)[:NEAREST]:
        table.add_row(name, f"{distance:.3g}")
    return table if calls and distances else Text("No call gave a value to compare with known misconceptions.")


def _distance(call: Observation, other: Observation) -> float:
    if other.error is not None:
        return np.inf
    got, theirs = _numbers(normalised(call.value, other.value, [])), _numbers(other.value)
    if got is None or theirs is None or got.shape != theirs.shape:
        return np.inf
    return float(np.nanmax(np.abs(got - theirs), initial=0.0))


def _numbers(value: object) -> np.ndarray | None:
    """All numbers of a value in one array; of a tuple or dict, one after the other."""
    if isinstance(value, dict):
        value = tuple(value[key] for key in sorted(value))
    if isinstance(value, tuple):
        parts = [_numbers(item) for item in value]
        return (
            np.concatenate([part.ravel() for part in parts if part is not None])
            if all(p is not None for p in parts)
            else None
        )
    try:
        return array_of(value).astype(np.float64)
    except (TypeError, ValueError):
        return None


def shown(value: object) -> str:
    """A value for staff: what it is, and its numbers or the first of them."""
    if isinstance(value, dict):
        return "; ".join(f"{key}: {shown(item)}" for key, item in value.items())
    if isinstance(value, np.ndarray | wire.Tensor) and array_of(value).ndim:
        array = array_of(value)
        numbers = ", ".join(f"{number:.4g}" for number in array.ravel()[:MOST_NUMBERS])
        return f"{described(value)}: {numbers}{', …' if array.size > MOST_NUMBERS else ''}"
    return printable(repr(value))[:500]


def printable_lines(text: str) -> str:
    """A student's source for a terminal: lines stay lines, other control characters go."""
    return "\n".join(printable(line) for line in text.expandtabs(4).split("\n"))
