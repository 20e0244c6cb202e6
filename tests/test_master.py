"""A master as cells, as a reference, and as a handout; cases as notebooks' cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.master import MasterError, answer, read_cases, read_master

MASTER = '''
# %% [raw]
# # ASSIGNMENT CONFIG
# name: mini
# %% tags=["given"]
import math
# %%
print("a demo, not for the reference")
# %% [raw]
# # BEGIN QUESTION
# name: area
# %% [markdown]
# The radius may be an integer. <!-- handout: integers, area.large -->
# %%
def area(r):
    """The area of a circle."""
    # handout: formula
    # BEGIN SOLUTION
    return math.pi * r**2
    # END SOLUTION
    """ # BEGIN PROMPT
    return 0
    """ # END PROMPT
# %% [raw]
# # END QUESTION
'''

CASES = """
# %% diameter
# You square the diameter.
# Look at what r stands for.
def area(r):
    return 3.14 * (2 * r)**2
# %% vague unnamed
area = None
"""


@pytest.fixture
def master(tmp_path: Path) -> Path:
    path = tmp_path / "mini" / "lab.py"
    path.parent.mkdir()
    path.write_text(MASTER)
    return path


def test_the_reference_is_the_given_cells_and_the_answers(master: Path) -> None:
    source = read_master(master).reference_source()
    space: dict[str, object] = {}
    exec(source, space)
    assert space["area"](2) == pytest.approx(12.566, abs=1e-3)  # type: ignore[operator]
    assert "demo" not in source and "handout" not in source and "PROMPT" not in source


def test_the_handout_ties_sentences_to_checks(master: Path) -> None:
    assert read_master(master).handout == {"area": {"integers", "large", "formula"}}


def test_another_lab_can_be_given_the_answers(master: Path, tmp_path: Path) -> None:
    path = tmp_path / "next" / "lab.py"
    path.parent.mkdir()
    path.write_text('# %% tags=["given"]\n# given from: mini area\n')
    assert "math.pi" in read_master(path).given_source()
    path.write_text('# %% tags=["given"]\n# given from: mini volume\n')
    with pytest.raises(MasterError, match="no answer for volume"):
        read_master(path)


def test_an_answer_is_free_of_markers() -> None:
    assert answer("def f():\n    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION\n") == "def f():\n    return 1\n"


def test_a_case_has_a_name_a_hint_and_a_body(tmp_path: Path) -> None:
    path = tmp_path / "area.py"
    path.write_text(CASES)
    diameter, vague = read_cases(path)
    assert (diameter.name, diameter.question, diameter.named) == ("diameter", "area", True)
    assert diameter.hint == "You square the diameter. Look at what r stands for."
    assert diameter.source.startswith("def area")
    assert not vague.named


@pytest.mark.parametrize("text", ["# %%\nx = 1", "# %% two words\nx = 1", "# %% a\nx = 1\n# %% a\nx = 2"])
def test_a_case_without_a_name_of_its_own_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "area.py"
    path.write_text(text)
    with pytest.raises(MasterError, match=r"area\.py"):
        read_cases(path)


@pytest.mark.parametrize("mark", ["# %% b", "#%% b", "#  %%b", "    # %% b"])
def test_a_case_begins_wherever_its_mark_stands(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "area.py"
    path.write_text(f"# %% [markdown]\n# What follows.\n\n# %% a\nx = 1\n{mark}\nx = 2\n# %% Words [md]\n# The end.\n")
    assert [(case.name, case.source) for case in read_cases(path)] == [("a", "x = 1\n"), ("b", "x = 2\n")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# %% a\nname = 'naïve'\n".encode("latin-1"), "this is not UTF-8"),
        (b"import math\n\n# %% a\nx = 1\n", "above the first `# %%` line"),
    ],
)
def test_what_a_case_file_may_not_be_is_told(tmp_path: Path, text: bytes, told: str) -> None:
    path = tmp_path / "area.py"
    path.write_bytes(text)
    with pytest.raises(MasterError, match=rf"area\.py: .*{told}"):
        read_cases(path)


def test_a_byte_order_mark_and_windows_line_ends_are_no_matter(tmp_path: Path) -> None:
    path = tmp_path / "area.py"
    path.write_bytes(b"\xef\xbb\xbf" + CASES.replace("\n", "\r\n").encode())
    assert [case.name for case in read_cases(path)] == ["diameter", "vague"]


def test_a_master_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(MasterError, match=r"lab\.py: cannot be read"):
        read_master(tmp_path / "lab.py")
