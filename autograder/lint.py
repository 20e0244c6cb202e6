"""The traps of Otter Assign, each as an error with its file and line.

Otter takes much in silence: a delimiter in the wrong kind of cell, a test that it loses, a key it does not
know, a comment that hides a check. `problems` reads a lab's master and public suites before Otter does.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from autograder.assign import CONFIG_HEADING, FIGURE, FIXED_CONFIG, FREE_CONFIG, enclosing
from autograder.course import CourseError, Lab, Question
from autograder.master import BEGIN_SOLUTION, Master, cases_of

DELIMITER = re.compile(r"#\s+(?P<words>assignment\s+config|(?:begin|end)\s+(?:question|tests|prompt|solution))\b", re.I)
SWALLOWED = re.compile(r"#{1,2}\s*ignore\b", re.I)
SWALLOWED_LINE = re.compile(r"#\s*(?:BEGIN |END )?(?:IGNORE|SEED|PLUGIN)\s*$")
TOUCHING_MARK = re.compile(r"# %%[\w\[]")
LONE_SOLUTION = re.compile(r"# ?SOLUTION\b")
PICTURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<file>[^)]*)\)")
ACTIVE_SVG = re.compile(r"<script|\son\w+\s*=|<foreignObject", re.I)

WHY = {"export_cell": "Remove it: students hand in the notebook, and the export needs LaTeX and one notebook a folder"}


def problems(lab: Lab, master: Master) -> list[CourseError]:
    """Everything that Otter would get wrong in silence, in the order of the files.

    Raises MasterError for a case that cannot be read: it would be noticed when the first such answer is graded.
    """
    cases_of(master.path.parent / "alternatives")
    return [*_Master(lab, master).problems(), *_public_suites(lab, master), *_misconceptions(lab, master)]


# --- Masters --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Located:
    """A cell of the file itself, and the line of its text's start."""

    line: int
    kind: str
    source: str


class _Master:
    """The checks of one master."""

    def __init__(self, lab: Lab, master: Master) -> None:
        self.lab, self.master = lab, master
        self.file = str(master.path.relative_to(lab.root))
        self.cells = located_cells(master.path)

    def problems(self) -> Iterator[CourseError]:
        for cell in self.cells:
            if cell.kind == "raw":
                yield from self._raw(cell)
            elif cell.kind == "markdown":
                yield from self._markdown(cell)
            else:
                yield from self._code(cell)
        yield from self._marks()
        yield from self._given()
        yield from self._structure()
        yield from self._handout()

    def error(self, line: int, problem: str, remedy: str) -> CourseError:
        return CourseError(problem, remedy, file=self.file, line=line)

    def _raw(self, cell: _Located) -> Iterator[CourseError]:
        if cell.source.startswith(CONFIG_HEADING):
            yield from self._config(cell)
        elif DELIMITER.match(cell.source) is None:
            remedy = "Write `# # BEGIN QUESTION` (percent format comments raw cells once more), or use [markdown]"
            yield self.error(cell.line, "Otter does not know this raw cell and students would see it", remedy)
        elif re.match(r"#\s+begin\s+tests", cell.source, re.I):
            remedy = f"Write it in tests/public/{self.lab.name}/"
            yield self.error(cell.line, "a test stands in the master", remedy)

    def _config(self, cell: _Located) -> Iterator[CourseError]:
        try:
            config: Any = yaml.safe_load(cell.source) or {}
        except yaml.YAMLError as error:
            yield self.error(cell.line, f"the assignment's configuration is no YAML: {error}", "Mend it")
            return
        for key, value in config.items():
            line = cell.line + _offset(cell.source, rf"^{re.escape(str(key))}\s*:")
            if key == "name":
                if value != self.lab.name:
                    yield self.error(line, f"the name is {value!r}", f"Write name: {self.lab.name}, or leave it out")
            elif key in FIXED_CONFIG:
                if value != FIXED_CONFIG[key]:
                    yield self.error(line, f"`build` sets {key}: {FIXED_CONFIG[key]} itself", WHY.get(key, "Remove it"))
            elif key not in FREE_CONFIG:
                remedy = f"Known keys: name, {', '.join((*FREE_CONFIG, *FIXED_CONFIG))}"
                yield self.error(line, f"Otter's key {key} is unknown here", remedy)

    def _markdown(self, cell: _Located) -> Iterator[CourseError]:
        yield from self._delimiters(cell, "markdown")
        if "```otter" in cell.source:
            yield self.error(cell.line, "an ```otter block is a delimiter", "Write it as a raw cell")
        for found in PICTURE.finditer(cell.source):
            yield from self._picture(cell.line + cell.source[: found.start()].count("\n"), found)

    def _picture(self, line: int, found: re.Match[str]) -> Iterator[CourseError]:
        path = self.master.path.parent / found["file"]
        if not found["alt"].strip():
            yield self.error(line, "a picture without a text for those who cannot see it", "Write ![what it shows](…)")
        if FIGURE.fullmatch(found[0]) is None:
            yield self.error(line, f"the picture {found['file']} is none", "Put it at figures/NAME.svg")
        elif not path.is_file():
            yield self.error(
                line, f"the figure {found['file']} does not exist", f"Write {path.parent.name}/{path.name}"
            )
        elif ACTIVE_SVG.search(path.read_text(encoding="utf-8")):
            yield self.error(line, f"the figure {found['file']} holds a script or a foreign object", "Take it out")

    def _code(self, cell: _Located) -> Iterator[CourseError]:
        yield from self._delimiters(cell, "code")
        lines = cell.source.split("\n")
        if SWALLOWED.match(lines[0]):
            yield self.error(cell.line, "Otter drops a cell that starts with `# ignore`", "Start with another word")
        for number, line in enumerate(lines, cell.line):
            if SWALLOWED_LINE.search(line):
                yield self.error(number, f"Otter takes `{line.strip()[-20:]}` for a command", "Write another comment")
            if LONE_SOLUTION.search(line):
                remedy = "Write `# BEGIN SOLUTION` above the answer and `# END SOLUTION` below"
                yield self.error(number, "an answer outside a solution block, which leaks", remedy)
        yield from self._solution_blocks(cell)

    def _delimiters(self, cell: _Located, kind: str) -> Iterator[CourseError]:
        found = DELIMITER.match(cell.source)
        if found and not (kind == "code" and "solution" in found["words"].lower()):
            yield self.error(cell.line, f"`{found[0]}` is a {kind} cell", "Make it a raw one: `# %% [raw]`")

    def _solution_blocks(self, cell: _Located) -> Iterator[CourseError]:
        if BEGIN_SOLUTION.search(cell.source) is None and "# END SOLUTION" not in cell.source:
            return
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            yield self.error(cell.line + (error.lineno or 1) - 1, f"no Python: {error.msg}", "Mend the line")
            return
        begun, lines, stubbed = 0, cell.source.split("\n"), set()
        for number, line in enumerate(lines, 1):
            if BEGIN_SOLUTION.match(line):
                if begun:
                    yield self.error(cell.line + number - 1, "a solution block in a solution block", "End the first")
                begun = number
                if line.rstrip().endswith("NO PROMPT"):
                    continue
                scope = enclosing(cell.source, number)
                if scope is None and not _has_prompt(lines, number):
                    remedy = 'Write the student\'s version below it: `""" # BEGIN PROMPT` … `""" # END PROMPT`'
                    yield self.error(
                        cell.line + number - 1, "a solution block outside a function has no prompt", remedy
                    )
                elif scope in stubbed:
                    remedy = "Make it one block: the second stub would never be reached"
                    yield self.error(cell.line + number - 1, f"{scope} has two solution blocks", remedy)
                if scope:
                    stubbed.add(scope)
            elif "# END SOLUTION" in line:
                if not begun:
                    yield self.error(cell.line + number - 1, "`# END SOLUTION` ends nothing", "Write its beginning")
                begun = 0
        if begun:
            yield self.error(cell.line + begun - 1, "this solution block has no end", "Write `# END SOLUTION`")

    def _marks(self) -> Iterator[CourseError]:
        """A mark that touches its words begins no cell."""
        for number, line in enumerate(self.master.path.read_text(encoding="utf-8-sig").split("\n"), 1):
            if TOUCHING_MARK.match(line):
                yield self.error(number, f"`{line}` begins no cell", "Write a space behind `# %%`")

    def _given(self) -> Iterator[CourseError]:
        """What grading.yml calls given is what the given cells define."""
        defined = _defined(self.master.given_source())
        for name in self.lab.given:
            if name not in defined:
                remedy = 'Mend the name there, or begin the cell that defines it with `# %% tags=["given"]`'
                yield self.error(0, f"grading.yml calls {name} given, but no given cell defines it", remedy)

    def _structure(self) -> Iterator[CourseError]:
        """Questions: all of them, once, closed, in the rubric's order, each with an answer."""
        asked: list[str] = []
        opened: _Located | None = None
        for cell in self.cells:
            if cell.kind == "raw" and re.match(r"#\s+begin\s+question", cell.source, re.I):
                if opened:
                    yield self.error(cell.line, "a question begins inside another", "Write `# # END QUESTION` first")
                opened = cell
                yield from self._question(cell, asked)
            elif cell.kind == "raw" and re.match(r"#\s+end\s+question", cell.source, re.I):
                if opened is None:
                    yield self.error(cell.line, "`# END QUESTION` ends nothing", "Write its beginning")
                opened = None
            elif opened is None and BEGIN_SOLUTION.search(cell.source):
                yield self.error(cell.line, "an answer outside a question", "Put it between the question's raw cells")
        if opened:
            yield self.error(opened.line, "this question has no end", "Write a raw cell `# # END QUESTION`")
        if missing := [name for name in self.lab.questions if name not in asked]:
            yield self.error(0, f"the master does not ask {', '.join(missing)}", "Write the questions of grading.yml")
        elif asked != list(self.lab.questions):
            remedy = f"grading.yml has {', '.join(self.lab.questions)}"
            yield self.error(0, f"the questions come in another order: {', '.join(asked)}", remedy)

    def _question(self, cell: _Located, asked: list[str]) -> Iterator[CourseError]:
        try:
            config: Any = yaml.safe_load(cell.source) or {}
        except yaml.YAMLError as error:
            yield self.error(cell.line, f"the question's configuration is no YAML: {error}", "Mend it")
            return
        name = str(config.get("name"))
        if name not in self.lab.questions:
            yield self.error(cell.line, f"grading.yml has no question {name}", "Write its name as it stands there")
            return
        if name in asked:
            yield self.error(cell.line, f"{name} is asked twice", "Keep one")
        asked.append(name)
        question = self.lab.questions[name]
        if unknown := sorted(set(config) - {"name", "manual"}):
            remedy = "Points stand in grading.yml; keep name and manual"
            yield self.error(cell.line, f"{name} has the keys {', '.join(unknown)}", remedy)
        if bool(config.get("manual")) != (question.kind == "written"):
            remedy = "Write manual: true here exactly for the written questions of grading.yml"
            yield self.error(cell.line, f"{name} is {question.kind} in grading.yml", remedy)
        if question.kind == "auto":
            yield from self._answer(cell, question)

    def _answer(self, cell: _Located, question: Question) -> Iterator[CourseError]:
        """The solution cells define what the rubric asks for, with a docstring for the student."""
        try:
            body = ast.parse(self.master.solution_source(question.name)).body
        except SyntaxError:
            return
        defined = {n.name: n for n in body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
        assigned = {t.id for n in body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)}
        for name in question.functions:
            if name not in defined and name not in assigned:
                yield self.error(cell.line, f"the answer to {question.name} defines no {name}", "Write it")
            elif name in defined and not ast.get_docstring(defined[name]):
                yield self.error(cell.line, f"{name} has no docstring for the student", "Give shapes and the formula")
        for name in question.values:
            if name not in assigned:
                yield self.error(cell.line, f"the answer to {question.name} assigns no {name}", "Write it")

    def _handout(self) -> Iterator[CourseError]:
        """Each hidden check is announced by a sentence, each announcement is of a hidden check."""
        for name, question in self.lab.questions.items():
            hidden = {check.name for check in question.checks if not check.visible}
            said = self.master.handout.get(name, set())
            for check in sorted(hidden - said):
                remedy = f"Say in words what it tests, and write <!-- handout: {check} --> behind the sentence"
                yield self.error(0, f"no sentence of {name} announces the hidden check {check}", remedy)
            for check in sorted(said - hidden):
                yield self.error(0, f"{name} announces {check}, which is no hidden check of it", "Mend the name")
        for name in sorted(self.master.handout.keys() - self.lab.questions.keys()):
            yield self.error(0, f"a handout marker names the question {name}", "Name one of grading.yml")


def located_cells(path: Path) -> list[_Located]:
    """The cells of a percent file with the line at which the text of each starts."""
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    marks = [number for number, line in enumerate(lines) if line.startswith("# %%")]
    cells = []
    for start, end in pairwise([*marks, len(lines)]):
        kind = next((kind for kind in ("raw", "markdown") if f"[{kind}]" in lines[start]), "code")
        body = lines[start + 1 : end]
        blank = next((i for i, line in enumerate(body) if line.strip()), len(body))
        text = "\n".join(body[blank:]).rstrip()
        if kind != "code":
            text = re.sub(r"^# ?", "", text, flags=re.M)
        cells.append(_Located(start + 2 + blank, kind, text))
    return cells


def _has_prompt(lines: list[str], number: int) -> bool:
    rest = iter(lines[number:])
    for line in rest:
        if "# END SOLUTION" in line:
            break
    return "# BEGIN PROMPT" in next((line for line in rest if line.strip()), "")


def _offset(source: str, pattern: str) -> int:
    found = re.search(pattern, source, re.M)
    return source[: found.start()].count("\n") if found else 0


# --- Public suites --------------------------------------------------------------------------------


def _public_suites(lab: Lab, master: Master) -> Iterator[CourseError]:
    known = {name for q in lab.questions.values() for name in (*q.functions, *q.values)}
    known |= set(lab.given) | _defined(master.given_source())
    for question in lab.questions.values():
        path = lab.public_suite(question.name)
        if path.is_file():
            yield from _Suite(str(path.relative_to(lab.root)), path.read_text(encoding="utf-8-sig"), known).problems()


def _defined(source: str) -> set[str]:
    try:
        table = symtable.symtable(source, "given", "exec")
    except SyntaxError:
        return set()
    return {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()}


class _Suite:
    """The checks of one public suite: each test must stand alone in an Otter test cell."""

    def __init__(self, file: str, text: str, known: set[str]) -> None:
        self.file, self.text, self.known = file, text, known
        self.lines = text.split("\n")

    def problems(self) -> Iterator[CourseError]:
        for index, node in enumerate(ast.parse(self.text).body):
            if isinstance(node, ast.FunctionDef):
                yield from self._test(node)
            elif not (index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                remedy = "Otter sees each test alone: import and define inside the test"
                yield self.error(node.lineno, "something stands outside the test functions", remedy)

    def error(self, line: int, problem: str, remedy: str) -> CourseError:
        return CourseError(problem, remedy, file=self.file, line=line)

    def _test(self, node: ast.FunctionDef) -> Iterator[CourseError]:
        arguments = node.args
        if arguments.defaults or arguments.kw_defaults or arguments.vararg or arguments.kwarg or node.decorator_list:
            remedy = "Name just the functions it needs"
            yield self.error(node.lineno, f"{node.name} has defaults, * or a decorator, which Otter ignores", remedy)
        for argument in arguments.args:
            if argument.arg not in self.known:
                remedy = "Ask for a function or value of the lab, or a given one"
                yield self.error(node.lineno, f"{node.name} asks for {argument.arg}, which the notebook lacks", remedy)
        yield from self._sentence(node)
        yield from self._words(node)
        yield from self._globals(node)

    def _sentence(self, node: ast.FunctionDef) -> Iterator[CourseError]:
        sentence = (ast.get_docstring(node) or "").split("\n")[0]
        if not sentence:
            yield self.error(
                node.lineno, f"{node.name} has no docstring for the student", "Say in one line what it tests"
            )
        if '"' in sentence or "\\" in sentence:
            remedy = "Otter pastes it between quotes: use ' and no backslash"
            yield self.error(node.lineno + 1, f"the docstring of {node.name} holds a quote or a backslash", remedy)

    def _words(self, node: ast.FunctionDef) -> Iterator[CourseError]:
        above = self.lines[node.lineno - 2] if node.lineno > 1 else ""
        if above.lstrip().startswith("#") and re.search(r"\bhidden\b", above, re.I):
            remedy = "Take the word out: as the first line of a test cell it hides the test"
            yield self.error(node.lineno - 1, f"the comment above {node.name} says hidden", remedy)
        for inner in ast.walk(node):
            names = inner.names if isinstance(inner, ast.Import) else []
            module = inner.module if isinstance(inner, ast.ImportFrom) else None
            for name in (*(alias.name for alias in names), module or ""):
                if name.split(".")[0] in ("pytest", "autograder"):
                    remedy = "Students have neither: use a plain assert with a sentence"
                    yield self.error(getattr(inner, "lineno", 0), f"{node.name} imports {name}", remedy)

    def _globals(self, node: ast.FunctionDef) -> Iterator[CourseError]:
        table = symtable.symtable(ast.get_source_segment(self.text, node) or "", self.file, "exec")
        for name in sorted(_free_names(table.get_children()[0])):
            remedy = f"Import or define {name} inside the test, or make it a parameter"
            yield self.error(node.lineno, f"{node.name} uses {name}, which it does not have alone", remedy)


def _free_names(table: symtable.SymbolTable) -> set[str]:
    own = {s.get_name() for s in table.get_symbols() if s.is_global() and not hasattr(builtins, s.get_name())}
    return own.union(*(_free_names(child) for child in table.get_children()))


# --- Misconceptions -------------------------------------------------------------------------------


def _misconceptions(lab: Lab, master: Master) -> Iterator[CourseError]:
    """Whoever made a known mistake is given its hint."""
    folder = master.path.parent / "misconceptions"
    for case in cases_of(folder):
        if case.named and not case.hint:
            file = str((folder / f"{case.question}.py").relative_to(lab.root))
            remedy = "Write a comment below its `# %%` line: where to look, not what to write"
            yield CourseError(f"the misconception {case.name} has no hint for the student", remedy, file=file)
