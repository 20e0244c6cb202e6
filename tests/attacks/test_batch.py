"""A whole class at once: 20 good notebooks among 500 that are broken or hostile, 20 of which hang.

The good ones' grades are bit for bit what they are alone, every file has a row, no process and no file is left, and
the grader's memory stays flat.
"""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import arena
from .arena import COURSE, PRELUDE, as_notebook, attacks
from .test_files import HOSTILE

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="protections are Linux's")]

GOOD, BAD, HANGING = 20, 500, 20

RIGHT = "def wave(x):\n    return x * np.tanh(0.7390851332 * x) + halve(x)"
WRONG = "def wave(x):\n    return x - {number}"
QUICK = ("comparing", "equal_to_all", "network", "privileges", "reading", "shadowing", "wire")
SLOW = ("a_message_that_never_ends", "a_flood_of_messages", "boxes_within_boxes", "two_voices")
LARGE = ("unpacks to a gigabyte", "has a million cells", "is a notebook of sixty megabytes")


def good_notebook(number: int) -> bytes:
    """Right and wrong answers in turn, all of them honest."""
    answer = RIGHT if number % 3 else WRONG.format(number=number)
    return json.dumps(as_notebook([PRELUDE, answer, f"scratch = {number}"])).encode()


def damaged(whole: bytes, chance: random.Random) -> bytes:
    """A notebook cut off, or with bytes changed, doubled or left out."""
    at, length = chance.randrange(len(whole)), chance.randrange(1, 60)
    return chance.choice(
        (
            whole[:at],
            whole[:at] + chance.randbytes(length) + whole[at + length :],
            whole[:at] + whole[at + length :],
            whole[:at] + whole[at : at + length] * 2 + whole[at + length :],
        )
    )


def bad_notebooks(ground: arena.Arena) -> Iterator[bytes]:
    """Hanging ones first, then attacks and hostile files, and damaged notebooks to make up the number."""
    chance = random.Random(6)
    for number in range(HANGING):
        cell = ("while True:\n    pass", "import time\ntime.sleep(1000)", "input()\nwhile 1: pass")[number % 3]
        yield json.dumps(as_notebook([PRELUDE, cell])).encode()
    quick = [attack for attack in attacks(*QUICK) if attack.name not in SLOW]
    for attack in quick * 2:
        yield ground.notebook(attack, grader=os.getpid()).read_bytes()
    for what, content in HOSTILE.items():
        if what not in LARGE:
            yield content()
    while True:
        yield damaged(good_notebook(chance.randrange(GOOD)), chance)


def grade(folder: Path, out: Path, temporary: Path) -> tuple[list[int], subprocess.CompletedProcess[str]]:
    """Grades a folder with the command; also the memory in KiB of the grader's largest process, over time."""
    program = [sys.executable, "-m", "autograder", "--course", str(COURSE), "grade", str(folder)]
    process = subprocess.Popen(
        [*program, "--lab", "toy", "--out", str(out), "--jobs", "2"],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    memory = []
    while process.poll() is None:
        time.sleep(0.5)
        memory.append(max(resident(pid) for pid in [process.pid, *graders(process.pid)]))
    output, _ = process.communicate()
    return memory, subprocess.CompletedProcess(program, process.returncode, output)


def graders(pid: int) -> list[int]:
    """The command's own processes; below these come the sandboxes'."""
    return [below for below in arena.below(pid) if b"multiprocessing" in read(f"/proc/{below}/cmdline")]


def resident(pid: int) -> int:
    fields = read(f"/proc/{pid}/statm").split()
    return int(fields[1]) * 4 if fields else 0


def read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def records(out: Path) -> dict[str, dict[str, object]]:
    """What each file got, but for the time that it took."""
    found = {}
    for line in (out / "grades.jsonl").read_text().splitlines():
        record = json.loads(line)
        record.pop("seconds")
        for question in record["questions"]:
            for check in question["checks"]:
                check.pop("seconds")
        found[record["file"]] = record
    return found


@pytest.fixture
def folders(tmp_path: Path) -> Iterator[tuple[Path, Path, Path]]:
    """Good notebooks alone, good and bad ones together, and a place for temporary files."""
    alone, together, temporary = tmp_path / "alone", tmp_path / "together", tmp_path / "temporary"
    for folder in (alone, together, temporary):
        folder.mkdir()
    yield alone, together, temporary
    shutil.rmtree(tmp_path, ignore_errors=True)


def test_five_hundred_that_are_broken_or_hostile_beside_twenty_that_are_not(folders, tmp_path):
    alone, together, temporary = folders
    with arena.arena(tmp_path / "arena") as ground:
        for number in range(GOOD):
            for folder in (alone, together):
                (folder / f"good{number:02}.ipynb").write_bytes(good_notebook(number))
        for number, content in zip(range(BAD), bad_notebooks(ground), strict=False):
            (together / f"bad{number:03}.ipynb").write_bytes(content)
        before = set(arena.below(os.getpid()))

        grade(alone, tmp_path / "out alone", temporary)
        memory, ran = grade(together, tmp_path / "out together", temporary)

        assert ran.returncode == 1, ran.stdout[-2000:]
        found, expected = records(tmp_path / "out together"), records(tmp_path / "out alone")
        assert {file: found[file] for file in expected} == expected
        assert len(expected) == GOOD

        with (tmp_path / "out together" / "grades.csv").open(newline="") as rows:
            assert [row["file"] for row in csv.DictReader(rows)] == sorted(path.name for path in together.iterdir())
        assert {record["status"] for record in found.values()} == {"graded", "rejected"}
        assert all(record["score"] <= 11 for record in found.values())

        assert set(arena.below(os.getpid())) <= before, "no process is left"
        assert os.listdir(temporary) == [], "no file is left"
        assert ground.unharmed() == []
        middle, late = memory[len(memory) // 3 : len(memory) // 2], memory[-len(memory) // 4 :]
        assert max(late) < 1.25 * max(middle) + 20_000, "memory stays flat"
