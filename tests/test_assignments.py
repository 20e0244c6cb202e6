"""The labs as shipped: up to date, every exercise still to be done, every answer accepted by its checks."""

from __future__ import annotations

import ast
import copy
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.build import build
from autograder.course import Lab, load_course
from autograder.master import answer, read_master

ROOT = Path(__file__).parent.parent
COURSE = load_course(ROOT)
LABS = [pytest.param(lab, id=lab.name) for lab in COURSE.labs.values()]


def notebook_of(lab: Lab) -> Any:
    return nbformat.read(ROOT / "assignments" / lab.name / f"{lab.name}.ipynb", as_version=4)


def checked(notebook: Any, folder: Path) -> dict[str, str]:
    """Question -> what `grader.check` says of it, in a plain kernel, without the long demonstrations."""
    notebook.cells = [c for c in notebook.cells if "otter_ignore" not in c.metadata.get("tags", [])]
    NotebookClient(notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": folder}}).execute()
    shown = {}
    for cell in notebook.cells:
        if cell.source.startswith("grader.check("):
            outputs = [str(output.get("data", {}).get("text/plain")) for output in cell.outputs]
            shown[cell.source.split('"')[1]] = "\n".join(outputs)
    return shown


def solved(lab: Lab) -> Any:
    """The student's notebook with the master's answers in place of its stubs."""
    answers = [answer(cell.source) for cell in read_master(lab.master).cells if cell.is_solution]
    notebook = copy.deepcopy(notebook_of(lab))
    for cell in notebook.cells:
        if cell.cell_type == "code" and (wanted := asked(cell.source, lab)):
            found = [source for source in answers if asked(source, lab) & wanted]
            cell.source = "\n\n".join(found)
    return notebook


def asked(source: str, lab: Lab) -> set[str]:
    """The names of the lab's questions that a cell defines or assigns."""
    names = {name for question in lab.questions.values() for name in (*question.functions, *question.values)}
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return set()
    defined = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
    return names & (defined | {target.id for target in targets if isinstance(target, ast.Name)})


def with_checks(lab: Lab) -> set[str]:
    return {question.name for question in lab.questions.values() if question.checks}


@pytest.mark.parametrize("lab", LABS)
def test_what_is_handed_out_is_up_to_date(lab: Lab) -> None:
    stale = build(COURSE, [lab.name], check=True).stale
    assert [path for path in stale if path.startswith("assignments/")] == []


@pytest.mark.parametrize("lab", LABS)
def test_as_shipped_every_exercise_fails(lab: Lab, tmp_path: Path) -> None:
    shown = checked(notebook_of(lab), tmp_path)
    assert shown.keys() == with_checks(lab)
    assert [question for question, text in shown.items() if "Test case failed" not in text] == []


@pytest.mark.parametrize("lab", LABS)
def test_every_answer_passes_its_public_checks(lab: Lab, tmp_path: Path) -> None:
    shown = checked(solved(lab), tmp_path)
    assert [question for question, text in shown.items() if "All test cases passed" not in text] == []


@pytest.mark.parametrize("lab", LABS)
def test_every_stub_tells_shapes_and_formula(lab: Lab) -> None:
    for cell in notebook_of(lab).cells:
        if cell.cell_type == "code" and "NotImplementedError(" in cell.source and asked(cell.source, lab):
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    assert len(ast.get_docstring(node) or "") > 40, node.name
