"""One submission's grade: from a file to the record that everything else reads."""

from __future__ import annotations

import builtins
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from autograder.course import Lab
from autograder.known import Known
from autograder.marking import Guards, Marking, Run
from autograder.origin import current_build, origin_notes, origin_warnings
from autograder.record import CellResult, CheckResult, Grade, QuestionResult
from autograder.reference import Answers
from autograder.sandbox.notebook import RunningNotebook
from autograder.sandbox.state import seed_no_cards
from autograder.submission import Submission, student_name
from autograder.suite import Suite, SuiteError
from autograder.traces import is_forgetful
from autograder.trouble import put_back, suspicions, why_missing
from autograder.warm import Zygotes


class Judge:
    """All that grading a lab's submissions needs, made once a process: suite, answers, warm sandboxes."""

    def __init__(self, lab: Lab, uid: int | None = None) -> None:
        for module in lab.warm:
            _import(module, lab)
        seed_no_cards()
        self.lab = lab
        self.answers = Answers(lab)
        self.suite = Suite(lab, self.answers)
        self.guards = Guards(self.suite, self.answers)
        self.known = Known(self.suite)
        self.build = current_build(lab)
        self.zygotes = Zygotes(lab.warm, uid)
        self.output: dict[int, str] = {}
        """What the cells of the last submission printed, by their index."""

    def try_the_master(self) -> None:
        """Raises SuiteError where the master's own answer fails a check: that would cost everybody its points."""
        for check in self.lab.checks if self.answers.complete else ():
            bound = self.suite.standins(check)
            verdict = self.suite.run(check, self.answers.reference(bound), self.answers.reference(bound))
            if verdict.status not in ("passed", "pending"):
                what = f"{check.question}.{check.name}: the master's own answer fails this check: {verdict.message}"
                raise SuiteError(f"{what} Mend the check, or the answer in {self.lab.master}.")

    def close(self) -> None:
        """End the sandboxes."""
        self.zygotes.close()

    def warm_up(self, submission: Submission) -> None:
        """Have the sandbox that this submission needs. Raises SandboxError where none can be made."""
        self.zygotes.fit_for(submission.cells)

    @contextmanager
    def running(self, submission: Submission) -> Iterator[Marking]:
        """A submission whose cells have run, ready to be marked."""
        answers = self.answers
        zygote = self.zygotes.fit_for(submission.cells)
        cells, given = submission.cells, answers.given_source
        forgetful = is_forgetful(cells, given, self.lab.functions)
        with RunningNotebook(zygote, self.lab, cells, given, answers.standins, forgetful) as notebook:
            yield Marking(self.lab, self.suite, self.answers, self.guards, self.known, notebook)

    def grade(self, submission: Submission) -> Grade:
        """Run and mark one submission. Raises SandboxError or SuiteError where the grader is at fault."""
        started = time.perf_counter()
        with self.running(submission) as marking:
            runs = marking.mark()
        notebook = marking.notebook
        self.output = notebook.output
        questions = [
            _question(self.lab, name, [self._check(run, submission, notebook) for run in runs.get(name, [])])
            for name in self.lab.questions
        ]
        return Grade(
            lab=self.lab.name,
            file=submission.file,
            student=student_name(submission.file),
            sha256=submission.sha256,
            status="graded",
            reason=None,
            score=sum(question.score for question in questions),
            possible=sum(question.possible for question in questions),
            pending=sum(question.pending for question in questions),
            seconds=round(time.perf_counter() - started, 4),
            protections=notebook.protections,
            warnings=[
                *origin_warnings(submission, self.lab),
                *submission.warnings,
                *suspicions(submission.cells),
            ],
            notes=[
                *origin_notes(submission, self.lab, self.build),
                *submission.notes,
                *map(printable, notebook.notes),
                *put_back(submission.cells, self.answers.given_source),
                *marking.notes,
            ],
            cells=[CellResult(index=t.index, status=t.status, message=printable(t.message)) for t in notebook.troubles],
            questions=questions,
        )

    def _check(self, run: Run, submission: Submission, notebook: RunningNotebook) -> CheckResult:
        return CheckResult(
            name=run.check.name,
            visible=run.check.visible,
            status=run.verdict.status,
            score=run.check.points if run.passed else 0,
            possible=run.check.points,
            message="" if run.passed else _message(run, submission, notebook),
            misconception=run.case.name if run.case else None,
            follow_through=run.follow_through,
            seconds=round(run.seconds, 4),
        )


def _import(module: str, lab: Lab) -> None:
    try:
        import_module(module)
    except ImportError as error:
        raise SuiteError(f"grading.yml: {lab.name}.warm: {module}: {error}. Install it, or mend its name.") from None


def printable(text: str) -> str:
    """A student's text without control characters."""
    return "".join(char if char.isprintable() else " " for char in text)


def _question(lab: Lab, name: str, checks: list[CheckResult]) -> QuestionResult:
    question = lab.questions[name]
    waiting = sum(check.possible for check in checks if check.status == "pending")
    pending = question.points if question.kind == "written" else waiting
    return QuestionResult(
        name=name,
        score=sum(check.score for check in checks),
        possible=question.points - pending,
        pending=pending,
        checks=checks,
    )


def _message(run: Run, submission: Submission, notebook: RunningNotebook) -> str:
    verdict = run.verdict
    parts = [verdict.message if run.check.visible else withheld(verdict.message, submission)]
    if run.check.visible and verdict.detail:
        parts.append(verdict.detail)
    if verdict.kind == "undefined":
        named = re.match(r"`(\w+)`", verdict.message)
        parts.append(why_missing(named[1], submission.cells, notebook.troubles) if named else "")
    if run.case is not None:
        parts.append(run.case.hint)
    return printable(" ".join(part for part in parts if part))


_RAISED = re.compile(
    r"(?P<head>`\w+` raised) (?P<type>an exception|\w+)(?:: (?P<text>.*?))?"
    r"(?P<place>(?: \(cell \d+, line \d+\))?\.)\Z",
    re.S,
)
_NO_FUNCTION = re.compile(r"(?P<head>`\w+` is) (?P<article>an?) (?P<type>.*)(?P<tail>, not a function\.)\Z", re.S)
_OF_TYPE = re.compile(r"something of type (.{1,200}?)(?=, not |\)?\.\Z)", re.S)
_MEANT = re.compile(r" Did you mean `(\w+)`\?")
_LARGE = re.compile(r"\d{5,}|\d{1,3}(?:,\d{3})+(?!\d)")
_WORD = re.compile(r"[^\W\d]\w*|\d[\w.+-]*")


def withheld(message: str, submission: Submission) -> str:
    """A hidden check's message, without what might tell what the check passed in.

    A student's code knows its arguments, and can put them into an exception's text or type, into the name or the shape
    of what it returns or of what it puts in a function's place. A type's name stays where it is Python's, a library's,
    or stands in the notebook. A text stays when all its words are the notebook's own or an interpreter's, and its
    numbers are small sizes.
    """
    source = "\n".join(cell.source for cell in submission.cells)

    def tells_nothing(text: str) -> bool:
        words = _WORD.findall(text)
        return bool(words) and all(_tells_nothing(word, source) for word in words)

    def raised(found: re.Match[str]) -> str:
        kind = found["type"] if _is_known_type(found["type"], source) else "an exception of its own"
        text = f": {found['text']}" if found["text"] and tells_nothing(found["text"]) else ""
        return f"{found['head']} {kind}{text}{found['place']}"

    def no_function(found: re.Match[str]) -> str:
        known = _is_known_type(found["type"], source)
        kind = f"{found['article']} {found['type']}" if known else "an object of its own"
        return f"{found['head']} {kind}{found['tail']}"

    def of_type(found: re.Match[str]) -> str:
        return found[0] if _is_known_type(found[1], source) or tells_nothing(found[1]) else "something odd"

    message = _RAISED.sub(raised, message)
    message = _NO_FUNCTION.sub(no_function, message)
    message = _OF_TYPE.sub(of_type, message)
    message = _MEANT.sub(lambda found: found[0] if tells_nothing(found[1]) else "", message)
    return _LARGE.sub("many", message)


def _is_known_type(name: str, source: str) -> bool:
    """Whether a type of this name need not have been made, and named, when the check ran."""
    return hasattr(builtins, name) or name in _LIBRARY_TYPES or re.search(rf"\b{re.escape(name)}\b", source) is not None


_LIBRARY_TYPES = frozenset(
    """
    AxisError Dropout Embedding Generator LayerNorm LinAlgError Linear ModuleList NoneType OutOfMemoryError Parameter
    Sequential Tensor UFuncTypeError _ArrayMemoryError _UFuncNoLoopError bool_ float32 float64 int64 module ndarray
    partial ufunc vectorize
    """.split()
)
"""Of NumPy, PyTorch and the standard library."""


def _tells_nothing(word: str, source: str) -> bool:
    if word[0].isdecimal():
        return word.rstrip(".").isdecimal() and int(word.rstrip(".")) < 1000
    return word in _INTERPRETER_WORDS or re.search(rf"\b{re.escape(word)}\b", source) is not None


_INTERPRETER_WORDS = frozenset(
    """
    a an and are argument arguments array arrays as at attribute axes axis be been before bounds broadcast but by call
    callable can cannot core could defined dict dimension dimensional dimensions does dtype element expected few float
    for from function given got has have in incompatible index indexable indices input int into invalid is it item its
    iterable keyword list local match maximum mean mismatch missing more module multiple must name no non not ndarray
    None NoneType number numpy object of one operand operands or order out positional referenced required reshape scalar
    sequence shape shapes should size sized str string subscriptable supported take takes tensor than the to together
    too tuple two type ufunc unexpected unpack unsupported value values variable was were when where while with
    """.split()
)
