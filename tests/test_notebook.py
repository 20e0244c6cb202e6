"""Notebooks in every form that tools, editors and uploads leave them in: read, or refused in plain words."""

import codecs
import json
import re
import time
import tracemalloc
from typing import Any

import nbformat
import pytest

from autograder.notebook import MAX_CELLS, MAX_NOTEBOOK, MAX_TEXT, read_notebook
from autograder.rejected import Rejected

ANSWER = "def gelu(x):\n    return 'é – 😀'"


def cell(source: Any = ANSWER, kind: str = "code", **more: Any) -> dict[str, Any]:
    return {"cell_type": kind, "metadata": {}, "source": source, **more}


def notebook(*cells: Any, **more: Any) -> dict[str, Any]:
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells or [cell()]), **more}


def as_bytes(document: Any, **options: Any) -> bytes:
    return json.dumps(document, **({"ensure_ascii": False, "indent": 1} | options)).encode()


def sources(document: Any) -> list[str]:
    raw = document if isinstance(document, bytes) else as_bytes(document)
    return [cell.source for cell in read_notebook(raw).cells]


def reason(raw: bytes) -> str:
    with pytest.raises(Rejected) as caught:
        read_notebook(raw)
    return caught.value.reason


# --- What is read ---


def test_cells_keep_their_place_kind_and_tags() -> None:
    document = notebook(
        cell("# Title", "markdown"),
        cell(metadata={"tags": ["otter_ignore"]}),
        cell("raw", "raw"),
        cell("?", "sql"),
        cell(kind="Code"),
        cell("# Text", "Markdown"),
    )
    cells = read_notebook(as_bytes(document)).cells
    assert [(c.index, c.kind, c.tags) for c in cells] == [
        (0, "markdown", ()),
        (1, "code", ("otter_ignore",)),
        (2, "raw", ()),
        (3, "raw", ()),
        (4, "code", ()),
        (5, "markdown", ()),
    ]


@pytest.mark.parametrize("minor", range(6))
def test_every_minor_version_of_nbformat_4_reads_the_same(minor: int) -> None:
    node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(ANSWER)])
    node.nbformat_minor = minor
    if minor < 5:
        del node.cells[0]["id"]
    raw = nbformat.writes(node).encode()
    assert sources(raw) == [ANSWER]
    assert read_notebook(raw).notes == ()


def test_an_old_notebook_is_read_as_nbformat_converts_it() -> None:
    node = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title"), nbformat.v4.new_code_cell(ANSWER)])
    raw = nbformat.writes(nbformat.convert(node, 3), version=3).encode()
    assert b"worksheets" in raw
    assert [c.kind for c in read_notebook(raw).cells] == ["markdown", "code"]
    assert sources(raw)[1] == ANSWER
    assert "nbformat 3" in read_notebook(raw).notes[0]


@pytest.mark.parametrize(
    "change",
    [
        {"nbformat_minor": 99},
        {"nbformat": 5},
        {"metadata": None},
        {"metadata": []},
        {"metadata": {"kernelspec": {"name": "conda-env-dl-py", "language": "python"}}},
        {"metadata": {"kernelspec": {"name": "python3"}, "accelerator": "GPU", "colab": {"provenance": []}}},
        {"metadata": {"kernelspec": "python", "language_info": 3, "otter": [1], "autograder": {"lab": {}}}},
        {"unheard_of": [{"deep": [1, 2, {"x": None}]}]},
        {"cells": [cell(id="same", outputs=[{"output_type": "stream", "text": ["a"]}]), cell(id="same")]},
        {"cells": [{"cell_type": "code", "source": ANSWER}]},
        {"cells": [{"source": ANSWER}]},
        {"cells": [cell(outputExpanded=True, metadata=None)]},
        {"cells": [cell(metadata={"tags": "not a list"})]},
        {"cells": [cell(execution_count="seven", outputs=None)]},
        {"cells": [cell(), cell(None), cell([])]},
    ],
)
def test_form_costs_nothing(change: dict[str, Any]) -> None:
    found = read_notebook(as_bytes({**notebook(), **change}))
    assert found.cells[0].source == ANSWER
    assert found.notes == ()


def test_nothing_but_cells_is_needed() -> None:
    assert sources({"cells": [cell()]}) == [ANSWER]


@pytest.mark.parametrize(
    "source",
    [
        ANSWER,
        ANSWER.splitlines(keepends=True),
        ANSWER.splitlines(),  # a tool that forgets the newlines
        ANSWER.replace("\n", "\r\n"),
        ANSWER.replace("\n", "\r"),
        list(ANSWER.partition("\n")),
    ],
)
def test_a_source_may_be_a_text_or_a_list(source: Any) -> None:
    assert sources(notebook(cell(source))) == [ANSWER]


@pytest.mark.parametrize(
    ("mark", "encoding", "note"),
    [
        (codecs.BOM_UTF8, "utf-8", ""),
        (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
        (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
        (b"", "utf-16-le", "UTF-16"),
        (b"", "utf-16-be", "UTF-16"),
    ],
)
def test_other_encodings_are_read(mark: bytes, encoding: str, note: str) -> None:
    raw = mark + as_bytes(notebook()).decode().encode(encoding)
    assert sources(raw) == [ANSWER]
    assert note in "".join(read_notebook(raw).notes)


@pytest.mark.parametrize(("encoding", "text"), [("latin-1", "x = 'é\x81'"), ("cp1252", "x = 'é “quoted”'")])
def test_western_encodings_are_read_with_a_note(encoding: str, text: str) -> None:
    raw = as_bytes(notebook(cell(text))).decode().encode(encoding)
    assert sources(raw) == [text]
    assert "not UTF-8" in read_notebook(raw).notes[0]


def test_carriage_returns_between_lines_of_json_are_blank() -> None:
    assert sources(as_bytes(notebook()).replace(b"\n", b"\r\n")) == [ANSWER]


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity"])
def test_numbers_that_json_lacks_are_read_with_a_note(number: bytes) -> None:
    raw = as_bytes(notebook(cell('say("NaN, -Infinity")'), metadata={"loss": 12345})).replace(b"12345", number)
    assert sources(raw) == ['say("NaN, -Infinity")']
    assert "not strict JSON" in read_notebook(raw).notes[0]


def test_control_characters_and_half_characters_in_text_are_mended() -> None:
    raw = as_bytes(notebook(cell("a\tb = 'HALF' # \\ud800 \\\"")))
    raw = raw.replace(b"\\t", b"\t").replace(b"HALF", b"\\ud83d")
    assert sources(raw) == ["a\tb = '\N{REPLACEMENT CHARACTER}' # \\ud800 \\\""]


def test_whole_surrogate_pairs_stay_when_halves_are_mended() -> None:
    raw = as_bytes(notebook(cell("'😀 HALF'")), ensure_ascii=True).replace(b"HALF", b"\\udc00")
    assert sources(raw) == ["'😀 \N{REPLACEMENT CHARACTER}'"]


def test_of_duplicate_keys_the_last_counts_as_in_python() -> None:
    raw = b'{"cells": [], "cells": [{"source": "x", "source": "y"}]}'
    assert sources(raw) == [json.loads(raw)["cells"][0]["source"]] == ["y"]


@pytest.mark.parametrize(
    ("metadata", "lab"),
    [
        ({"otter": {"assignment_name": "numpy_block", "tests": {"gelu": {}}}}, "numpy_block"),
        ({"autograder": {"lab": "torch_block"}, "otter": {"assignment_name": "numpy_block"}}, "torch_block"),
        ({"autograder": {"build": "1"}, "otter": {"assignment_name": "numpy_block"}}, "numpy_block"),
        ({"otter": {"assignment_name": ["numpy_block"]}}, None),
        ({"otter": {"assignment_name": "a\x1b[31m"}}, None),
        ({"otter": {"assignment_name": "a\n"}}, None),
        ({"otter": {"assignment_name": "a" * 101}}, None),
        ({}, None),
    ],
)
def test_the_lab_is_named_by_the_metadata(metadata: Any, lab: str | None) -> None:
    assert read_notebook(as_bytes(notebook(metadata=metadata))).lab == lab


@pytest.mark.parametrize("entry", [None, "x = 1", 3, [], ["[", {"a": "]"}], True])
def test_an_entry_that_is_no_cell_is_left_out_with_a_note(entry: Any) -> None:
    found = read_notebook(as_bytes(notebook(cell(outputs=[{"a": "],{"}]), entry, cell("y = 2"))))
    assert [(cell.index, cell.source) for cell in found.cells] == [(0, ANSWER), (2, "y = 2")]
    assert found.notes == ("Cell 2 is no cell and was left out.",)


@pytest.mark.parametrize("text", [3, {"x": 1}, ["x = 1", None], [["x"]], True])
def test_a_cell_whose_source_is_no_text_is_left_out_with_a_note(text: Any) -> None:
    found = read_notebook(as_bytes(notebook(cell(), cell(text), cell(text), cell("y = 2"))))
    assert [(cell.index, cell.source) for cell in found.cells] == [(0, ANSWER), (3, "y = 2")]
    assert found.notes == ("Cells 2, 3 hold no text and were left out.",)


def test_an_entry_that_is_no_cell_is_left_out_of_an_old_notebook_too() -> None:
    found = read_notebook(as_bytes({"worksheets": [{"cells": [None, {"input": ANSWER}]}, {"metadata": {}}]}))
    assert [(cell.index, cell.source) for cell in found.cells] == [(1, ANSWER)]
    assert found.notes[-1] == "Cell 1 is no cell and was left out."


def test_many_entries_that_are_no_cells_make_one_note() -> None:
    (note,) = read_notebook(as_bytes(notebook(*[None] * 500, cell()))).notes
    assert note == "Cells 1, 2, 3, 4, 5, … are no cells and were left out."


@pytest.mark.parametrize("tail", [b"\x00" * 512, b" \n\x00\n", b"\n}", b"}\x00\x00", b"\x00}"])
def test_what_means_nothing_behind_a_whole_notebook_is_left_out_with_a_note(tail: bytes) -> None:
    for document in (notebook(), notebook(cell(), None)):
        found = read_notebook(as_bytes(document) + tail)
        assert found.cells[0].source == ANSWER
        assert "Behind the notebook's end" in found.notes[0]
    assert sources(as_bytes(notebook()) + b" \n ") == [ANSWER]
    assert "its JSON is damaged" in reason(as_bytes(notebook()) + b"}}")


@pytest.mark.parametrize("front", [b"\xef\xbb\xbf" * 2, b"\r\n\n\xef\xbb\xbf", b"\xef\xbb\xbf\n\xef\xbb\xbf "])
def test_byte_order_marks_may_stand_twice_or_behind_blank_lines(front: bytes) -> None:
    assert sources(front + as_bytes(notebook())) == [ANSWER]


def test_a_byte_order_mark_may_stand_twice_in_utf_16() -> None:
    assert sources(b"\xff\xfe\xff\xfe" + as_bytes(notebook()).decode().encode("utf-16-le")) == [ANSWER]


def test_another_language_is_noted() -> None:
    metadata = {"kernelspec": {"language": "R"}}
    [note] = read_notebook(as_bytes(notebook(metadata=metadata))).notes
    assert note == "This is not a Python notebook: it says that its language is R. It was run as Python."


# --- What is refused ---

GOOD = as_bytes(notebook(*[cell()] * 20))

REFUSED = {
    "empty": (b"", "the file is empty"),
    "blank": (b" \r\n\t", "the file is empty"),
    "a byte order mark alone": (codecs.BOM_UTF8, "the file is empty"),
    "zeros": (bytes(5000), "nothing but zeros"),
    "cut off": (GOOD[: len(GOOD) // 2], "not a readable notebook: it stops half way"),
    "cut off in a character": (GOOD[: GOOD.index("é".encode()) + 1], "it stops half way"),
    "cut off in Latin-1": (
        GOOD[:500].decode().replace("–", "-").replace("😀", "").encode("latin-1"),
        "half way",
    ),
    "cut off in UTF-16": (GOOD.decode().encode("utf-16")[:1001], "it stops half way"),
    "a script": (b'"""Answers."""\nimport numpy as np\n', "not JSON): it looks like a Python script"),
    "a percent script": (b"# %%\nimport numpy as np\n", "not JSON): it looks like a Python script"),
    "prose": (b"Dear teacher,\n", "not a notebook (not JSON): it does not begin with {"),
    "a web page": (b"<!DOCTYPE html>\n<html>", "a web page (HTML)"),
    "a web page after a mark": (codecs.BOM_UTF8 + b"\n<HTML lang='en'>", "a web page (HTML)"),
    "a PDF": (b"%PDF-1.7\n", "this is a PDF"),
    "a RAR": (b"Rar!\x1a\x07\x01\x00", "this is a RAR archive"),
    "a 7z": (b"7z\xbc\xaf\x27\x1c", "this is a 7z archive"),
    "a gzip": (b"\x1f\x8b\x08\x00", "a tar or gzip archive"),
    "a tar": (b"hw.ipynb".ljust(257, b"\0") + b"ustar\x00", "a tar or gzip archive"),
    "an old Word document": (b"\xd0\xcf\x11\xe0\xa1\xb1", "an Office document"),
    "a picture": (b"\x89PNG\r\n\x1a\n", "this is a picture"),
    "an AppleDouble file": (b"\x00\x05\x16\x07\x00\x02", "what macOS keeps beside a file"),
    "a Git LFS pointer": (b"version https://git-lfs.github.com/spec/v1\noid", "a Git LFS pointer"),
    "a conflict": (
        GOOD.replace(b'\n   "cell_type"', b'\n<<<<<<< HEAD\n   "cell_type"', 1),
        "git conflict markers (line 7)",
    ),
    "the end of a conflict": (
        GOOD.replace(b' "cells"', b'=======\r\n "cells"', 1),
        "conflict markers (line 5)",
    ),
    "a list": (b"[1, 2]", "JSON but not a notebook"),
    "nothing but odd cells": (b'{"cells": [null, 3, {"source": 1}]}', "JSON but not a notebook: its parts"),
    "a million odd cells": (b'{"cells":[' + b"0," * 1_000_000 + b"{}]}", "more than 10,000 cells"),
    "an odd cell and much else": (b'{"cells":[0,[' + b"[]," * 1_000_000 + b"0]]}", "JSON but not a notebook"),
    "an odd cell and deep ones": (b'{"cells":[0,' + b"[" * 100_000 + b"]" * 100_000 + b"]}", "nests deeper"),
    "no cells": (b'{"url": "https://example.org"}', "JSON but not a notebook: it has no cells"),
    "cells of another type": (b'{"cells": {"0": "x"}}', "JSON but not a notebook"),
    "a cell of another type": (b'{"cells": ["x"]}', "JSON but not a notebook"),
    "a source of another type": (b'{"cells": [{"source": {"x": 1}}]}', "JSON but not a notebook"),
    "empty cells": (as_bytes(notebook(cell(""), cell(" \n"))), "all cells of the notebook are empty"),
    "without cells": (as_bytes({"nbformat": 4, "cells": []}), "all cells of the notebook are empty"),
    "a comma too many": (
        GOOD.replace(b'"metadata": {}', b'"metadata": {},', 1),
        "its JSON is damaged (line 4)",
    ),
    "two notebooks in one": (GOOD + GOOD, "its JSON is damaged"),
    "deep lists": (b'{"x":' + b"[" * 1_000_000, "nests deeper"),
    "deep objects": (b'{"x":' * 1_000_000, "nests deeper"),
    "a deep source": (b'{"cells":[{"source":' + b"[" * 100_000 + b"]" * 100_000 + b"}]}", "nests deeper"),
    "a million cells": (b'{"cells":[' + b"{}," * 1_000_000 + b"{}]}", "more than 10,000 cells"),
    "a million sheets": (b'{"worksheets":[' + b"{}," * 1_000_000 + b"{}]}", "more than 10,000 cells"),
    "much text": (as_bytes(notebook(cell("#" * MAX_TEXT))), "the cells hold more than 4 MB of text"),
}


@pytest.mark.parametrize(("raw", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_notebook_is_refused_with_a_reason_and_a_remedy(raw: bytes, words: str) -> None:
    said = reason(raw)
    assert words in said
    assert re.fullmatch(r"(?:[A-Z(a-z].*[^.])\. [A-Z].*[^.]\.", said), said
    assert said.isprintable()


def test_a_file_over_the_limit_is_refused_before_it_is_read() -> None:
    assert "larger than 64 MB" in reason(bytes(MAX_NOTEBOOK + 1))


def test_conflict_markers_inside_a_cell_are_the_students_own_text() -> None:
    assert sources(notebook(cell("<<<<<<< HEAD\nx = 1"))) == ["<<<<<<< HEAD\nx = 1"]


# --- Bounds ---


def test_cells_up_to_the_limit_are_read() -> None:
    assert len(sources(notebook(*[cell("x")] * MAX_CELLS))) == MAX_CELLS


def test_one_huge_notebook_does_not_spend_the_next_ones_cells() -> None:
    for _ in range(2):
        assert "more than" in reason(b'{"cells":[' + b"{}," * MAX_CELLS + b"{}]}")
    assert len(sources(notebook(*[cell("x")] * MAX_CELLS))) == MAX_CELLS


def test_a_typical_notebook_takes_less_than_two_milliseconds() -> None:
    picture = {"output_type": "display_data", "data": {"image/png": "A" * 20_000}, "metadata": {}}
    raw = as_bytes(notebook(*[cell(ANSWER * 20, outputs=[picture])] * 60))
    read_notebook(raw)
    best = min(_seconds(raw) for _ in range(20))
    assert best < 0.002


def test_sixty_megabytes_of_outputs_are_skipped_and_not_built() -> None:
    raw = as_bytes(notebook(cell(outputs=[{"data": {"a": [[1, "b"]] * 6_500_000}}])), indent=None)
    assert len(raw) > 60_000_000
    tracemalloc.start()
    try:
        assert sources(raw) == [ANSWER]
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_million_tags_are_not_built() -> None:
    raw = as_bytes(notebook(cell(metadata={"tags": ["ab"] * 1_000_000})), indent=None)
    tracemalloc.start()
    try:
        assert read_notebook(raw).cells[0].tags == ()
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "part",
    [
        b'"\\"' + b'\\"' * 2_000_000,
        b'"",' * 1_000_000,
        b"<!--" * 2_000_000,
        b'"\xff"' * 1_000_000,
        b"\n" * 20_000_000,
        b"0," * 10_000_000 + b"0]}",
        b"[" + b"[]," * 10_000_000 + b"0]]}",
        b"0," + b"1" * 60_000_000 + b"]}" + b"\x00" * 1_000_000,
    ],
    ids=["quotes", "strings", "comments", "latin", "lines", "numbers", "lists", "digits"],
)
def test_files_made_to_be_slow_are_refused_in_seconds(part: bytes) -> None:
    raw = b'{"cells": [' + part
    started = time.process_time()
    reason(raw)
    assert time.process_time() - started < 3


def _seconds(raw: bytes) -> float:
    started = time.perf_counter()
    read_notebook(raw)
    return time.perf_counter() - started
