"""The pages keep their word: links lead somewhere, commands exist, messages are said, and the walks can be walked."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from autograder.cli import main
from autograder.course import load_course
from autograder.grade import Judge
from autograder.lint import problems
from autograder.master import cases_of, read_master
from autograder.record import Grade
from tests.conftest import check, lost, submission

ROOT = Path(__file__).resolve().parents[1]
MADE = {".venv", "dist", "graded", "node_modules", ".git", ".audit_cache", ".pytest_cache"}
PAGES = sorted(page for page in ROOT.rglob("*.md") if not MADE & set(page.relative_to(ROOT).parts))
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]

FENCE = re.compile(r"^(?P<mark>```+)(?P<kind>\w*)\n(?P<text>.*?)^(?P=mark)[ \t]*$", re.M | re.S)
LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
CODE = re.compile(r"(?<!`)`(?P<text>[^`\n]+)`(?!`)")


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def prose(text: str) -> str:
    """A page without its fenced blocks."""
    return FENCE.sub("", text)


# --- links ----------------------------------------------------------------------------------------------------------


def anchors(text: str) -> set[str]:
    """The names that GitHub gives to a page's headings."""
    headings = re.findall(r"^#{1,6} +(.+?) *$", prose(text), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(name: str) -> Iterator[str]:
    for found in LINK.finditer(CODE.sub("", prose(page(name)))):
        path, _, anchor = found["target"].partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        target = (ROOT / name).parent / path if path else ROOT / name
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            yield found["target"]


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_somewhere(name: str) -> None:
    assert list(broken(name)) == []


def test_the_link_check_sees_missing_files_and_anchors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    text = "# One, two\n[a](b.md) [c](#one-two) [d](#three) `[e](f.md)` [g](https://nowhere.example)\n"
    (tmp_path / "page.md").write_text(text)
    assert list(broken("page.md")) == ["b.md", "#three"]


def test_every_page_is_in_the_index() -> None:
    linked = {found["target"].partition("#")[0] for found in LINK.finditer(page("docs/README.md"))}
    assert {path.name for path in (ROOT / "docs").glob("*.md")} - linked == {"README.md"}


def test_the_readme_is_short_and_begins_with_the_warning_to_staff() -> None:
    lines = page("README.md").splitlines()
    assert len(lines) < 120
    assert "keep this repository private" in lines[0]
    assert "dist/*/github-template" in lines[0]


# --- commands -------------------------------------------------------------------------------------------------------


def quoted_commands(name: str) -> Iterator[tuple[str, bool]]:
    """Command lines of a page, and whether each is whole: lines of blocks are, words in a sentence need not be."""
    text = page(name)
    for block in FENCE.finditer(text):
        if block["kind"] in ("console", "bash", "sh", ""):
            lines = [line.strip() for line in block["text"].splitlines()]
            yield from (
                (line.removeprefix("$ "), True) for line in lines if block["kind"] != "console" or line[:1] == "$"
            )
    yield from ((line.strip(), True) for line in re.findall(r"^ {4,}(\S.*)$", prose(text), re.M))
    yield from ((found["text"], False) for found in CODE.finditer(prose(text)))


def wrong_with(line: str, whole: bool) -> str:
    """What is wrong with a command line of ours; empty when nothing is, or when it is none of ours."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return ""
    if words[:1] == ["make"]:
        return "".join(f"no target {word}" for word in words[1:] if "=" not in word and word not in targets())
    places = [i for i, word in enumerate(words) if word == "autograder" or word.endswith("/autograder")]
    is_ours = places and (places[0] == 0 or words[places[0] - 1] == "-m")
    return _wrong_arguments(main, words[places[0] + 1 :], whole) if is_ours else ""


def _wrong_arguments(command: click.Command, words: list[str], whole: bool) -> str:
    options = {name: option for option in command.params for name in (*option.opts, *option.secondary_opts)}
    options |= {"--help": click.Option(["--help"], is_flag=True)}
    given: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, _ = word.partition("=")
        if word.startswith("-"):
            if name not in options:
                return f"{command.name} has no option {name}"
            takes_value = not getattr(options[name], "is_flag", False)
            if takes_value and not equals and next(rest, None) is None and whole:
                return f"{name} lacks its value"
        elif isinstance(command, click.Group):
            found = command.commands.get(word)
            return _wrong_arguments(found, list(rest), whole) if found else f"no command {word}"
        else:
            given.append(word)
    places = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    if whole and len(given) < sum(place.required for place in places):
        return f"{command.name} needs more arguments"
    if all(place.nargs == 1 for place in places) and len(given) > len(places) and not isinstance(command, click.Group):
        return f"{command.name} takes fewer arguments"
    return ""


@cache
def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", page("Makefile"), re.M))


@pytest.mark.parametrize("name", NAMES)
def test_every_quoted_command_exists_with_its_options(name: str) -> None:
    found = {line: wrong for line, whole in quoted_commands(name) if (wrong := wrong_with(line, whole))}
    assert not found


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("make grade", ""),
        ("make coffee", "no target coffee"),
        ("autograder grade class/ -o out --roster=r.csv  # a comment", ""),
        (".venv/bin/autograder regrade class/", "no command regrade"),
        ("python -I -m autograder grade --quick class/", "grade has no option --quick"),
        ("autograder explain hw.ipynb", "explain needs more arguments"),
        ("autograder doctor now", "doctor takes fewer arguments"),
        ("autograder grade class/ --out", "--out lacks its value"),
        ("pip install autograder --quick", ""),
    ],
)
def test_the_command_check_knows_right_from_wrong(line: str, wrong: str) -> None:
    assert wrong_with(line, whole=True) == wrong


def test_the_pages_quote_every_command() -> None:
    verbs = {
        word for name in NAMES for line, _ in quoted_commands(name) for word in re.findall(r"autograder (\w+)", line)
    }
    assert main.commands.keys() <= verbs


# --- messages -------------------------------------------------------------------------------------------------------


def said(path: Path) -> Iterator[str]:
    """All texts of a module; what is filled in is `…`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.sub(r"\{\w*\}", "…", node.value)
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)


@cache
def sources() -> str:
    paths = [*(ROOT / "autograder").rglob("*.py"), *(ROOT / "tests" / "public").rglob("*.py")]
    paths += (ROOT / "solutions").glob("*/lab.py")
    return "\0".join(text for path in paths for text in said(path)).replace("`", "")


def is_said(message: str) -> bool:
    parts = [re.escape(part) for part in message.replace("`", "").split("…")]
    return re.search("[^\0]*".join(parts), sources()) is not None


def quoted_messages() -> list[str]:
    return re.findall(r"^\| `([^`]+)` \|", page("docs/troubleshooting.md"), re.M)


@pytest.mark.parametrize("message", quoted_messages())
def test_every_quoted_message_is_still_said(message: str) -> None:
    assert is_said(message)


def test_a_message_that_nobody_says_is_noticed() -> None:
    assert len(quoted_messages()) > 60
    assert not is_said("the file is full of … and cannot be graded")


# --- walks ----------------------------------------------------------------------------------------------------------

FILE = re.compile(r"^`(?P<path>[\w/.-]+)`:\n\n```\w*\n(?P<text>.*?)^```$", re.M | re.S)


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.slow
def test_the_lab_of_two_questions_can_be_made_from_its_page(tmp_path: Path) -> None:
    """Every file as it stands there; built, graded and audited with what the page says about each."""
    text = page("docs/bring-your-own-lab.md")
    files = {found["path"]: found["text"] for found in FILE.finditer(text)}
    equivalents = files.pop("solutions/similarity/equivalent_mutants.yml")
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    shutil.copy(ROOT / "constraints.txt", tmp_path)

    built = run(tmp_path, "build")
    assert built.returncode == 0, built.stderr
    (tmp_path / "submissions").mkdir()
    shutil.copy(tmp_path / "assignments" / "similarity" / "similarity.ipynb", tmp_path / "submissions" / "doe.ipynb")
    graded = run(tmp_path, "grade", "submissions/")
    assert graded.returncode == 0, graded.stderr
    assert "doe.ipynb,doe,similarity,graded,0,7,0,0.0,0,0" in (tmp_path / "graded" / "grades.csv").read_text()

    amiss = run(tmp_path, "audit")
    assert amiss.returncode == 1
    told = [line.strip() for line in text.splitlines() if " survives: " in line]
    listed = amiss.stdout.rpartition("<!-- audited: ")[2].splitlines()  # below the page, which holds them as well
    assert told == [line for line in listed if " survives: " in line]
    (tmp_path / "solutions/similarity/equivalent_mutants.yml").write_text(equivalents, encoding="utf-8")
    well = run(tmp_path, "audit")
    assert well.returncode == 0, well.stdout
    assert f"    {well.stdout.splitlines()[-1]}" in text.splitlines()


def snippet(words: str) -> str:
    """The block of the page about checks that holds these words."""
    (text,) = [found["text"] for found in FENCE.finditer(page("docs/write-a-check.md")) if words in found["text"]]
    return text


def append(path: Path, text: str) -> None:
    path.write_text(f"{path.read_text(encoding='utf-8').rstrip()}\n\n\n{text}", encoding="utf-8")


def replace(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"the page and {path.name} have parted"
    path.write_text(text.replace(before, after), encoding="utf-8")


def graded(folder: Path) -> Grade:
    """The master's answers, with the page's mistake in place of one, as the course in a folder marks them."""
    lab = load_course(folder).labs["numpy_block"]
    master = read_master(lab.master)
    assert problems(lab, master) == []
    (mistake,) = [case for case in cases_of(lab.master.parent / "misconceptions") if case.name == "integer_buffer"]
    judge = Judge(lab)
    try:
        answers = [master.solution_source(name) for name in lab.questions]
        return judge.grade(submission(master.given_source(), *answers, mistake.source))
    finally:
        judge.close()


@pytest.mark.slow
def test_the_check_can_be_written_as_its_page_says(tmp_path: Path) -> None:
    """Without the check the mistake earns all points; with it the mistake is caught and named."""
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in ("solutions/numpy_block", "tests/hidden/numpy_block", "tests/public/numpy_block"):
        shutil.copytree(ROOT / folder, before / folder)
    for package in ("tests", "tests/hidden", "tests/public"):
        (before / package / "__init__.py").touch()
    (before / "grading.yml").write_text(page("grading.yml").partition("  block_backward:\n")[0], encoding="utf-8")
    append(before / "solutions" / "numpy_block" / "misconceptions" / "rms_norm.py", snippet("%% integer_buffer"))
    assert lost(graded(before)) == {}

    shutil.copytree(before, after)
    exercise = "# <!-- handout: each_token -->\n\n\n# %%\ndef rms_norm"
    said_there = exercise.replace("\n\n", f"\n{snippet('handout: integers')}\n", 1)
    replace(after / "solutions" / "numpy_block" / "lab.py", exercise, said_there)
    append(after / "tests" / "hidden" / "numpy_block" / "test_rms_norm.py", snippet("def test_integers"))
    rubric = after / "grading.yml"
    replace(rubric, "        hidden: {each_token: 1, leaves_no_trace: 1}\n", snippet("hidden: {each_token"))
    replace(rubric, "points: 3\n        functions: [rms_norm]", "points: 4\n        functions: [rms_norm]")
    replace(rubric, "points: 60\n", "points: 61\n")
    grade = graded(after)
    assert lost(grade) == {"rms_norm": 1}
    assert check(grade, "rms_norm", "integers").misconception == "integer_buffer"
