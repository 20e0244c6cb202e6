"""The student's notebook: what it holds, what it must not hold, and that its checks run."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.build import BuildError, build
from autograder.course import load_course
from autograder.master import MasterError

GRADING = """\
labs:
  mini:
    title: A small lab
    warm: [numpy]
    given: [softmax]
    questions:
      scale:
        functions: [double, Halver]
        public: {worked_example: 1, keeps_the_shape: 2}
        hidden: {negative_numbers: 3}
      concepts:
        values: [concepts]
        public: {form_is_right: 1}
        hidden: {axis_choice: 1}
      essay: {kind: written, points: 2, rubric: [clear]}
"""

MASTER = '''\
# %% [raw]
# # ASSIGNMENT CONFIG
# requirements: [numpy, "otter-grader>=7,<8"]

# %% [markdown]
# # A small lab
#
# ![a white square](figures/square.svg)

# %% tags=["given"]
import numpy as np

# %% tags=["given"]
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)

# %% [raw]
# # BEGIN QUESTION
# name: scale

# %% [markdown]
# Numbers below zero are doubled too. <!-- handout: negative_numbers -->
# <!-- handout: negative_numbers -->
# All shapes stay.

# %%
# handout: negative_numbers
def double(x):
    """Twice `x`, any shape."""
    # BEGIN SOLUTION
    secret_factor = 4 / 2
    return np.asarray(x) * secret_factor
    # END SOLUTION


class Halver:
    """Halves what it is called with."""

    def __call__(self, x):
        """Half of `x`."""
        # BEGIN SOLUTION
        return np.asarray(x) * 0.5000
        # END SOLUTION

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: concepts

# %% [markdown]
# Which axis? <!-- handout: axis_choice -->

# %%
# BEGIN SOLUTION
concepts = {"axis": "the last one"}
# END SOLUTION
""" # BEGIN PROMPT
concepts = {"axis": None}
""" # END PROMPT

# %% [raw]
# # END QUESTION

# %% tags=["otter_ignore"]
print("a plot", softmax(np.zeros(2)))

# %% [raw]
# # BEGIN QUESTION
# name: essay
# manual: true

# %% [markdown]
# Write.

# %% [raw]
# # BEGIN PROMPT

# %% [markdown]
# _Type here._

# %% [raw]
# # END PROMPT

# %% [raw]
# # BEGIN SOLUTION

# %%
print("the model plot", softmax(np.ones(3)))

# %% [markdown]
# The model essay says this.

# %% [raw]
# # END SOLUTION

# %% [raw]
# # END QUESTION
'''

PUBLIC_SCALE = '''\
"""Public checks."""


def test_worked_example(double):
    """Twice [1, 2] is [2, 4]."""
    import numpy as np

    assert double is not None, "double is not defined yet: run its cell."
    np.testing.assert_allclose(double(np.array([1.0, 2.0])), [2.0, 4.0])


def test_keeps_the_shape(double, Halver):
    """A table stays a table."""
    import numpy as np

    assert np.shape(double(np.ones((2, 3)))) == np.shape(Halver()(np.ones((2, 3)))) == (2, 3), "No."
'''

PUBLIC_CONCEPTS = '''\
def test_form_is_right(concepts):
    """Every choice is made."""
    assert concepts is not None and None not in concepts.values(), "One choice is still None."
'''

HIDDEN = '''\
from autograder.compare import assert_matches


def test_{check}(student, reference):
    """Says what it tests."""
'''

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9" fill="white"/></svg>'

ANSWERS = """\
concepts = {"axis": "the last one"}

def double(x):
    return np.asarray(x) * 2.0

class Halver:
    def __call__(self, x):
        return np.asarray(x) / 2
"""

MISCONCEPTION = """\
# %% adds_itself_twice
# You add the number twice too often. Count the additions once more.
def double(x):
    return x + x + x
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small course on disk."""
    files = {
        "grading.yml": GRADING,
        "constraints.txt": "numpy==2.4.6\n",
        "solutions/mini/lab.py": MASTER,
        "solutions/mini/README-student.md": "# A small lab\n",
        "solutions/mini/figures/square.svg": SQUARE,
        "solutions/mini/misconceptions/scale.py": MISCONCEPTION,
        "tests/public/mini/test_scale.py": PUBLIC_SCALE,
        "tests/public/mini/test_concepts.py": PUBLIC_CONCEPTS,
        "tests/hidden/mini/test_scale.py": HIDDEN.format(check="negative_numbers"),
        "tests/hidden/mini/test_concepts.py": HIDDEN.format(check="axis_choice"),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def built(root: Path) -> dict[str, Any]:
    build(load_course(root), ["mini"])
    return dict(json.loads((root / "assignments/mini/mini.ipynb").read_text(encoding="utf-8")))


def text_of(notebook: dict[str, Any]) -> str:
    return "\n\n".join("".join(cell["source"]) for cell in notebook["cells"])


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def run(notebook: dict[str, Any], folder: Path) -> list[str]:
    """Execute in a plain kernel, errors allowed; what each cell showed."""
    node = nbformat.reads(json.dumps(notebook), as_version=4)
    NotebookClient(node, timeout=60, allow_errors=True, resources={"metadata": {"path": str(folder)}}).execute()
    shown = []
    for cell in node.cells:
        outputs = cell.get("outputs", [])
        shown.append(
            "\n".join(str(o.get("text") or o.get("evalue") or o.get("data", {}).get("text/plain")) for o in outputs)
        )
    return shown


def answered(notebook: dict[str, Any], root: Path) -> dict[str, Any]:
    """The student's notebook with the master's answers written in."""
    cells = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if "NotImplementedError" in source or "concepts = {" in source:
            source = ANSWERS
        cells.append(cell | {"source": source})
    return notebook | {"cells": cells}


# --- What a student receives ----------------------------------------------------------------------


def test_an_answer_becomes_a_stub_that_names_itself(root: Path) -> None:
    text = text_of(built(root))
    assert '"""Twice `x`, any shape."""\n    raise NotImplementedError("double is not written yet")' in text
    assert 'raise NotImplementedError("Halver.__call__ is not written yet")' in text


def test_a_prompt_of_the_masters_own_wins(root: Path) -> None:
    text = text_of(built(root))
    assert '\nconcepts = {"axis": None}\n' in text
    assert text.count("raise NotImplementedError") == 2


def test_nothing_secret_or_structural_is_left(root: Path) -> None:
    raw = (built(root), (root / "assignments/mini/mini.ipynb").read_text(encoding="utf-8"))[1]
    for word in (
        "secret_factor",
        "the last one",
        "handout",
        "BEGIN SOLUTION",
        "BEGIN PROMPT",
        "negative_numbers",
        "adds_itself",
        "model essay",
        "model plot",
    ):
        assert word not in raw


def test_handout_markers_leave_no_gap(root: Path) -> None:
    assert "Numbers below zero are doubled too.\nAll shapes stay." in text_of(built(root))


def test_figures_travel_inside(root: Path) -> None:
    (found,) = re.findall(r"!\[a white square\]\(data:image/svg\+xml;base64,([^)]+)\)", text_of(built(root)))
    assert base64.b64decode(found).decode() == SQUARE


def test_there_are_no_outputs_and_ids_count(root: Path) -> None:
    cells = built(root)["cells"]
    assert [cell["id"] for cell in cells] == [f"cell-{n:03}" for n in range(1, len(cells) + 1)]
    assert all(cell["outputs"] == [] for cell in cells if cell["cell_type"] == "code")


def test_only_the_cells_of_the_checks_are_locked(root: Path) -> None:
    cells = [cell for cell in built(root)["cells"] if cell["cell_type"] == "code"]
    locked = ["".join(cell["source"]) for cell in cells if cell["metadata"].get("editable") is False]
    assert all("grader" in source for source in locked)
    assert len(locked) == 4
    assert not any("NotImplementedError" in source for source in locked)


def test_tags_for_the_grader_stay(root: Path) -> None:
    (cell,) = [cell for cell in built(root)["cells"] if "a plot" in "".join(cell["source"])]
    assert cell["metadata"]["tags"] == ["otter_ignore"]


def test_the_notebook_is_valid_and_says_what_it_is(root: Path) -> None:
    notebook = built(root)
    nbformat.validate(notebook)
    assert notebook["metadata"]["kernelspec"]["language"] == "python"
    assert notebook["metadata"]["otter"]["assignment_name"] == "mini"
    assert notebook["metadata"]["autograder"]["lab"] == "mini"
    assert re.fullmatch("[0-9a-f]{16}", notebook["metadata"]["autograder"]["build"])


def test_the_last_cells_say_what_the_checks_are_worth(root: Path) -> None:
    *_, text, check = ("".join(cell["source"]) for cell in built(root)["cells"])
    assert "public checks only" in text
    assert "| scale | 6 | 2 (3 points) | 1 (3 points) |" in text
    assert "2 more points are marked by a person" in text
    hidden = "After you hand in, 2 hidden checks run as well: scale 1, concepts 1."
    assert check == f"print('These are the public checks only. {hidden}')\ngrader.check_all()"


def test_requirements_and_readme_come_along(root: Path) -> None:
    built(root)
    assert (root / "assignments/mini/requirements.txt").read_text() == "numpy\notter-grader>=7,<8\n"
    assert (root / "assignments/mini/README.md").read_text() == "# A small lab\n"


# --- Its checks run -------------------------------------------------------------------------------


COLAB = """\
import otter.check.utils
otter.check.utils.IPythonInterpreter.COLAB.value.check_strs[:] = ["ipykernel"]
"""


@pytest.mark.parametrize(
    "form", ["as built", "renamed and elsewhere", "metadata lost", "beside a tests folder", "as on Colab"]
)
def test_the_checks_run_in_a_plain_kernel(root: Path, tmp_path: Path, form: str) -> None:
    notebook, folder = built(root), root / "assignments/mini"
    if form != "as built":
        folder = tmp_path / "elsewhere"
        folder.mkdir()
    if form == "metadata lost":
        notebook["metadata"] = {
            "colab": {"provenance": []},
            "kernelspec": {"name": "python3", "display_name": "Python 3"},
        }
    if form == "as on Colab":
        setup = next(c for c in notebook["cells"] if "packed_checks" in "".join(c["source"]))
        setup["source"] = [COLAB, *setup["source"]]
    if form == "beside a tests folder":
        (folder / "tests").mkdir()
    shown = "\n".join(run(answered(notebook, root), folder))
    assert shown.count("scale results: All test cases passed!") == 2
    assert shown.count("concepts results: All test cases passed!") == 2


def test_checks_on_stubs_fail_kindly(root: Path, tmp_path: Path) -> None:
    shown = "\n".join(run(built(root), tmp_path))
    assert "worked_example message: Twice [1, 2] is [2, 4]." in shown
    assert "NotImplementedError: double is not written yet" in shown
    assert "One choice is still None." in shown


def test_a_check_before_its_cell_says_so(root: Path, tmp_path: Path) -> None:
    notebook = built(root)
    notebook["cells"] = [c for c in notebook["cells"] if "def double" not in "".join(c["source"])]
    assert "double is not defined yet: run its cell." in "\n".join(run(notebook, tmp_path))


def test_stock_otter_finds_the_checks_in_the_metadata(root: Path) -> None:
    notebook = built(root)
    for cell in notebook["cells"]:
        if "packed_checks" in "".join(cell["source"]):
            cell["source"] = 'import otter\ngrader = otter.Notebook("mini.ipynb")'
    shown = "\n".join(run(answered(notebook, root), root / "assignments/mini"))
    assert shown.count("scale results: All test cases passed!") == 2


# --- The same sources, the same bytes -------------------------------------------------------------


def test_building_twice_gives_the_same_bytes(root: Path) -> None:
    built(root)
    first = (root / "assignments/mini/mini.ipynb").read_bytes()
    (root / "assignments/mini/mini.ipynb").unlink()
    built(root)
    assert (root / "assignments/mini/mini.ipynb").read_bytes() == first


def test_check_names_what_is_stale_and_changes_nothing(root: Path) -> None:
    course = load_course(root)
    report = build(course, check=True)
    assert not report.ok
    assert "assignments/mini/mini.ipynb" in report.stale
    assert not (root / "assignments").exists()
    build(course)
    assert build(course, check=True).ok
    (root / "assignments/mini/README.md").write_text("edited by hand")
    assert build(course, check=True).stale == ("assignments/mini/README.md",)
    assert (root / "assignments/mini/README.md").read_text() == "edited by hand"


def test_the_build_hash_follows_what_students_see(root: Path) -> None:
    first = built(root)["metadata"]["autograder"]["build"]
    change(root / "solutions/mini/lab.py", "secret_factor = 4 / 2", "secret_factor = 6 / 3")
    assert built(root)["metadata"]["autograder"]["build"] == first
    change(root / "solutions/mini/lab.py", "All shapes stay.", "Shapes stay.")
    assert built(root)["metadata"]["autograder"]["build"] != first


def test_each_way_to_grade_has_its_folder_and_only_the_staffs_knows_hidden_checks(root: Path) -> None:
    built(root)
    dist = root / "dist" / "mini"
    assert {path.name for path in dist.iterdir()} == {
        "autograder.zip",
        "github-template",
        "github-staff",
        "classroom50",
    }
    knows = {
        folder: any(b"negative_numbers" in path.read_bytes() for path in (dist / folder).rglob("*") if path.is_file())
        for folder in ("github-template", "github-staff", "classroom50")
    }
    assert knows == {"github-template": False, "github-staff": True, "classroom50": False}


# --- The guard ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "# All shapes stay.",
            "# The answer:\n#\n#     secret_factor = 4 / 2",
            "answer to scale is in it: secret_factor",
        ),
        ("# All shapes stay.", "# `negative_numbers` is what we test.", "hidden check negative_numbers"),
        ("# All shapes stay.", "# Beware of adds_itself_twice.", "misconception adds_itself_twice"),
        ("# All shapes stay.", "# You add the number twice too often. Count the additions once more.", "the hint of"),
        ("# All shapes stay.", "# The model essay says this.", "answer to essay"),
    ],
)
def test_a_leak_is_refused(root: Path, old: str, new: str, told: str) -> None:
    change(root / "solutions/mini/lab.py", old, new)
    with pytest.raises(BuildError, match=re.escape(told)):
        built(root)
    assert not (root / "assignments").exists()


# --- The lint: Otter's traps ----------------------------------------------------------------------

MASTER_TRAPS = [
    (
        "# %% [raw]\n# # BEGIN QUESTION\n# name: scale",
        "# %%\n# BEGIN QUESTION\n# name: scale",
        "`# BEGIN QUESTION` is a code cell",
    ),
    ("# # BEGIN QUESTION\n# name: scale", "# BEGIN QUESTION\n# name: scale", "does not know this raw cell"),
    ("# requirements:", "# export_cell: true\n# requirements:", "sets export_cell: False"),
    ("# requirements:", "# generate: {show_hiden: true}\n# requirements:", "sets generate: False itself"),
    ("# requirements:", "# show_points: true\n# requirements:", "show_points is unknown"),
    ("# requirements:", "# tests: {ok_format: true}\n# requirements:", "sets tests"),
    ("# requirements:", "# name: other\n# requirements:", "the name is 'other'"),
    ('print("a plot"', 'answer = 42  # SOLUTION\nprint("a plot"', "outside a solution block"),
    ('print("a plot"', '# ignore the next line\nprint("a plot"', "drops a cell"),
    ('print("a plot"', 'x = 1  # SEED\nprint("a plot"', "for a command"),
    ("    # END SOLUTION\n\n# %% [raw]", "\n# %% [raw]", "has no end"),
    ('""" # BEGIN PROMPT\nconcepts = {"axis": None}\n""" # END PROMPT\n', "", "has no prompt"),
    ('    """Twice `x`, any shape."""\n', "", "double has no docstring"),
    ("# name: scale\n", "# name: scale\n# points: 3\n", "has the keys points"),
    ("# name: scale\n", "# name: scales\n", "no question scales"),
    ("# manual: true\n", "", "essay is written in grading.yml"),
    ("# %% [raw]\n# # END QUESTION\n\n# %% tags", "# %% tags", "begins inside another"),
    (
        "# %% [raw]\n# # END QUESTION\n\n# %% tags",
        "# %% [raw]\n# # BEGIN TESTS\n\n# %% tags",
        "a test stands in the master",
    ),
    ("<!-- handout: axis_choice -->", "", "announces the hidden check axis_choice"),
    ("<!-- handout: axis_choice -->", "<!-- handout: axis_choice, axes -->", "announces axes"),
    ("figures/square.svg", "figures/circle.svg", "does not exist"),
    ("![a white square]", "![]", "a picture without a text"),
    ("def double(x):", "def doubled(x):", "defines no double"),
    ("# %% [markdown]\n# Write.", "# %%[markdown]\n# Write.", "`# %%[markdown]` begins no cell"),
    ('# %% tags=["given"]', "# %%", "calls softmax given, but no given cell defines it"),
]


@pytest.mark.parametrize(("old", "new", "told"), MASTER_TRAPS, ids=[told for *_, told in MASTER_TRAPS])
def test_each_trap_in_a_master_is_named_with_its_line(root: Path, old: str, new: str, told: str) -> None:
    change(root / "solutions/mini/lab.py", old, new)
    with pytest.raises(BuildError, match=re.escape(told)) as caught:
        built(root)
    assert re.search(rf"^solutions/mini/lab\.py(:\d+)?: [^\n]*{re.escape(told)}", str(caught.value), re.M)


@pytest.mark.parametrize(
    "text", [b"", "# %% [markdown]\n# naïve\n".encode("latin-1"), b"# %% [raw]\n# # ASSIGNMENT CONFIG\n# a: b: c\n"]
)
def test_a_master_that_is_none_is_told_of(root: Path, text: bytes) -> None:
    (root / "solutions/mini/lab.py").write_bytes(text)
    with pytest.raises((BuildError, MasterError), match=r"lab\.py.*\. \w+"):
        built(root)


def test_a_misconception_without_a_hint_is_named(root: Path) -> None:
    cases = root / "solutions/mini/misconceptions/scale.py"
    cases.write_text("# %% halves\ndef double(x):\n    return x / 2\n\n# %% odd unnamed\ndouble = None\n")
    told = r"solutions/mini/misconceptions/scale\.py: the misconception halves has no hint"
    with pytest.raises(BuildError, match=told) as caught:
        built(root)
    assert "odd" not in str(caught.value)


def test_a_suite_may_begin_with_a_byte_order_mark(root: Path) -> None:
    suite = root / "tests/public/mini/test_scale.py"
    suite.write_bytes(b"\xef\xbb\xbf" + suite.read_bytes())
    built(root)


TEST_TRAPS = [
    ('"""Twice [1, 2] is [2, 4]."""', "'''Twice \"one\" is two.'''", "holds a quote"),
    ('"""Twice [1, 2] is [2, 4]."""\n', "pass\n", "has no docstring"),
    ("def test_worked_example(double):", "def test_worked_example(double, n=3):", "has defaults"),
    ("def test_worked_example(double):", "def test_worked_example(env):", "asks for env"),
    ("def test_worked_example(double):", "# a hidden thing\ndef test_worked_example(double):", "says hidden"),
    ("    import numpy as np\n\n    assert double", "    assert double", "uses np"),
    (
        "    import numpy as np\n\n    assert double",
        "    import pytest, numpy as np\n\n    assert double",
        "imports pytest",
    ),
    ('"""Public checks."""\n', "import numpy as np\n", "outside the test functions"),
]


@pytest.mark.parametrize(("old", "new", "told"), TEST_TRAPS, ids=[told for *_, told in TEST_TRAPS])
def test_each_trap_in_a_public_test_is_named_with_its_line(root: Path, old: str, new: str, told: str) -> None:
    change(root / "tests/public/mini/test_scale.py", old, new)
    with pytest.raises(BuildError, match=rf"tests/public/mini/test_scale\.py:\d+: [^\n]*{re.escape(told)}"):
        built(root)


def test_a_line_number_is_the_files_own(root: Path) -> None:
    path = root / "solutions/mini/lab.py"
    change(path, 'print("a plot"', 'answer = 42  # SOLUTION\nprint("a plot"')
    line = path.read_text().split("\n").index("answer = 42  # SOLUTION") + 1
    with pytest.raises(BuildError, match=rf"lab\.py:{line}:"):
        built(root)
