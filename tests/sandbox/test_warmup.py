"""What is done before the fork saves workers time, and changes nothing that a notebook can see."""

from __future__ import annotations

import os
import sys

import pytest

from autograder.sandbox import warmup
from autograder.sandbox.shell import CellShell
from autograder.sandbox.worker import Worker


def test_a_rehearsal_leaves_no_name_and_no_stream_behind() -> None:
    shell = CellShell()
    before = dict(shell.user_ns), sys.stdin, sys.stdout, sys.stderr, os.getcwd(), dict(os.environ)
    warmup.rehearse(shell)
    assert (dict(shell.user_ns), sys.stdin, sys.stdout, sys.stderr, os.getcwd(), dict(os.environ)) == before
    assert list(shell.user_ns) == list(before[0])
    assert (shell.ledger, shell.began, shell.notes, shell.missing) == (None, None, [], set())


def test_all_that_is_rehearsed_goes_well(monkeypatch: pytest.MonkeyPatch) -> None:
    replies = []
    answer = Worker.answer
    monkeypatch.setattr(Worker, "answer", lambda self, request: replies.append(answer(self, request)) or replies[-1])
    warmup.rehearse(CellShell())
    one = [type(reply).__name__ for reply in replies[: len(warmup.small_notebook())]]
    assert one == ["CellRan"] * len(warmup.CELLS) + ["Ready", "Returned", "Returned", "Returned"]
    assert len(replies) == len(one) * warmup.REHEARSALS
    assert all(reply.error is None for reply in replies if hasattr(reply, "error"))
