"""`pytest tests/hidden tests/public --submission FILE`, as an assistant types it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "tests" / "submissions"


def tried(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/hidden", "tests/public"]
    return subprocess.run(
        [*command, "--submission", str(file), *options], cwd=ROOT, capture_output=True, text=True, timeout=120
    )


def test_every_check_of_its_lab_runs_and_passes_on_a_right_notebook() -> None:
    run = tried(SAMPLES / "block_backward" / "perfect.ipynb")
    assert run.returncode == 0, run.stdout
    assert " passed" in run.stdout and "skipped" not in run.stdout


def test_a_slip_fails_where_it_is_seen_and_says_what_came_back() -> None:
    run = tried(SAMPLES / "numpy_block" / "relu.ipynb", "-k", "test_gelu")
    assert run.returncode == 1
    assert "FAILED tests/hidden/numpy_block/test_gelu.py::" in run.stdout
    assert "autograder.compare.Mismatch: `gelu`" in run.stdout


@pytest.mark.parametrize(
    ("file", "said"),
    [("numpy_block/conflict.ipynb", "git conflict markers"), ("nobody.ipynb", "nobody.ipynb")],
)
def test_a_file_that_cannot_be_read_is_one_sentence(file: str, said: str) -> None:
    run = tried(SAMPLES / file)
    assert run.returncode == 4
    assert said in run.stderr and "Traceback" not in run.stderr
