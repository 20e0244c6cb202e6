"""Which modules a submission imports, and the warm process that has them."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from autograder import warm
from autograder.classroom import Grader, LostError, Task
from autograder.course import Limits, load_course
from autograder.errors import SandboxError
from autograder.grade import Judge
from autograder.submission import Cell
from autograder.warm import LONGEST, Zygotes, slow_imports
from tests.conftest import submission
from tests.toy import COURSE, POINTS, RIGHT, notebook

WITH_TORCH = "import torch"
LOADED = "import sys; print('torch' in sys.modules)"


def imports(source: str, kind: str = "code", *tags: str) -> bool:
    return slow_imports([Cell(0, source, tags, kind)]) == ("torch",)  # type: ignore[arg-type]


# --- what is imported -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "import torch",
        "import numpy as np, torch as t",
        "import torch.nn.functional as F",
        "from torch import nn",
        "from torch.nn import (\n    functional,\n)",
        "def gelu(x):\n    import torch\n    return torch.tanh(x)",
        "try:\n    import torch\nexcept ImportError:\n    torch = None",
        "%matplotlib inline\n!pip install torch\nimport torch",
        "if True:\n    %pip install torch\n    import torch",
    ],
)
def test_imports_are_found_wherever_they_stand(source: str) -> None:
    assert imports(source)


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np",
        "# import torch",
        'text = """\nimport torch\n"""',
        "import torchvision",
        "from .torch import nn",
        "from mine import torch",
        "torch = __import__('torch')",
        "%%writefile mine.py\nimport torch",
        "import torch\ndef broken(:",
        "torch.relu = 'import\0'",
    ],
)
def test_what_is_no_import_of_python_code_does_not_count(source: str) -> None:
    assert not imports(source)


def test_cells_that_are_not_run_do_not_count() -> None:
    assert not imports(WITH_TORCH, "markdown")
    assert not imports(WITH_TORCH, "code", "otter_ignore")


@pytest.mark.parametrize(
    "odd",
    ["a" + ".b" * 40_000, "-" * 90_000 + "1", "1+" * 40_000 + "1", "(" * 90_000, "lambda:" * 10_000 + "1", "'\ud800'"],
)
def test_code_that_is_made_to_trip_the_parser_does_not(odd: str) -> None:
    assert not imports(f"import torch\n{odd}")


def test_what_is_warm_already_is_not_looked_for() -> None:
    assert slow_imports([Cell(0, WITH_TORCH, (), "code")], ["numpy", "torch"]) == ()


def test_endless_cells_are_not_searched() -> None:
    assert not imports(WITH_TORCH + "\n" * LONGEST)


def test_odd_escapes_are_told_to_nobody(recwarn: pytest.WarningsRecorder) -> None:
    assert imports("import torch\nx = '\\d'")
    assert not recwarn.list


# --- the warm processes ---------------------------------------------------------------------------------------------


class Started:
    """Stands for a zygote; `broken` are modules that it cannot import."""

    broken: frozenset[str] = frozenset()

    def __init__(self, modules: tuple[str, ...], uid: int | None = None) -> None:
        if self.broken & set(modules):
            raise SandboxError("it has ended")
        self.modules = modules
        self.closed = False

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def zygotes(monkeypatch: pytest.MonkeyPatch) -> Zygotes:
    monkeypatch.setattr(warm, "Zygote", Started)
    monkeypatch.setattr(warm, "find_spec", lambda name: True)
    return Zygotes(("numpy",))


def fit_for(zygotes: Zygotes, *sources: str) -> Any:
    return zygotes.fit_for(submission(*sources).cells)


def test_each_is_started_when_it_is_first_needed_and_stays(zygotes: Zygotes) -> None:
    assert list(zygotes) == []
    with_torch = fit_for(zygotes, WITH_TORCH)
    assert list(zygotes) == [with_torch]
    without = fit_for(zygotes, "import numpy")
    assert (with_torch.modules, without.modules) == (("numpy", "torch"), ("numpy",))
    assert fit_for(zygotes, "import numpy", "from torch import nn") is with_torch
    assert fit_for(zygotes) is without
    zygotes.close()
    assert with_torch.closed and without.closed


def test_what_the_lab_imports_anyway_needs_no_other(zygotes: Zygotes) -> None:
    of_a_torch_lab = Zygotes(("numpy", "torch"))
    assert fit_for(of_a_torch_lab, WITH_TORCH) is fit_for(of_a_torch_lab)


def test_what_is_not_installed_needs_no_other(zygotes: Zygotes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "find_spec", lambda name: None)
    assert fit_for(zygotes, WITH_TORCH) is fit_for(zygotes)


def test_a_module_that_is_broken_here_costs_nobody_a_grade(zygotes: Zygotes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Started, "broken", frozenset({"torch"}))
    without = fit_for(zygotes)
    assert fit_for(zygotes, WITH_TORCH) is without


def test_without_the_labs_own_modules_there_is_none(zygotes: Zygotes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Started, "broken", frozenset({"numpy"}))
    with pytest.raises(SandboxError):
        fit_for(zygotes)


# --- grading in them ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    pytest.importorskip("torch")
    lab = load_course(COURSE).labs["toy"]
    judge = Judge(msgspec.structs.replace(lab, limits=Limits(cell_seconds=60)))  # time to import it in a cell
    yield judge
    judge.close()


def test_only_who_imports_a_module_finds_it_loaded(judge: Judge) -> None:
    judge.grade(submission(LOADED, *RIGHT))
    assert judge.output[0] == "False\n"
    judge.grade(submission(LOADED, *RIGHT, WITH_TORCH))
    assert judge.output[0] == "True\n"
    judge.grade(submission(LOADED, *RIGHT))
    assert judge.output[0] == "False\n"


SPOILT = "torch.set_default_dtype(torch.float64); torch.set_grad_enabled(False); torch.manual_seed(7)"
ON_TENSORS = """
import torch

def center(x):
    t = torch.from_numpy(x)
    return {}

def wave(x):
    noise = torch.rand(3) * 0 + torch.zeros(1).element_size() / 4 - 1
    return torch.from_numpy(x * np.tanh(0.7390851332 * x) + halve(x)) + noise[0]
"""


@pytest.mark.parametrize(
    "center", ["t - t.mean(-1, keepdim=True)", "(t - t.max()).numpy() + torch.rand(1).numpy()", "t.no_such_method()"]
)
def test_the_marks_are_those_of_a_process_that_imports_it_by_itself(
    judge: Judge, monkeypatch: pytest.MonkeyPatch, center: str
) -> None:
    """With the same words to the student, whatever the notebook has done to the module's own state."""
    work = submission(*RIGHT, ON_TENSORS.format(center), SPOILT)
    here = judge.grade(work)
    monkeypatch.setattr(warm, "SLOW", ())
    there = judge.grade(work)
    assert here.cells == []
    assert told(here) == told(there)


def told(grade: Any) -> list[Any]:
    checks = [check for question in grade.questions for check in question.checks]
    return [grade.score, grade.cells, grade.notes, grade.warnings] + [
        (check.name, check.status, check.score, check.message, check.misconception) for check in checks
    ]


def test_one_that_has_ended_is_replaced(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    path = tmp_path / "hw.ipynb"
    path.write_bytes(notebook(*RIGHT, WITH_TORCH))
    with Grader(load_course(COURSE)) as grader:
        assert grader.grade(Task("hw.ipynb", path, None)).score == POINTS
        (zygote,) = grader.judge("toy").zygotes
        zygote._process.kill()
        with pytest.raises(LostError):
            grader.grade(Task("hw.ipynb", path, None))
        assert grader.grade(Task("hw.ipynb", path, None)).score == POINTS


def test_memory_is_bounded_alike(judge: Judge) -> None:
    """What a notebook may have comes on top of what its process has before it."""
    take = "import numpy as np\nheld = np.ones(64 * 2**20)\nprint('had')\nmore = np.ones(512 * 2**20)"
    for cells in ((take,), (WITH_TORCH, take)):
        grade = judge.grade(submission(*cells, *RIGHT))
        assert [cell.index for cell in grade.cells] == [len(cells) - 1]
        assert judge.output[len(cells) - 1] == "had\n"


def test_a_warm_process_whose_judge_is_gone_already_ends_in_peace() -> None:
    ours, theirs = socket.socketpair()
    ours.close()
    with theirs:
        command = [sys.executable, "-I", "-m", "autograder.sandbox.zygote", str(theirs.fileno())]
        done = subprocess.run(command, pass_fds=[theirs.fileno()], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
