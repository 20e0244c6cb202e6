"""The measurements. Each returns plain data, which `results` renders."""

from __future__ import annotations

import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from autograder.classroom import Task
from autograder.course import Lab, load_course
from autograder.fingerprint import fingerprint
from autograder.grade import Judge
from autograder.gradebook import Gradebook, Graded
from autograder.record import Grade
from autograder.workers import Workers
from benchmarks.classes import write_class
from benchmarks.floor import Floor, recorded
from benchmarks.peers import NbGrader, otter_run, otter_zip

ROOT = Path(__file__).resolve().parents[1]
Data = dict[str, Any]


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """All processes that start meanwhile share one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="benchmark-", ignore_cleanup_errors=True) as name:
        yield Path(name)


class Ours:
    """Our whole way of one submission: one worker process, and the gradebook. Use as a context manager."""

    def __init__(self, lab: Lab, out: Path) -> None:
        self.lab = lab
        self._on = fingerprint(lab)
        self._workers = Workers(ROOT, 1)
        self._book = Gradebook(out / "gradebook.sqlite")

    def __enter__(self) -> Ours:
        self._book.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._workers.shutdown()
        self._book.__exit__()

    def seconds(self, path: Path) -> float:
        """From the file to the row in the gradebook."""
        started = time.perf_counter()
        grade = msgspec.json.decode(self._workers.grade(Task(path.name, path, self.lab.name)).result(), type=Grade)
        self._book.add(Graded(grade, self.lab.name, self._on))
        assert grade.status == "graded", grade.reason
        return time.perf_counter() - started


def paired(paths: list[Path], ours: Callable[[Path], float], theirs: Callable[[Path], float]) -> Data:
    """Time both on each file, taking turns at going first."""
    pairs = []
    for number, path in enumerate(paths):
        if number % 2:
            a, b = ours(path), theirs(path)
        else:
            b, a = theirs(path), ours(path)
        pairs.append((a, b))
    return {
        "submissions": len(pairs),
        "ours": statistics.median(a for a, _ in pairs),
        "theirs": statistics.median(b for _, b in pairs),
        "ours_total": sum(a for a, _ in pairs),
        "theirs_total": sum(b for _, b in pairs),
        "ratio": statistics.median(a / b for a, b in pairs),
    }


def against_the_floor(lab_name: str, count: int) -> Data:
    """Our time over the floor's, notebook by notebook. The first notebook, which warms both up, is not counted.

    `ratio_as_made` is that to a floor which makes only the calls that we make.
    """
    lab = load_course(ROOT).labs[lab_name]
    with folder() as here, one_core():
        paths = write_class(here / "class", lab, count + 1)
        judge = Judge(lab)
        try:
            standins = judge.answers.standins
            work = {path: recorded(judge, path) for path in paths}
        finally:
            judge.close()
        with Floor(lab, standins) as floor, Ours(lab, here / "out") as ours:
            warm, *rest = paths
            ours.seconds(warm), floor.seconds(work[warm])
            taken, as_made = {}, {}

            def ours_timed(path: Path) -> float:
                taken[path] = ours.seconds(path)
                return taken[path]

            def floor_timed(path: Path) -> float:
                seconds = floor.seconds(work[path])
                as_made[path] = floor.seconds(work[path].as_made())
                return seconds

            found = paired(rest, ours_timed, floor_timed)
            found["ratio_as_made"] = statistics.median(taken[path] / as_made[path] for path in rest)
    cells, calls = (
        statistics.mean(len(part) for part in parts)
        for parts in ([w.cells for w in work.values()], [w.calls for w in work.values()])
    )
    return found | {"lab": lab_name, "cells": cells, "calls": calls}


def against_otter(lab_name: str, count: int) -> Data:
    """Stock `otter run` with the public tests only, and we with all of them, on the same notebooks in turn."""
    lab = load_course(ROOT).labs[lab_name]
    with folder() as here, one_core():
        warm, *paths = write_class(here / "class", lab, count + 1)
        stock = otter_zip(lab, here / "stock")
        with Ours(lab, here / "out") as ours:
            ours.seconds(warm)
            return paired(paths, ours.seconds, lambda path: otter_run(stock, path, here / "otter")) | {"lab": lab_name}


def against_nbgrader(lab_name: str, count: int) -> Data:
    """nbgrader's autograde in one process with the public tests as locked cells, and we with all tests, in turn."""
    lab = load_course(ROOT).labs[lab_name]
    with folder() as here, one_core():
        warm, *paths = write_class(here / "class", lab, count + 1)
        with NbGrader(lab, here) as nbgrader, Ours(lab, here / "out") as ours:
            ours.seconds(warm), nbgrader.seconds(warm)
            return paired(paths, ours.seconds, nbgrader.seconds) | {"lab": lab_name}


# --- whole commands -------------------------------------------------------------------------------------------------


def command(files: Path, out: Path, *arguments: str) -> Data:
    """One call of `autograder grade`: seconds, and the most memory of the grader and of one of its workers, in MB."""
    started = time.perf_counter()
    grader = subprocess.Popen(
        [sys.executable, "-m", "autograder", "--course", str(ROOT), "grade", str(files), "-o", str(out), *arguments],
        stderr=subprocess.PIPE,
        text=True,
    )
    peak = {"grader": 0.0, "worker": 0.0}
    watching = threading.Thread(target=_watch, args=(grader, peak), daemon=True)
    watching.start()
    said = grader.communicate()[1]
    seconds = time.perf_counter() - started
    watching.join()
    if grader.returncode:
        raise RuntimeError(said[-2000:])
    return {"seconds": seconds, "grader_mb": peak["grader"], "worker_mb": peak["worker"]}


def _watch(grader: subprocess.Popen[str], peak: dict[str, float]) -> None:
    while grader.poll() is None:
        peak["grader"] = max(peak["grader"], _resident(grader.pid))
        with contextlib.suppress(OSError):
            for child in Path(f"/proc/{grader.pid}/task/{grader.pid}/children").read_text().split():
                peak["worker"] = max(peak["worker"], _resident(int(child)))
        time.sleep(0.2)


def _resident(pid: int) -> float:
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return 0.0


def growth(sizes: list[int]) -> Data:
    """Classes of several sizes: seconds a submission and memory; then the largest once more, with nothing changed."""
    lab = load_course(ROOT).labs["numpy_block"]
    rows = []
    with folder() as here:
        for size in sizes:
            write_class(here / f"class-{size}", lab, size)
            found = command(here / f"class-{size}", here / f"out-{size}", "-j", "2")
            again = command(here / f"class-{size}", here / f"out-{size}", "-j", "2")
            files = {
                name: (here / f"out-{size}" / name).stat().st_size / 2**20 for name in ("grades.csv", "report.html")
            }
            rows.append({"size": size, **found, "unchanged": again["seconds"], **files})
            shutil.rmtree(here / f"class-{size}")
    return {"rows": rows}


def workers(count: int, rounds: int) -> Data:
    """The same class on one worker and on two, in turn."""
    lab = load_course(ROOT).labs["numpy_block"]
    seconds: dict[str, list[float]] = {"1": [], "2": []}
    with folder() as here:
        write_class(here / "class", lab, count)
        for number in range(rounds):
            for jobs in ("1", "2"):
                seconds[jobs].append(command(here / "class", here / f"out-{jobs}-{number}", "-j", jobs)["seconds"])
    ratio = statistics.median(a / b for a, b in zip(seconds["1"], seconds["2"], strict=True))
    return {
        "submissions": count,
        "one": statistics.median(seconds["1"]),
        "two": statistics.median(seconds["2"]),
        "ratio": ratio,
    }


def unchanged(count: int) -> Data:
    """A class that is graded already."""
    lab = load_course(ROOT).labs["numpy_block"]
    with folder() as here:
        write_class(here / "class", lab, count)
        first = command(here / "class", here / "out", "-j", "2")
        again = [command(here / "class", here / "out", "-j", "2")["seconds"] for _ in range(5)]
    return {"submissions": count, "first": first["seconds"], "again": statistics.median(again)}


def dask(count: int) -> Data:
    """The class on a Dask cluster of two local workers, and on two local processes."""
    from distributed import LocalCluster

    lab = load_course(ROOT).labs["numpy_block"]
    with folder() as here:
        write_class(here / "class", lab, count)
        local = command(here / "class", here / "out-local", "-j", "2")
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:  # type: ignore[no-untyped-call]
            found = command(here / "class", here / "out-dask", "--scheduler", cluster.scheduler_address)
    return {"submissions": count, "dask": found["seconds"], "local": local["seconds"], "grader_mb": found["grader_mb"]}
