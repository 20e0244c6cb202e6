"""The audit finds what it is for: right answers refused, wrong ones passed, charged again or told a wrong cause."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from click.testing import CliRunner, Result

from autograder import audit as auditing
from autograder.audit import AuditError, LabAudit, audit, notebook_with
from autograder.cli import main
from autograder.course import Course, Lab, load_course
from autograder.kept import surroundings
from autograder.master import Case, cases_of, read_master
from autograder.matrix import page
from autograder.mutants import mutants_of
from autograder.reference import Answers
from autograder.sandbox.student import FETCHED, Observation

ROOT = Path(__file__).parent.parent
COURSE = load_course(ROOT)

RUBRIC = """
labs:
  toy:
    title: Waves
    warm: [numpy]
    questions:
      wave:
        functions: [wave]
        public: {keeps_the_shape: 1}
        hidden: {every_number: 2, any_length: 1}
      crest:
        functions: [crest]
        builds_on: [wave]
        public: {is_one_number: 1}
        hidden: {largest: 1}
"""
MASTER = """\
# %% tags=["given"]
import numpy as np

# %% [raw]
# # BEGIN QUESTION
# name: wave

# %%
def wave(x, height=2.0):
    \"\"\"The wave.\"\"\"
    # BEGIN SOLUTION
    return x * np.sin(x) + height
    # END SOLUTION

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: crest

# %%
def crest(x):
    \"\"\"Its highest point.\"\"\"
    # BEGIN SOLUTION
    return wave(x).max()
    # END SOLUTION

# %% [raw]
# # END QUESTION
"""
SUITES = {
    "public/toy/test_wave.py": """
def test_keeps_the_shape(wave):
    import numpy as np

    assert np.shape(wave(np.ones(3))) == (3,), "three numbers in, three numbers out"
""",
    "public/toy/test_crest.py": """
def test_is_one_number(crest):
    import numpy as np

    assert np.shape(crest(np.ones(3))) == (), "the crest is one number"
""",
    "hidden/toy/test_wave.py": """
import numpy as np
from autograder.compare import assert_matches

X = np.array([0.5, -1.2, 2.2, -3.1])


def test_every_number(student, reference):
    assert_matches(student.wave, reference.wave, X)


def test_any_length(student, reference):
    assert_matches(student.wave, reference.wave, X[:0])
""",
    "hidden/toy/test_crest.py": """
import numpy as np
from autograder.compare import assert_matches

X = np.array([0.5, -1.2, 2.2, -3.1])


def test_largest(student, reference):
    assert_matches(student.crest, reference.crest, X)
""",
}
ALTERNATIVES = {"wave": "# %% the_other_way_round\ndef wave(x, height=2.0):\n    return height + np.sin(x) * x\n"}
MISCONCEPTIONS = {
    "wave": """
# %% cosine
# Look at which function it is.
def wave(x, height=2.0):
    return x * np.cos(x) + height

# %% height_left_out
# Look at the last term.
def wave(x, height=2.0):
    return x * np.sin(x)
""",
    "crest": """
# %% lowest
# Look at which end you take.
def crest(x):
    return wave(x).min()
""",
}
SUMMARY = re.compile(
    r"alternatives (\d+)/(\d+) accepted, misconceptions (\d+)/(\d+) caught, named (\d+), mutants (\d+)/(\d+) killed"
)


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A course with a lab of two questions, whose checks are as good as they should be."""
    put(tmp_path / "grading.yml", RUBRIC)
    put(tmp_path / "solutions/toy/lab.py", MASTER)
    for path, source in SUITES.items():
        put(tmp_path / "tests" / path, source)
    for folder in ("", "public", "hidden", "public/toy", "hidden/toy"):
        put(tmp_path / "tests" / folder / "__init__.py", "")
    put_cases(tmp_path, "alternatives", ALTERNATIVES)
    put_cases(tmp_path, "misconceptions", MISCONCEPTIONS)
    return tmp_path


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def put_cases(root: Path, folder: str, cases: dict[str, str]) -> None:
    for question, text in cases.items():
        put(root / "solutions" / "toy" / folder / f"{question}.py", text.lstrip())


def audited(root: Path, **settings: Any) -> LabAudit:
    [found] = audit(load_course(root), ["toy"], jobs=1, **settings)
    return found


def command(root: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["--course", str(root), "audit", "--jobs", "1", *options])


# --- what it finds --------------------------------------------------------------------------------------------------


def test_a_sound_course_has_no_fault(toy: Path) -> None:
    result = command(toy)
    assert result.exit_code == 0, result.output
    found = SUMMARY.fullmatch(result.output.splitlines()[-1])
    assert found is not None
    assert found.groups()[:5] == ("1", "1", "3", "3", "3")
    assert found[6] == found[7] != "0"


def test_a_right_answer_that_is_refused_is_a_fault(toy: Path) -> None:
    put_cases(toy, "alternatives", {"wave": "# %% wider\ndef wave(x, height=2.0):\n    return x[None] * 0 + 1\n"})
    result = command(toy)
    assert result.exit_code == 1
    assert "toy: wave: alternative wider is refused by keeps_the_shape, every_number, any_length" in result.output
    assert "alternatives 0/1 accepted" in result.output.splitlines()[-1]


def test_a_wrong_answer_that_passes_is_a_fault(toy: Path) -> None:
    put_cases(toy, "misconceptions", {"crest": "# %% absolute\ndef crest(x):\n    return abs(wave(x)).max()\n"})
    result = command(toy)
    assert result.exit_code == 1
    assert "toy: crest: misconception absolute survives: no check of crest fails" in result.output


def test_a_slip_that_is_charged_twice_is_a_fault(toy: Path) -> None:
    rubric = (toy / "grading.yml").read_text().replace("        builds_on: [wave]\n", "")
    put(toy / "grading.yml", rubric)
    [*_, fault] = sorted(audited(toy).faults)
    assert fault == "toy: wave: misconception height_left_out is charged again by crest.largest"


def test_a_cause_that_two_cases_share_is_a_fault_unless_said_to_be_unnamed(toy: Path) -> None:
    again = "\n# %% moved_down{}\n# Look again.\ndef wave(x, height=2.0):\n    return x * np.sin(x) + height - height\n"
    both = MISCONCEPTIONS["wave"] + again.format("")
    put_cases(toy, "misconceptions", {"wave": both})
    assert [fault.split(":")[2].split(" is ")[0] for fault in audited(toy).faults] == [
        " misconception height_left_out",
        " misconception moved_down",
    ]
    put_cases(toy, "misconceptions", {"wave": both.replace("height_left_out", "height_left_out unnamed")})
    assert ["moved_down" in fault for fault in audited(toy).faults] == [True]
    unnamed = both.replace("height_left_out", "height_left_out unnamed").replace("moved_down", "moved_down unnamed")
    put_cases(toy, "misconceptions", {"wave": unnamed})
    assert audited(toy).faults == []


def test_a_right_answer_that_is_told_a_cause_is_a_fault() -> None:
    case = Case("other_style", "wave", "", "")
    grade = audit_grade(misconception="cosine")
    assert auditing.result_of(grade, case, "alternative").fault.endswith("is told that it is cosine")


def test_a_wrong_cause_is_a_fault() -> None:
    case = Case("height_left_out", "wave", "", "")
    result = auditing.result_of(audit_grade(status="failed", misconception="cosine"), case, "misconception")
    assert result.fault == "wave: misconception height_left_out is told that it is cosine"


def audit_grade(status: str = "passed", misconception: str | None = None) -> Any:
    check = msgspec.json.encode(
        {"name": "every_number", "visible": False, "status": status, "score": 0, "possible": 2}
        | {"misconception": misconception}
    )
    grade = auditing.Grade
    question = {"name": "wave", "score": 0, "possible": 2, "pending": 0, "checks": [msgspec.json.decode(check)]}
    record = {"lab": "toy", "file": "x", "student": "x", "sha256": "", "status": "graded", "reason": None}
    record |= {"score": 0, "possible": 2, "pending": 0, "seconds": 0.0, "questions": [question]}
    record |= {"protections": [], "warnings": [], "notes": [], "cells": []}
    return msgspec.convert(record, grade)


@pytest.mark.parametrize(
    "odd",
    [
        "def wave(x, height=2.0):\n    while True: pass\n",
        "while True: pass\ndef wave(x, height=2.0):\n    return x\n",
        "scale = 1 / 0\ndef wave(x, height=2.0):\n    return x\n",
    ],
    ids=["endless", "endless before its answer", "breaks before its answer"],
)
def test_a_misconception_that_gives_nothing_is_a_fault_and_holds_up_no_other(toy: Path, odd: str) -> None:
    put(toy / "grading.yml", (toy / "grading.yml").read_text() + "    limits: {call_seconds: 1, cell_seconds: 1}\n")
    cosine, _ = MISCONCEPTIONS["wave"].split("\n\n")
    put_cases(toy, "misconceptions", {"wave": f"{cosine}\n\n# %% odd\n# Look at the scale.\n{odd}"})
    found = audited(toy)
    assert [fault for fault in found.faults if "misconception odd is not named: " not in fault] == []
    assert [result.told for result in found.of("misconception")] == [("cosine",), (), ("lowest",)]


def test_values_of_a_misconception_that_breaks_are_none(toy: Path) -> None:
    answers = Answers(load_course(toy).labs["toy"])
    broken = answers.misconception(Case("odd", "wave", "", "scale = 1 / 0"))
    found = broken.repeat(Observation("scale", FETCHED))
    assert str(found.error) == "`scale` raised ZeroDivisionError: division by zero."


# --- mutants --------------------------------------------------------------------------------------------------------


def test_only_what_stands_in_solution_blocks_is_mutated(toy: Path) -> None:
    mutants = mutants_of(read_master(toy / "solutions/toy/lab.py"), "wave")
    assert {mutant.was for mutant in mutants} == {"return x * np.sin(x) + height"}
    assert len({mutant.becomes for mutant in mutants}) == len(mutants) > 8
    assert "return x / np.sin(x) + height" in {mutant.becomes for mutant in mutants}
    assert not any(re.search(r"<<|>>|[&|^~]", mutant.becomes) for mutant in mutants)
    assert not any("SOLUTION" in mutant.source for mutant in mutants)


def test_a_mutant_that_no_check_of_its_question_sees_is_a_fault(toy: Path) -> None:
    put(toy / "tests/hidden/toy/test_wave.py", SUITES["hidden/toy/test_wave.py"].replace("wave, X)", "wave, 0 * X)"))
    faults = audited(toy).faults
    assert any("mutant return x * np.sin(x) + height → return x - np.sin(x) + height survives" in f for f in faults)
    assert any("only crest.largest sees it" in fault for fault in faults)


def test_an_equivalent_mutant_needs_a_reason_and_a_mutant(toy: Path) -> None:
    put(
        toy / "tests/hidden/toy/test_wave.py",
        SUITES["hidden/toy/test_wave.py"].replace("wave, X)", "wave, 0 * X)"),
    )
    put(
        toy / "tests/hidden/toy/test_crest.py",
        SUITES["hidden/toy/test_crest.py"].replace("crest, X)", "crest, 0 * X)"),
    )
    survivors = [r for r in audited(toy).of("mutant") if not r.lost]
    entries = [dict(zip(("was", "becomes"), r.name.split(" → "), strict=True)) | {"why": "x > 0"} for r in survivors]
    stale = {"was": "return x", "becomes": "return y", "why": "no reason"}
    put(toy / "solutions/toy/equivalent_mutants.yml", yaml.safe_dump({"wave": [*entries, stale]}))
    found = audited(toy)
    assert [fault for fault in found.faults if "mutant" in fault] == [
        "toy: wave: equivalent_mutants.yml lists return x → return y, which is no mutant any more or is caught. "
        "Remove the entry"
    ]
    put(toy / "solutions/toy/equivalent_mutants.yml", "wave: [{was: a, becomes: b}]")
    with pytest.raises(AuditError, match="why"):
        audited(toy)


# --- the notebook of a case -----------------------------------------------------------------------------------------


def sources(notebook: str) -> list[str]:
    return ["".join(cell["source"]) for cell in msgspec.json.decode(notebook)["cells"]]


def test_a_case_takes_the_place_of_the_answer(toy: Path) -> None:
    master = read_master(toy / "solutions/toy/lab.py")
    given, wave, crest = sources(notebook_with(master))
    assert "np.sin" in wave and "SOLUTION" not in wave
    case = Case("flat", "wave", "", "def wave(x, height=2.0):\n    return x")
    assert sources(notebook_with(master, case)) == [given, case.source, crest]


def test_a_case_for_part_of_a_question_leaves_the_rest(toy: Path) -> None:
    lab = COURSE.labs["numpy_block"]
    case = Case("guess", "identity", "", 'prediction = {"pre_norm": "a", "post_norm": "a"}')
    text = "\n".join(sources(notebook_with(read_master(lab.master), case)))
    assert text.count("prediction =") == 1
    assert "def zeroed_params" in text


def test_a_file_of_cases_that_belongs_to_no_question_is_an_error(toy: Path) -> None:
    put_cases(toy, "alternatives", {"waves": ALTERNATIVES["wave"]})
    result = command(toy)
    assert result.exit_code == 2
    assert "there is no question waves" in result.output


@pytest.mark.parametrize("source", ["def wafe(x):\n    return x", "raise ValueError('not reached')"])
def test_a_case_that_answers_nothing_of_its_question_is_an_error(toy: Path, source: str) -> None:
    """The master's own answer would be tried, and be accepted."""
    put_cases(toy, "alternatives", {"wave": f"# %% typo\n{source}\n"})
    result = command(toy)
    assert result.exit_code == 2
    assert "the case typo does not name wave" in result.output


# --- what is kept ---------------------------------------------------------------------------------------------------


def test_what_has_not_changed_is_not_tried_again(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[str, str]] = []
    original = auditing.Auditor.results

    def results(self: auditing.Auditor, unit: auditing.Unit) -> tuple[auditing.Result, ...]:
        tried.append((unit.question, unit.kind))
        return original(self, unit)

    monkeypatch.setattr(auditing.Auditor, "results", results)
    cache = tmp_path / "cache"
    first = audited(toy, cache=cache)
    assert len(tried) == 6
    tried.clear()
    assert audited(toy, cache=cache) == first
    assert tried == []
    put_cases(toy, "misconceptions", {"wave": MISCONCEPTIONS["wave"].replace("cosine", "cosine_for_sine")})
    audited(toy, cache=cache)
    assert sorted(tried) == [("wave", "alternative"), ("wave", "misconception")]
    tried.clear()
    put_cases(toy, "misconceptions", {"crest": MISCONCEPTIONS["crest"].replace("lowest", "least")})
    audited(toy, cache=cache)
    assert sorted({question for question, _ in tried}) == ["crest", "wave"]  # crest's guard what wave's may earn
    (cache / "toy.wave.mutant.json").write_text("{")
    tried.clear()
    audited(toy, cache=cache)
    assert tried == [("wave", "mutant")]


def test_prose_changes_nothing_and_all_that_marks_changes_everything(toy: Path) -> None:
    def now() -> str:
        return surroundings(load_course(toy).labs["toy"])

    before = now()
    put(toy / "solutions/toy/lab.py", "# %% [markdown]\n# About waves.\n\n" + MASTER)
    assert now() == before
    put(toy / "solutions/toy/lab.py", MASTER.replace("np.sin", "np.tan"))
    assert now() != before
    put(toy / "solutions/toy/lab.py", MASTER)
    put(toy / "tests/hidden/toy/inputs.py", "X = 1")
    assert now() != before
    (toy / "tests/hidden/toy/inputs.py").unlink()
    put(toy / "grading.yml", RUBRIC.replace("every_number: 2", "every_number: 3"))
    assert now() != before


# --- the page -------------------------------------------------------------------------------------------------------


def test_check_fails_when_the_page_is_stale_and_writes_nothing(toy: Path) -> None:
    path = toy / "docs/audit.md"
    assert command(toy, "--check").exit_code == 1
    assert not path.exists()
    assert command(toy).exit_code == 0
    assert command(toy, "--check").exit_code == 0
    written = path.read_text()
    put(path, written.replace("Waves", "Ripples"))
    result = command(toy, "--check")
    assert result.exit_code == 1
    assert "docs/audit.md is stale" in result.output
    assert "killed" not in result.output, "a page that does not hold has no totals"
    put(path, written + "\nMore.\n")
    assert "killed" not in command(toy, "--check").output


def test_check_needs_no_results_and_sees_every_change(toy: Path) -> None:
    assert command(toy).exit_code == 0
    shutil.rmtree(toy / ".audit_cache")
    result = command(toy, "--check")
    assert result.exit_code == 0
    assert SUMMARY.fullmatch(result.output.splitlines()[-1])
    for path in (
        "solutions/toy/misconceptions/wave.py",
        "solutions/toy/alternatives/wave.py",
        "tests/hidden/toy/test_wave.py",
        "solutions/toy/equivalent_mutants.yml",
    ):
        before = (toy / path).read_text() if (toy / path).is_file() else ""
        put(toy / path, before + "\n# more\n")
        assert "toy is not what was audited" in command(toy, "--check").output, path
        put(toy / path, before)
    assert command(toy, "--check").exit_code == 0


def test_check_repeats_the_faults_that_the_page_admits(toy: Path) -> None:
    put_cases(toy, "misconceptions", {"crest": "# %% absolute\ndef crest(x):\n    return abs(wave(x)).max()\n"})
    assert command(toy).exit_code == 1
    result = command(toy, "--check")
    assert result.exit_code == 1
    assert "toy: crest: misconception absolute survives: no check of crest fails" in result.output
    assert "stale" not in result.output
    assert SUMMARY.fullmatch(result.output.splitlines()[-1])


def test_one_lab_leaves_the_sections_of_the_others(toy: Path) -> None:
    found = audited(toy)
    shutil.copytree(toy / "solutions/toy", toy / "solutions/other")
    other = msgspec.structs.replace(found.lab, name="other", title="Another")
    course = Course(root=toy, labs={"toy": found.lab, "other": other})
    both = page(course, [found, msgspec.structs.replace(found, lab=other)])
    assert both.index("## toy: Waves") < both.index("## other: Another")
    assert page(course, [found], both) == both


def test_the_matrix_says_which_check_is_needed(toy: Path) -> None:
    text = page(load_course(toy), [audited(toy)])
    rows = {row.split("|")[1].strip(): row.split("|")[2:-1] for row in text.splitlines() if row.startswith("| ")}
    assert [cell.strip() for cell in rows["**wave**"][:4]] == ["4", "1/1", "2/2", "2"]
    assert int(rows["wave.every_number"][5]) > 0
    assert int(rows["wave.any_length"][5]) == 0
    assert "**Never alone in catching anything**: wave.keeps_the_shape, wave.any_length" in text


# --- the labs -------------------------------------------------------------------------------------------------------


def without(lab: Lab, question: str, check: str) -> Lab:
    """The lab without one check."""
    entry = lab.questions[question]
    checks = tuple(kept for kept in entry.checks if kept.name != check)
    assert len(checks) == len(entry.checks) - 1
    fewer = msgspec.structs.replace(entry, checks=checks, points=sum(kept.points for kept in checks))
    return msgspec.structs.replace(lab, questions={**lab.questions, question: fewer})


NEEDED = [
    ("numpy_block", "layer_norm", "eps_honoured", "eps_ignored"),
    ("numpy_block", "gelu", "exact_constants", "coefficient_four_digits"),
    ("numpy_block", "feed_forward", "gelu_between", "exact_gelu"),
    ("numpy_block", "stack", "any_length", "empty_list_fails"),
    ("numpy_block", "identity", "prediction", "predictions_exchanged"),
    ("block_backward", "numerical", "step_honoured", "step_ignored"),
    ("torch_block", "counts", "frozen_too", "only_trainable"),
    ("torch_block", "warmup", "no_warmup", "no_warmup_fails"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "question", "check", "case"), NEEDED)
def test_a_check_that_is_needed_is_missed(name: str, question: str, check: str, case: str, tmp_path: Path) -> None:
    for folder in ("solutions", f"tests/hidden/{name}", f"tests/public/{name}"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for folder in ("tests", "tests/hidden", "tests/public"):
        put(tmp_path / folder / "__init__.py", "")
    shutil.rmtree(tmp_path / f"solutions/{name}/alternatives")
    keep_case(tmp_path / f"solutions/{name}/misconceptions", question, case)
    lab = msgspec.structs.replace(COURSE.labs[name], root=tmp_path)
    for course, survives in ((lab, False), (without(lab, question, check), True)):
        [found] = audit(Course(root=tmp_path, labs={name: course}), [name], [question], jobs=1)
        fault = f"{name}: {question}: misconception {case} survives: no check of {question} fails"
        assert any(found_fault.startswith(fault) for found_fault in found.faults) is survives


def keep_case(folder: Path, question: str, case: str) -> None:
    """Leave one misconception of one question."""
    text = (folder / f"{question}.py").read_text(encoding="utf-8")
    cells = re.split(r"(?m)^(?=# %% )", text)
    shutil.rmtree(folder)
    put(folder / f"{question}.py", next(cell for cell in cells if cell.split()[2:3] == [case]))


@pytest.mark.parametrize("lab", [pytest.param(lab, id=lab.name) for lab in COURSE.labs.values()])
def test_the_page_tells_of_every_case_and_of_no_fault(lab: Lab) -> None:
    text = (ROOT / "docs/audit.md").read_text(encoding="utf-8").split(f"## {lab.name}:")[1]
    found = SUMMARY.search(text)
    assert found is not None
    accepted, right, caught, wrong, named, killed, mutants = map(int, found.groups())
    assert (accepted, caught, killed) == (right, wrong, mutants)
    assert named >= 0.9 * wrong
    folder = lab.master.parent
    assert (right, wrong) == (len(cases_of(folder / "alternatives")), len(cases_of(folder / "misconceptions")))


@pytest.mark.parametrize("lab", [pytest.param(lab, id=lab.name) for lab in COURSE.labs.values()])
def test_every_misconception_has_a_hint_of_a_few_words(lab: Lab) -> None:
    for case in cases_of(lab.master.parent / "misconceptions"):
        assert 4 <= len(case.hint.split()) <= 60, f"{case.question}: {case.name}"


def test_the_page_is_what_the_audit_writes() -> None:
    result = CliRunner().invoke(main, ["--course", str(ROOT), "audit", "--check"])
    assert result.exit_code == 0, result.output


# --- on several processes -------------------------------------------------------------------------------------------


def test_an_audit_that_is_killed_leaves_no_process_at_work(toy: Path) -> None:
    put_cases(
        toy, "misconceptions", {"wave": "# %% odd\n# Look again.\ndef wave(x, height=2.0):\n    while True: pass\n"}
    )
    command = [sys.executable, "-m", "autograder", "--course", str(toy), "audit", "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as run:
        while len(members := in_session(run.pid)) < 5:  # itself, multiprocessing's tracker, workers, their sandboxes
            assert run.poll() is None
            time.sleep(0.1)
        run.send_signal(signal.SIGKILL)
    until = time.monotonic() + 10
    while (left := members & in_session(run.pid)) and time.monotonic() < until:
        time.sleep(0.1)
    assert not left


def in_session(leader: int) -> set[int]:
    """The processes of a session that are not dead."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = stat.read_text().rpartition(") ")[2].split()[:4]
        except OSError:
            continue
        if int(session) == leader and state != "Z":
            found.add(int(stat.parent.name))
    return found
