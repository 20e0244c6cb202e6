"""The shape of the package: what imports what, what is loaded while grading, and that everything has words."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import resources
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "autograder"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if (path.parent / "__init__.py").is_file())

Edge = tuple[str, str]


@pytest.fixture(scope="module")
def imports() -> set[Edge]:
    """(importer, imported), without the package's own name."""
    graph = grimp.build_graph("autograder", cache_dir=None)
    return {
        (importer.removeprefix("autograder."), imported.removeprefix("autograder."))
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
    }


def groups() -> dict[str, str]:
    """Module or package -> its group, as the page's table says."""
    rows = re.findall(r"^\| (\w+) \| ((?:`\w+`(?:, )?)+) \|", PAGE, re.M)
    return {module: group for group, modules in rows for module in re.findall(r"\w+", modules)}


def drawn() -> set[Edge]:
    """The arrows of the page's diagram."""
    return set(re.findall(r"^ *(\w+) --> (\w+)$", PAGE, re.M))


def reachable(edges: set[Edge], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        new = {end for begin, end in edges if begin == here} - found
        found |= new
        waiting += new
    return found


def without_shortcuts(edges: set[Edge]) -> set[Edge]:
    """The edges that do not follow from others."""
    return {
        (begin, end)
        for begin, end in edges
        if not any(end in reachable(edges, via) for other, via in edges if other == begin and via != end)
    }


def between_groups(imports: set[Edge]) -> set[Edge]:
    group = groups()
    pairs = {(group[a.partition(".")[0]], group[b.partition(".")[0]]) for a, b in imports}
    return {(a, b) for a, b in pairs if a != b}


def test_every_module_has_its_group_and_every_group_its_modules() -> None:
    there = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in MODULES} - {"__init__"}
    assert groups().keys() == there


def test_the_diagram_is_that_of_the_imports(imports: set[Edge]) -> None:
    assert without_shortcuts(between_groups(imports)) == drawn()


def test_groups_import_downwards(imports: set[Edge]) -> None:
    order = list(dict.fromkeys(groups().values()))
    assert [pair for pair in between_groups(imports) if order.index(pair[0]) > order.index(pair[1])] == []


def test_no_module_imports_itself_by_way_of_others(imports: set[Edge]) -> None:
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for importer, imported in imports:
        sorter.add(importer, imported)
    sorter.prepare()  # raises CycleError


def sides() -> dict[str, set[str]]:
    """Side of the wall -> modules of `sandbox/`, as the page's second table says."""
    rows = re.findall(r"^\| (trusted|untrusted|both)\b[^|]*\| ([^|\n]+) \|$", PAGE, re.M)
    return {side: set(re.findall(r"`(\w+)`", modules)) for side, modules in rows}


def test_every_module_of_the_sandbox_is_on_a_side_and_those_beside_student_code_may_hold_no_secret() -> None:
    there = {path.stem for path in (PACKAGE / "sandbox").glob("*.py")} - {"__init__"}
    assert sorted(module for modules in sides().values() for module in modules) == sorted(there)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (secret,) = (contract for contract in contracts if "sandbox" in contract["name"])
    watched = {module.removeprefix("autograder.sandbox.") for module in secret["source_modules"]}
    assert sides()["untrusted"] <= watched
    assert watched <= sides()["untrusted"] | sides()["both"]


def test_shortcuts_are_told_from_other_edges() -> None:
    assert without_shortcuts({("a", "b"), ("b", "c"), ("a", "c")}) == {("a", "b"), ("b", "c")}


# --- what is loaded -------------------------------------------------------------------------------------------------

PEERS = {"torch", "matplotlib", "otter", "distributed", "dask", "jinja2"}
"""What grading a notebook of NumPy has no use for; each takes a tenth of a second or more, and memory."""

GRADES_ONE = """
import sys
from pathlib import Path
from autograder.course import load_course
from autograder.grade import Judge
from autograder.submission import Cell, Submission

judge = Judge(load_course(Path("tests/attacks/course").resolve()).labs["toy"])
loaded = "import sys\\nprint(*(name for name, module in sys.modules.items() if getattr(module, '__spec__', None)))"
cell = Cell(0, loaded, (), "code")
grade = judge.grade(Submission(file="hw", sha256="", lab="toy", cells=(cell,), notes=(), warnings=(), build=None))
print(grade.status, grade.possible)
print(judge.output[0].split("\\n")[0])
print(*sys.modules)
judge.close()
"""


def test_neither_the_judge_nor_the_sandbox_loads_what_a_numpy_lab_does_not_need() -> None:
    """Seen while a notebook is graded: modules of the judge's process, and those that a cell finds.

    What stands in for Otter in the sandbox was loaded from no file.
    """
    done = subprocess.run([sys.executable, "-c", GRADES_ONE], cwd=ROOT, capture_output=True, text=True, check=True)
    status, in_sandbox, in_judge = done.stdout.splitlines()
    assert status == "graded 11"
    sandbox = {name.partition(".")[0] for name in in_sandbox.split()}
    assert "numpy" in sandbox
    assert "pytest" in {name.partition(".")[0] for name in in_judge.split()}
    assert not PEERS & {name.partition(".")[0] for name in in_judge.split()}
    assert not (PEERS | {"pytest", "yaml", "jupytext", "nbformat", "click", "rich"}) & sandbox


# --- what is said ---------------------------------------------------------------------------------------------------


def undocumented(path: Path) -> Iterator[str]:
    """The module, and its public functions and classes, where they have no docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    name = path.relative_to(ROOT).as_posix()
    if not ast.get_docstring(tree):
        yield name
    for node in tree.body:
        is_named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if is_named and node.name[0] != "_" and not ast.get_docstring(node):
            yield f"{name}:{node.lineno}: {node.name}"


def test_every_module_public_function_and_class_says_what_it_is_for() -> None:
    assert [place for path in MODULES for place in undocumented(path)] == []


def test_a_missing_docstring_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "m.py").write_text("def f(): ...\ndef _g(): ...\nclass C:\n    '''Said.'''\n")
    assert list(undocumented(tmp_path / "m.py")) == ["m.py", "m.py:1: f"]


def test_the_package_says_that_it_is_typed() -> None:
    assert resources.files("autograder").joinpath("py.typed").is_file()


def test_the_package_tells_the_way_of_a_submission_by_modules_that_exist() -> None:
    told = re.findall(r"^    (\w+)(?:\.py|/) ", (PACKAGE / "__init__.py").read_text(encoding="utf-8"), re.M)
    assert len(told) > 10
    assert [name for name in told if name not in groups()] == []
