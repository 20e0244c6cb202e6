"""The rubric: ``grading.yml`` becomes a `Course` of labs, questions and checks.

The types below are the schema. `_Reader` walks a type and the YAML nodes side by side, so that every error
knows the line, the key's path, what is wrong and what to do. What types cannot say (names that must exist,
sums, a test for each check) follows in `_Rubric`. Suites are read with `ast` and never imported.
"""

from __future__ import annotations

import ast
import difflib
import keyword
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, get_args, get_origin, get_type_hints

import msgspec
import yaml
from msgspec import Meta, Struct

from autograder.errors import Explained

FILE = "grading.yml"
RESERVED_COLUMNS = ("file", "student", "lab", "status", "score", "possible", "pending", "percent")

Name = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9_]*\Z",
        description="a name of small letters, digits and _",
        examples=["layer_norm"],
    ),
]
Identifier = Annotated[
    str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*\Z", description="a Python name", examples=["layer_norm"])
]
Module = Annotated[
    str,
    Meta(pattern=r"^[A-Za-z_][\w]*(\.[A-Za-z_][\w]*)*\Z", description="a module's name", examples=["numpy"]),
]
Text = Annotated[str, Meta(min_length=1, description="a piece of text", examples=['"three labelled curves"'])]
Points = Annotated[int, Meta(ge=1, description="a whole number of points above zero", examples=[1])]
Tolerance = Annotated[float, Meta(ge=0, le=0.1, description="a tolerance from 0 to 0.1", examples=["1.0e-5"])]
Seconds = Annotated[float, Meta(gt=0, le=86_400, description="a number of seconds above zero", examples=[5])]
Size = Annotated[int, Meta(ge=1, le=2**30, description="a whole number above zero", examples=[256])]
Hours = Annotated[int, Meta(ge=0, le=8760, description="a whole number of hours", examples=[24])]
Release = Annotated[
    Literal["now", "after_publication", "never"],
    Meta(description="one of now, after_publication, never", examples=["now"]),
]
Attempts = Annotated[
    Literal["last", "best"], Meta(description="last or best (leave it out to list every attempt)", examples=["last"])
]
Kind = Annotated[Literal["auto", "written"], Meta(description="auto or written", examples=["written"])]


class Limits(Struct, frozen=True, kw_only=True):
    """What a submission may use. Seconds are CPU seconds; memory in MiB, output in KiB."""

    cell_seconds: Seconds = 20
    call_seconds: Seconds = 5
    total_seconds: Seconds = 120
    memory_mb: Size = 2048
    output_kb: Size = 256


class Feedback(Struct, frozen=True, kw_only=True):
    """When students see the outcome of public and of hidden checks; of hidden ones, how often at most."""

    public: Release = "now"
    hidden: Release = "after_publication"
    hours_between: Hours = 24


class Check(Struct, frozen=True, kw_only=True):
    """One test of one question. ``tolerance`` is rtol and atol alike."""

    name: str
    question: str
    visible: bool
    points: int
    tolerance: float


class Question(Struct, frozen=True, kw_only=True):
    """What a student answers: functions and values to be checked, or something for a person to mark."""

    name: str
    kind: Kind
    functions: tuple[str, ...]
    values: tuple[str, ...]
    builds_on: tuple[str, ...]
    standins: dict[str, str]
    tolerance: float
    limits: Limits
    checks: tuple[Check, ...]
    points: int
    rubric: tuple[str, ...]


class Lab(Struct, frozen=True, kw_only=True):
    """One assignment: its questions in the rubric's order, and where its files lie.

    Of several attempts of one student `attempts` says which one counts; None lists them all. `whole` are the points
    of the whole lab, where this is only a part of it.
    """

    root: Path
    name: str
    title: str
    limits: Limits
    feedback: Feedback
    warm: tuple[str, ...]
    given: tuple[str, ...]
    requires_closed: str | None
    attempts: Attempts | None
    whole: int
    questions: dict[str, Question]

    @property
    def possible(self) -> int:
        """Points marked automatically."""
        return sum(q.points for q in self.questions.values() if q.kind == "auto")

    @property
    def pending(self) -> int:
        """Points that a person gives."""
        return sum(q.points for q in self.questions.values() if q.kind == "written")

    @property
    def checks(self) -> tuple[Check, ...]:
        """All checks, in the rubric's order."""
        return tuple(check for question in self.questions.values() for check in question.checks)

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions and classes that its questions ask for."""
        return tuple(name for question in self.questions.values() for name in question.functions)

    @property
    def master(self) -> Path:
        return self.root / "solutions" / self.name / "lab.py"

    @property
    def handout(self) -> Path:
        """The notebook that students receive."""
        return self.root / "assignments" / self.name / f"{self.name}.ipynb"

    def public_suite(self, question: str) -> Path:
        return self.root / suite_of("public", self.name, question)

    def hidden_suite(self, question: str) -> Path:
        return self.root / suite_of("hidden", self.name, question)

    def public(self) -> Lab:
        """What students may run of this lab: its public checks alone."""
        questions = {}
        for question in self.questions.values():
            checks = tuple(check for check in question.checks if check.visible)
            points = sum(check.points for check in checks)
            if checks:
                questions[question.name] = msgspec.structs.replace(question, checks=checks, points=points)
        return msgspec.structs.replace(self, questions=questions)

    def foundations(self, question: str) -> tuple[str, ...]:
        """The questions that this one builds on, directly or not, in the rubric's order."""
        found: set[str] = set()
        waiting = list(self.questions[question].builds_on)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(self.questions[name].builds_on)
        return tuple(name for name in self.questions if name in found)


class Course(Struct, frozen=True, kw_only=True):
    """Everything `grading.yml` says, checked."""

    root: Path
    labs: dict[str, Lab]


class CourseError(Explained):
    """Something is wrong with the course: reads ``file:line: key: problem. Remedy.``"""

    def __init__(self, problem: str, remedy: str, *, file: str = FILE, line: int = 0, key: str = "") -> None:
        self.problem, self.remedy, self.file, self.line, self.key = problem, remedy, file, line, key
        where = f"{file}:{line}" if line else file
        super().__init__(": ".join(part for part in (where, key, f"{problem}. {remedy}.") if part))


def load_course(root: Path) -> Course:
    """Read ``root/grading.yml`` and check it against the suites. Raises `CourseError`."""
    return _Rubric(root).course()


# --- What stands in the file --------------------------------------------------------------------------------


class _QuestionLimits(Struct, kw_only=True):
    call_seconds: Seconds


class _QuestionEntry(Struct, kw_only=True):
    kind: Kind = "auto"
    functions: tuple[Identifier, ...] = ()
    values: tuple[Identifier, ...] = ()
    builds_on: tuple[Name, ...] = ()
    standins: dict[Identifier, Identifier] = {}
    tolerance: Tolerance = 1e-5
    tolerances: dict[Name, Tolerance] = {}
    limits: _QuestionLimits | None = None
    public: dict[Name, Points] = {}
    hidden: dict[Name, Points] = {}
    points: Points | None = None
    rubric: tuple[Text, ...] = ()


class _LabEntry(Struct, kw_only=True):
    title: Text
    questions: dict[Name, _QuestionEntry]
    points: Points | None = None
    limits: Limits = Limits()
    feedback: Feedback = Feedback()
    warm: tuple[Module, ...] = ()
    given: tuple[Identifier, ...] = ()
    requires_closed: Name | None = None
    attempts: Attempts | None = None
    whole: Points | None = None


class _CourseEntry(Struct, kw_only=True):
    labs: dict[Name, _LabEntry]


# --- Reading ------------------------------------------------------------------------------------------------

_Path = tuple[str, ...]


class _Reader:
    """Reads YAML nodes as a type says, and remembers the line of every key."""

    def __init__(self) -> None:
        self.lines: dict[_Path, int] = {}

    def fail(self, path: _Path, problem: str, remedy: str, line: int | None = None) -> NoReturn:
        if line is None:
            line = self.lines[next(path[:n] for n in range(len(path), -1, -1) if path[:n] in self.lines)]
        raise CourseError(problem, remedy, line=line, key=".".join(path))

    def read(self, node: yaml.Node, kind: Any, path: _Path) -> Any:
        """The node's value as ``kind``: a Struct, a dict, a tuple of one type, or a leaf with Meta."""
        self.lines.setdefault(path, node.start_mark.line + 1)
        kind = next((k for k in get_args(kind) if k is not type(None)), kind) if _optional(kind) else kind
        origin = get_origin(kind)
        if isinstance(kind, type) and issubclass(kind, Struct):
            return self._struct(node, kind, path)
        if origin is dict:
            key_kind, value_kind = get_args(kind)
            pairs = self._pairs(node, path)
            for key in pairs:
                self._leaf(key, key, key_kind, (*path, key))
            return {key: self.read(value, value_kind, (*path, key)) for key, value in pairs.items()}
        if origin is tuple:
            return self._items(node, get_args(kind)[0], path)
        return self._leaf(*self._scalar(node, path), kind, path)

    def _struct(self, node: yaml.Node, kind: type[Struct], path: _Path) -> Struct:
        fields = {field.name: field for field in msgspec.structs.fields(kind)}
        types = get_type_hints(kind, include_extras=True)
        values = {}
        for key, value in self._pairs(node, path).items():
            if key not in fields:
                self.fail(
                    (*path, key),
                    "this key is not known",
                    f"{_did_you_mean(key, fields)}Known here: {_list(fields)}",
                )
            values[key] = self.read(value, types[key], (*path, key))
        if missing := [name for name, field in fields.items() if field.required and name not in values]:
            self.fail(path, f"the key {missing[0]} is missing", f"Add {missing[0]}: … below this line")
        return kind(**values)

    def _pairs(self, node: yaml.Node, path: _Path) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            self.fail(path, "a mapping belongs here", "Write lines of the form key: value, indented below this one")
        pairs: dict[str, yaml.Node] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                self.fail(path, "a key is not a plain word", "Write keys as words, without brackets", line)
            here = (*path, key.value)
            if key.value in pairs:
                first = self.lines[here]
                self.fail(here, f"this key stands twice, first in line {first}", "Keep one of the two", line)
            self.lines[here] = line
            pairs[key.value] = value
        return pairs

    def _items(self, node: yaml.Node, kind: Any, path: _Path) -> tuple[Any, ...]:
        if not isinstance(node, yaml.SequenceNode):
            self.fail(path, "a list belongs here", "Write [one, two], or [] for none")
        return tuple(self.read(item, kind, (*path, str(i))) for i, item in enumerate(node.value))

    def _scalar(self, node: yaml.Node, path: _Path) -> tuple[Any, str]:
        """A plain value, and how it stands in the file."""
        if not isinstance(node, yaml.ScalarNode):
            self.fail(path, "a single value belongs here, not a list or mapping", "Write key: value on one line")
        try:
            return yaml.SafeLoader("").construct_object(node), node.value
        except (yaml.YAMLError, ValueError):
            return node.value, node.value

    def _leaf(self, value: Any, text: str, kind: Any, path: _Path) -> Any:
        base, meta = get_args(kind)
        try:
            return msgspec.convert(value, kind, strict=base is not float)
        except (msgspec.ValidationError, OverflowError):
            example = meta.examples[0]
            shown = text if len(text) <= 60 else text[:57] + "…"
            self.fail(path, f"{shown!r} is not {meta.description}", f"Write for example {example}")


def _optional(kind: Any) -> bool:
    return type(None) in get_args(kind)


def _compose(path: Path) -> yaml.Node:
    try:
        node = yaml.compose(path.read_bytes().decode("utf-8-sig"), Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise CourseError(f"this is not UTF-8 (byte {error.start})", "Save the file as UTF-8") from None
    except OSError as error:
        raise CourseError(
            f"the file cannot be read in {path.parent} ({error.strerror})", "Run this in the course's folder"
        ) from None
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it nests too deeply"
        line = mark.line + 1 if mark else 0
        raise CourseError(f"this is not YAML: {problem}", "Look at this line and the one above", line=line) from None
    if node is None:
        raise CourseError("the file is empty", "Start it with labs: and one lab")
    return node


# --- What types cannot say ----------------------------------------------------------------------------------


class _Rubric:
    """Turns what was read into a `Course`, checking names against each other and against the suites."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.reader = _Reader()

    def course(self) -> Course:
        entry: _CourseEntry = self.reader.read(_compose(self.root / FILE), _CourseEntry, ())
        if not entry.labs:
            self.fail(("labs",), "there are no labs", "Add one: its name, a title, and questions")
        labs: dict[str, Lab] = {}
        for name, lab in entry.labs.items():
            if lab.requires_closed is not None and lab.requires_closed not in labs:
                hint = _did_you_mean(lab.requires_closed, labs)
                path = ("labs", name, "requires_closed")
                self.fail(
                    path,
                    f"no earlier lab is called {lab.requires_closed}",
                    f"{hint}Name a lab that stands above",
                )
            labs[name] = self._lab(name, lab)
        return Course(root=self.root, labs=labs)

    def fail(self, path: _Path, problem: str, remedy: str) -> NoReturn:
        self.reader.fail(path, problem, remedy)

    def _lab(self, name: str, entry: _LabEntry) -> Lab:
        path = ("labs", name)
        if not entry.questions:
            self.fail((*path, "questions"), "the lab has no questions", "Add one below questions")
        self._names_are_asked_once(path, entry)
        lab = Lab(
            root=self.root,
            name=name,
            title=entry.title,
            limits=entry.limits,
            feedback=entry.feedback,
            warm=entry.warm,
            given=entry.given,
            requires_closed=entry.requires_closed,
            attempts=entry.attempts,
            whole=entry.whole or 0,
            questions={
                q: self._question((*path, "questions", q), entry.limits, e, entry) for q, e in entry.questions.items()
            },
        )
        lab = msgspec.structs.replace(lab, whole=entry.whole or lab.possible + lab.pending)
        self._total((*path, "points"), entry.points, lab.possible + lab.pending, "questions")
        self._suites_match(path, lab)
        return lab

    def _question(self, path: _Path, limits: Limits, entry: _QuestionEntry, lab: _LabEntry) -> Question:
        name = path[-1]
        if name in RESERVED_COLUMNS:
            self.fail(path, f"{name} is a column of grades.csv already", "Give the question another name")
        if entry.kind == "written":
            self._written(path, entry)
        else:
            self._auto(path, entry)
        self._builds_on(path, entry, lab)
        checks = tuple(
            Check(
                name=check,
                question=name,
                visible=visible,
                points=points,
                tolerance=entry.tolerances.get(check, entry.tolerance),
            )
            for visible, part in ((True, entry.public), (False, entry.hidden))
            for check, points in part.items()
        )
        total = sum(check.points for check in checks)
        if checks:
            self._total((*path, "points"), entry.points, total, "checks")
        return Question(
            name=name,
            kind=entry.kind,
            functions=entry.functions,
            values=entry.values,
            builds_on=entry.builds_on,
            standins=entry.standins,
            tolerance=entry.tolerance,
            limits=msgspec.structs.replace(limits, **msgspec.structs.asdict(entry.limits)) if entry.limits else limits,
            checks=checks,
            points=total or entry.points or 0,
            rubric=entry.rubric,
        )

    def _written(self, path: _Path, entry: _QuestionEntry) -> None:
        for key in ("public", "hidden", "functions", "values", "builds_on", "standins", "tolerances"):
            if getattr(entry, key):
                remedy = "Remove the key, or remove kind: written"
                self.fail((*path, key), f"a written question has no {key}: a person marks it", remedy)
        if entry.points is None:
            self.fail(path, "a written question needs points", "Add points: 4, say")

    def _auto(self, path: _Path, entry: _QuestionEntry) -> None:
        if not entry.public:
            remedy = "Add public: {worked_example: 1} and a test for it, or write kind: written"
            self.fail(path, "the question has no public check, so students could not try their answer", remedy)
        if not entry.functions + entry.values:
            self.fail(path, "the question asks for nothing", "Name its functions: […] or values: […]")
        if entry.rubric:
            self.fail((*path, "rubric"), "only written questions have a rubric", "Remove it, or write kind: written")
        if twice := sorted(entry.public.keys() & entry.hidden.keys()):
            remedy = "Rename one, here and in its suite"
            self.fail((*path, "hidden", twice[0]), "a public check has this name too", remedy)
        for function in entry.standins:
            if function not in entry.functions:
                remedy = f"{_did_you_mean(function, entry.functions)}Functions here: {_list(entry.functions)}"
                self.fail((*path, "standins", function), "the question asks for no such function", remedy)
        checks = entry.public | entry.hidden
        for check in entry.tolerances:
            if check not in checks:
                remedy = f"{_did_you_mean(check, checks)}Checks here: {_list(checks)}"
                self.fail((*path, "tolerances", check), "the question has no such check", remedy)

    def _builds_on(self, path: _Path, entry: _QuestionEntry, lab: _LabEntry) -> None:
        earlier = list(lab.questions)[: list(lab.questions).index(path[-1])]
        usable = [name for name in earlier if lab.questions[name].kind == "auto"]
        for i, name in enumerate(entry.builds_on):
            here = (*path, "builds_on", str(i))
            if name not in lab.questions:
                self.fail(
                    here,
                    f"there is no question {name}",
                    f"{_did_you_mean(name, usable)}Name an earlier question",
                )
            if name not in earlier:
                self.fail(here, f"{name} does not come before {path[-1]}", f"Move {name} up, or remove it here")
            if name not in usable:
                self.fail(here, f"{name} is a written question and defines nothing", "Remove it here")

    def _names_are_asked_once(self, path: _Path, entry: _LabEntry) -> None:
        """No function or value may be asked for twice, or be given as well."""
        seen = dict.fromkeys(entry.given, "given")
        for question, q in entry.questions.items():
            for key in ("functions", "values"):
                for i, name in enumerate(getattr(q, key)):
                    here = (*path, "questions", question, key, str(i))
                    if keyword.iskeyword(name):
                        self.fail(here, f"{name} is a word of Python itself", "Ask for another name")
                    if name in seen:
                        remedy = "Each name belongs to one question: remove it here or there"
                        self.fail(here, f"{name} is in {seen[name]} already", remedy)
                    seen[name] = f"questions.{question}.{key}"

    def _total(self, path: _Path, stated: int | None, total: int, what: str) -> None:
        if stated is not None and stated != total:
            remedy = f"Write {total}, or change the {what}"
            self.fail(path, f"{stated} points are stated, and the {what} add up to {total}", remedy)

    def _suites_match(self, path: _Path, lab: Lab) -> None:
        """Each check has its test, each test its check, each suite its question, each stand-in its definition."""
        for question in lab.questions.values():
            for visible in (True, False):
                self._suite_matches((*path, "questions", question.name), lab, question, visible)
        for side in ("public", "hidden"):
            for suite in sorted((self.root / "tests" / side / lab.name).glob("test_*.py")):
                name = suite.stem.removeprefix("test_")
                if name not in lab.questions:
                    remedy = f"{_did_you_mean(name, lab.questions)}Add the question, or remove or rename the suite"
                    file = suite_of(side, lab.name, name).as_posix()
                    self.fail((*path, "questions"), f"there is no question {name} for the suite {file}", remedy)
        file = f"tests/hidden/{lab.name}/standins.py"
        for question in lab.questions.values() if (self.root / "tests" / "hidden").is_dir() else ():
            for function, standin in question.standins.items():
                defined = _defined_in(self.root, file)
                if standin not in defined:
                    here = (*path, "questions", question.name, "standins", function)
                    self.fail(
                        here, f"{file} has no def or class {standin}", f"{_did_you_mean(standin, defined)}Write it"
                    )

    def _suite_matches(self, path: _Path, lab: Lab, question: Question, visible: bool) -> None:
        side = "public" if visible else "hidden"
        file = suite_of(side, lab.name, question.name).as_posix()
        checks = {check.name for check in question.checks if check.visible == visible}
        tests = _tests_of(self.root, file)
        if tests is None:
            if checks:
                self.fail(
                    (*path, side),
                    f"the suite {file} is missing",
                    f"Write it: one test each for {_list(sorted(checks))}",
                )
            return
        for check in sorted(checks - tests.keys()):
            hint = _did_you_mean(check, tests.keys() - checks)
            remedy = f"{hint}Write def test_{check}(…) there, or remove the check here"
            self.fail((*path, side, check), f"this check has no test in {file}", remedy)
        for test in sorted(tests.keys() - checks):
            remedy = f"Add {test}: 1 here (with its points), or remove the test"
            self.fail((*path, side), f"test_{test} in {file}:{tests[test]} has no check here", remedy)


def suite_of(side: str, lab: str, question: str) -> Path:
    """Where the tests of a question lie, below the course's folder; `side` is public or hidden."""
    return Path("tests", side, lab, f"test_{question}.py")


def _defined_in(root: Path, file: str) -> list[str]:
    """The functions and classes that a file defines; none without such a file."""
    tree = _tree_of(root, file)
    found = (ast.FunctionDef, ast.ClassDef)
    return [node.name for node in tree.body if isinstance(node, found)] if tree else []


def _tree_of(root: Path, file: str) -> ast.Module | None:
    try:
        return ast.parse((root / file).read_bytes())
    except FileNotFoundError:
        return None
    except (SyntaxError, ValueError, RecursionError, OSError) as error:
        line = getattr(error, "lineno", None) or 0
        reason = getattr(error, "msg", None) or getattr(error, "strerror", None) or error
        raise CourseError(f"the suite cannot be read: {reason}", "Mend the file", file=file, line=line) from None


def _tests_of(root: Path, file: str) -> dict[str, int] | None:
    """The checks that a suite's test functions are for, with their lines; None without such a file."""
    tree = _tree_of(root, file)
    if tree is None:
        return None
    tests: dict[str, int] = {}
    for node in _definitions(tree):
        if isinstance(node, ast.ClassDef):
            remedy = "Write its tests as functions of the module"
            raise CourseError(f"{node.name} is a class of tests", remedy, file=file, line=node.lineno)
        name = node.name.removeprefix("test_")
        if name in tests:
            problem = f"{node.name} stands twice, first in line {tests[name]}: Python keeps only the last"
            raise CourseError(problem, "Rename one of the two", file=file, line=node.lineno)
        tests[name] = node.lineno
    return tests


def _definitions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """What pytest would collect from a module."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield node


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"Did you mean {close[0]}? " if close else ""


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
