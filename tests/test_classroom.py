"""Handing out work: workers that die, files that end them, graders that trip, and the wish to stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from autograder.classroom import FAILURES_IN_A_ROW, Classroom, ClassroomError, Grader, LostError, Task
from autograder.course import Course
from autograder.errors import SandboxError
from autograder.record import Grade, rejected
from autograder.submission import Rejected
from autograder.workers import Workers
from tests.toy import COURSE, POINTS, RIGHT, copy_of_the_course, notebook, write_class


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return copy_of_the_course(tmp_path_factory.mktemp("toy") / "course")


def tasks(count: int) -> list[Task]:
    return [Task(f"{number}.ipynb", Path(f"{number}.ipynb"), None) for number in range(count)]


class Room:
    """A hall of threads, where `work` says what becomes of a file at each attempt."""

    lost = (ZeroDivisionError,)
    is_deserted = False

    def __init__(self, course: Course, places: int = 2, work: Callable[[Task, int], None] | None = None) -> None:
        self.course = course
        self.places = places
        self.work = work or (lambda task, attempt: None)
        self.attempts: dict[str, int] = {}
        self.running = self.most = 0
        self._threads = ThreadPoolExecutor(places)

    def grade(self, task: Task) -> Future[bytes]:
        self.attempts[task.file] = self.attempts.get(task.file, 0) + 1
        self.running += 1
        self.most = max(self.most, self.running)
        future = self._threads.submit(self._work, task, self.attempts[task.file])
        future.add_done_callback(self._leave)
        return future

    def _work(self, task: Task, attempt: int) -> bytes:
        self.work(task, attempt)
        record = rejected(self.course.labs["toy"], task.file, Rejected("no", "matter"))
        return msgspec.json.encode(msgspec.structs.replace(record, status="graded", reason=None))

    def _leave(self, done: object) -> None:
        self.running -= 1


def graded(classroom: Classroom, work: Iterator[Task] | list[Task]) -> dict[str, Grade]:
    return {task.file: grade for task, grade in classroom.grades(work)}


def test_every_file_is_graded_and_no_more_are_out_than_there_are_places(toy: Course) -> None:
    room = Room(toy, places=3, work=lambda task, attempt: time.sleep(0.01))
    grades = graded(Classroom(room, toy), tasks(20))
    assert sorted(grades) == sorted(task.file for task in tasks(20))
    assert room.most <= 3


def test_tasks_are_taken_as_they_are_needed(toy: Course) -> None:
    taken = 0

    def endless() -> Iterator[Task]:
        nonlocal taken
        while True:
            taken += 1
            yield Task(f"{taken}.ipynb", Path("x"), None)

    grades = Classroom(Room(toy), toy).grades(endless())
    for _ in range(5):
        next(grades)
    assert taken <= 5 + 2 + 1


@pytest.mark.parametrize("death", [BrokenExecutor, LostError, ZeroDivisionError])
def test_a_file_whose_worker_dies_is_graded_again(toy: Course, death: type[Exception]) -> None:
    def work(task: Task, attempt: int) -> None:
        if task.file == "3.ipynb" and attempt == 1:
            raise death

    room = Room(toy, work=work)
    grades = graded(Classroom(room, toy), tasks(6))
    assert {grade.status for grade in grades.values()} == {"graded"}
    assert room.attempts["3.ipynb"] == 2
    assert sum(room.attempts.values()) == 7


def test_a_file_that_ends_its_worker_twice_is_rejected_and_the_rest_go_on(toy: Course) -> None:
    def work(task: Task, attempt: int) -> None:
        if task.file == "3.ipynb":
            raise BrokenExecutor

    room = Room(toy, work=work)
    classroom = Classroom(room, toy)
    grades = graded(classroom, tasks(6))
    assert grades["3.ipynb"].status == "rejected"
    assert "twice" in str(grades["3.ipynb"].reason)
    assert room.attempts["3.ipynb"] == 2
    assert classroom.failed == {"3.ipynb"}
    assert len(grades) == 6


def test_a_file_that_trips_the_grader_is_rejected_and_the_rest_go_on(toy: Course) -> None:
    def work(task: Task, attempt: int) -> None:
        if task.file == "3.ipynb":
            raise KeyError("a bug")

    classroom = Classroom(Room(toy, work=work), toy)
    grades = graded(classroom, tasks(6))
    assert "the grader failed on this file (KeyError: 'a bug')" in str(grades["3.ipynb"].reason)
    assert classroom.failed == {"3.ipynb"}
    assert len(grades) == 6


def test_when_every_file_fails_it_is_the_machine(toy: Course) -> None:
    def work(task: Task, attempt: int) -> None:
        raise BrokenExecutor

    with pytest.raises(ClassroomError, match=f"{FAILURES_IN_A_ROW + 1} submissions in a row.*doctor"):
        graded(Classroom(Room(toy, work=work), toy), tasks(20))


def test_a_mistake_in_the_course_stops_the_class(toy: Course) -> None:
    def work(task: Task, attempt: int) -> None:
        raise ClassroomError("tests/hidden/toy/test_wave.py: the check itself failed")

    with pytest.raises(ClassroomError, match="the check itself failed"):
        graded(Classroom(Room(toy, work=work), toy), tasks(6))


def test_after_stop_what_is_out_comes_back_and_nothing_more_goes_out(toy: Course) -> None:
    room = Room(toy, work=lambda task, attempt: time.sleep(0.01))
    classroom = Classroom(room, toy)
    seen = []
    for task, _ in classroom.grades(tasks(20)):
        seen.append(task.file)
        classroom.stop()
    assert 1 <= len(seen) <= 1 + room.places + 1
    assert sum(room.attempts.values()) == len(seen)


class DesertedRoom(Room):
    """A hall where nobody ever is at work."""

    is_deserted = True

    def grade(self, task: Task) -> Future[bytes]:
        return Future()

    def end(self) -> None:
        pass


def test_where_nobody_is_left_new_workers_are_waited_for_and_that_is_said_once(
    toy: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.classroom.DESERTED_SECONDS", 1)
    monkeypatch.setattr("autograder.classroom.LOOK_SECONDS", 0.1)
    said: list[str] = []
    with pytest.raises(ClassroomError, match=r"none came in 1 s\. What was graded is kept: start workers"):
        graded(Classroom(DesertedRoom(toy), toy, said.append), tasks(3))
    assert said == ["No workers are left. New ones are waited for, 1 s at most."]


def test_workers_that_come_back_in_time_go_on(toy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.classroom.DESERTED_SECONDS", 0.2)
    monkeypatch.setattr("autograder.classroom.LOOK_SECONDS", 0.05)
    room = Room(toy, work=lambda task, attempt: time.sleep(0.1))
    said: list[str] = []
    for seen, _ in enumerate(Classroom(room, toy, said.append).grades(tasks(12))):
        room.is_deserted = seen % 2 == 0
    assert seen == 11
    assert len(said) > 1


def test_whoever_wants_to_stop_waits_for_no_new_workers(toy: Course) -> None:
    classroom = Classroom(DesertedRoom(toy), toy)
    classroom.stop()
    classroom.say = lambda text: pytest.fail(text)
    classroom._submit(tasks(1)[0], attempt=1)
    started = time.monotonic()
    assert graded(classroom, tasks(3)) == {}
    assert classroom.ended and time.monotonic() - started < 10


# --- a grader -------------------------------------------------------------------------------------------------------


def test_a_sandbox_that_has_ended_is_replaced(toy: Course, tmp_path: Path) -> None:
    path = tmp_path / "hw.ipynb"
    path.write_bytes(notebook())
    with Grader(toy) as grader:
        first = grader.judge("toy")
        first.zygotes.fit_for(())._process.kill()
        with pytest.raises(LostError):
            grader.grade(Task("hw.ipynb", path, None))
        assert grader.grade(Task("hw.ipynb", path, None)).score == POINTS
        assert grader.judge("toy") is not first


def test_a_sandbox_that_is_killed_while_it_warms_up_is_replaced(
    toy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hw.ipynb"
    path.write_bytes(notebook())
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def start_and_kill_the_first(*args: Any, **kwargs: Any) -> subprocess.Popen[bytes]:
        started.append(start(*args, **kwargs))
        if len(started) == 1:
            started[0].kill()
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start_and_kill_the_first)
    with Grader(toy) as grader:
        assert grader.grade(Task("hw.ipynb", path, None)).score == POINTS
    assert len(started) == 2


def test_a_sandbox_that_cannot_start_is_no_submissions_fault(
    toy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hw.ipynb"
    path.write_bytes(notebook())
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with Grader(toy) as grader, pytest.raises(SandboxError, match="doctor"):
        grader.grade(Task("hw.ipynb", path, None))


@pytest.mark.parametrize("name", ["none", "of another course"])
def test_a_notebook_that_does_not_tell_its_lab_is_rejected_with_the_remedy(
    toy: Course, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "hw.ipynb"
    data = notebook().replace(
        b'{"otter": {"assignment_name": "toy"}}', b"{}" if name == "none" else b'{"otter": {"assignment_name": "x"}}'
    )
    path.write_bytes(data)
    with Grader(toy) as grader:
        grade = grader.grade(Task("hw.ipynb", path, None))
    assert grade.status == "rejected"
    assert "Hand in the notebook that was handed out to you" in str(grade.reason)
    assert "--lab" not in str(grade.reason), "students read that"
    assert grade.warnings == ["Name a lab with --lab to have it graded: toy."]


# --- local processes ------------------------------------------------------------------------------------------------


def files(folder: Path) -> list[Task]:
    return [Task(path.name, path, None) for path in sorted(folder.iterdir())]


def test_local_workers_grade_a_class(toy: Course, tmp_path: Path) -> None:
    with Workers(toy.root, 2) as workers:
        grades = graded(Classroom(workers, toy), files(write_class(tmp_path / "class", 6)))
        scratch = workers.scratch
    assert [grades[f"student-{n:03}.ipynb"].score for n in range(6)] == [POINTS, POINTS, 8, POINTS, POINTS, 8]
    assert not scratch.exists(), "nothing is left behind"


def test_a_killed_worker_is_replaced_and_costs_no_grade(toy: Course, tmp_path: Path) -> None:
    """Both are killed while they are at work; the class is graded as if nothing had happened."""
    folder = write_class(tmp_path / "class", 8, "import time; time.sleep(0.2)")
    with Workers(toy.root, 2) as workers:
        grades = {}
        for task, grade in Classroom(workers, toy).grades(files(folder)):
            grades[task.file] = grade.score
            if len(grades) == 2:
                for pid in children(os.getpid(), "spawn_main"):
                    os.kill(pid, signal.SIGKILL)
    assert [grades[f"student-{n:03}.ipynb"] for n in range(8)] == [POINTS, POINTS, 8, POINTS, POINTS, 8, POINTS, POINTS]


def test_what_a_killed_workers_submission_has_left_is_removed_however_deep_and_shut_it_is(toy: Course) -> None:
    """Deeper than Python's own way of removing a tree can go: that one would end in a traceback of ours."""
    with Workers(toy.root, 1) as workers:
        left = workers.scratch / "notebook-of-a-killed-one"
        left.mkdir()
        here = os.open(left, os.O_DIRECTORY)
        for _ in range(1500):
            os.mkdir("d", dir_fd=here)
            below = os.open("d", os.O_DIRECTORY, dir_fd=here)
            os.close(here)
            here = below
        os.close(os.open("file", os.O_CREAT, dir_fd=here))
        os.close(here)
        (left / "shut").mkdir()
        (left / "shut" / "file").touch()
        (left / "shut").chmod(0)
    assert not workers.scratch.exists()


def test_the_files_of_a_grader_who_was_killed_are_removed_by_the_next_and_nobody_elses(
    toy: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    say = "from autograder.scratch import Scratch; s = Scratch(); print(s.path, flush=True); input()"
    there = {"env": os.environ | {"TMPDIR": str(tmp_path)}, "stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    graders = [subprocess.Popen([sys.executable, "-c", say], text=True, **there) for _ in range(2)]  # type: ignore[call-overload]
    killed, alive = (Path(grader.stdout.readline().strip()) for grader in graders)
    (killed / "notebook-of-a-student").mkdir()
    (tmp_path / "autograder-course").mkdir()
    graders[0].kill()
    graders[0].wait()
    with Workers(toy.root, 1) as workers:
        assert set(tmp_path.iterdir()) == {alive, workers.scratch, tmp_path / "autograder-course"}
    for grader in graders:
        grader.communicate()
    with Workers(toy.root, 1) as workers:
        assert set(tmp_path.iterdir()) == {workers.scratch, tmp_path / "autograder-course"}


def test_an_interrupt_while_a_worker_starts_is_heard_once_it_has(toy: Course) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with Workers(toy.root, 1) as workers:
            start = workers._new

            def interrupted(core: int | None) -> Any:
                os.kill(os.getpid(), signal.SIGINT)
                return start(core)

            workers._new = interrupted  # type: ignore[method-assign]
            assert workers.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result() == set()
            assert heard == [signal.SIGINT]
            assert workers.submit(signal.getsignal, signal.SIGINT).result() is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_files_that_cannot_be_removed_stop_no_grader(toy: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: Path) -> None:
        raise PermissionError

    monkeypatch.setattr("autograder.workers.CLEAR_UP_SECONDS", 0.1)
    monkeypatch.setattr("autograder.workers.remove_tree", refuse)
    workers = Workers(toy.root, 1)
    workers.shutdown()
    workers.scratch.rmdir()


def test_where_no_process_can_be_had_the_error_is_told_and_nobody_waits(
    toy: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Workers, core: int | None) -> None:
        raise PermissionError("no semaphores here")

    monkeypatch.setattr(Workers, "_new", refuse)
    with pytest.raises(PermissionError, match="no semaphores"), Workers(toy.root, 2) as workers:
        workers.submit(int)


def children(pid: int, command: str) -> list[int]:
    """Children of a process whose command line holds a word."""
    below = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return [child for child in below if command.encode() in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_no_two_graders_share_a_user_id() -> None:
    say = "import sys; from autograder.sandbox.slots import own_uid; print(own_uid(), own_uid(), flush=True); input()"
    graders = [
        subprocess.Popen([sys.executable, "-c", say], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    taken = [(grader.stdout.readline().split() if grader.stdout else []) for grader in graders]
    for grader in graders:
        grader.communicate("\n")
    assert len({first for first, _ in taken}) == 3
    assert all(first == second for first, second in taken), "a process keeps its own"


def test_the_course_for_these_tests_gives_full_marks_to_right_answers() -> None:
    assert COURSE.is_dir()
    assert len(RIGHT) == 4
