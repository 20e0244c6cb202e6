"""The suites: plain pytest, collected once a process and run against one submission after the other.

pytest collects them and runs whatever uses more of it than arguments from the bench: parameters, marks, fixtures of a
suite's own. What uses no more is called as it stands, which takes a tenth of the time.

A suite sees two fixtures, `student` and `reference`, and public tests take the student's functions by name. Both are
looked up in the *bench*, on which the grader puts the pair that is to be compared: the student and the reference, the
student and a reference built on the student's own helpers, or a misconception in the student's place.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Protocol, cast

import pytest
from _pytest.config import get_config
from _pytest.main import Session
from _pytest.outcomes import OutcomeException
from _pytest.runner import runtestprotocol

from autograder.alarm import TooLong, at_most
from autograder.compare import Mismatch, Pending, described
from autograder.course import Check, Lab
from autograder.errors import Explained, SandboxError
from autograder.reference import Answers
from autograder.sandbox.student import CallError, Observation


class Answerer(Protocol):
    """Whatever can stand on either side of a check: its attributes are functions, `value` fetches a variable."""

    tolerance: float
    trail: list[Observation]

    def value(self, name: str) -> Any: ...
    def subject(self, name: str, sent: bytes) -> str: ...
    def __getattr__(self, name: str) -> Any: ...


@dataclass(frozen=True)
class Verdict:
    """What one check found. `status` is one of passed, failed, error, timeout, pending, or skipped where it was not
    judged; `broken` never leaves the suite."""

    status: str
    message: str = ""
    detail: str = ""
    kind: str = ""


@dataclass
class Bench:
    """The pair that the running check compares, and what the check raised."""

    student: Answerer | None = None
    reference: Answerer | None = None
    errors: list[BaseException] = field(default_factory=list)


def providers(lab: Lab, answers: Answers, bench: Bench) -> dict[str, Callable[[], Any]]:
    """What a check may take: `student`, `reference`, and every name of the lab, each made when it is asked for."""
    values = {name for question in lab.questions.values() for name in question.values}
    return {
        "student": lambda: bench.student,
        "reference": lambda: bench.reference,
        **{name: partial(_Given, name, answers, bench) for name in lab.given},
        **{name: partial(_function, name, bench) for name in lab.functions},
        **{name: partial(_value, name, bench) for name in values},
    }


def fixtures(table: Mapping[str, Callable[[], Any]]) -> ModuleType:
    """A pytest plugin that has them as fixtures."""
    plugin = ModuleType("what a check may take")
    for name, value in table.items():
        setattr(plugin, name, pytest.fixture(name=name)(_without_parameters(value)))
    return plugin


@dataclass
class _Reports:
    """A pytest plugin that keeps the exception itself.

    Formatting a traceback that nobody reads would take longer than the check.
    """

    bench: Bench

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        if call.excinfo is not None:
            self.bench.errors.append(call.excinfo.value)
        outcome: Literal["passed", "failed"] = "passed" if call.excinfo is None else "failed"
        when = cast(Literal["setup", "call", "teardown"], call.when)
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, when, duration=call.duration)


def _function(name: str, bench: Bench) -> Any:
    return getattr(bench.student, name)


def _value(name: str, bench: Bench) -> Any:
    assert bench.student is not None
    return bench.student.value(name)


@dataclass(frozen=True)
class _Given:
    """A given function: run here, but in the sandbox where it is handed something of the student's.

    Handed on itself, it travels as a name, as a student's function does.
    """

    name: str
    answers: Answers
    bench: Bench

    def observe(self, *args: Any, **kwargs: Any) -> Any:
        return getattr(self.bench.student, self.name).observe(*args, **kwargs)

    def repeat(self, call: Observation) -> Any:
        return getattr(self.bench.student, self.name).repeat(call)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if any(hasattr(argument, "observe") for argument in args):
            return getattr(self.bench.student, self.name)(*args, **kwargs)
        return self.answers.given[self.name](*args, **kwargs)


def _without_parameters(value: Callable[[], Any]) -> Callable[[], Any]:
    """pytest takes a function's parameters for names of further fixtures."""

    def fixture() -> Any:
        return value()

    return fixture


CHECK_SECONDS = 60.0
"""CPU seconds of the judge's own that a check may take: thousands of times what one needs."""


class Suite:
    """The checks of one lab, ready to run. Collecting them takes a second; running one, well under a millisecond."""

    def __init__(self, lab: Lab, answers: Answers) -> None:
        self.bench = Bench()
        self._answers = answers
        self.providers = providers(lab, answers, self.bench)
        self._session = _collected(lab, fixtures(self.providers), _Reports(self.bench))
        self._items: dict[tuple[str, str, bool], list[pytest.Function]] = {}
        for item in self._session.items:
            assert isinstance(item, pytest.Function)
            self._items.setdefault(key_of(item, lab), []).append(item)
        self._plain = {item for items in self._items.values() for item in items if self._is_plain(item)}
        if answers.complete:
            self._standins_are_there(lab)

    def _standins_are_there(self, lab: Lab) -> None:
        """Raises SuiteError for a check's stand-in that the lab's `standins.py` does not define."""
        for check in lab.checks:
            for unknown in set(self.standins(check).values()) - self._answers.standin_names:
                name, where = f"{check.question}.{check.name}", f"tests/hidden/{lab.name}/standins.py"
                raise SuiteError(f"{name}: there is no stand-in {unknown}. Define it in {where}, or mend its name.")

    def description(self, check: Check) -> str:
        """What a student may read about a check: its docstring."""
        return inspect.cleandoc(self._first(check).function.__doc__ or "")

    def standins(self, check: Check) -> Mapping[str, str]:
        """The names that are bound to stand-ins while this check runs."""
        return getattr(self._first(check).function, "bound_standins", {})

    def is_conduct(self, check: Check) -> bool:
        """Whether the check counts only beside a right value."""
        return getattr(self._first(check).function, "is_conduct", False)

    def place(self, check: Check, student: Answerer, reference: Answerer) -> None:
        """Put the pair on the bench, with the tolerance that this check has."""
        student.tolerance = reference.tolerance = check.tolerance
        self.bench.student, self.bench.reference = student, reference

    def run(self, check: Check, student: Answerer, reference: Answerer) -> Verdict:
        """Run one check on a pair; a check with parameters passes if all its cases do."""
        self.place(check, student, reference)
        verdict = Verdict("passed")
        for item in self._of(check):
            verdict = self._run_item(item)
            if verdict.status == "broken":
                verdict = self._whose_fault(check, item, verdict, student)
            if verdict.status != "passed":
                break
        return verdict

    def _whose_fault(self, check: Check, item: pytest.Function, broken: Verdict, student: Answerer) -> Verdict:
        """The check's own code failed: the answer is at fault if the check is well on the right answers, where there
        are any; those alone, for a reference may be built on a student's helpers."""
        bound = self.standins(check)
        self.place(check, self._answers.reference(bound), self._answers.reference(bound))
        if self._answers.complete and self._run_item(item).status != "passed":
            raise SuiteError(f"{item.nodeid}: the check itself {broken.detail}. Mend the check.")
        return Verdict("failed", _not_comparable(student), kind="type")

    def _run_item(self, item: pytest.Function) -> Verdict:
        try:
            with at_most(CHECK_SECONDS):
                return self._call(item) if item in self._plain else self._under_pytest(item)
        except TooLong:
            return Verdict("broken", detail=f"took more than {CHECK_SECONDS:g} seconds")

    def _is_plain(self, item: pytest.Function) -> bool:
        """Whether pytest would do no more than call the function with things from the bench, as with most checks."""
        wanted = item._fixtureinfo.name2fixturedefs
        ours = all(name in self.providers and len(wanted[name]) == 1 for name in item.fixturenames)
        return ours and not hasattr(item, "callspec") and next(item.iter_markers(), None) is None

    def _call(self, item: pytest.Function) -> Verdict:
        try:
            item.obj(**{name: self.providers[name]() for name in item.fixturenames})
        except (Exception, OutcomeException) as error:
            return _verdict([error])
        return Verdict("passed")

    def _under_pytest(self, item: pytest.Function) -> Verdict:
        self.bench.errors.clear()
        parent = cast(pytest.Item, item.parent)
        item.session._setupstate.teardown_exact(parent)  # leave the suite of the check before, if it is another
        reports = runtestprotocol(item, log=False, nextitem=parent)
        return Verdict("passed") if all(report.passed for report in reports) else _verdict(self.bench.errors)

    def _of(self, check: Check) -> list[pytest.Function]:
        return self._items[check.question, check.name, check.visible]

    def _first(self, check: Check) -> Any:
        return self._of(check)[0]


def _verdict(errors: list[BaseException]) -> Verdict:
    error = errors[0] if errors else None
    match error:
        case CallError():
            return Verdict(error.status, str(error), kind=error.kind)
        case Mismatch():
            return Verdict("failed", str(error), error.detail, error.rung)
        case Pending():
            return Verdict("pending", str(error))
        case SandboxError():
            raise error
        case AssertionError():
            return Verdict("failed", *_said(error), kind="assertion")
        case pytest.FixtureLookupError(argname=str(name)):
            return Verdict("broken", detail=f"asks for {name}, which nothing provides")
    return Verdict("broken", detail=f"failed with {error!r}")


def _not_comparable(student: Answerer) -> str:
    """What the last call brought back, of which the check could make nothing."""
    if not student.trail or student.trail[-1].error is not None:
        return "What came back is nothing that this check can compare."
    last = student.trail[-1]
    name = student.subject(last.name, last.sent)
    if last.value is None:
        return f"`{name}` returned None. Is the `return` missing?"
    return f"`{name}` returned {described(last.value)}, not what this check can compare."


class SuiteError(Explained):
    """A check is at fault, not a submission; the text names it."""


_NUMPY_HEAD = re.compile(r"(Not equal to|Arrays are not)[^\n]*\n(?P<said>(?!Mismatched|\(|x and y|nan)[^\n]*)")
_NUMPY_PLACE = re.compile(r"^ *(?P<place>\[[\d, ]*\]): (?P<got>\S+) \(ACTUAL\), (?P<expected>\S+) \(DESIRED\)", re.M)


def _said(error: AssertionError) -> tuple[str, str]:
    """A plain assertion's sentence, and of NumPy's report the first place that differs."""
    text = str(error).strip() or "An assertion of this check does not hold."
    head = _NUMPY_HEAD.match(text)
    if head is None:
        return text.partition("\n")[0], ""
    place = _NUMPY_PLACE.search(text)
    got, expected = (_short(place[side]) for side in ("got", "expected")) if place else ("", "")
    detail = f"At {place['place']} it is {got}, expected {expected}." if place else ""
    return head["said"] or "The values are not as expected.", detail


def _short(number: str) -> str:
    """A number of NumPy's report with as many digits as a person reads."""
    try:
        return f"{float(number):.6g}"
    except ValueError:
        return number


def _files(lab: Lab) -> list[Path]:
    questions = [q.name for q in lab.questions.values() if q.kind == "auto"]
    paths = [side(name) for name in questions for side in (lab.public_suite, lab.hidden_suite)]
    return [path for path in paths if path.is_file()]


def key_of(item: pytest.Function, lab: Lab) -> tuple[str, str, bool]:
    """The check that a test function is: its question, its name, and whether students may see it."""
    question = item.path.stem.removeprefix("test_")
    return question, item.originalname.removeprefix("test_"), item.path == lab.public_suite(question)


_UNUSED = (
    "cacheprovider capture debugging doctest faulthandler junitxml logging recwarn setuponly setupplan stepwise "
    "terminal threadexception unraisableexception warnings"
).split()
"""Plugins of pytest's own that a grade has no use for: each would cost every check a little."""


def _forget_other_courses(lab: Lab) -> None:
    """Another course's suites of the same name, collected before in this process, must not be taken for this one's."""
    suites = tuple(f"{above}{side}.{lab.name}" for above in ("tests.", "") for side in ("public", "hidden"))
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if name.startswith(suites) and not Path(file).is_relative_to(lab.root):
            del sys.modules[name]


def _collected(lab: Lab, *plugins: object) -> Session:
    _forget_other_courses(lab)
    options = ["-c", os.devnull, "--rootdir", str(lab.root), "--import-mode=importlib", "--disable-plugin-autoload"]
    options += ["--assert=plain"]
    options += [option for name in _UNUSED for option in ("-p", f"no:{name}")]
    config = get_config(options)
    for plugin in plugins:
        config.pluginmanager.register(plugin)
    trouble = _Trouble()
    config.pluginmanager.register(trouble)
    config.parse([*options, *map(str, _files(lab))])
    config._do_configure()
    session = Session.from_config(config)
    config.hook.pytest_sessionstart(session=session)
    session.perform_collect()
    if trouble.said:
        raise SuiteError(trouble.said[0])
    return session


class _Trouble:
    """A pytest plugin that hears of suites which cannot be collected: their checks would just be missing."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            lines = [line.removeprefix("E").strip() for line in report.longreprtext.splitlines() if line[:1] == "E"]
            reason = lines[-1] if lines else "see what pytest says of it"
            self.said.append(f"{report.nodeid}: the suite cannot be imported: {reason}. Mend the suite.")
