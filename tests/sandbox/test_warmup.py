"""What is done before the fork saves workers time, and changes nothing that a notebook can see."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from autograder.sandbox import linux, warmup
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


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be asked")
def test_memory_holds_the_same_on_large_pages_as_on_small_ones() -> None:
    data = bytearray(os.urandom(4096) * 2048)
    copy = bytes(data)
    warmup.use_large_pages()
    assert data == copy


def test_a_kernel_without_large_pages_is_no_hindrance(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def refused(*area: int) -> None:
        asked.append(area)
        raise OSError(errno.EINVAL, "no such advice")

    monkeypatch.setattr(linux, "madvise", refused)
    warmup.use_large_pages()
    assert bool(asked) == Path("/proc/self/maps").exists()
