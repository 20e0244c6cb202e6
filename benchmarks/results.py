"""The figures as a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.measure import Data

GOALS: dict[str, tuple[str, str, Callable[[Data], bool]]] = {
    "floor": ("Lab 1, the floor", "ours ≤ 8 × the floor", lambda found: found["ratio"] <= 8),
    "floor, Lab 2": ("Lab 2, the floor", "ours ≤ 1.5 × the floor", lambda found: found["ratio"] <= 1.5),
    "otter": ("Lab 1, `otter run`, public tests only", "Otter ≥ 40 × ours", lambda found: 1 / found["ratio"] >= 40),
    "otter, Lab 2": ("Lab 2, `otter run`, public tests only", "ours under 3 s", lambda found: found["ours"] < 3),
    "nbgrader": (
        "Lab 1, nbgrader, one process, public tests only",
        "nbgrader ≥ 8 × ours",
        lambda found: 1 / found["ratio"] >= 8,
    ),
}
"""Part -> its name, what is wanted of it in words, and whether figures keep that."""

AIM = 4
"""How many times the floor Lab 1 would best take."""


def page(figures: Data) -> str:
    """Markdown: a section for each part that has been measured."""
    return "\n".join(_lines(figures)) + "\n"


def _lines(figures: Data) -> Iterator[str]:
    yield "# What grading costs"
    yield ""
    yield "Written by `make bench` (`python -m benchmarks`). Ratios are medians of ratios taken notebook by notebook,"
    yield "both sides in turn on one core. Ours is one worker process, from the file to the row in the gradebook, with"
    yield "all public and hidden checks, follow-through and causes. Every notebook holds other code; a tenth of all"
    yield "answers is wrong, a tenth is right in another style."
    yield ""
    yield "| what | submissions | ours | theirs | ratio | wanted |"
    yield "|---|---|---|---|---|---|"
    for part, (name, wanted, kept) in GOALS.items():
        if part in figures:
            goal = _judged(wanted, kept(figures[part]))
            yield _pair(figures[part], name, goal, upside_down=not part.startswith("floor"))
    yield ""
    yield "The floor: the same cells and the same calls in one warm process, without isolation, limits or judgement."
    if "floor" in figures:
        floor = figures["floor"]
        yield (
            f"In Lab 1 {floor['cells']:.0f} cells and {floor['calls']:.0f} calls a notebook; all {floor['submissions']}"
            f" took us {floor['ours_total']:.1f} s, the floor {floor['theirs_total']:.1f} s. The aim beyond what"
            f" is wanted: {_judged(f'ours ≤ {AIM} × the floor', floor['ratio'] <= AIM)}."
        )
    made = {part: figures[part]["ratio_as_made"] for part in ("floor", "floor, Lab 2") if part in figures}
    if made:
        yield "The floor makes all calls that the checks make. Where no call can leave a trace, we answer one that an"
        yield "earlier check has made alike from before. To a floor that leaves those out, too:"
    for part, ratio in made.items():
        name, _, kept = GOALS[part]
        verdict = "" if kept({"ratio": ratio}) else ", which **misses** that goal"
        yield f"{name.partition(',')[0]} {ratio:.2f} ×{verdict}."
    yield from _commands(figures)
    yield from _machines(figures)


def _judged(goal: str, kept: bool) -> str:
    return goal if kept else f"{goal}, **missed**"


def _pair(found: Data, name: str, wanted: str, upside_down: bool) -> str:
    ratio = f"theirs {1 / found['ratio']:.1f} × ours" if upside_down else f"ours {found['ratio']:.2f} × theirs"
    times = f"{1e3 * found['ours']:.1f} ms | {1e3 * found['theirs']:.1f} ms"
    return f"| {name} | {found['submissions']} | {times} | {ratio} | {wanted} |"


def _commands(figures: Data) -> Iterator[str]:
    yield ""
    yield "## Whole commands"
    yield ""
    if found := figures.get("workers"):
        yield (
            f"- {found['submissions']} submissions of Lab 1: {found['one']:.1f} s on one worker, {found['two']:.1f} s"
            f" on two, {found['ratio']:.2f} times as fast (wanted {_judged('1.7', found['ratio'] >= 1.7)}). Starting is"
            " counted."
        )
    if found := figures.get("unchanged"):
        yield (
            f"- A class of {found['submissions']}, graded already and unchanged: {found['again']:.2f} s (wanted"
            f" {_judged('less than 2 s', found['again'] < 2)}; for the first time {found['first']:.1f} s)."
        )
    if found := figures.get("dask"):
        yield (
            f"- {found['submissions']} on a Dask cluster of two local workers: {found['dask']:.1f} s; on two local"
            f" processes {found['local']:.1f} s."
        )
    if rows := [row for part in ("growth", "growth, a large class") for row in figures.get(part, {}).get("rows", [])]:
        yield ""
        yield "| class | a submission | grader's memory | a worker's | again, unchanged | grades.csv | report.html |"
        yield "|---|---|---|---|---|---|---|"
        for row in rows:
            yield (
                f"| {row['size']:,} | {1e3 * row['seconds'] / row['size']:.1f} ms | {row['grader_mb']:.0f} MB |"
                f" {row['worker_mb']:.0f} MB | {row['unchanged']:.1f} s | {row['grades.csv']:.1f} MB |"
                f" {row['report.html']:.1f} MB |"
            )
        yield ""
        yield "Two workers; starting and writing the results are counted, so the smallest class pays most for them."


def _machines(figures: Data) -> Iterator[str]:
    yield ""
    yield "## Where and when"
    yield ""
    for part, found in figures.items():
        on = found["on"]
        versions = ", ".join(f"{name} {number}" for name, number in on["versions"].items())
        yield f"- {part}: {on['date']}, {on['machine']}, load {on['load']}; Python {on['python']}, {versions}"
