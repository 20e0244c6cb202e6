"""What is handed in: files and zips of every kind, which of them are found, and whose they are."""

import errno
import hashlib
import io
import json
import os
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.submission import (
    Rejected,
    Submission,
    find_submissions,
    folders_left_out,
    read_submission,
    student_name,
)


def notebook(source: str = "x = 1", lab: str | None = None) -> bytes:
    metadata = {"otter": {"assignment_name": lab}} if lab else {}
    return json.dumps({"metadata": metadata, "cells": [{"cell_type": "code", "source": source}]}).encode()


def zipped(entries: dict[str, bytes] | list[tuple[Any, bytes]], **options: Any) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", **options) as archive:
        for name, content in entries.items() if isinstance(entries, dict) else entries:
            archive.writestr(name, content)
    return memory.getvalue()


def entry(name: str, kind: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (kind | 0o644) << 16
    return info


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Submission]:
    def read(raw: bytes, saved_as: str = "hw.zip", **options: Any) -> Submission:
        (tmp_path / saved_as).write_bytes(raw)
        return read_submission(tmp_path / saved_as, **options)

    return read


@pytest.fixture
def reason(read: Callable[..., Submission], tmp_path: Path) -> Callable[..., str]:
    def reason(raw: bytes, name: str = "hw.zip", **options: Any) -> str:
        with pytest.raises(Rejected) as caught:
            read(raw, name, **options)
        said = caught.value.reason
        assert str(tmp_path) not in said
        assert said.isprintable()
        assert said.endswith(".")
        assert caught.value.sha256 == hashlib.sha256(raw).hexdigest()
        return said

    return reason


def source(submission: Submission) -> str:
    return submission.cells[0].source


# --- Files ---


def test_a_submission_knows_its_name_content_and_lab(read: Callable[..., Submission]) -> None:
    raw = notebook(lab="numpy_block")
    submission = read(raw, "hw (1).ipynb")
    assert (submission.file, submission.lab) == ("hw (1).ipynb", "numpy_block")
    assert submission.sha256 == hashlib.sha256(raw).hexdigest()
    assert (submission.notes, submission.warnings) == ((), ())


def test_its_name_may_be_given(read: Callable[..., Submission]) -> None:
    assert read(notebook(), "hw.ipynb", name="doe/hw.ipynb").file == "doe/hw.ipynb"


@pytest.mark.parametrize("name", ["hw.ipynb", "hw.ipynb.txt", "hw.txt", "hw.zip", "-rf.ipynb", "a'b\"c;d$(e).ipynb"])
def test_the_content_decides_and_not_the_name(read: Callable[..., Submission], name: str) -> None:
    assert source(read(notebook(), name)) == "x = 1"
    assert source(read(zipped({"hw.ipynb": notebook()}), name)) == "x = 1"


def test_a_file_that_is_no_notebook_keeps_its_hash(reason: Callable[..., str]) -> None:
    assert "is empty" in reason(b"", "hw.ipynb")
    assert "is empty" in reason(b"", "hw.zip")


def test_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.ipynb").write_bytes(notebook())
    (tmp_path / "hw.ipynb").symlink_to(tmp_path / "other.ipynb")
    with pytest.raises(Rejected, match="this is a link"):
        read_submission(tmp_path / "hw.ipynb")


def test_pipes_folders_and_missing_files_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ipynb")
    (tmp_path / "folder.ipynb").mkdir()
    for name, words in (
        ("pipe", "not an ordinary"),
        ("folder", "not an ordinary"),
        ("none", "cannot be opened"),
    ):
        with pytest.raises(Rejected, match=words) as caught:
            read_submission(tmp_path / f"{name}.ipynb")
        assert str(tmp_path) not in caught.value.reason


def test_absurd_sizes_are_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "hw.zip").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(Rejected, match="larger than 512 MB"):
        read_submission(tmp_path / "hw.zip")
    with (tmp_path / "hw.ipynb").open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(Rejected, match="larger than 64 MB"):
        read_submission(tmp_path / "hw.ipynb")


# --- Zips ---


@pytest.mark.parametrize(
    "clutter",
    [
        "__MACOSX/hw/._hw.ipynb",
        "hw/._hw.ipynb",
        "hw/.DS_Store",
        "hw/.ipynb_checkpoints/hw-checkpoint.ipynb",
        "hw/hw-checkpoint.ipynb",
        ".git/hw.ipynb",
        ".venv/lib/python3.11/site-packages/nb/demo.ipynb",
        "hw/data.csv",
        "hw/",
        "old.zip",
    ],
)
def test_what_systems_add_to_a_zip_is_no_submission(read: Callable[..., Submission], clutter: str) -> None:
    submission = read(zipped({"hw/hw.ipynb": notebook(), clutter: notebook("y = 2")}))
    assert source(submission) == "x = 1"
    assert submission.warnings == ()


@pytest.mark.parametrize("name", ["hw.ipynb", "HW.IPYNB", "hw.ipynb.txt", "a\\b\\hw.ipynb", "ü/hw.ipynb", "./hw.ipynb"])
def test_a_notebook_is_found_in_a_zip(read: Callable[..., Submission], name: str) -> None:
    assert source(read(zipped({name: notebook()}))) == "x = 1"


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_zip_in_a_zip_is_opened_once(
    read: Callable[..., Submission], reason: Callable[..., str], method: int
) -> None:
    inner = zipped({"hw.ipynb": notebook()}, compression=method)
    middle = zipped({"__MACOSX/._hw.zip": b"", "hw.zip": inner}, compression=method)
    assert source(read(middle)) == "x = 1"
    assert "holds no notebook (it holds “hw.zip”)" in reason(zipped({"all.zip": middle}))


def test_several_zips_in_a_zip_are_nobodys(reason: Callable[..., str]) -> None:
    inner = zipped({"hw.ipynb": notebook()})
    assert "it holds “a.zip”, “b.zip”" in reason(zipped({"a.zip": inner, "b.zip": inner}))


@pytest.mark.parametrize(
    "name",
    [
        "../../tests/q1.py",
        "/etc/passwd",
        "C:\\x.ipynb",
        "..\\x.ipynb",
        "a/../../x.ipynb",
        "\\\\host\\x.ipynb",
    ],
)
def test_an_entry_that_escapes_is_refused_and_the_rest_used(
    read: Callable[..., Submission], reason: Callable[..., str], name: str
) -> None:
    submission = read(zipped({name: notebook("y = 2"), "hw.ipynb": notebook()}))
    assert source(submission) == "x = 1"
    assert "climb out of the zip were refused: 1" in submission.warnings[0]
    assert "may be read (entries that climb out of the zip: 1, such as “" in reason(zipped({name: notebook()}))


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK])
def test_a_link_or_device_in_a_zip_is_refused_and_the_rest_used(
    read: Callable[..., Submission], reason: Callable[..., str], kind: int
) -> None:
    odd = (entry("a.ipynb", kind), b"/etc/passwd")
    submission = read(zipped([odd, ("hw.ipynb", notebook())]))
    assert source(submission) == "x = 1"
    assert "are links or devices were refused: 1, such as “a.ipynb”" in submission.warnings[0]
    assert "no notebook that may be read (entries that are links or devices: 1, such as “a.ipynb”)" in (
        reason(zipped([odd]))
    )


def test_many_refused_entries_make_one_warning(read: Callable[..., Submission]) -> None:
    entries = {f"../{i}\x1b[31m": b"" for i in range(1000)} | {"hw.ipynb": notebook()}
    (warning,) = read(zipped(entries)).warnings
    assert "refused: 1000" in warning
    assert warning.isprintable()


def test_of_several_notebooks_the_one_of_the_lab_is_graded(read: Callable[..., Submission]) -> None:
    entries = {"a.ipynb": notebook("a"), "b.ipynb": notebook("b", lab="lab1"), "c.ipynb": notebook("c")}
    submission = read(zipped(entries))
    assert (source(submission), submission.lab) == ("b", "lab1")
    assert submission.notes == ("The zip holds 3 notebooks; “b.ipynb” was graded.",)


def test_of_two_labs_the_one_asked_for_is_graded(read: Callable[..., Submission], reason: Callable[..., str]) -> None:
    raw = zipped({"a.ipynb": notebook("a", lab="lab1"), "b.ipynb": notebook("b", lab="lab2")})
    assert source(read(raw, lab="lab2")) == "b"
    assert "nothing says which one" in reason(raw)


@pytest.mark.parametrize("asked", [None, "lab1"])
def test_of_several_notebooks_of_one_lab_the_one_that_is_named_like_it_is_graded(
    read: Callable[..., Submission], reason: Callable[..., str], asked: str | None
) -> None:
    entries = {"a/scratch.ipynb": notebook("a", lab="lab1"), "b/lab1.ipynb": notebook("b", lab="lab1")}
    submission = read(zipped(entries), lab=asked)
    assert source(submission) == "b"
    assert submission.notes == ("The zip holds 2 notebooks; “b/lab1.ipynb” was graded.",)
    twice = zipped(entries | {"c/lab1.ipynb": notebook("c", lab="lab1")})
    assert "holds 2 notebooks (“b/lab1.ipynb”, “c/lab1.ipynb”), and nothing says" in reason(twice, lab=asked)
    other = zipped({"lab1.ipynb": notebook("a", lab="lab1"), "b.ipynb": notebook("b", lab="lab2")})
    assert "nothing says which one" in reason(other)


@pytest.mark.parametrize("lab", [None, "lab1"])
def test_two_different_notebooks_of_one_kind_are_refused_by_name(reason: Callable[..., str], lab: str | None) -> None:
    raw = zipped({"final.ipynb": notebook("a", lab=lab), "final2.ipynb": notebook("b", lab=lab)})
    assert "holds 2 notebooks (“final.ipynb”, “final2.ipynb”), and nothing says which one to grade" in reason(raw)


def test_the_same_notebook_twice_is_one(read: Callable[..., Submission]) -> None:
    assert source(read(zipped({"a.ipynb": notebook(), "b/a.ipynb": notebook()}))) == "x = 1"


def test_a_broken_notebook_beside_a_good_one_is_passed_over(read: Callable[..., Submission]) -> None:
    submission = read(zipped({"a.ipynb": b'{"cells', "b.ipynb": notebook()}))
    assert source(submission) == "x = 1"
    assert "“b.ipynb” was graded" in submission.notes[0]


def test_a_broken_notebook_in_a_zip_is_named(reason: Callable[..., str]) -> None:
    assert reason(zipped({"a.ipynb": b'{"cells'})).startswith("“a.ipynb” in the zip: the file is not a readable")


def test_dozens_of_notebooks_are_refused(reason: Callable[..., str]) -> None:
    assert "holds 40 notebooks" in reason(zipped({f"{i}.ipynb": notebook() for i in range(40)}))


def test_a_zip_without_a_notebook_says_what_it_holds(reason: Callable[..., str]) -> None:
    held = zipped(dict.fromkeys(["a.html", "b.py", "c.py", "d.py"], b""))
    assert "(it holds “a.html”, “b.py”, “c.py”, …)" in reason(held)
    assert "(it holds nothing)" in reason(zipped({}))
    long = "x\x07" * 200
    assert len(reason(zipped({long: b""}))) < 300


def test_an_office_document_is_named(reason: Callable[..., str]) -> None:
    document = {"[Content_Types].xml": b"", "word/document.xml": b"<w/>"}
    assert "this is an Office document" in reason(zipped(document), "hw.ipynb")


def test_an_encrypted_zip_is_refused(reason: Callable[..., str]) -> None:
    raw = bytearray(zipped({"hw.ipynb": notebook()}))
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    assert "locked with a password" in reason(bytes(raw))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packing_whose_size_cannot_be_bounded_is_refused(reason: Callable[..., str], method: int) -> None:
    assert "packed in an unusual way" in reason(zipped({"hw.ipynb": notebook()}, compression=method))


def test_a_zip_cut_off_is_refused_wherever_it_was_cut(reason: Callable[..., str]) -> None:
    raw = zipped({"hw.ipynb": notebook()})
    for size in range(4, len(raw), 7):
        assert "damaged" in reason(raw[:size])


def test_damage_inside_a_zip_is_refused(reason: Callable[..., str]) -> None:
    raw = bytearray(zipped({"hw.ipynb": notebook("x" * 999)}))
    raw[raw.index(b"xxx") + 5] = 0
    assert "the zip is damaged" in reason(bytes(raw))


def test_a_bomb_stops_at_the_limit_with_bounded_memory(reason: Callable[..., str]) -> None:
    bomb = zipped({"hw.ipynb": bytes(2**28)}, compression=zipfile.ZIP_DEFLATED)
    tracemalloc.start()
    try:
        assert "larger than 64 MB" in reason(bomb)
        assert "larger than 64 MB" in reason(zipped({"hw.zip": bomb}, compression=zipfile.ZIP_DEFLATED))
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_an_entry_that_lies_about_its_size_is_refused(reason: Callable[..., str]) -> None:
    raw = bytearray(zipped({"hw.ipynb": b"x" * 5000}, compression=zipfile.ZIP_DEFLATED))
    struct.pack_into("<I", raw, raw.index(b"PK\x01\x02") + 24, 100)
    assert "damaged" in reason(bytes(raw))


def test_a_zip_with_hundreds_of_thousands_of_entries_is_refused_unread(reason: Callable[..., str]) -> None:
    one = b"PK\x01\x02" + bytes(24) + struct.pack("<H", 8) + bytes(16) + b"hw.ipynb"
    directory = one * 200_000
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 65535, 65535, len(directory), 4, 0)
    tracemalloc.start()
    try:
        assert "many thousands of files" in reason(b"PK\x03\x04" + directory + end)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


# --- Finding them ---


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (
        "hw.ipynb",
        "-rf.ipynb",
        "HW.IPYNB",
        "jane doe/hw (1).ipynb",
        "john/hw.ipynb",
        "john/deep/hw.zip",
        "john/hw.ipynb.txt",
        "john/hw.py",
        "john/notes.txt",
        "john/.ipynb_checkpoints/hw-checkpoint.ipynb",
        "__MACOSX/._hw.ipynb",
        "john/._hw.ipynb",
        "graded/feedback/hw.ipynb",
    ):
        (tmp_path / "class" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "class" / name).write_bytes(notebook())
    return tmp_path / "class"


def names(paths: list[Path], out: Path) -> list[str]:
    return [name for name, _ in find_submissions(paths, out)]


def test_a_folder_is_searched_for_what_can_be_a_submission(folder: Path) -> None:
    assert names([folder], folder / "graded") == [
        "-rf.ipynb",
        "HW.IPYNB",
        "hw.ipynb",
        "jane doe/hw (1).ipynb",
        "john/deep/hw.zip",
        "john/hw.ipynb",
        "john/hw.ipynb.txt",
    ]


def test_only_the_folder_written_to_is_left_out(folder: Path) -> None:
    assert "graded/feedback/hw.ipynb" in names([folder], folder / "elsewhere")
    assert names([folder / "graded"], folder) == ["feedback/hw.ipynb"]


def test_the_order_and_repetition_of_paths_change_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = folder / "graded"
    monkeypatch.chdir(folder.parent)
    assert names([folder, Path("class"), folder / "hw.ipynb"], out) == names([folder], out)


def test_single_files_go_by_their_names_whatever_these_are(folder: Path) -> None:
    found = find_submissions([folder / "john/hw.py", folder / "-rf.ipynb"], folder / "graded")
    assert [name for name, _ in found] == ["-rf.ipynb", "hw.py"]
    assert all(path.is_absolute() and path.exists() for _, path in found)


def test_files_that_would_share_a_name_are_named_from_a_common_folder(folder: Path) -> None:
    out = folder / "graded"
    assert names([folder / "hw.ipynb", folder / "john/hw.ipynb"], out) == ["hw.ipynb", "john/hw.ipynb"]
    assert names([folder / "john", folder / "jane doe", folder / "graded"], folder / "john/deep") == [
        "feedback/hw.ipynb",
        "hw (1).ipynb",
        "hw.ipynb",
        "hw.ipynb.txt",
    ]
    (folder / "jane doe/hw.ipynb").write_bytes(notebook())
    assert names([folder / "john", folder / "jane doe"], out) == [
        "deep/hw.zip",
        "hw (1).ipynb",
        "hw.ipynb.txt",
        "jane doe/hw.ipynb",
        "john/hw.ipynb",
    ]


def test_names_from_the_common_folder_do_not_clash_either(tmp_path: Path) -> None:
    for name in ("A/hw.ipynb", "B/hw.ipynb", "B/A/hw.ipynb", "B/other.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(notebook())
    found = find_submissions([tmp_path / "A", tmp_path / "B"], tmp_path / "out")
    assert [name for name, _ in found] == ["A/hw.ipynb", "B/A/hw.ipynb", "B/hw.ipynb", "other.ipynb"]
    assert all(path == tmp_path / name for name, path in found[:3])


def test_names_that_escaping_would_make_equal_stay_apart(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    for name in (b"/a\xff.ipynb", b"/a\\xff.ipynb", b"/b\x85.ipynb", "/b\x85.ipynb".encode(), b"/c\xff.ipynb"):
        Path(os.fsdecode(folder + name)).write_bytes(name)
    found = find_submissions([tmp_path], tmp_path / "out")
    assert [name for name, _ in found] == [
        "a\\xff.ipynb",
        "a\\xff~2.ipynb",
        "b\\x85.ipynb",
        "b\\x85~2.ipynb",
        "c\\xff.ipynb",
    ]
    assert dict(found)["a\\xff.ipynb"].read_bytes() == b"/a\\xff.ipynb", "whoever was called so keeps the name"
    assert len({path for _, path in found}) == 5


def test_folders_that_are_not_searched_are_told_with_the_reason(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "round").symlink_to(folder)
    (folder / "john" / "shut").mkdir()
    (folder / "john" / "to the results").symlink_to(folder / "graded")
    scan = os.scandir

    def refuse(path: Any) -> Any:
        if str(path).endswith("shut"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    left = folders_left_out([folder, folder / "hw.ipynb"], folder / "graded")
    assert left == {"john/shut": "Permission denied", "round": "a link"}
    assert folders_left_out([folder / "john" / "shut"], folder / "graded") == {
        str(folder / "john" / "shut"): "Permission denied"
    }


def test_links_to_folders_are_not_followed_and_links_to_files_have_a_row(folder: Path) -> None:
    (folder / "round").symlink_to(folder)
    (folder / "z.ipynb").symlink_to("/etc/passwd")
    found = names([folder], folder / "graded")
    assert not [name for name in found if name.startswith("round")]
    assert found[-1] == "z.ipynb"


def test_a_link_given_by_name_is_what_staff_mean(folder: Path) -> None:
    (folder / "z.ipynb").symlink_to(folder / "hw.ipynb")
    ((name, path),) = find_submissions([folder / "z.ipynb"], folder / "graded")
    assert name == "z.ipynb"
    assert source(read_submission(path, name)) == "x = 1"


def test_names_that_no_report_could_hold_are_escaped(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xe9\n\x1b.ipynb")).write_bytes(notebook())
    assert names([tmp_path], tmp_path / "out") == ["\\xe9\\n\\x1b.ipynb"]


# --- Whose they are ---


@pytest.mark.parametrize(
    ("file", "student"),
    [
        ("jdoe.ipynb", "jdoe"),
        ("jdoe.zip", "jdoe"),
        ("jdoe.ipynb.txt", "jdoe"),
        ("jdoe.ipynb.zip", "jdoe"),
        ("JDOE.IPYNB", "JDOE"),
        ("section a/jdoe.ipynb", "jdoe"),
        ("jane.v2.ipynb", "jane.v2"),
        ("hw (1).ipynb", "hw"),
        ("hw(2).ipynb", "hw"),
        ("hw (1) (3).ipynb", "hw"),
        ("hw (1)", "hw"),
        ("hw - Copy.ipynb", "hw"),
        ("hw copy 2.ipynb", "hw"),
        ("hw-Copy1.ipynb", "hw"),
        ("Copy of hw.ipynb", "hw"),
        ("hw-checkpoint.ipynb", "hw"),
        ("n60_right_then_broken_copy.ipynb", "n60_right_then_broken_copy"),
        ("(1).ipynb", "(1)"),
        (".ipynb", ".ipynb"),
        ("-rf.ipynb", "-rf"),
        ("doejane_12345_678910_hw-2.ipynb", "doejane"),
        ("doejane_LATE_12345_678910_hw (1).ipynb", "doejane"),
        ("submissions/doejane_12345_678910_hw.zip", "doejane"),
        ("lab_1_2_jdoe.ipynb", "lab_1_2_jdoe"),
        ("Jane Doe_123456_assignsubmission_file_/hw.ipynb", "Jane Doe"),
        ("Jane Doe_123456_assignsubmission_file/hw.ipynb", "Jane Doe"),
        ("Jane Doe_123456_assignsubmission_file_hw.ipynb", "Jane Doe"),
        ("Lab 1_jdoe_attempt_2025-01-31-12-00-00_hw.ipynb", "jdoe"),
        ("12345-67890 - Jane Doe - Jan 31, 2025 1200 PM/hw.ipynb", "Jane Doe"),
        ("submission_123456/hw.ipynb", "submission_123456"),
        ("assignment_9_export/submission_123456/a/hw.ipynb", "submission_123456"),
        ("lab-jdoe/hw.ipynb", "jdoe"),
        ("lab-1-jane-doe/hw.ipynb", "jane-doe"),
        ("lab-1/jdoe.ipynb", "jdoe"),
        ("numpy-block-submissions/numpy-block-Jane-D/hw.ipynb", "Jane-D"),
    ],
)
def test_the_student_is_what_remains_of_the_name(file: str, student: str) -> None:
    assert student_name(file) == student
