"""The student's notebook: a master and its public tests, put through the real `otter assign`.

Before: stubs for the answers, figures embedded, handout markers taken out, one test cell for each public
check. After: what Otter draws at random or adds by the way is made plain, so that the same sources always
give the same bytes.
"""

from __future__ import annotations

import ast
import base64
import bz2
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from autograder.course import CourseError, Lab, Question
from autograder.master import BEGIN_SOLUTION, END_SOLUTION, HANDOUT, HANDOUT_INLINE, Master, MasterCell, MasterError

BEGIN_PROMPT = re.compile(r'^\s*""" # BEGIN PROMPT\s*$')
FIGURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<file>figures/[\w.-]+\.svg)\)")
CONFIG_HEADING = "# ASSIGNMENT CONFIG"
# What `build` decides. A master may repeat these and may not contradict them.
FIXED_CONFIG: dict[str, Any] = {
    "export_cell": False,
    "init_cell": False,
    "check_all_cell": False,
    "run_tests": False,
    "generate": False,
    "strip_solutions_from_all_cells": True,
    "tests": {"ok_format": False},
}
# What a master may choose.
FREE_CONFIG = ("requirements",)
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LOCKED = {"deletable": False, "editable": False}
FOLDED = {"jupyter": {"source_hidden": True}, "cellView": "form"}
Cell = dict[str, Any]
_PACKED = "@@ the packed checks @@"


def student_notebook(lab: Lab, master: Master) -> str:
    """The text of `<lab>.ipynb` as a student receives it.

    Raises `CourseError` when Otter refuses the master or loses a test.
    """
    notebook = _through_otter(lab, _otter_master(lab, master))
    tests = {name: _named(source) for name, source in notebook["metadata"]["otter"]["tests"].items()}
    _assert_complete(lab, tests)
    cells = [_plain(number, cell, tests) for number, cell in enumerate(notebook["cells"], 1)]
    return _as_text(lab, cells, tests)


def build_hash(notebook: dict[str, Any]) -> str:
    """The content hash that `metadata.autograder.build` holds: the cells as built and the public tests."""
    cells = [[cell["cell_type"], cell["source"]] for cell in notebook["cells"]]
    text = json.dumps([cells, notebook["metadata"]["otter"]["tests"]], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def master_config(master: Master) -> dict[str, Any]:
    """What the master's `# ASSIGNMENT CONFIG` cell says; empty without one."""
    for cell in master.cells:
        if cell.kind == "raw" and cell.source.startswith(CONFIG_HEADING):
            try:
                return dict(yaml.safe_load(cell.source) or {})
            except (yaml.YAMLError, ValueError, TypeError):
                where = f"{master.path}: the raw cell `{CONFIG_HEADING}`"
                raise MasterError(f"{where} is no YAML. Mend it, and begin the next cell with a `# %%` line.") from None
    return {}


def requirements(lab: Lab, master: Master) -> str:
    """The packages a student installs, one a line: the master's list, or what the lab warms up and Otter."""
    listed = master_config(master).get("requirements") or [*lab.warm, "otter-grader>=7,<8"]
    return "".join(f"{line}\n" for line in listed)


def staff_cells(master: Master) -> set[int]:
    """Places of the cells from a raw `# BEGIN SOLUTION` to its `# END SOLUTION`: model answers, for staff alone.

    Otter itself would hand out the code among them. A cell with a solution block of its own is a student's cell.
    """
    places, inside = set(), False
    for place, cell in enumerate(master.cells):
        begins = cell.kind == "raw" and cell.source.startswith("# BEGIN SOLUTION")
        ends = cell.kind == "raw" and cell.source.startswith("# END SOLUTION")
        inside = begins or (inside and not ends)
        if begins or ends or (inside and not cell.is_solution):
            places.add(place)
    return places


# --- Before Otter ---------------------------------------------------------------------------------


def _otter_master(lab: Lab, master: Master) -> dict[str, Any]:
    """The master as the notebook that `otter assign` reads."""
    cells: list[Cell] = [_cell("raw", _config(lab, master))]
    setup_needed = True
    kept_back = staff_cells(master)
    for place, cell in enumerate(master.cells):
        if place in kept_back or (cell.kind == "raw" and cell.source.startswith(CONFIG_HEADING)):
            continue
        if cell.kind == "raw" and cell.source.startswith("# END QUESTION") and cell.question:
            cells.extend(_tests_block(lab, lab.questions[cell.question]))
        cells.append(_prepared(cell, master))
        if cell.kind == "code" and setup_needed:
            cells.append(_setup_cell())
            setup_needed = False
    cells.extend(_closing_cells(lab))
    numbered = [cell | {"id": f"cell-{number}"} for number, cell in enumerate(cells)]
    return _notebook(numbered, {"kernelspec": KERNEL})


def _config(lab: Lab, master: Master) -> str:
    chosen = {key: value for key, value in master_config(master).items() if key in FREE_CONFIG}
    config = {**chosen, **FIXED_CONFIG, "name": lab.name}
    return f"{CONFIG_HEADING}\n{yaml.safe_dump(config)}"


def _prepared(cell: MasterCell, master: Master) -> Cell:
    tags = [tag for tag in cell.tags if tag != "given"]
    metadata = {"tags": tags} if tags else {}
    if cell.kind == "markdown":
        return _cell("markdown", _with_figures(_unannounced(cell.source), master.path), metadata=metadata)
    if cell.kind == "code":
        return _cell("code", with_stubs(_unannounced(cell.source)), metadata=metadata)
    return _cell("raw", cell.source)


def _unannounced(source: str) -> str:
    """A cell's text without handout markers; a line that was nothing else goes with them."""
    kept = (line for line in source.split("\n") if not HANDOUT.fullmatch(line))
    return HANDOUT_INLINE.sub("", "\n".join(kept))


def _with_figures(source: str, master: Path) -> str:
    """Markdown with its figures inside, as data URIs: the notebook is one file."""

    def embedded(found: re.Match[str]) -> str:
        svg = (master.parent / found["file"]).read_bytes()
        return f"![{found['alt']}](data:image/svg+xml;base64,{base64.b64encode(svg).decode()})"

    return FIGURE.sub(embedded, source)


def with_stubs(source: str) -> str:
    """A code cell in which each solution block has a prompt, so that the student finds a stub that says so.

    A prompt of the master's own wins; `# BEGIN SOLUTION NO PROMPT` leaves nothing in the block's place.
    """
    if not BEGIN_SOLUTION.search(source):
        return source
    lines, result, stub = source.split("\n"), [], ""
    for number, line in enumerate(lines):
        if BEGIN_SOLUTION.match(line):
            stub = "" if line.rstrip().endswith("NO PROMPT") else _stub(source, number + 1, line)
            line = line[: len(line) - len(line.lstrip())] + "# BEGIN SOLUTION NO PROMPT"
        result.append(line)
        if END_SOLUTION.match(line) and stub and not _prompt_follows(lines, number):
            result.append(stub)
    return "\n".join(result)


def enclosing(source: str, line: int) -> str | None:
    """The dotted name of the function or class whose body holds a line (from 1), if any."""
    names: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if node.lineno < line <= (node.end_lineno or 0):
            names.append((node.lineno, node.name))
    return ".".join(name for _, name in sorted(names)) or None


def _stub(source: str, number: int, line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    name = enclosing(source, number)
    raising = f'raise NotImplementedError("{name} is not written yet")'
    return "\n".join(indent + text for text in ('""" # BEGIN PROMPT', raising, '""" # END PROMPT'))


def _prompt_follows(lines: list[str], number: int) -> bool:
    following = next((line for line in lines[number + 1 :] if line.strip()), "")
    return bool(BEGIN_PROMPT.match(following))


def _tests_block(lab: Lab, question: Question) -> Iterator[Cell]:
    public = [check for check in question.checks if check.visible]
    if not public:
        return
    sources = test_functions(lab.public_suite(question.name))
    yield _cell("raw", "# BEGIN TESTS")
    for check in public:
        source = sources[f"test_{check.name}"]
        sentence = ast.get_docstring(ast.parse(source).body[0]) or ""  # type: ignore[arg-type]
        config = {"points": check.points, "hidden": False, "failure_message": sentence.split("\n")[0]}
        heading = yaml.safe_dump(config, allow_unicode=True, width=10_000)
        yield _cell("code", f'""" # BEGIN TEST CONFIG\n{heading}""" # END TEST CONFIG\n{source}')
    yield _cell("raw", "# END TESTS")


def test_functions(suite: Path) -> dict[str, str]:
    """The test functions of a public suite, name -> source."""
    text = suite.read_text(encoding="utf-8-sig")
    functions = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    return {node.name: ast.get_source_segment(text, node) or "" for node in functions}


def _setup_cell() -> Cell:
    """Otter with the public checks, which travel inside the cell.

    Otter looks for tests in a folder, or in the notebook's file. Colab has neither, and a renamed notebook or
    another working folder loses the second: here they work everywhere, offline.
    """
    source = f'''\
# @title The public checks. Run this cell once; nothing in it needs to be changed.
# They lie packed below, so that they work wherever this notebook is opened.
import base64
import bz2
import json
import pathlib
import tempfile

import otter

packed_checks = """
{_PACKED}
"""
checks_folder = pathlib.Path(tempfile.mkdtemp(prefix="checks_"))
for name, text in json.loads(bz2.decompress(base64.b64decode(packed_checks))).items():
    (checks_folder / f"{{name}}.py").write_text(text, encoding="utf-8")
grader = otter.Notebook(tests_dir=str(checks_folder))'''
    return _cell("code", source, FOLDED)


def _closing_cells(lab: Lab) -> list[Cell]:
    rows = [_table_row(question) for question in lab.questions.values()]
    marked_by_hand = f" {lab.pending} more points are marked by a person." if lab.pending else ""
    text = "\n".join(
        [
            "---",
            "",
            "## Check everything",
            "",
            "The cell below runs all public checks again. **They are the public checks only:** most points "
            "come from hidden checks, which run after you hand in. Each of them tests something that this "
            "notebook says in words, so read the text of a question once more before you leave it.",
            "",
            "| question | points | public checks, here | hidden checks, later |",
            "|---|---|---|---|",
            *rows,
            "",
            f"{lab.possible} points are marked automatically.{marked_by_hand} "
            f"To hand in, save the notebook and submit this file, `{lab.name}.ipynb`.",
        ]
    )
    return [
        _cell("markdown", text),
        _cell("code", f"print({_what_is_not_here(lab)!r})\ngrader.check_all()"),
    ]


def _what_is_not_here(lab: Lab) -> str:
    """What stands above the results, for `all passed` is easily taken for full marks."""
    hidden = {q.name: sum(not check.visible for check in q.checks) for q in lab.questions.values()}
    counted = ", ".join(f"{name} {count}" for name, count in hidden.items() if count)
    later = f" After you hand in, {sum(hidden.values())} hidden checks run as well: {counted}." if counted else ""
    return f"These are the public checks only.{later}"


def _table_row(question: Question) -> str:
    if question.kind == "written":
        return f"| {question.name} | {question.points} | | marked by a person |"
    public = [check.points for check in question.checks if check.visible]
    hidden = [check.points for check in question.checks if not check.visible]
    return f"| {question.name} | {question.points} | {_counted(public)} | {_counted(hidden)} |"


def _counted(points: list[int]) -> str:
    return f"{len(points)} ({sum(points)} {'point' if sum(points) == 1 else 'points'})"


# --- Otter, and after -----------------------------------------------------------------------------


def _through_otter(lab: Lab, master: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="autograder_build_") as folder:
        source = Path(folder, f"{lab.name}.ipynb")
        source.write_text(json.dumps(master), encoding="utf-8")
        command = [sys.executable, "-m", "otter", "assign", "--no-run-tests", "--no-pdfs", source.name, "out"]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if ran.returncode:
            last = ran.stderr.strip().splitlines()[-1:] or ["no message"]
            raise CourseError(
                f"`otter assign` refused the master: {last[0]}",
                "Mend the cell it names",
                file=str(lab.master.relative_to(lab.root)),
            )
        text = Path(folder, "out", "student", source.name).read_text(encoding="utf-8")
        return dict(json.loads(text))


def _named(source: str) -> str:
    """A test file in which each case carries its check's name instead of a number."""
    head, *cases = source.strip().split("@test_case(")
    for index, case in enumerate(cases):
        found = re.search(r"^def test_(\w+)\(", case, re.M)
        cases[index] = f'name="{found[1] if found else ""}", {case}'
    return "@test_case(".join([head, *cases]) + "\n"


def _assert_complete(lab: Lab, tests: dict[str, str]) -> None:
    """Every public check arrived, in a file that compiles: Otter loses both kinds in silence."""
    for question in lab.questions.values():
        wanted = [f"test_{check.name}" for check in question.checks if check.visible]
        if not wanted:
            continue
        file = str(lab.public_suite(question.name).relative_to(lab.root))
        try:
            body = ast.parse(tests.get(question.name, "")).body
        except SyntaxError as error:
            raise CourseError(
                f"Otter makes a test file of it that is no Python: {error.msg}",
                "Keep quotes and backslashes out of docstrings",
                file=file,
            ) from None
        found = [node.name for node in body if isinstance(node, ast.FunctionDef)]
        if found != wanted:
            raise CourseError(f"Otter keeps {found} of {wanted}", "Rename the tests that were lost", file=file)


def _packed(tests: dict[str, str]) -> str:
    data = base64.b64encode(bz2.compress(json.dumps(tests, sort_keys=True).encode())).decode()
    return "\n".join(data[start : start + 100] for start in range(0, len(data), 100))


def _plain(number: int, cell: Cell, tests: dict[str, str]) -> Cell:
    """A cell with its place as id, its text by lines and no outputs.

    Otter locks all that stands in a question, the student's own cells among it: only its checks stay locked.
    """
    source = "".join(cell["source"]).replace(_PACKED, _packed(tests)).strip("\n")
    locked = LOCKED if cell["cell_type"] == "code" and re.search(r"^grader\b", source, re.M) else {}
    metadata = {key: value for key, value in cell["metadata"].items() if key not in LOCKED}
    plain = _cell(cell["cell_type"], source, metadata | locked)
    return plain | {"id": f"cell-{number:03}", "source": source.splitlines(keepends=True)}


def _as_text(lab: Lab, cells: list[Cell], tests: dict[str, str]) -> str:
    metadata: dict[str, Any] = {
        "kernelspec": KERNEL,
        "language_info": {"name": "python"},
        "otter": {"OK_FORMAT": False, "assignment_name": lab.name, "tests": tests},
    }
    notebook = _notebook(cells, metadata)
    metadata["autograder"] = {"lab": lab.name, "build": build_hash(notebook)}
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _notebook(cells: list[Cell], metadata: dict[str, Any]) -> dict[str, Any]:
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _cell(kind: str, source: str, metadata: dict[str, Any] | None = None) -> Cell:
    cell: Cell = {"cell_type": kind, "id": "cell", "metadata": metadata or {}, "source": source}
    return cell | {"execution_count": None, "outputs": []} if kind == "code" else cell
