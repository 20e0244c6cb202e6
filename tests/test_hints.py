"""What students read about every misconception of the audit: kind, short, of use, and no answer.

The texts lie in `tests/hints/<lab>.md`, one paragraph a misconception, to be read when they change. To write them anew:

    python -m tests.test_hints
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from autograder.audit import notebook_with
from autograder.course import Check, Lab, load_course
from autograder.grade import Judge
from autograder.master import Case, cases_of, read_master
from autograder.record import CheckResult
from autograder.reports.feedback import Texts, feedback_on, finding, next_step, texts
from tests.conftest import ROOT, submission

LABS = load_course(ROOT).labs
SNAPSHOTS = Path(__file__).parent / "hints"
MOST_WORDS = 80
TELLING_TOKENS = 6
"""So many tokens of code in a row give an answer away: `x - mean` is in every text, a whole line is not."""

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e-?\d+)?(?!\w)")

EACH = pytest.mark.parametrize("lab", LABS.values(), ids=lambda lab: lab.name)


def misconceptions(lab: Lab) -> tuple[Case, ...]:
    return cases_of(lab.master.parent / "misconceptions")


# --- what a student reads -------------------------------------------------------------------------------------------


def told(lab: Lab, case: Case, check: Check, said: Texts) -> str:
    """What stands below a check that failed for this reason, the values being wrong: finding, cause and next step."""
    result = CheckResult(
        name=check.name,
        visible=check.visible,
        status="failed",
        score=0,
        possible=check.points,
        message=f"{longest_finding(lab, check)} {case.hint}",
        misconception=case.name,
    )
    found, cause = finding(case.question, result, said)
    return f"{found} {cause} {next_step(case.question, [result])}"


def longest_finding(lab: Lab, check: Check) -> str:
    """The longest message of a check: a public test's own sentences, or what a comparison says of wrong values."""
    if check.visible:
        said = longest_text(lab.public_suite(check.question), check.name)
        return f"{said} At [0, 1] it is -1.38873, expected -1.6036."
    names = lab.questions[check.question].functions or [check.question]
    return f"`{max(names, key=len)}` has the right shape, but 64 of 64 values are off."


@cache
def longest_text(suite: Path, check: str) -> str:
    """The longest string in a test's body, its docstring left out."""
    tests = ast.parse(suite.read_text(encoding="utf-8")).body
    (test,) = [node for node in tests if isinstance(node, ast.FunctionDef) and node.name == f"test_{check}"]
    return max((text for line in test.body[1:] for text in texts_in(line)), key=len, default="")


def texts_in(node: ast.AST) -> list[str]:
    return [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


@EACH
def test_finding_cause_and_next_step_are_fewer_than_eighty_words(lab: Lab) -> None:
    said = texts(lab)
    for case in misconceptions(lab):
        for check in lab.questions[case.question].checks:
            text = told(lab, case, check, said)
            assert case.hint in text
            assert len(text.split()) < MOST_WORDS, f"{case.question}.{case.name}: {text}"


@EACH
def test_a_hint_is_made_of_sentences_and_a_next_step_follows(lab: Lab) -> None:
    said = texts(lab)
    for case in misconceptions(lab):
        where = f"{case.question}.{case.name}: {case.hint}"
        assert case.hint.endswith((".", "?")) and len(case.hint.split()) >= 3, where
        assert told(lab, case, lab.questions[case.question].checks[0], said).endswith("in the notebook."), where


@pytest.mark.slow
@EACH
def test_the_whole_way_of_a_submission_tells_the_same(lab: Lab, judges: Callable[[str], Judge]) -> None:
    master = read_master(lab.master)
    for question in lab.questions.values():
        named = [case for case in misconceptions(lab) if case.question == question.name and case.named]
        if not named:
            continue
        case = named[len(named) // 2]
        cells = [cell["source"] for cell in json.loads(notebook_with(master, case))["cells"]]
        grade = judges(lab.name).grade(submission(*cells))
        (section,) = feedback_on(grade, lab, published=True).sections
        assert (section.question, section.cause) == (question.name, case.hint)
        for item in section.items:
            assert len(f"{item.found} {section.cause} {section.next_step}".split()) < MOST_WORDS, item.found
        for check in next(q for q in grade.questions if q.name == question.name).checks:
            assert check.visible or "expected" not in check.message


# --- what a hint keeps to itself ------------------------------------------------------------------------------------


def tokens(text: str) -> list[str]:
    """Names, numbers and signs, in a row: what is left of code when its layout is gone."""
    return re.findall(r"[A-Za-z_]\w*|\d+(?:\.\d+)?(?:e-?\d+)?|\*\*|//|[^\s\w`]", text)


def statements(source: str) -> Iterator[str]:
    """Every simple statement of an answer, and the value by itself that it assigns or returns."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.Expr | ast.AnnAssign):
            yield ast.unparse(node)
            if node.value is not None:
                yield ast.unparse(node.value)


def contains(text: list[str], part: list[str]) -> bool:
    return any(text[start : start + len(part)] == part for start in range(len(text) - len(part) + 1))


def test_a_statement_is_found_whatever_its_layout() -> None:
    answer = "def f(x):\n    y = x.mean( axis = -1,\n  keepdims=True)\n    return y"
    hint = tokens("Write `y=x.mean(axis=-1, keepdims=True)` here.")
    found = [statement for statement in statements(answer) if contains(hint, tokens(statement))]
    assert found == ["y = x.mean(axis=-1, keepdims=True)", "x.mean(axis=-1, keepdims=True)", "y"]


@EACH
def test_a_hint_holds_no_line_of_the_answer(lab: Lab) -> None:
    master = read_master(lab.master)
    lines = {name: [tokens(s) for s in statements(master.solution_source(name))] for name in lab.questions}
    for case in misconceptions(lab):
        hint = tokens(case.hint)
        for line in lines[case.question]:
            if len(line) >= TELLING_TOKENS:
                assert not contains(hint, line), f"{case.question}.{case.name}: {case.hint} gives away {' '.join(line)}"


def numbers(text: str) -> set[float]:
    return {float(found.replace(",", "")) for found in NUMBER.findall(text)}


def numbers_in_code(path: Path) -> set[float]:
    """The numbers of a file's code; docstrings and comments are for students."""
    found = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    return {float(ast.literal_eval(t.string)) for t in found if t.type == tokenize.NUMBER}


def secrets(lab: Lab, question: str) -> set[float]:
    """The numbers in a question's hidden suite that stand nowhere in what a student has."""
    suites = [path for path in (lab.hidden_suite(question), lab.public_suite(question)) if path.is_file()]
    hidden, public = (numbers_in_code(path) for path in suites) if len(suites) == 2 else (set(), set())
    return hidden - public - numbers(re.sub(r"data:[^)\"]*", "", lab.handout.read_text(encoding="utf-8")))


def test_numbers_are_told_from_names() -> None:
    assert numbers("12.5 of 1,024, 1e-8 and `x[3]`, but not W2, v1.5 or 2nd") == {12.5, 1024.0, 1e-8, 3.0}
    assert secrets(LABS["numpy_block"], "layer_norm")


@EACH
def test_a_hint_names_no_number_that_only_hidden_checks_know(lab: Lab) -> None:
    secret = {name: secrets(lab, name) for name in lab.questions}
    for case in misconceptions(lab):
        assert not numbers(case.hint) & secret[case.question], f"{case.question}.{case.name}: {case.hint}"


# --- snapshots ------------------------------------------------------------------------------------------------------


def snapshot(lab: Lab) -> str:
    """All hints of a lab as students read them, below what stands around each."""
    said = texts(lab)
    parts = [f"# What students are told: {lab.title}", "Written by `python -m tests.test_hints`."]
    for question in lab.questions.values():
        cases = [case for case in misconceptions(lab) if case.question == question.name]
        if cases:
            around = told(lab, cases[0], question.checks[-1], said).replace(cases[0].hint, "…")
            parts += [f"## {question.name}", f"> {around}"]
            parts += [f"**{case.name}**{'' if case.named else ' (not named)'}: {case.hint}" for case in cases]
    return "\n\n".join(parts) + "\n"


@EACH
def test_what_students_read_is_what_someone_has_read(lab: Lab) -> None:
    path = SNAPSHOTS / f"{lab.name}.md"
    assert snapshot(lab) == path.read_text(encoding="utf-8"), "read the changes, then run: python -m tests.test_hints"


if __name__ == "__main__":
    SNAPSHOTS.mkdir(exist_ok=True)
    for each in LABS.values():
        (SNAPSHOTS / f"{each.name}.md").write_text(snapshot(each), encoding="utf-8")
