"""A student's road: the notebook opens wherever it may be opened, with what its requirements name and nothing else."""

from __future__ import annotations

import contextlib
import copy
import importlib.metadata
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.course import Lab
from tests.test_assignments import LABS, notebook_of, solved, with_checks

KERNEL = Requirement("ipykernel")
"""What JupyterLab, Colab and VS Code bring along."""

ONLY = """
import sys

refused = set({refused!r})


class Without:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, *more):
        return None if name.partition(".")[0] in refused else self.finder.find_spec(name, *more)


def offline(event, args):
    if event == "socket.getaddrinfo" and args[0] not in (None, "", "localhost", "127.0.0.1", "::1"):
        raise OSError("no network here")


sys.meta_path[:] = map(Without, sys.meta_path)
sys.addaudithook(offline)
"""
"""A `sitecustomize` with which Python finds no package beside those that a student installs, and no network."""


def brought(wishes: list[Requirement]) -> set[str]:
    """The packages that come with these, by their metadata."""
    found: set[tuple[str, str]] = set()
    waiting = [(canonicalize_name(wish.name), extra) for wish in wishes for extra in ("", *wish.extras)]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in found:
            continue
        found.add((name, extra))
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            for line in importlib.metadata.requires(name) or []:
                wish = Requirement(line)
                if wish.marker is None or wish.marker.evaluate({"extra": extra}):
                    waiting += [(canonicalize_name(wish.name), more) for more in ("", *wish.extras)]
    return {name for name, _ in found}


def refused(lab: Lab) -> set[str]:
    """The modules that are installed here and are not on a student's computer."""
    text = (lab.handout.parent / "requirements.txt").read_text(encoding="utf-8")
    theirs = brought([KERNEL, *map(Requirement, text.split())])
    ours = importlib.metadata.packages_distributions()
    return {"autograder"} | {
        module for module, names in ours.items() if not theirs & {canonicalize_name(name) for name in names}
    }


# --- forms ----------------------------------------------------------------------------------------------------------


def plain(notebook: Any) -> Any:
    """Without any metadata, as some tools leave it."""
    notebook.metadata = {}
    for cell in notebook.cells:
        cell.pop("id", None)
        cell.metadata = {}
    notebook.nbformat_minor = 4
    return notebook


def colab(notebook: Any) -> Any:
    """As Colab saves it: no language in the kernel's description, ids in the cells' metadata."""
    notebook = plain(notebook)
    notebook.metadata = {"colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    for number, cell in enumerate(notebook.cells):
        cell.metadata = {"id": f"aB{number}"}
    notebook.nbformat_minor = 0
    return notebook


def vscode(notebook: Any) -> Any:
    """As VS Code saves it: the environment's name as the kernel's, a language for each cell."""
    notebook = plain(notebook)
    notebook.metadata = {
        "kernelspec": {"display_name": ".venv (3.11.7)", "language": "python", "name": "python3"},
        "language_info": {"name": "python", "version": "3.11.7", "file_extension": ".py"},
    }
    for cell in notebook.cells:
        cell.metadata = {"vscode": {"languageId": "python" if cell.cell_type == "code" else "markdown"}}
    notebook.nbformat_minor = 2
    return notebook


def jupyter(notebook: Any) -> Any:
    """As it was handed out."""
    return notebook


def opened(notebook: Any, lab: Lab, folder: Path) -> Any:
    """The notebook, saved, opened and run in a student's Python, in a folder that holds nothing else of the lab."""
    site, elsewhere = folder / "site", folder / "content"
    site.mkdir()
    elsewhere.mkdir()
    (site / "sitecustomize.py").write_text(ONLY.format(refused=sorted(refused(lab))), encoding="utf-8")
    saved = json.dumps(notebook, ensure_ascii=False)
    again = nbformat.reads(saved, as_version=nbformat.NO_CONVERT)
    client = NotebookClient(
        again, timeout=120, allow_errors=True, kernel_name="python3", resources={"metadata": {"path": str(elsewhere)}}
    )
    client.execute(env={**os.environ, "PYTHONPATH": str(site), "HOME": str(folder)})
    return again


def shown(cell: Any) -> str:
    parts = [output.get("text") or output.get("data", {}).get("text/plain") or "" for output in cell.outputs]
    return "\n".join(parts)


def without_long_runs(notebook: Any) -> Any:
    notebook = copy.deepcopy(notebook)
    notebook.cells = [cell for cell in notebook.cells if "otter_ignore" not in cell.metadata.get("tags", [])]
    return notebook


@pytest.mark.slow
@pytest.mark.parametrize("form", [jupyter, colab, vscode, plain])
@pytest.mark.parametrize("lab", LABS)
def test_a_solved_notebook_passes_its_public_checks_wherever_it_is_opened(
    lab: Lab, form: Callable[[Any], Any], tmp_path: Path
) -> None:
    """With nothing installed but its requirements, without a network, beside no file of the lab."""
    notebook = opened(form(without_long_runs(solved(lab))), lab, tmp_path)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [output.evalue for cell in code for output in cell.outputs if output.output_type == "error"] == []
    assert shown(code[0]).strip().endswith(("all set.", "Ready."))
    checks = {cell.source.split('"')[1]: shown(cell) for cell in code if cell.source.startswith("grader.check(")}
    assert checks.keys() == with_checks(lab)
    assert [name for name, text in checks.items() if "All test cases passed" not in text] == []


@pytest.mark.slow
def test_a_students_python_has_no_more_than_the_requirements(tmp_path: Path) -> None:
    """Else the test above would show nothing."""
    (lab,) = (param.values[0] for param in LABS if param.id == "numpy_block")
    source = """
import importlib, socket
for name in ("numpy", "otter", "autograder", "torch", "pytest", "matplotlib", "jupytext"):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        print("no", name)
try:
    socket.create_connection(("example.com", 80), timeout=1)
except OSError as error:
    print(error)
"""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    (cell,) = opened(notebook, lab, tmp_path).cells
    found = shown(cell).split("\n")
    assert "no autograder" in found
    assert "no torch" in found
    assert "no pytest" in found
    assert "no numpy" not in found
    assert "no otter" not in found
    assert "no network here" in found


# --- the first cell -------------------------------------------------------------------------------------------------


def first_cell(lab: Lab) -> str:
    """What the first cell of code says here."""
    source = next(cell.source for cell in notebook_of(lab).cells if cell.cell_type == "code")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(source, "first cell", "exec"), {})
    return said.getvalue()


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> dict[str, str | None]:
    """Versions that packages shall have; None for one that is missing."""
    wanted: dict[str, str | None] = {}
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name not in wanted:
            return real(name)
        if (found := wanted[name]) is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return found

    monkeypatch.setattr(importlib.metadata, "version", version)
    return wanted


@pytest.mark.parametrize("lab", LABS)
def test_the_first_cell_says_that_all_is_there(lab: Lab) -> None:
    assert first_cell(lab).strip().endswith(("all set.", "Ready."))


@pytest.mark.parametrize("version", [None, "1.9.5", "0.40"])
@pytest.mark.parametrize("package", ["numpy", "otter-grader"])
@pytest.mark.parametrize("lab", LABS)
def test_the_first_cell_says_what_to_install(
    lab: Lab, package: str, version: str | None, versions: dict[str, str | None]
) -> None:
    versions[package] = version
    said = first_cell(lab)
    assert "%pip install" in said
    assert package in said.partition("%pip install")[2]


@pytest.mark.parametrize("lab", LABS)
def test_the_first_cell_says_that_python_is_too_old(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.version_info", (3, 9, 0, "final", 0))
    assert "Python" in first_cell(lab)
    assert not first_cell(lab).strip().endswith(("all set.", "Ready."))
