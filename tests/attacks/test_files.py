"""Hostile files: what is handed in attacks whoever opens it, long before any cell is run."""

from __future__ import annotations

import io
import json
import os
import resource
import stat
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.submission import Rejected, find_submissions, read_submission

from .arena import as_notebook

NOTEBOOK = json.dumps(as_notebook(["x = 1"])).encode()


def zipped(*entries: tuple[str, bytes], mode: int = 0, comment: bytes = b"") -> bytes:
    """A zip with these entries; `mode` makes links and devices of them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = comment
        for name, content in entries:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = mode << 16
            archive.writestr(info, content)
    return packed.getvalue()


def claims_much(packed: bytes) -> bytes:
    """The same zip, whose directory promises four gigabytes of its first entry."""
    at = packed.rindex(b"PK\1\2") + 24
    return packed[:at] + b"\xf0\xff\xff\xff" + packed[at + 4 :]


HOSTILE: dict[str, Callable[[], bytes]] = {
    "climbs out of its folder": lambda: zipped(("../../escaped.ipynb", NOTEBOOK)),
    "names an absolute path": lambda: zipped(("/tmp/escaped.ipynb", NOTEBOOK)),
    "climbs out the Windows way": lambda: zipped(("..\\..\\escaped.ipynb", NOTEBOOK)),
    "is a link to the answers": lambda: zipped(("hw.ipynb", b"/etc/passwd"), mode=stat.S_IFLNK | 0o777),
    "is a device": lambda: zipped(("hw.ipynb", b""), mode=stat.S_IFBLK | 0o666),
    "unpacks to a gigabyte": lambda: zipped(("hw.ipynb", bytes(2**30))),
    "claims four gigabytes": lambda: claims_much(zipped(("hw.ipynb", b"{"))),
    "is a zip in a zip in a zip": lambda: zipped(("a.zip", zipped(("b.zip", zipped(("hw.ipynb", NOTEBOOK)))))),
    "holds sixty thousand entries": lambda: zipped(*((f"{n}", b"") for n in range(60_000))),
    "is a notebook of sixty megabytes": lambda: json.dumps(as_notebook(["x" * 60_000_000])).encode(),
    "is nested a million deep": lambda: b"[" * 1_000_000 + b"]" * 1_000_000,
    "has an endless number": lambda: b'{"cells": [], "nbformat": 4, "nbformat_minor": ' + b"9" * 1_000_000 + b"}",
    "has a million cells": lambda: json.dumps(as_notebook(["1"] * 1_000_000)).encode(),
    "has cells that are no cells": lambda: b'{"cells": [1, null, [], {"source": {"a": 1}}], "nbformat": 4}',
    "is nothing but zeros": lambda: bytes(10_000_000),
    "is a pickle": lambda: b"\x80\x04\x95\x1d\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94\x93\x94.",
}


@pytest.mark.parametrize("what", HOSTILE)
def test_it_is_read_or_refused_soon_and_nothing_else_happens(what, tmp_path, monkeypatch):
    work = tmp_path / "work"
    (work / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(work / "a" / "b")
    path = work / "hw.ipynb"
    path.write_bytes(HOSTILE[what]())
    before, memory = everything_below(tmp_path), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    try:
        submission = read_submission(path, "hw.ipynb")
        assert all(type(cell.source) is str for cell in submission.cells)
    except Rejected as reason:
        assert str(reason).isprintable()
        assert str(tmp_path) not in str(reason)
    assert time.process_time() - started < 30
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 1_000_000  # KiB
    assert everything_below(tmp_path) == before
    assert not Path("/tmp/escaped.ipynb").exists()


def everything_below(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*"))


def test_a_naive_unpacker_is_led_out_of_its_folder(tmp_path):
    """So that the attack above is one."""
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    with zipfile.ZipFile(io.BytesIO(HOSTILE["climbs out of its folder"]())) as archive:
        for name in archive.namelist():
            (inside / name).write_bytes(archive.read(name))
    assert (tmp_path / "escaped.ipynb").exists()


@pytest.mark.parametrize("name", ["pipe.ipynb", "link.ipynb", "folder.ipynb", "::error::x\n.ipynb", "-rf.ipynb"])
def test_odd_things_beside_the_notebooks_stop_nothing(name, tmp_path):
    target = tmp_path / "secret.txt"
    target.write_text("CANARY-OTHER")
    folder = tmp_path / "handed in"
    folder.mkdir()
    (folder / "good.ipynb").write_bytes(NOTEBOOK)
    path = folder / name
    {
        "pipe.ipynb": lambda: os.mkfifo(path),
        "link.ipynb": lambda: path.symlink_to(target),
        "folder.ipynb": path.mkdir,
    }.get(name, lambda: path.write_bytes(NOTEBOOK))()
    read = {}
    for file, found in find_submissions([folder], tmp_path / "out"):
        try:
            read[file] = read_submission(found, file).cells[0].source
        except Rejected as reason:
            assert "CANARY" not in str(reason)
    assert read["good.ipynb"] == "x = 1"
    assert all(file.isprintable() for file in read)
    assert "CANARY-OTHER" not in read.values()
