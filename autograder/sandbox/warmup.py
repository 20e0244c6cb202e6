"""What is done once in the warm process, so that no worker forked from it has to.

A worker shares all memory with the warm process until one of the two writes to a page: that page is then copied, which
takes longer than most of what is done with it. So what notebooks import is imported here, what workers run is run here
until nothing new comes of it, and what lies together is put on pages so large that a fork has few of them to enter.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import socket
import sys
from pathlib import Path

import numpy as np

from autograder.sandbox import codec, linux, wire
from autograder.sandbox.confine import prepare
from autograder.sandbox.shell import CellShell
from autograder.sandbox.state import GlobalState, seed_no_cards
from autograder.sandbox.worker import Names, Worker, install_otter_standin

REHEARSALS = 10
"""Python has fitted a function's code to what it meets after some nine calls."""

CELLS = (
    "import math\nfrom math import pi",
    '# A function\n\ndef given(*values, **named):\n    """What it is given."""\n    return values, named\n',
    "class Pair:\n    def __init__(self, left):\n        self.left = left\n",
    "answer = 0\nfor number in range(3):\n    answer += number\nprint(answer)\nanswer",
    "%time given(1)",
)


def warm(modules: list[str]) -> CellShell:
    """Import what the lab's notebooks import, and rehearse."""
    install_otter_standin()
    shell = CellShell.instance()
    for name in ("importlib.metadata", *modules):  # the labs' first cell asks for versions
        importlib.import_module(name)
    if "torch" in sys.modules:
        _warm_torch()
    seed_no_cards()
    rehearse(shell)
    prepare()
    gc.collect()
    gc.freeze()  # the collector must not touch, and so copy, pages that all workers share
    use_large_pages()
    return shell


def rehearse(shell: CellShell) -> None:
    """Serve a small notebook as a worker does, again and again, and leave no trace of it."""
    namespace, streams = dict(shell.user_ns), (sys.stdin, sys.stdout, sys.stderr)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for _ in range(REHEARSALS):
        judge, own = socket.socketpair()
        with judge, own, contextlib.suppress(EOFError):
            for request in small_notebook():
                wire.send(judge, request)
            judge.shutdown(socket.SHUT_WR)
            Worker(own, nowhere, shell, GlobalState(os.getcwd(), 1000), Names(["given"], ["answer"])).serve()
    os.close(nowhere)
    shell.ledger = shell.began = None
    shell.user_ns.clear()
    shell.user_ns.update(namespace)
    sys.stdin, sys.stdout, sys.stderr = streams


def small_notebook() -> list[wire.Request]:
    """A cell of each kind, and calls with a value of each kind."""
    array = np.zeros((2, 3))
    values = (array, [1, 2.5], ("text", True, None), {"key": array})
    arguments = codec.encode((values, {"named": codec.Tensor(array) if "torch" in sys.modules else array}))
    cells = [wire.RunCell(-1, source) for source in CELLS]
    return [
        *cells,
        wire.Rebuild(wire.code_of("pair = Pair(1)", "<given cells>")),
        *2 * [wire.Call("given", arguments)],
        wire.Fetch("answer"),
    ]


def use_large_pages() -> None:
    """Ask for pages of 2 MB instead of 4 KB where a whole one is in use: a fork enters each page anew.

    A kernel that cannot give any (before 6.1) leaves all as it is.
    """
    if not linux.SUPPORTED:
        return
    for line in Path("/proc/self/maps").read_text().splitlines():
        area, rights, _, _, _, *name = line.split()
        if rights == "rw-p" and name in ([], ["[heap]"]):
            start, end = (int(address, 16) for address in area.split("-"))
            with contextlib.suppress(OSError):
                linux.madvise(start, end - start, linux.MADV_COLLAPSE)


def _warm_torch() -> None:
    """One real training step: torch imports much of itself at first use."""
    import torch

    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Embedding(8, 8), torch.nn.LayerNorm(8), torch.nn.Linear(8, 8), torch.nn.GELU())
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3)
    loss = torch.nn.functional.cross_entropy(model(torch.arange(8)), torch.arange(8))
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
