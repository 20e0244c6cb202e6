"""The checks of one running notebook: verdicts, follow-through, and causes.

The checks run in the rubric's order. One that fails in a question which builds on others is tried again, so that a
slip is charged once: first with the earlier functions answered by the reference, then against a reference built on the
student's own. What still fails is explained by a misconception, if exactly one fits.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.course import Check, Lab, Question
from autograder.diagnosis import UNWRITTEN, Trail
from autograder.known import Known
from autograder.master import Case
from autograder.reference import Answers, Implementation
from autograder.sandbox.notebook import RunningNotebook
from autograder.sandbox.student import CallError, Observation, Student, outsized, shapes_in
from autograder.suite import Suite, Verdict

PATIENT_TIMEOUTS = 2
HURRIED_SECONDS = 0.5
"""A question that has hung so often is given only so many seconds a call."""

OUT_OF_MEMORY = frozenset({"killed", "raised MemoryError"})
"""Kinds of trouble that may come of what a process has used up before."""

Helpers = Mapping[str, Callable[..., Any]]
"""The student's own functions by name, for the reference to call."""

_TRIVIAL = {
    "returns_the_input": "return args[0]",
    "returns_zeros": "return args[0] * 0.0",
    "returns_a_constant": "return args[0] * 0.0 + 1.0",
}


@dataclass
class Run:
    """A check's verdict, the calls by which it was reached, notes for the student, the seconds that it took, and the
    misconception behind it. `unspoilt` are the same check's calls with right helpers, where the student's are wrong."""

    check: Check
    verdict: Verdict
    trail: Trail
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    follow_through: bool = False
    case: Case | None = None
    unspoilt: Trail | None = None

    @property
    def evidence(self) -> Trail:
        """The calls that tell of this question's own slip."""
        return self.unspoilt or self.trail

    @property
    def passed(self) -> bool:
        return self.verdict.status == "passed"


class Guards:
    """For each check, the wrong answers to its question that it refuses when the earlier functions are right.

    A follow-through counts only where it refuses them too: with a `layer_norm` that returns its input, a pre-norm and
    a post-norm block agree, and `return x` must not earn a block.
    """

    def __init__(self, suite: Suite, answers: Answers) -> None:
        self.suite = suite
        self.answers = answers
        self._known: dict[Check, list[Case]] = {}

    def of(self, question: Question, check: Check) -> list[Case]:
        """The wrong answers, found once a process."""
        if check not in self._known:
            cases = [*self.answers.misconceptions(question.name), *_degenerate(question)]
            self._known[check] = [case for case in cases if not self._accepted(check, case)]
        return self._known[check]

    def _accepted(self, check: Check, case: Case) -> bool:
        bound = self.suite.standins(check)
        wrong, right = self.answers.misconception(case, bound), self.answers.reference(bound)
        return self.suite.run(check, wrong, right).status == "passed"


@dataclass
class Marking:
    """All checks of a lab on one notebook."""

    lab: Lab
    suite: Suite
    answers: Answers
    guards: Guards
    known: Known
    notebook: RunningNotebook
    notes: list[str] = field(default_factory=list)
    runs: dict[str, list[Run]] = field(default_factory=dict)
    timeouts: Counter[str] = field(default_factory=Counter)

    def mark(self) -> dict[str, list[Run]]:
        """Question -> its runs, in the rubric's order."""
        questions = [question for question in self.lab.questions.values() if question.kind == "auto"]
        found: dict[Check, Run] = {}
        for visible in (True, False):  # what a public check shows must not tell what a hidden one passed in before
            with self.copies() as copies:  # and what a later question's public check breaks breaks no earlier question
                for question in questions:
                    checks = [check for check in question.checks if check.visible is visible]
                    found |= {check: self.directly(check, question, copies) for check in checks}
        self.runs = {question.name: [found[check] for check in question.checks] for question in questions}
        with self.copies() as copies:  # after all direct checks: a student's helpers see intermediate values here
            for question in questions:
                self._follow_through(question, copies)
                self._conduct_needs_a_value(question)
                self._name_the_cause(question)
        return self.runs

    # --- directly ---

    def copies(self) -> Copies:
        """For checks that run one after another; a context manager."""
        return Copies(self)

    def directly(self, check: Check, question: Question, copies: Copies) -> Run:
        """The check on the notebook as it is."""
        bound = self.suite.standins(check)
        hanging = [name for name in self.lab.foundations(question.name) if self.timeouts[name]]
        if hanging and not bound:  # calling it would hang again: it is tried with a right helper below
            return Run(check, Verdict("timeout", f"needs {_and(hanging)}, which takes too long."), Trail((), {}))
        reference, patience = self.answers.reference(bound), self._patience(question)
        run = self._run(check, copies.shared(bound), reference, patience)
        tainted = bound and not self.notebook.lends  # a trace of other stand-ins must cost nobody a point
        if tainted and run.verdict.status in ("failed", "error"):
            run = self._run(check, copies.where(bound), reference, patience)
        self._note(run)
        self.timeouts[question.name] += run.verdict.status == "timeout"
        return run

    def _patience(self, question: Question) -> float:
        """Seconds for a call: few once the question has hung twice, so that it cannot use up the others' time."""
        seconds = question.limits.call_seconds
        return seconds if self.timeouts[question.name] < PATIENT_TIMEOUTS else min(seconds, HURRIED_SECONDS)

    def _run(self, check: Check, student: Student, reference: Implementation, seconds: float) -> Run:
        """The check on a copy, with so many seconds for a call."""
        student.call_seconds = seconds
        started, was_lent = time.perf_counter(), self.notebook.lends
        found = self.known.found(check, student, reference)
        if was_lent and found.verdict.kind in OUT_OF_MEMORY:
            self.notebook.take_back()  # what earlier calls have not given back must cost nobody a point
            found = self.known.found(check, student, reference)
        return Run(check, found.verdict, found.trail, found.notes, time.perf_counter() - started)

    def _note(self, run: Run) -> None:
        """Tell the student what was overlooked in a run that counts."""
        self.notes += [note for note in run.notes if note not in self.notes]

    def student(self, **settings: Any) -> Student:
        """A copy of the notebook, to be used as a context manager."""
        return Student(self.notebook, standin_names=self.answers.standin_names, **settings)

    # --- follow-through ---

    def _follow_through(self, question: Question, copies: Copies) -> None:
        (broken, odd), runs = self._helpers(question), self.runs[question.name]
        helpers = broken + odd
        if not helpers or all(run.passed for run in runs):
            return
        if not self.answers.complete:
            if broken and any(not run.passed and run.verdict.kind not in UNWRITTEN for run in runs):
                self.notes.append(
                    f"{question.name}: builds on {_listed(broken)}, where something is not right yet. {_FIRST}"
                )
            return
        rubric = {name: by for other in self.lab.questions.values() for name, by in other.standins.items()}
        more = self._return_more()  # whoever unpacks what such a one returns can do nothing with a stand-in
        standins = {name: rubric[name] for name in broken if name in rubric and name not in more}
        if standins:
            self._with_standins(question, standins, copies)
        if asked := [name for name in helpers if name not in rubric]:
            self._with_the_reference(question, asked, standins, copies)
        if any(run.follow_through for run in runs):
            names = _listed(helpers)
            as_right = f"{question.name}: marked as if {names} were right; that slip is charged only once."
            as_asked = f"{question.name}: marked as if {names} were in the form that was asked for."
            self.notes.append(as_right if broken else as_asked)

    def _with_standins(self, question: Question, standins: Mapping[str, str], copies: Copies) -> None:
        """Each check once more, with the rubric's stand-ins for helpers beside those that it has in any case."""
        runs = self.runs[question.name]
        for position, run in enumerate(runs):
            bound = {**standins, **self.suite.standins(run.check)}
            copy, reference = copies.where(bound, question.name), self.answers.reference(bound)
            again = self._run(run.check, copy, reference, self._patience(question))
            if again.verdict.status not in ("passed", "failed"):
                continue  # the stand-in may be what it cannot do with
            if run.passed or (run.check.visible and not again.passed):
                runs[position] = replace(run, unspoilt=again.trail)
            else:
                runs[position] = replace(again, follow_through=again.passed)
                self._note(again)

    def _with_the_reference(
        self, question: Question, helpers: list[str], standins: Mapping[str, str], copies: Copies
    ) -> None:
        """What fails without stand-ins once more, with helpers that ask the reference, or against a reference that asks
        the helpers."""
        runs, more = self.runs[question.name], self._return_more()
        kinds = dict.fromkeys((more, frozenset[str]()))
        owners = ("",) if self.notebook.lends else ("", question.name)
        advised = [[copies.advised(helpers, beside, standins, of) for beside in kinds] for of in owners]
        alone = copies.where(standins, question.name)
        own = {name: _calling(alone, name, name in more) for name in helpers}
        for position, run in enumerate(runs):
            if run.verdict.status in ("failed", "error", "timeout") and not self.suite.standins(run.check):
                again = self._again(question, run, advised, alone, own)
                if again.passed or not run.check.visible:  # a public check's message stays what it was, as above
                    runs[position] = again
                    self._note(again)
                else:
                    runs[position] = replace(run, unspoilt=again.trail)
        self._public_checks_follow(runs)
        self._look_again_at_what_passes(question, runs, advised[0][0])

    def _look_again_at_what_passes(self, question: Question, runs: list[Run], advised: Student) -> None:
        """Where something fails, what passes tells of its cause as well; wrong helpers may have spoilt its values, too,
        if only shapes count in it."""
        if not any(run.verdict.status in ("failed", "error") for run in runs):
            return
        for position, run in enumerate(runs):
            if run.passed and not run.follow_through and not self.suite.standins(run.check):
                again = self._run(run.check, advised, self.answers.reference(), question.limits.call_seconds)
                runs[position] = replace(run, unspoilt=again.trail)

    def _helpers(self, question: Question) -> tuple[list[str], list[str]]:
        """Functions of earlier questions that lost points; and those that are right in another form than was asked for,
        a list, a tensor, a tuple: whoever calls them may not expect that."""
        broken: list[str] = []
        odd: list[str] = []
        for foundation in self.lab.foundations(question.name):
            runs, functions = self.runs[foundation], self.lab.questions[foundation].functions
            if not all(run.passed for run in runs):
                broken += functions
            elif any(run.notes for run in runs):
                odd += functions
        return broken, odd

    def _return_more(self) -> frozenset[str]:
        """Functions of the student's that return `(out, cache)` where `out` is asked for: their callers unpack it."""
        return frozenset(
            call.name
            for runs in self.runs.values()
            for run in runs
            for call in run.trail.calls
            if isinstance(call.value, tuple)
            and not isinstance(self.answers.reference(run.trail.bound).repeat(call).value, tuple)
        )

    def _again(
        self, question: Question, run: Run, advised: Iterable[Iterable[Student]], alone: Student, own: Helpers
    ) -> Run:
        """The check with right helpers, or against a reference on the student's own; else what the former says.

        Where a helper returns more than is asked for, nobody knows whether its callers unpack that: both are tried.
        Where calls leave traces, a copy that others have used may answer otherwise than the question's own: both are.
        """
        for alike in advised:
            for copy in alike:
                with_right_helpers = self._run(run.check, copy, self.answers.reference(), self._patience(question))
                if with_right_helpers.passed:
                    return replace(with_right_helpers, follow_through=True)
            if with_right_helpers.verdict.status == "timeout":
                self.timeouts[question.name] += 1
                break
        if any(self.timeouts[name] for name in self.lab.foundations(question.name)):
            return with_right_helpers
        on_own_helpers = self._run(run.check, alone, self.answers.built_on(own), self._patience(question))
        on_own_helpers.unspoilt = with_right_helpers.trail
        return self._guarded(question, on_own_helpers, own) if on_own_helpers.passed else with_right_helpers

    def _guarded(self, question: Question, run: Run, own: Helpers) -> Run:
        """A match on the student's own helpers counts only if these still tell right from wrong."""
        for case in self.guards.of(question, run.check):
            wrong, right = self.answers.built_on(own, case), self.answers.built_on(own)
            if self.suite.run(run.check, wrong, right).status == "passed":
                message = (
                    f"needs {_and(list(own))}: as long as that is not right, this check cannot tell right from wrong."
                )
                return replace(run, verdict=Verdict("skipped", message))
        return replace(run, follow_through=True)

    def _public_checks_follow(self, runs: list[Run]) -> None:
        """Public checks presume right helpers: they follow where all hidden ones have passed without the student's."""
        hidden = [run for run in runs if not run.check.visible]
        without = any(run.follow_through or self.suite.standins(run.check) for run in hidden)
        if without and all(run.passed for run in hidden):
            for position, run in enumerate(runs):
                if run.verdict.status in ("failed", "error"):
                    runs[position] = replace(run, verdict=Verdict("passed"), follow_through=True)

    def _conduct_needs_a_value(self, question: Question) -> None:
        """An empty function leaves its arguments alone, too: that earns nothing by itself."""
        runs = self.runs[question.name]
        values = [run for run in runs if not self.suite.is_conduct(run.check)]
        values = [run for run in values if not run.check.visible] or values
        if not any(run.passed for run in values):
            for run in runs:
                if run.passed and self.suite.is_conduct(run.check):
                    run.verdict = Verdict("skipped", "counts once another check of this question passes.")

    # --- causes ---

    def _name_the_cause(self, question: Question) -> None:
        runs = self.runs[question.name]
        if any(run.verdict.status in ("failed", "error") for run in runs):
            case = self.known.cause(question, tuple(run.evidence for run in runs), self.answers)
            for run in runs:
                run.case = case if run.verdict.status in ("failed", "error") else None


class Copies:
    """Copies of the notebook in which checks run, each made when it is needed. Use as a context manager.

    Where the notebook lends its own process, that is all of them in turn.
    """

    def __init__(self, marking: Marking) -> None:
        self._marking = marking
        self._made: dict[Hashable, Student] = {}

    def shared(self, bound: Mapping[str, str]) -> Student:
        """The copy in which a check is tried first, with these stand-ins in it from now on: one for all checks with
        stand-ins, and one for the rest."""
        if not bound:
            return self.where({})
        student = self._copy("shared")
        student.bound = bound
        return student

    def where(self, bound: Mapping[str, str], of: str = "") -> Student:
        """The copy in which there are never other stand-ins than these; one of a question's own, if it is named."""
        return self._copy((frozenset(bound.items()), of), bound=bound)

    def advised(
        self, helpers: Iterable[str], beside: frozenset[str], bound: Mapping[str, str], of: str = ""
    ) -> Student:
        """The copy in which these helpers ask the reference: those in `beside` for the first item that they return."""
        consultant = self._marking.answers.consultant(helpers, beside)
        key = consultant.names, beside, frozenset(bound.items()), of
        return self._copy(key, consultant=consultant, bound=bound)

    def _copy(self, key: Hashable, **settings: Any) -> Student:
        if key not in self._made:
            self._made[key] = self._marking.student(**settings)
        return self._made[key]

    def __enter__(self) -> Copies:
        return self

    def __exit__(self, *exc: object) -> None:
        for copy in self._made.values():
            copy.close()


_FIRST = "Mend that first: where all checks run, a slip is charged only once."


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _and(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _calling(student: Student, name: str, returns_more: bool) -> Callable[..., Any]:
    """A function for the reference to call, which runs the student's; of `(out, cache)` it returns `out`."""

    def call(*args: Any, **kwargs: Any) -> Any:
        observation: Observation = student.observe(name, args, kwargs)
        if observation.error is not None:
            raise CallError(observation.error.status, f"needs `{name}`: {observation.error}", "helper")
        value = observation.value
        if outsized(shapes_in(value), shapes_in((args, kwargs))):
            raise CallError("error", f"needs `{name}`: it returns far more than it is given.", "helper")
        return value[0] if returns_more and isinstance(value, tuple) and value else value

    return call


def _degenerate(question: Question) -> list[Case]:
    """Bodies that a check must not accept, whatever the helpers do."""
    return [
        Case(name, question.name, "", "\n".join(f"def {f}(*args, **kwargs):\n    {body}" for f in question.functions))
        for name, body in _TRIVIAL.items()
    ]
