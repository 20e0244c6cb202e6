"""The page of measurements says what the figures say, and where they fall short of what is wanted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.results import page

HERE = Path(__file__).resolve().parents[1] / "benchmarks"


@pytest.fixture
def figures() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "results.json").read_text())
    return found


def test_the_page_is_made_from_the_figures(figures: dict[str, Any]) -> None:
    assert (HERE / "results.md").read_text(encoding="utf-8") == page(figures)


@pytest.mark.parametrize(
    ("part", "key", "kept", "missed", "goal"),
    [
        ("floor", "ratio", 8, 8.1, "ours ≤ 8 × the floor"),
        ("floor", "ratio", 4, 4.1, "ours ≤ 4 × the floor"),
        ("floor, Lab 2", "ratio", 1.5, 1.6, "ours ≤ 1.5 × the floor"),
        ("otter", "ratio", 1 / 41, 1 / 39, "Otter ≥ 40 × ours"),
        ("otter, Lab 2", "ours", 2.9, 3, "ours under 3 s"),
        ("nbgrader", "ratio", 1 / 9, 1 / 7, "nbgrader ≥ 8 × ours"),
        ("workers", "ratio", 1.7, 1.69, "wanted 1.7"),
        ("unchanged", "again", 1.9, 2, "wanted less than 2 s"),
    ],
)
def test_a_missed_goal_is_called_missed(
    figures: dict[str, Any], part: str, key: str, kept: float, missed: float, goal: str
) -> None:
    figures[part][key] = kept
    assert goal in page(figures) and f"{goal}, **missed**" not in page(figures)
    figures[part][key] = missed
    assert f"{goal}, **missed**" in page(figures)


@pytest.mark.parametrize(("ratio", "misses"), [(1.5, False), (1.6, True)])
def test_a_goal_that_is_kept_only_beside_calls_that_we_do_not_make_is_called_so(
    figures: dict[str, Any], ratio: float, misses: bool
) -> None:
    figures["floor"]["ratio_as_made"] = 1
    figures["floor, Lab 2"]["ratio_as_made"] = ratio
    assert ("which **misses** that goal" in page(figures)) == misses
