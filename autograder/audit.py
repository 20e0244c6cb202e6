"""Tests of the tests: right answers must be accepted, wrong ones caught and told why.

A suite is a classifier, so it is tried as one. Every *alternative* and every *misconception* goes the whole way of a
submission (a notebook's file, sandbox, suite, grade); every *mutant* of the master's answers runs against the checks
of its question in one warm sandbox. Results are kept by content: what has not changed is not tried again.
"""

from __future__ import annotations

import ast
import json
import multiprocessing
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import msgspec
import yaml
from msgspec import Struct

from autograder.course import Course, Lab, Question
from autograder.errors import Explained
from autograder.grade import Judge
from autograder.kept import Kept, digest, surroundings, text_of
from autograder.marking import Marking, Run
from autograder.master import Case, Master, answer, cases_of, read_master
from autograder.mutants import Mutant, mutants_of
from autograder.parent import end_with_the_parent
from autograder.reach import reached
from autograder.record import Grade
from autograder.sandbox import wire
from autograder.sandbox.host import Channel
from autograder.sandbox.notebook import Budget, RunningNotebook
from autograder.sandbox.slots import own_uid
from autograder.submission import Cell, Submission, read_submission

KINDS = ("alternative", "misconception", "mutant")
FOLDERS = {"alternative": "alternatives", "misconception": "misconceptions"}
EQUIVALENTS = "equivalent_mutants.yml"


class AuditError(Explained):
    """The audit cannot be made; the text says what to mend."""


class Result(Struct, frozen=True):
    """What became of one answer.

    `caught_by` are the checks of its own question that it failed, `elsewhere` what it cost in others, `told` the
    misconceptions that were named, `expected` the one that should be.
    """

    kind: str
    question: str
    name: str
    lost: int
    caught_by: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    expected: str | None = None

    @property
    def is_right(self) -> bool:
        """Whether it was judged as it should be, apart from its cause."""
        if self.kind == "alternative":
            return not self.lost and not self.elsewhere
        return self.lost > 0 and not self.elsewhere

    @property
    def is_named(self) -> bool:
        return self.expected is not None and self.told == (self.expected,)

    @property
    def fault(self) -> str:
        """What is wrong with the suites, or with the case; empty when nothing is."""
        where = f"{self.question}: {self.kind} {self.name}"
        if self.kind == "alternative" and not self.is_right:
            return f"{where} is refused by {_listed([*self.caught_by, *self.elsewhere])}"
        if self.kind != "alternative" and not self.lost:
            also = f" (only {_listed(self.elsewhere)} sees it)" if self.elsewhere else ""
            return f"{where} survives: no check of {self.question} fails{also}"
        if self.elsewhere:
            return f"{where} is charged again by {_listed(self.elsewhere)}"
        if self.told and not self.is_named:
            return f"{where} is told that it is {_listed(self.told)}"
        if self.expected and not self.told:
            reasons = "another case gives the same outputs, or it gives none, or its cell's title lacks `unnamed`"
            return f"{where} is not named: {reasons}"
        return ""


class Equivalent(Struct, frozen=True, forbid_unknown_fields=True):
    """A mutant that no check can tell from the answer, and why."""

    was: str
    becomes: str
    why: str


class LabAudit(Struct, frozen=True):
    """All results of one lab, in the rubric's order, and its equivalent mutants."""

    lab: Lab
    results: tuple[Result, ...]
    equivalents: dict[str, list[Equivalent]]
    stale: tuple[str, ...]

    def of(self, kind: str, question: str | None = None) -> list[Result]:
        """The results of one kind, of one question or of all; equivalent mutants are none."""
        return [
            result
            for result in self.results
            if result.kind == kind and question in (None, result.question) and not self.why_equivalent(result)
        ]

    def why_equivalent(self, result: Result) -> str:
        """The reason why nothing can catch this mutant, or nothing."""
        entries = self.equivalents.get(result.question, []) if result.kind == "mutant" and not result.lost else []
        return next((e.why for e in entries if result.name == str(Mutant(result.question, e.was, e.becomes, ""))), "")

    @property
    def faults(self) -> list[str]:
        found = [r.fault for r in self.results if r.fault and not self.why_equivalent(r)]
        return [f"{self.lab.name}: {fault}" for fault in (*found, *self.stale)]


class Unit(Struct, frozen=True):
    """The answers of one kind to one question: what is tried, kept and forgotten together."""

    lab: str
    question: str
    kind: str

    @property
    def file(self) -> str:
        return f"{self.lab}.{self.question}.{self.kind}.json"


def audit(
    course: Course,
    labs: Sequence[str],
    questions: Sequence[str] | None = None,
    *,
    cache: Path | None = None,
    jobs: int = 2,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[LabAudit]:
    """Try every case and mutant of some labs, or only those of some of their questions.

    `cache` is where results are kept; `tell` hears how many of how many units are done. Raises AuditError for cases
    that cannot be tried.
    """
    chosen = [course.labs[name] for name in labs]
    keys = {unit: key for lab in chosen for unit, key in _units(lab, questions)}
    kept = Kept(cache)
    found: dict[Unit, tuple[Result, ...]] = {}
    for unit, key in keys.items():
        if (results := kept.recall(unit.file, key, Result)) is not None:
            found[unit] = results
    tell(len(found), len(keys))
    for unit, results in _tried(course, [unit for unit in keys if unit not in found], jobs):
        found[unit] = results
        kept.remember(unit.file, keys[unit], results)
        tell(len(found), len(keys))
    return [_lab_audit(lab, [found[unit] for unit in keys if unit.lab == lab.name], questions) for lab in chosen]


def _units(lab: Lab, questions: Sequence[str] | None) -> Iterator[tuple[Unit, str]]:
    """The units of a lab, each with the digest of all that its results depend on."""
    master = read_master(lab.master)
    for question in lab.questions.values():
        if question.kind == "auto" and (questions is None or question.name in questions):
            around = surroundings(reached(lab, master, question.name))
            for kind in KINDS:
                unit = Unit(lab.name, question.name, kind)
                yield unit, digest(around, kind, question.name, text_of(_deciding(lab, unit)))


def _deciding(lab: Lab, unit: Unit) -> list[Case]:
    """The cases that a unit's results depend on: its own, and the misconceptions of what builds on its question."""
    if unit.kind == "mutant":
        return []
    later = [name for name in lab.questions if name == unit.question or unit.question in lab.foundations(name)]
    wrong = [case for name in later for case in _cases(lab, Unit(lab.name, name, "misconception"))]
    return [*_cases(lab, unit), *wrong]


def _lab_audit(lab: Lab, found: Iterable[tuple[Result, ...]], questions: Sequence[str] | None) -> LabAudit:
    results = tuple(result for results in found for result in results)
    equivalents = read_equivalents(lab)
    survivors = {(r.question, r.name) for r in results if r.kind == "mutant" and not r.lost}
    stale = [
        f"{question}: {EQUIVALENTS} lists {name}, which is no mutant any more or is caught. Remove the entry"
        for question, entries in equivalents.items()
        for entry in entries
        if (question, name := str(Mutant(question, entry.was, entry.becomes, ""))) not in survivors
        and (questions is None or question in questions)
    ]
    return LabAudit(lab, results, equivalents, tuple(stale))


def read_equivalents(lab: Lab) -> dict[str, list[Equivalent]]:
    """Question -> the mutants of its answer that are none. Raises AuditError where the file is not as it should be."""
    path = lab.master.parent / EQUIVALENTS
    if not path.is_file():
        return {}
    try:
        return msgspec.convert(yaml.safe_load(path.read_bytes()) or {}, dict[str, list[Equivalent]])
    except (yaml.YAMLError, msgspec.ValidationError) as error:
        raise AuditError(f"{path}: {error}. Each question lists entries of `was`, `becomes` and `why`.") from None


# --- on several processes -------------------------------------------------------------------------------------------


def _tried(course: Course, units: list[Unit], jobs: int) -> Iterator[tuple[Unit, tuple[Result, ...]]]:
    """The results of units, as they are ready; the long ones are begun first."""
    units = sorted(units, key=lambda unit: _weight(course.labs[unit.lab], unit), reverse=True)
    if jobs == 1 or len(units) < 2:
        auditor = Auditor(course)
        try:
            for unit in units:
                yield unit, auditor.results(unit)
        finally:
            auditor.close()
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _start, (course,)) as executor:
        futures = {executor.submit(_results, unit): unit for unit in units}
        for future in as_completed(futures):
            yield futures[future], future.result()


def _weight(lab: Lab, unit: Unit) -> float:
    """About how long a unit takes: a notebook with torch takes ten times one without."""
    count = 1 if unit.kind == "mutant" else len(_cases(lab, unit))
    return count * (10 if "torch" in lab.warm else 1)


_auditor: Auditor


def _start(course: Course) -> None:
    global _auditor
    end_with_the_parent()
    _auditor = Auditor(course)


def _results(unit: Unit) -> tuple[Result, ...]:
    return _auditor.results(unit)


class Auditor:
    """Tries units one after the other; judges are made when first needed."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self._judges: dict[str, CaseJudge] = {}

    def results(self, unit: Unit) -> tuple[Result, ...]:
        """What became of each answer of a unit. Raises AuditError, or SuiteError where a check is at fault."""
        if unit.lab not in self._judges:
            self._judges[unit.lab] = CaseJudge(self.course.labs[unit.lab], own_uid())
        judge = self._judges[unit.lab]
        question = judge.lab.questions[unit.question]
        if unit.kind == "mutant":
            return tuple(_try_mutants(judge, question))
        judge.marked = reached(judge.lab, judge.answers.master, question.name)
        return tuple(_try_case(judge, case, unit.kind) for case in _cases(judge.lab, unit))

    def close(self) -> None:
        """End all sandboxes."""
        for judge in self._judges.values():
            judge.close()


class CaseJudge(Judge):
    """Marks only what a case can reach: `marked` is that part of the lab. The rest is the master's."""

    marked: Lab

    @contextmanager
    def running(self, submission: Submission) -> Iterator[Marking]:
        with super().running(submission) as marking:
            marking.lab = self.marked
            yield marking


# --- a case: the whole way of a submission --------------------------------------------------------------------------


def _cases(lab: Lab, unit: Unit) -> list[Case]:
    folder = lab.master.parent / FOLDERS[unit.kind]
    known = cases_of(folder)
    strangers = {case.question for case in known} - lab.questions.keys()
    if strangers:
        raise AuditError(f"{folder}: there is no question {_listed(sorted(strangers))}. A file is named after one.")
    cases = [case for case in known if case.question == unit.question]
    question = lab.questions[unit.question]
    names = [*question.functions, *question.values]
    for case in cases:
        if not _names_one_of(names, case):
            where = f"{folder / unit.question}.py: the case {case.name}"
            raise AuditError(f"{where} does not name {_listed(names)}: the master's answer would be tried. Mend it.")
    return cases


def _names_one_of(names: Sequence[str], case: Case) -> bool:
    return re.search(rf"\b(?:{'|'.join(names)})\b", case.source) is not None


def _try_case(judge: Judge, case: Case, kind: str) -> Result:
    with TemporaryDirectory() as folder:
        path = Path(folder, "case.ipynb")
        path.write_text(notebook_with(judge.answers.master, case), encoding="utf-8")
        return result_of(judge.grade(read_submission(path)), case, kind)


def notebook_with(master: Master, *cases: Case) -> str:
    """A submission: the given cells and the master's answers, those of some questions replaced by cases."""
    cells = [cell for cell in master.cells if cell.is_given or cell.is_solution]
    sources = [answer(cell.source) for cell in cells]
    for case in cases:
        places = [i for i, cell in enumerate(cells) if cell.is_solution and cell.question == case.question]
        if not places:
            raise AuditError(f"{master.path}: the case {case.name} is for {case.question}, which has no answer there.")
        bound = bound_names(case.source)
        for place in places:
            if bound_names(sources[place]) <= bound:
                sources[place] = ""
        sources[places[-1]] += f"\n\n{case.source}"
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [_code(s) for s in sources]})


def _code(source: str) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": source.strip()}


def bound_names(source: str) -> set[str]:
    """The names that a cell defines or assigns at its top level."""
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.Assign):
            stored = (child for child in ast.walk(node) if isinstance(child, ast.Name))
            names |= {child.id for child in stored if isinstance(child.ctx, ast.Store)}
    return names


def result_of(grade: Grade, case: Case, kind: str) -> Result:
    """What a grade says about a case. Points that wait for a person are not earned, which is what counts here."""
    lost: Counter[str] = Counter()
    failed: dict[str, list[str]] = {}
    for question in grade.questions:
        for check in question.checks:
            if check.status != "passed":
                lost[question.name] += check.possible
                failed.setdefault(question.name, []).append(check.name)
    told = {check.misconception for question in grade.questions for check in question.checks if check.misconception}
    return Result(
        kind=kind,
        question=case.question,
        name=case.name,
        lost=lost[case.question],
        caught_by=tuple(failed.pop(case.question, ())),
        elsewhere=tuple(f"{question}.{check}" for question, checks in failed.items() for check in checks),
        told=tuple(sorted(told)),
        expected=case.name if kind == "misconception" and case.named else None,
    )


# --- mutants: one warm sandbox --------------------------------------------------------------------------------------


class Changed:
    """A running notebook, of which every copy first runs one more cell."""

    def __init__(self, notebook: RunningNotebook, source: str) -> None:
        self.notebook = notebook
        self.source = source
        self.calls = Budget(notebook.lab.limits.total_seconds)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.notebook, name)

    def fork(self, budget: Budget) -> Channel:
        """A copy in which the cell has run. Raises WorkerDied or TimedOut where it cannot."""
        copy = self.notebook.fork(budget)
        copy.request(wire.RunCell(len(self.notebook.cells), self.source), self.notebook.lab.limits.cell_seconds)
        return copy


def _try_mutants(judge: Judge, question: Question) -> Iterator[Result]:
    mutants = mutants_of(judge.answers.master, question.name)
    if not mutants:
        return
    answers = judge.answers
    cells = json.loads(notebook_with(answers.master))["cells"]
    running = tuple(Cell(i, cell["source"], (), "code") for i, cell in enumerate(cells))
    zygote = judge.zygotes.fit_for(running)
    with RunningNotebook(zygote, judge.lab, running, answers.given_source, answers.standins) as notebook:
        for run in _runs(judge, question, Changed(notebook, "")):
            if not run.passed:
                place = f"{judge.lab.name}: the master itself fails {question.name}.{run.check.name}"
                raise AuditError(f"{place} ({run.verdict.message}). Mend that.")
        for mutant in mutants:
            changed = Changed(notebook, mutant.source)
            own = _failures(judge, question, changed)
            later = [] if own else _first_failure(judge, question, changed)
            yield Result(
                kind="mutant",
                question=question.name,
                name=str(mutant),
                lost=sum(points for _, points in own),
                caught_by=tuple(name for name, _ in own),
                elsewhere=tuple(later),
            )


def _failures(judge: Judge, question: Question, changed: Changed) -> list[tuple[str, int]]:
    """The checks of a question that fail, with their points; none after one that hangs or crashes."""
    failed = []
    for run in _runs(judge, question, changed):
        if not run.passed:
            failed.append((run.check.name, run.check.points))
        if run.verdict.status == "timeout" or run.verdict.kind == "killed":
            break
    return failed


def _first_failure(judge: Judge, question: Question, changed: Changed) -> list[str]:
    """The first check that fails in the questions which build on this one."""
    for later in judge.lab.questions.values():
        if question.name in judge.lab.foundations(later.name):
            for run in _runs(judge, later, changed):
                if not run.passed:
                    return [f"{later.name}.{run.check.name}"]
    return []


def _runs(judge: Judge, question: Question, changed: Changed) -> Iterator[Run]:
    notebook = cast(RunningNotebook, changed)
    marking = Marking(judge.lab, judge.suite, judge.answers, judge.guards, judge.known, notebook)
    with marking.copies() as copies:
        for check in question.checks:
            yield marking.directly(check, question, copies)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
