"""Writes the sample classes, one a lab: the handout, filled in as students of many kinds would.

    python tests/submissions/make.py

Answers come from the lab's master, slips from the table at the end. Each notebook stands there with the
points that it loses, and `tests/test_sample_class.py` grades them all. The same sources give the same bytes.
"""

from __future__ import annotations

import ast
import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from autograder.course import load_course
from autograder.master import Master, answer, read_master

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
LABS = load_course(ROOT).labs


@cache
def master(lab: str) -> Master:
    return read_master(LABS[lab].master)


def points(lab: str) -> dict[str, int]:
    """Question -> points that are marked automatically."""
    return {name: question.points for name, question in LABS[lab].questions.items() if question.kind == "auto"}


class Work:
    """One student's copy of a lab's handout, without its figures: they would be most of the bytes."""

    def __init__(self, lab: str = "numpy_block") -> None:
        handout = (ROOT / "assignments" / lab / f"{lab}.ipynb").read_text(encoding="utf-8")
        self.lab = lab
        self.document: dict[str, Any] = json.loads(re.sub(r"data:image/[^)\\]*", "", handout))

    @property
    def cells(self) -> list[dict[str, Any]]:
        cells: list[dict[str, Any]] = self.document["cells"]
        return cells

    def solve(self, *questions: str) -> Work:
        """Write the right answers to these questions, or to all."""
        for cell in master(self.lab).cells:
            if cell.is_solution and cell.question in (questions or points(self.lab)):
                self.write(answer(cell.source).strip("\n"))
        return self

    def write(self, source: str) -> Work:
        """Put a source into the cell that defines the same names."""
        self._cell(_defined(source))["source"] = source.splitlines(keepends=True)
        return self

    def slip(self, name: str, right: str, wrong: str) -> Work:
        """Change the answer that defines `name` in one place."""
        source = "".join(self._cell({name})["source"])
        if source.count(right) != 1:
            raise ValueError(f"{name}: {right!r} stands {source.count(right)} times in the answer, not once")
        return self.write_over(name, source.replace(right, wrong))

    def write_over(self, name: str, source: str) -> Work:
        """Put a source into the cell that defines `name`, whatever it defines itself."""
        self._cell({name})["source"] = source.splitlines(keepends=True)
        return self

    def scratch(self, source: str, after: str | None = None) -> Work:
        """Add a cell of the student's own at the end, or behind the one that defines `after`."""
        place = self.cells.index(self._cell({after})) + 1 if after else len(self.cells)
        cell: dict[str, Any] = {"cell_type": "code", "id": f"own-{place}", "metadata": {}, "outputs": []}
        cell |= {"execution_count": None, "source": source.splitlines(keepends=True)}
        self.cells.insert(place, cell)
        return self

    def bytes(self, indent: int = 1) -> bytes:
        return (json.dumps(self.document, indent=indent, ensure_ascii=False) + "\n").encode()

    def _cell(self, names: set[str]) -> dict[str, Any]:
        found = [cell for cell in self.cells if names <= _defined("".join(cell["source"]), cell["cell_type"])]
        if len(found) != 1:
            raise ValueError(f"{len(found)} cells of the handout define {', '.join(sorted(names))}, not one")
        return found[0]


def _defined(source: str, kind: str = "code") -> set[str]:
    """The names that a code cell binds at its top level by def, class or assignment."""
    try:
        body = ast.parse(source).body if kind == "code" else []
    except SyntaxError:
        return set()
    names = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in body:
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


@dataclass(frozen=True)
class Student:
    """A notebook of the class: how it comes about, and the points it loses by question; None if refused."""

    make: Callable[[], Work | bytes]
    loses: dict[str, int] | None = field(default_factory=dict)

    def bytes(self) -> bytes:
        made = self.make()
        return made if isinstance(made, bytes) else made.bytes()


def all_right(lab: str = "numpy_block") -> Work:
    return Work(lab).solve()


def in_colab() -> Work:
    work = all_right().scratch("from google.colab import drive\ndrive.mount('/content/drive')", after="demo")
    work.document["metadata"] |= {
        "accelerator": "GPU",
        "colab": {"provenance": [], "toc_visible": True},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
    }
    work.document["nbformat_minor"] = 0
    for number, cell in enumerate(work.cells):
        cell["metadata"]["id"] = cell.pop("id", f"own-{number}")
    return work


def zipped_on_a_mac() -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (
            ("numpy_block/numpy_block.ipynb", all_right().bytes()),
            ("__MACOSX/numpy_block/._numpy_block.ipynb", b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        "),
            ("numpy_block/.DS_Store", b"\x00\x00\x00\x01Bud1"),
        ):
            archive.writestr(zipfile.ZipInfo(name, (2025, 1, 31, 12, 0, 0)), content)
    return memory.getvalue()


def in_conflict() -> bytes:
    return all_right().bytes().replace(b'\n "metadata": {', b'\n<<<<<<< HEAD\n "metadata": {', 1)


POINTS = points("numpy_block")

NUMPY_BLOCK = {
    "perfect.ipynb": Student(all_right),
    "half.ipynb": Student(
        lambda: Work().solve("layer_norm", "rms_norm", "gelu", "feed_forward", "attention", "identity"),
        {name: POINTS[name] for name in ("block", "post_norm", "stack", "final_norm", "depth", "concepts")},
    ),
    "untouched.ipynb": Student(Work, POINTS),
    # --- one thing misunderstood ---
    "sample variance.ipynb": Student(
        lambda: all_right().slip("layer_norm", "np.mean((x - mean) ** 2, axis=-1,", "np.var(x, axis=-1, ddof=1,"),
        {"layer_norm": 6},
    ),
    "relu.ipynb": Student(lambda: all_right().write("def gelu(x):\n    return np.maximum(x, 0)"), {"gelu": 4}),
    "scale.ipynb": Student(
        lambda: all_right().slip("multi_head_attention_forward", "np.sqrt(hs)", "np.sqrt(C)"),
        {"attention": 5},
    ),
    "second residual.ipynb": Student(
        lambda: all_right().slip("transformer_block_forward", "return x + feed", "return normed + feed"),
        {"block": 7},
    ),
    "pre-norm twice.ipynb": Student(
        lambda: all_right().write("def post_norm_block_forward(x, p):\n    return transformer_block_forward(x, p)"),
        {"post_norm": 8},
    ),
    "in place.ipynb": Student(
        lambda: all_right().slip("transformer_block_forward", "x = x + multi", "x += multi"), {"block": 1}
    ),
    # --- trouble while running ---
    "renamed.ipynb": Student(
        lambda: all_right().write_over(
            "layer_norm", master("numpy_block").solution_source("layer_norm").replace("layer_norm", "layernorm")
        ),
        {"layer_norm": 8},
    ),
    "endless.ipynb": Student(
        lambda: all_right().write("def rms_norm(x, gamma, eps=1e-5):\n    while True:\n        pass"),
        {"rms_norm": 3},
    ),
    "exit.ipynb": Student(lambda: all_right().scratch("import os\nos._exit(0)", after="gelu")),
    "reset.ipynb": Student(
        lambda: all_right().scratch("from math import *\nlayer_norm = sqrt(2)\n%reset -f").scratch("!ls\n?print")
    ),
    # --- forms of a file ---
    "bom and crlf.ipynb": Student(lambda: b"\xef\xbb\xbf" + all_right().bytes().replace(b"\n", b"\r\n")),
    "numpy_block (1).ipynb": Student(in_colab),
    "doejane_24681_135792_numpy_block-1.zip": Student(zipped_on_a_mac),
    "conflict.ipynb": Student(in_conflict, None),
    "truncated.ipynb": Student(lambda: all_right().bytes()[:40_000], None),
}


# What a scratch cell may do to torch, to no effect on any mark.
TORCH_UPSET = """torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.set_num_threads(8)
torch.set_default_device("meta")
torch.ones(1).cuda()"""

TORCH_BLOCK = {
    "perfect.ipynb": Student(lambda: all_right("torch_block")),
    "untouched.ipynb": Student(lambda: Work("torch_block"), points("torch_block")),
    "upset.ipynb": Student(lambda: all_right("torch_block").scratch(TORCH_UPSET)),
    "never capped.ipynb": Student(
        lambda: all_right("torch_block").write(
            "def warmup_scale(step, warmup):\n    return (step + 1) / warmup if warmup else 1.0"
        ),
        {"warmup": 1},
    ),
    "entropy in bits.ipynb": Student(
        lambda: all_right("torch_block").write(
            "def unigram_baseline(train_ids, vocab_size):\n"
            "    p = np.bincount(np.asarray(train_ids), minlength=vocab_size) / len(train_ids)\n"
            "    return -sum(q * np.log2(q) for q in p if q)"
        ),
        {"baseline": 4},
    ),
}

BLOCK_BACKWARD = {
    "perfect.ipynb": Student(lambda: all_right("block_backward")),
    "untouched.ipynb": Student(lambda: Work("block_backward"), points("block_backward")),
    "forward differences.ipynb": Student(
        lambda: all_right("block_backward").write(
            "def numerical_gradient(f, x, step=1e-5):\n"
            "    gradient = np.zeros(x.shape)\n"
            "    for place in np.ndindex(x.shape):\n"
            "        moved = x.copy()\n"
            "        moved[place] += step\n"
            "        gradient[place] = (f(moved) - f(x)) / step\n"
            "    return gradient"
        ),
        {"numerical": 1},
    ),
    "moments as constants.ipynb": Student(
        lambda: all_right("block_backward").write(
            "def layer_norm_backward(dout, x, gamma, eps=1e-5):\n"
            "    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)\n"
            "    normed = (x - mean) / np.sqrt(var + eps)\n"
            "    axes = tuple(range(x.ndim - 1))\n"
            "    return dout * gamma / np.sqrt(var + eps), (dout * normed).sum(axes), dout.sum(axes)"
        ),
        {"norm": 4},
    ),
}

CLASSES = {"numpy_block": NUMPY_BLOCK, "torch_block": TORCH_BLOCK, "block_backward": BLOCK_BACKWARD}


def main() -> None:
    for lab, students in CLASSES.items():
        folder = HERE / lab
        folder.mkdir(exist_ok=True)
        for name, student in students.items():
            (folder / name).write_bytes(student.bytes())
        print(f"{len(students)} submissions in {folder.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
