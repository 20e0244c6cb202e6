"""The floor: the same cells and the same calls in one warm process, with no isolation, no limits and no judgement.

`Floor` starts the process, `recorded` notes which calls our grader makes of a notebook. What is timed in the process
is compiling and running the cells, and the calls with arguments that already lie in memory: nothing else.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import subprocess
import sys
import time
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from autograder.course import Lab
from autograder.grade import Judge
from autograder.sandbox import codec, wire
from autograder.sandbox.host import ENVIRONMENT
from autograder.sandbox.student import FETCHED, CallError, Student
from autograder.submission import read_submission


class Call(msgspec.Struct):
    """One call of a notebook's function: `bound` are names that stand-ins take for it. `from_before` says that our
    grader knew the answer from an earlier check's call."""

    name: str
    arguments: bytes
    standin: bool
    bound: dict[str, str] = {}
    from_before: bool = False


class Work(msgspec.Struct):
    """A notebook for the floor: its cells, and the calls that our grader made."""

    cells: list[str]
    calls: list[Call]

    def as_made(self) -> Work:
        """The same without the calls that our grader answered from before."""
        return Work(self.cells, [call for call in self.calls if not call.from_before])


def recorded(judge: Judge, path: Path) -> Work:
    """Grade a notebook, listening: every call of it that the checks make."""
    calls: list[Call] = []
    answer, ask_now = Student.answer, Student._ask_now

    def answered(student: Student, name: str, sent: bytes) -> wire.Reply | CallError:
        if _is_its_own(student, sent):
            calls.append(Call(name, sent, name in student.standin_names, dict(student.bound), from_before=True))
        return answer(student, name, sent)

    def asked(student: Student, name: str, sent: bytes) -> wire.Reply | CallError:
        if _is_its_own(student, sent):
            calls[-1].from_before = False
        return ask_now(student, name, sent)

    submission = read_submission(path)
    with patch.object(Student, "answer", answered), patch.object(Student, "_ask_now", asked):
        judge.grade(submission)
    return Work([cell.source for cell in submission.cells if cell.kind == "code"], calls)


def _is_its_own(student: Student, sent: bytes) -> bool:
    """Whether this is a call, and one that no right helper answers in part."""
    return sent != FETCHED and student.consultant is None


class Floor:
    """The warm process. Use as a context manager."""

    def __init__(self, lab: Lab, standins: str) -> None:
        command = [sys.executable, "-m", "benchmarks.floor", *lab.warm]
        root = Path(__file__).resolve().parents[1]
        environment = {**ENVIRONMENT, "PYTHONPATH": str(root)}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd=root
        )
        self._ask(standins.encode())

    def __enter__(self) -> Floor:
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.communicate()

    def seconds(self, work: Work) -> float:
        """How long it takes."""
        return float(self._ask(msgspec.msgpack.encode(work)))

    def _ask(self, data: bytes) -> bytes:
        pipe, answer = self._process.stdin, self._process.stdout
        assert pipe is not None
        assert answer is not None
        pipe.write(len(data).to_bytes(8, "little") + data)
        pipe.flush()
        return answer.readline()


# --- in the warm process --------------------------------------------------------------------------------------------


def main() -> None:
    """Answer each notebook with the seconds that it took."""
    for name in sys.argv[1:]:
        import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    warnings.simplefilter("ignore")
    source, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb", buffering=0)
    standins = source.read(int.from_bytes(source.read(8), "little")).decode()
    answers.write(b"0\n")
    while head := source.read(8):
        work = msgspec.msgpack.decode(source.read(int.from_bytes(head, "little")), type=Work)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            seconds = timed(work, standins)
        answers.write(b"%.9f\n" % seconds)


def timed(work: Work, standins: str) -> float:
    """Run a notebook's cells, then its calls."""
    names: dict[str, Any] = {"__name__": "standins"}
    exec(standins, names)
    calls = [(call, codec.decode(call.arguments)) for call in work.calls]
    space: dict[str, Any] = {"__name__": "__main__"}
    started = time.perf_counter()
    for source in work.cells:
        _run_cell(source, space)
    for call, (args, kwargs) in calls:
        _call(call, args, kwargs, space, names)
    return time.perf_counter() - started


def _run_cell(source: str, space: dict[str, Any]) -> None:
    with contextlib.suppress(Exception):
        tree = ast.parse(source)
        exec(compile(tree, "<cell>", "exec"), space)


def _call(call: Call, args: Any, kwargs: Any, space: dict[str, Any], standins: dict[str, Any]) -> None:
    before = {name: space.get(name) for name in call.bound}
    space.update({name: standins[standin] for name, standin in call.bound.items()})
    with contextlib.suppress(Exception):
        function = (standins if call.standin else space)[call.name]
        function(*_revived(args, space, standins), **_revived(kwargs, space, standins))
    space.update(before)


def _revived(value: Any, space: dict[str, Any], standins: dict[str, Any]) -> Any:
    match value:
        case list() | tuple():
            return type(value)(_revived(item, space, standins) for item in value)
        case dict():
            return {key: _revived(item, space, standins) for key, item in value.items()}
        case codec.Ref(name=name, arguments=arguments):
            found = standins[name] if name in standins else space[name]
            return found if arguments is None else found(*_revived(arguments, space, standins))
        case codec.Tensor(array=array):
            return sys.modules["torch"].from_numpy(array)
    return value


if __name__ == "__main__":
    main()
