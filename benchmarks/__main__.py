"""`python -m benchmarks`: measure, keep the figures in results.json, and write results.md from them."""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks import measure
from benchmarks.measure import Data
from benchmarks.results import page

HERE = Path(__file__).parent

FULL: dict[str, Callable[[], Data]] = {
    "floor": lambda: measure.against_the_floor("numpy_block", 200),
    "floor, Lab 2": lambda: measure.against_the_floor("torch_block", 50),
    "otter": lambda: measure.against_otter("numpy_block", 50),
    "otter, Lab 2": lambda: measure.against_otter("torch_block", 15),
    "nbgrader": lambda: measure.against_nbgrader("numpy_block", 15),
    "workers": lambda: measure.workers(400, rounds=3),
    "unchanged": lambda: measure.unchanged(200),
    "dask": lambda: measure.dask(200),
    "growth": lambda: measure.growth([100, 1_000]),
    "growth, a large class": lambda: measure.growth([10_000]),
}
QUICK: dict[str, Callable[[], Data]] = {
    "floor": lambda: measure.against_the_floor("numpy_block", 20),
    "floor, Lab 2": lambda: measure.against_the_floor("torch_block", 4),
    "otter": lambda: measure.against_otter("numpy_block", 3),
    "otter, Lab 2": lambda: measure.against_otter("torch_block", 2),
    "nbgrader": lambda: measure.against_nbgrader("numpy_block", 3),
    "workers": lambda: measure.workers(40, rounds=1),
    "unchanged": lambda: measure.unchanged(40),
    "dask": lambda: measure.dask(40),
    "growth": lambda: measure.growth([50, 100]),
    "growth, a large class": lambda: measure.growth([200]),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of: {'; '.join(FULL)}. All when left out")
    parser.add_argument("--quick", action="store_true", help="few notebooks: to see that it runs, not to be quoted")
    options = parser.parse_args()
    if unknown := [part for part in options.parts if part not in FULL]:
        parser.error(f"there is no part {unknown[0]!r}. Parts: {'; '.join(FULL)}")
    kept = HERE / "results.json"
    figures = json.loads(kept.read_text()) if kept.is_file() else {}
    for part in options.parts or FULL:
        print(f"measuring: {part} …", flush=True)
        found = (QUICK if options.quick else FULL)[part]()
        print(f"  {found}", flush=True)
        figures[part] = found | {"on": where()}
        if not options.quick:
            kept.write_text(json.dumps(figures, indent=1) + "\n")
            (HERE / "results.md").write_text(page(figures), encoding="utf-8")


def where() -> Data:
    """The machine, the versions, and how busy it was."""
    model = "unknown"
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
    names = ("autograder", "otter-grader", "numpy", "torch", "ipython", "pytest", "distributed")
    return {
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in names},
        "load": round(os.getloadavg()[0], 1),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


if __name__ == "__main__":
    main()
