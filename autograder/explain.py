"""For staff: what a question's checks called, with what, what came back, and what was expected.

It is for a regrade request: calls that gave what they should are counted, the others shown in full.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence

import numpy as np
from markupsafe import escape
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from autograder.compare import array_of, normalised
from autograder.course import Question
from autograder.diagnosis import alike, close
from autograder.grade import Judge, printable
from autograder.marking import Run
from autograder.reference import Answers, Implementation
from autograder.sandbox import codec
from autograder.sandbox.student import FETCHED, Observation
from autograder.submission import Submission

MOST_NUMBERS = 12
"""An array is printed whole up to here, and by its first numbers beyond."""

MOST_PLACES = 3
"""Places that differ which are printed, the first ones."""

WIDEST_MAP, TALLEST_MAP = 64, 12
"""Columns and rows of a heat map."""

PAGE_WIDTH = 110
"""Characters a line of the page."""

NEAREST = 3
"""Misconceptions that are listed with their distance."""


def explain(judge: Judge, submission: Submission, question: Question) -> RenderableType:
    """Mark a submission and show all that happened in one question. Raises as `Judge.grade` does."""
    with judge.running(submission) as marking:
        runs = marking.mark()[question.name]
        shown = [_check(run, judge.answers) for run in runs]
    return Group(_origin(submission, question), *shown, _nearest(runs, question, judge.answers))


def as_page(shown: RenderableType, title: str) -> str:
    """The same as HTML that stands alone."""
    printer = Console(record=True, file=io.StringIO(), width=PAGE_WIDTH)
    printer.print(shown)
    head = escape(title).replace("{", "{{").replace("}", "}}")
    return printer.export_html(code_format=_PAGE.replace("TITLE", head))


_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>TITLE</title>
<style>{stylesheet}
body {{ color: {foreground}; background: {background}; }}
pre {{ overflow-x: auto; font: .9rem/1.25 "DejaVu Sans Mono", Menlo, Consolas, monospace; }}
</style></head>
<body><main><h1>TITLE</h1><pre tabindex="0"><code>{code}</code></pre></main></body>
</html>
"""


def _origin(submission: Submission, question: Question) -> RenderableType:
    """The cells that the answer comes from."""
    names = [*question.functions, *question.values]
    binds = re.compile(rf"^[ \t]*(?:def|class)[ \t]+(?:{'|'.join(names)})\b|^(?:{'|'.join(names)})[ \t]*=", re.M)
    found = [cell for cell in submission.cells if cell.kind == "code" and binds.search(cell.source)]
    panels = [
        Panel(Text(printable_lines(cell.source)), title=f"cell {cell.index + 1} of the notebook", title_align="left")
        for cell in found
    ]
    return Group(*panels) if panels else Text(f"No cell binds {', '.join(names)}.")


def _check(run: Run, answers: Answers) -> RenderableType:
    side = "public" if run.check.visible else "hidden"
    title = f"{run.check.name} ({side}): {run.verdict.status}"
    title += ", with right helpers" if run.follow_through else ""
    title += f", {run.case.name}" if run.case else ""
    lines = [Text(printable(f"{run.verdict.message} {run.verdict.detail}").strip())] if run.verdict.message else []
    reference = answers.reference(run.trail.bound)
    pairs = [(call, reference.repeat(call)) for call in run.trail.calls]
    tolerance = run.check.tolerance
    apart = [(call, right) for call, right in pairs if not alike(call, right, tolerance)]
    shown = [part for call, right in apart for part in _call(call, right, reference, tolerance)]
    return Panel(Group(*lines, *shown, *_agreeing(len(pairs) - len(apart))), title=title, title_align="left")


def _agreeing(count: int) -> Iterator[RenderableType]:
    if count:
        yield Text(f"{count} call{'s' * (count > 1)} gave what the reference gives.", style="dim")


def _call(
    call: Observation, right: Observation, reference: Implementation, tolerance: float
) -> Iterator[RenderableType]:
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in [*_asked(call, reference), *_rows("came back", call), *_rows("expected", right)]:
        table.add_row(name, text)
    yield table
    if not call.error and not right.error:
        for label, got, expected in _pairs("", normalised(call.value, right.value, []), right.value):
            yield from _difference(label, got, expected, tolerance)
    if not call.error and call.back not in (call.sent, right.back):
        yield Text("its arguments came back changed")


def _asked(call: Observation, reference: Implementation) -> Iterator[tuple[str, str]]:
    """What was called and with what, by the names of the reference's parameters."""
    if call.sent == FETCHED:
        yield "looked at", call.name
        return
    args, kwargs = codec.decode(call.sent)
    names = reference.parameters(call.name)
    names += [str(number + 1) for number in range(len(names), len(args))]
    yield "called", f"{call.name} with"
    for name, argument in [*zip(names, args, strict=False), *kwargs.items()]:
        yield from _named(f"  {name}", argument)


def _rows(label: str, call: Observation) -> Iterator[tuple[str, str]]:
    yield from [(label, printable(str(call.error)))] if call.error else _named(label, call.value)


def _named(label: str, value: object) -> Iterator[tuple[str, str]]:
    """A value in rows: the items of a tuple or a dict each in one of its own."""
    items = _items(value)
    if items is None:
        yield label, shown(value)
        return
    yield label, f"{type(value).__name__} of {len(items)}"
    for key, item in items:
        yield from _named(f"    {printable(str(key))[:40]}", item)


def _items(value: object) -> Sequence[tuple[object, object]] | None:
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, list | tuple) and any(isinstance(item, np.ndarray | codec.Tensor | dict) for item in value):
        return list(enumerate(value))
    return None


def _pairs(label: str, value: object, expected: object) -> Iterator[tuple[str, object, object]]:
    """Two values, part by part where they have parts of the same names."""
    mine, theirs = _items(value), _items(expected)
    if mine is None or theirs is None or [key for key, _ in mine] != [key for key, _ in theirs]:
        yield label, value, expected
        return
    for (key, item), (_, other) in zip(mine, theirs, strict=True):
        yield from _pairs(f"{label}[{printable(str(key))[:40]}]", item, other)


def _difference(label: str, value: object, expected: object, tolerance: float) -> Iterator[RenderableType]:
    got, right = _numbers(value), _numbers(expected)
    if got is None or right is None or got.shape != right.shape or not got.size:
        return
    difference = np.nan_to_num(np.abs(got - right), nan=np.inf, posinf=np.inf)
    places = np.argwhere(difference > tolerance * (1 + np.abs(np.nan_to_num(right))))
    if not len(places):
        return
    first = "; ".join(_place(tuple(place), got, right) for place in places[:MOST_PLACES])
    worst = tuple(int(i) for i in np.unravel_index(int(difference.argmax()), difference.shape))
    yield Text(f"{f'in {label}, ' if label else ''}{len(places)} of {got.size} differ, first {first}")
    yield Text(f"largest difference {difference[worst]:.3g} at {_place(worst, got, right)}")
    if difference.ndim >= 2:
        yield heat_map(difference)


def _place(place: tuple[int, ...], got: np.ndarray, right: np.ndarray) -> str:
    return f"{[int(i) for i in place]}: {got[place]:.6g}, expected {right[place]:.6g}"


def heat_map(difference: np.ndarray) -> Text:
    """The last two axes of a difference, one character an entry: the darker, the larger."""
    whole = difference.reshape(-1, difference.shape[-1])
    plane = whole[:TALLEST_MAP, :WIDEST_MAP]
    scale = plane[np.isfinite(plane)].max(initial=0.0) or 1.0
    shades = " ░▒▓█"
    rows = ["".join(shades[int(np.ceil(4 * min(value / scale, 1)))] for value in row) for row in plane]
    cut = "" if plane.size == whole.size else f"\nthe first {len(plane)} of {len(whole)} rows"
    return Text("\n".join(f"│{row}│" for row in rows) + cut)


def _nearest(runs: list[Run], question: Question, answers: Answers) -> RenderableType:
    """The misconceptions whose outputs lie nearest, over all calls of the question."""
    calls = [(call, run.evidence.bound) for run in runs for call in run.evidence.calls if not call.error]
    distances: list[tuple[float, str, str]] = []
    for case in answers.misconceptions(question.name):
        implementation = {id(bound): answers.misconception(case, bound) for _, bound in calls}
        apart = [_distance(call, implementation[id(bound)].repeat(call)) for call, bound in calls]
        distances.append((max(apart, default=np.inf), case.name, case.hint))
    near = [entry for entry in sorted(distances)[:NEAREST] if np.isfinite(entry[0])]
    if not near:
        return Text("No known misconception gives values of this form." if calls else _NOTHING)
    table = Table("misconception", "largest distance", "what a student is told", title="Nearest misconceptions")
    table.title_justify = "left"
    for distance, name, hint in near:
        table.add_row(name, f"{distance:.3g}", hint)
    return table


_NOTHING = "No call gave a value to compare with known misconceptions."


def _distance(call: Observation, other: Observation) -> float:
    if other.error is not None:
        return np.inf
    value = normalised(call.value, other.value, [])
    got, theirs = _numbers(value), _numbers(other.value)
    if got is None or theirs is None:
        return 0.0 if close(value, other.value) else np.inf
    if got.shape != theirs.shape:
        return np.inf
    apart = np.where(np.isnan(got) & np.isnan(theirs), 0.0, np.abs(got - theirs))
    return float(np.nan_to_num(apart, nan=np.inf, posinf=np.inf).max(initial=0.0))


def _numbers(value: object) -> np.ndarray | None:
    """All numbers of a value in one array; of a tuple or dict, one after the other."""
    if isinstance(value, dict):
        value = tuple(value[key] for key in sorted(value))
    if isinstance(value, tuple):
        parts = [part for part in map(_numbers, value) if part is not None]
        return np.concatenate([part.ravel() for part in parts]) if parts and len(parts) == len(value) else None
    try:
        array = array_of(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if array.dtype.kind == "c":
        return array
    return array.astype(np.float64) if array.dtype.kind in "fiub" else None


def shown(value: object) -> str:
    """A value for staff in one line: its shape, and its numbers or the first of them."""
    if isinstance(value, codec.Ref):
        given = f"({', '.join(map(shown, value.arguments))})" if value.arguments is not None else ""
        return f"`{value.name}`{given}"
    if isinstance(value, np.ndarray | codec.Tensor) and array_of(value).ndim:
        array = array_of(value)
        numbers = ", ".join(f"{number:.4g}" for number in array.ravel()[:MOST_NUMBERS])
        kind = "tensor" if isinstance(value, codec.Tensor) else "array"
        return f"{kind} {array.shape}: {numbers}{', …' if array.size > MOST_NUMBERS else ''}"
    return printable(repr(value))[:500]


def printable_lines(text: str) -> str:
    """A student's source for a terminal: lines stay lines, other control characters go."""
    return "\n".join(printable(line) for line in text.expandtabs(4).split("\n"))
