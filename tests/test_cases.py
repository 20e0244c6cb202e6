"""Notebooks as they come in from a real class: what each kind of trouble costs, and what is said about it.

Each case is the right answers with one thing done to them. `loses` names the questions that lose points; all
others keep every one.
"""

import codecs
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from autograder.course import Lab, load_course
from autograder.grade import Judge
from autograder.master import read_master
from autograder.record import Grade
from autograder.submission import Rejected, read_submission

ROOT = Path(__file__).resolve().parents[1]
LAB = "numpy_block"
MASTER = read_master(ROOT / "solutions" / LAB / "lab.py")

Document = dict[str, Any]


def cell(source: str, kind: str = "code", **metadata: Any) -> Document:
    return {"cell_type": kind, "metadata": metadata, "source": source, "outputs": [], "execution_count": None}


def right_answers() -> Document:
    """The given cells, then one cell for each question."""
    sources = [MASTER.given_source(), *(MASTER.solution_source(name) for name in lab().questions)]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell(source) for source in sources]}


def lab() -> Lab:
    """The lab with short limits, so that hanging cases end soon."""
    lab = load_course(ROOT).labs[LAB]
    limits = msgspec.structs.replace(lab.limits, cell_seconds=1, call_seconds=1)
    questions = {name: msgspec.structs.replace(question, limits=limits) for name, question in lab.questions.items()}
    return msgspec.structs.replace(lab, limits=limits, questions=questions)


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    judge = Judge(lab())
    yield judge
    judge.close()


def answer(document: Document, name: str) -> Document:
    """The cell that defines a name."""
    (found,) = (c for c in document["cells"] if f"def {name}(" in c["source"])
    return found


Change = Callable[[Document], Any]


def added(source: str, at: int | None = None, kind: str = "code") -> Change:
    """A cell of the student's own, at the end or at a place."""
    return lambda document: document["cells"].insert(len(document["cells"]) if at is None else at, cell(source, kind))


def replaced(name: str, source: str) -> Change:
    return lambda document: answer(document, name).update(source=source)


def edited(name: str, old: str, new: str) -> Change:
    def edit(document: Document) -> None:
        source = answer(document, name)["source"]
        assert source.count(old) == 1
        answer(document, name)["source"] = source.replace(old, new)

    return edit


def behind(name: str, source: str) -> Change:
    """Lines added at the end of the cell that defines a name."""
    return lambda document: answer(document, name).update(source=answer(document, name)["source"] + "\n\n" + source)


def each_cell(**keys: Any) -> Change:
    return lambda document: [c.update(keys) for c in document["cells"]]


def metadata(**entries: Any) -> Change:
    return lambda document: document["metadata"].update(entries)


def all_of(*changes: Change) -> Change:
    return lambda document: [change(document) for change in changes]


def answers_in_a_class(document: Document) -> None:
    """All answers as static methods of one class, the names bound afterwards."""
    given, *answers = [c["source"] for c in document["cells"]]
    names, body, values = [], [], []
    for source in answers:
        if source.startswith("def "):
            names.append(source[4 : source.index("(")])
            body.append("    @staticmethod\n" + "\n".join("    " + line for line in source.splitlines()))
        else:
            values.append(source)
    bound = "\n".join(f"{name} = Answers.{name}" for name in names)
    document["cells"] = [cell(given), cell("class Answers:\n" + "\n\n".join(body)), cell(bound), *map(cell, values)]


RELU = "def gelu(x):\n    return np.maximum(x, 0)"


@dataclass(frozen=True)
class Case:
    """What is done to the right answers, what it costs, and words of the messages, notes or warnings."""

    change: Change
    loses: tuple[str, ...] = ()
    says: str = ""
    warns: str = ""


CASES = {
    # --- the form of the file: costs nothing ---
    "control": Case(lambda document: None),
    "every cell has the same id": Case(each_cell(id="same")),
    "a kernel that is not here": Case(
        metadata(kernelspec={"name": "conda-env-dl-py", "display_name": "Python (dl)", "language": "python"})
    ),
    "made in Colab": Case(
        all_of(
            metadata(accelerator="GPU", colab={"provenance": []}, kernelspec={"name": "python3"}),
            added("from google.colab import drive\ndrive.mount('/content/drive')", at=1),
        )
    ),
    "keys that an editor added": Case(each_cell(outputExpanded=True, vscode={"languageId": "python"})),
    "markdown and prose between": Case(added("# My notes", at=3, kind="markdown")),
    # --- cells that a script could not hold: cost nothing ---
    "help and shell syntax": Case(added("?np.tanh\nnp.sqrt??\n!echo hello\nfiles = !ls\n%pwd\n%timeit -n1 -r1 1 + 1")),
    "cell magics": Case(all_of(added("%%time\n1 + 1"), added("%%bash\necho hello"), added("%%capture out\nprint(1)"))),
    "an unknown magic": Case(added("%frobnicate\n1 + 1")),
    "top-level await": Case(added("import asyncio\nawait asyncio.sleep(0)")),
    "asyncio.run inside the loop": Case(added("import asyncio\nasync def f(): return 1\nasyncio.run(f())")),
    "pip install without a network": Case(
        added("%pip install --retries 0 --index-url http://127.0.0.1:9/ nothing", at=1)
    ),
    "input": Case(added("name = input('Your name? ')")),
    "a syntax error": Case(added("def broken(:\n    pass")),
    "a failing scratch cell in front": Case(added("undefined_name + 1", at=0)),
    # --- cells that end, hang or flood: cost only themselves ---
    "sys.exit": Case(added("import sys\nsys.exit()", at=4)),
    "os._exit": Case(added("import os\nos._exit(0)", at=4), says="ended Python"),
    "a signal to itself": Case(
        added("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", at=4), says="ended Python"
    ),
    "endless": Case(added("while True:\n    pass", at=4), says="too long"),
    "endless without interrupts": Case(
        added(
            "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
            at=4,
        ),
        says="too long",
    ),
    "sleeps": Case(added("import time\ntime.sleep(600)"), says="too long"),
    "a thread left running": Case(
        added(
            "import itertools, threading\nthreading.Thread(target=lambda: list(map(print, itertools.count()))).start()",
            at=2,
        )
    ),
    "a flood of output": Case(added("for i in range(400_000):\n    print('line', i)", at=3)),
    "a download": Case(added("import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/corpus.txt')", at=1)),
    "a device that is not here": Case(added("import torch\ntorch.ones(1, device='mps')", at=1)),
    "a window that is not here": Case(
        added("import matplotlib\nmatplotlib.use('TkAgg')\nimport matplotlib.pyplot", at=1)
    ),
    # --- what becomes of names: costs nothing ---
    "builtins rebound": Case(added("sum = max = len = range = float = print = None\nlist = dict = 3")),
    "builtins themselves rebound": Case(added("import builtins\nbuiltins.sum = builtins.max = lambda *a, **k: 42")),
    "star imports": Case(added("from numpy import *\nfrom math import *")),
    "a library rebound": Case(added("np = 'numbers'\nsoftmax = None")),
    "a value under an answer's name": Case(added("gelu = [1.0, 2.0]\nfor layer_norm in range(3):\n    pass")),
    "names deleted": Case(added("del gelu, layer_norm")),
    "reset at the end": Case(added("%reset -f")),
    "answers in a class": Case(answers_in_a_class),
    "global state": Case(
        added(
            "import random\nnp.random.seed(0); random.seed(0)\nnp.seterr(all='raise'); np.set_printoptions(precision=1)"
        )
    ),
    "stdout replaced": Case(added("import sys, io\nsys.stdout = sys.stderr = io.StringIO()", at=1)),
    "the working folder left": Case(added("import os\nos.mkdir('data'); os.chdir('data')", at=1)),
    "the template's raise behind the answer": Case(behind("gelu", "raise NotImplementedError")),
    # --- one answer is missing or wrong: costs that one ---
    "an answer in a raw cell": Case(
        lambda document: answer(document, "stack_forward").update(cell_type="raw"), ("stack",), "raw cell"
    ),
    "an answer in a markdown cell": Case(
        lambda document: answer(document, "stack_forward").update(cell_type="markdown"), ("stack",), "markdown cell"
    ),
    "%%timeit over an answer": Case(edited("gelu", "def gelu", "%%timeit\ndef gelu"), ("gelu",), "%%timeit"),
    "Ellipsis for a body and for a name": Case(
        all_of(replaced("gelu", "def gelu(x):\n    ..."), replaced("stack_forward", "stack_forward = ...")),
        ("gelu", "stack"),
        "is Ellipsis, not a function",
    ),
    "tabs and spaces": Case(
        replaced("zeroed_params", "def zeroed_params(p):\n\tq = dict(p)\n        return q"),
        ("identity",),
        "did not run",
    ),
    "another name": Case(edited("layer_norm", "def layer_norm", "def layernorm"), ("layer_norm",), "`layernorm`"),
    "a wrong copy at the end": Case(added(RELU), ("gelu",)),
    "a constant whose cell was deleted": Case(
        replaced("gelu", "def gelu(x):\n    return 0.5 * x * (1 + np.tanh(C_GELU * (x + 0.044715 * x**3)))"),
        ("gelu",),
        "name 'C_GELU' is not defined",
    ),
    "an endless answer": Case(
        replaced("rms_norm", "def rms_norm(x, gamma, eps=1e-5):\n    while True: pass"), ("rms_norm",)
    ),
    "an answer that ends Python": Case(
        replaced("rms_norm", "import os\ndef rms_norm(x, gamma, eps=1e-5):\n    os._exit(0)"), ("rms_norm",)
    ),
    "sys.exit in an answer": Case(
        replaced("rms_norm", "import sys\ndef rms_norm(x, gamma, eps=1e-5):\n    sys.exit()"), ("rms_norm",)
    ),
    # --- cheating: earns nothing, and a person is told ---
    "comparison patched": Case(
        all_of(
            replaced("gelu", RELU),
            added(
                "np.allclose = np.array_equal = lambda *a, **k: True\nnp.testing.assert_allclose = lambda *a, **k: None"
            ),
        ),
        ("gelu",),
        warns="look at it",
    ),
    "results written": Case(
        all_of(replaced("gelu", RELU), added("open('results.json', 'w').write('{\"score\": 100}')")),
        ("gelu",),
        warns="look at it",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_a_kind_of_notebook_costs_and_is_told(judge: Judge, tmp_path: Path, name: str) -> None:
    case, document = CASES[name], right_answers()
    case.change(document)
    grade = graded(judge, tmp_path / "hw.ipynb", json.dumps(document).encode())
    assert lost(grade) == set(case.loses)
    assert case.says in told(grade)
    assert case.warns in " ".join(grade.warnings)


def zipped(**entries: bytes) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return memory.getvalue()


RIGHT = json.dumps(right_answers(), ensure_ascii=False).encode()
ACCENTED = RIGHT.replace(b"import numpy as np", "import numpy as np  # résumé à Noël".encode(), 1)

FILES = {
    "n28 hw (1).ipynb": RIGHT,
    "-rf.ipynb": RIGHT,
    "$(touch x); 'a' \"b\" *.ipynb": RIGHT,
    "utf8_mark.ipynb": codecs.BOM_UTF8 + RIGHT,
    "utf16.ipynb": ACCENTED.decode().encode("utf-16"),
    "latin1.ipynb": ACCENTED.decode().replace("·", "-").encode("latin-1", "replace"),
    "crlf.ipynb": json.dumps(right_answers(), indent=1).replace("\n", "\r\n").encode(),
    "lines with crlf.ipynb": RIGHT.replace(b"\\n", b"\\r\\n"),
    "renamed by the browser.ipynb.txt": RIGHT,
    "mac.zip": zipped(**{"hw/hw.ipynb": RIGHT, "__MACOSX/hw/._hw.ipynb": b"\0\5\x16\7", "hw/.DS_Store": b"Bud1"}),
    "zip in zip.zip": zipped(**{"hw.zip": zipped(**{"hw.ipynb": RIGHT})}),
    "escape.zip": zipped(**{"../../tests/q1.py": b"print(1)", "hw.ipynb": RIGHT}),
}


@pytest.mark.parametrize("name", FILES)
def test_forms_of_a_file_cost_nothing(judge: Judge, tmp_path: Path, name: str) -> None:
    grade = graded(judge, tmp_path / name, FILES[name])
    assert lost(grade) == set()
    assert (grade.file, grade.score) == (name, grade.possible)


def test_an_entry_that_escapes_a_zip_is_never_written(judge: Judge, tmp_path: Path) -> None:
    grade = graded(judge, tmp_path / "escape.zip", FILES["escape.zip"])
    assert "../../tests/q1.py" in grade.warnings[0]
    assert [path.name for path in tmp_path.iterdir()] == ["escape.zip"]


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (RIGHT[: len(RIGHT) // 2], "not a readable notebook"),
        (MASTER.reference_source().encode(), "not JSON"),
    ],
    ids=["cut off", "a script"],
)
def test_what_cannot_be_read_is_refused_clearly(tmp_path: Path, raw: bytes, words: str) -> None:
    (tmp_path / "hw.ipynb").write_bytes(raw)
    with pytest.raises(Rejected, match=words):
        read_submission(tmp_path / "hw.ipynb")


def graded(judge: Judge, path: Path, raw: bytes) -> Grade:
    path.write_bytes(raw)
    return judge.grade(read_submission(path))


def lost(grade: Grade) -> set[str]:
    return {question.name for question in grade.questions if question.score != question.possible}


def told(grade: Grade) -> str:
    checks = [check.message for question in grade.questions for check in question.checks]
    return " ".join([*checks, *grade.notes, *(cell.message for cell in grade.cells)])
