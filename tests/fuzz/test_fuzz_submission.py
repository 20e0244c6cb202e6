"""Whatever bytes are handed in, reading gives a `Submission` or `Rejected`, bounded and always the same."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder.notebook import MAX_CELLS, MAX_TEXT, read_notebook
from autograder.submission import Rejected, read_submission, student_name

bounded = settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
)
sources = st.text() | st.lists(st.text()) | values
cells = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | values,
        "source": sources,
        "input": sources,
        "metadata": st.fixed_dictionaries({"tags": st.lists(st.text()) | values}) | values,
        "outputs": values,
        "id": values,
    },
)
notebooks = st.fixed_dictionaries(
    {},
    optional={
        "cells": st.lists(cells | values, max_size=6) | values,
        "worksheets": st.lists(st.fixed_dictionaries({"cells": st.lists(cells)}) | values, max_size=2) | values,
        "metadata": st.fixed_dictionaries({"otter": values, "autograder": values}) | values,
        "nbformat": values,
    },
)
encodings = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252"])


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A notebook, or nearly one: any encoding, then perhaps a few bytes lost, changed or added."""
    text = json.dumps(draw(notebooks), ensure_ascii=draw(st.booleans()), indent=draw(st.none() | st.just(1)))
    raw = bytearray(text.encode(draw(encodings), "replace"))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(raw)))
        raw[at : at + draw(st.integers(0, 8))] = draw(st.binary(max_size=8))
    return bytes(raw)


@st.composite
def zips(draw: st.DrawFn) -> bytes:
    """A zip, or nearly one."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", compression=draw(st.sampled_from([0, 8, 12, 14]))) as archive:
        for name in draw(st.lists(names, max_size=5, unique=True)):
            info = zipfile.ZipInfo(name)
            info.external_attr = draw(st.integers(0, 2**32 - 1))
            archive.writestr(info, draw(files()))
    raw = bytearray(memory.getvalue())
    for _ in range(draw(st.integers(0, 3))):
        raw[draw(st.integers(0, len(raw) - 1))] = draw(st.integers(0, 255))
    return bytes(raw)


names = st.sampled_from(["hw.ipynb", "a/b.ipynb", "../x.ipynb", "/x.ipynb", "__MACOSX/._hw.ipynb", "hw.zip"]) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20
).filter(lambda name: "\0" not in name)


def outcome(read: Any, *arguments: Any) -> Any:
    """What reading gives: a value, or the reason of a rejection. Any other exception is a failure."""
    try:
        return read(*arguments)
    except Rejected as rejected:
        assert rejected.reason.isprintable()
        assert rejected.reason.endswith(".")
        assert len(rejected.reason) < 500
        return rejected.reason


@bounded
@given(raw=files() | st.binary())
@example(b'{"cells": [{"source": "\xff\\ud800"}]}')
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    found = outcome(read_notebook, raw)
    assert found == outcome(read_notebook, raw)
    if not isinstance(found, str):
        places = [cell.index for cell in found.cells]
        assert places == sorted(set(places))
        assert places == list(range(len(places))) or any("left out" in note for note in found.notes)
        assert len(found.cells) <= MAX_CELLS
        assert sum(len(cell.source) for cell in found.cells) <= MAX_TEXT
        for cell in found.cells:
            cell.source.encode()
            assert "\r" not in cell.source


@bounded
@given(raw=zips() | files().map(lambda raw: b"PK\x03\x04" + raw))
def test_any_zip_is_read_or_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "hw.zip").write_bytes(raw)
    found = outcome(read_submission, tmp_path / "hw.zip")
    assert found == outcome(read_submission, tmp_path / "hw.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["hw.zip"]
    if not isinstance(found, str):
        assert all(warning.isprintable() for warning in found.warnings)


@bounded
@given(document=st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1), encoding=encodings)
def test_what_json_can_hold_is_read_as_json_reads_it(document: list[str], encoding: str) -> None:
    raw = json.dumps({"cells": [{"source": text} for text in document]}).encode(encoding)
    found = outcome(read_notebook, raw)
    if any(text.strip() for text in document):
        assert [c.source for c in found.cells] == [text.replace("\r\n", "\n").replace("\r", "\n") for text in document]


@bounded
@given(st.text(min_size=1))
def test_every_path_names_somebody(path: str) -> None:
    assert student_name(path)
