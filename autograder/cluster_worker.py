"""The part of grading on a Dask cluster that runs in the cluster's workers."""

from __future__ import annotations

import hashlib
import io
import shutil
import tempfile
import threading
import zipfile
from pathlib import Path
from typing import Any

import msgspec
from distributed import WorkerPlugin

from autograder.classroom import ClassroomError, Grader, Task
from autograder.course import load_course
from autograder.errors import Explained
from autograder.fingerprint import grader_version
from autograder.protections import missing
from autograder.sandbox.slots import own_uid

_one_at_a_time = threading.Lock()

NEVER_SENT = "the course did not reach it, as when the scheduler was started anew"


class SentCourse:
    """A course that has been sent here, and its grader, made with the first submission."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.trouble = ""
        self._grader: Grader | None = None

    @property
    def grader(self) -> Grader:
        if self._grader is None:
            self._grader = Grader(load_course(self.folder), own_uid())
        return self._grader

    def close(self) -> None:
        if self._grader is not None:
            self._grader.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class CoursePlugin(WorkerPlugin):
    """Brings a course to each worker of a cluster, once, and to those that join later."""

    def __init__(
        self, name: str, bundle: bytes, versions: dict[tuple[str, ...], str], require: tuple[str, ...] = ()
    ) -> None:
        """`name` is the sha256 of `bundle`; `versions` are those of the grader that sends it; `require` its demands."""
        self.name = name
        self.bundle = bundle
        self.versions = versions
        self.require = require

    def setup(self, worker: Any) -> None:
        """Unpack the course into a folder of this worker's."""
        course = SentCourse(Path(tempfile.mkdtemp(prefix="course-", dir=worker.local_directory)))
        _courses[self.name] = course
        if hashlib.sha256(self.bundle).hexdigest() != self.name:
            course.trouble = "the course was damaged on its way"
        elif any(grader_version(warm) != version for warm, version in self.versions.items()):
            course.trouble = "its autograder, Python or a package that labs use is another version than here"
        elif trouble := missing(self.require):
            course.trouble = trouble.removesuffix(".")
        else:
            with zipfile.ZipFile(io.BytesIO(self.bundle)) as archive:
                archive.extractall(course.folder)
        self.bundle = b""

    def teardown(self, worker: Any) -> None:
        """Forget the course."""
        course = _courses.pop(self.name, None)
        if course is not None:
            with _one_at_a_time:
                course.close()


_courses: dict[str, SentCourse] = {}


def grade(name: str, file: str, lab: str | None, data: bytes) -> bytes:
    """Grade a file by the course of that name; its record as JSON."""
    with _one_at_a_time, tempfile.NamedTemporaryFile(prefix="submission-") as copy:
        course = _courses.get(name)
        if course is None or course.trouble:
            raise ClassroomError(
                f"a worker cannot grade: {course.trouble if course else NEVER_SENT}. What was graded is kept: once "
                "that is mended, run the same command again."
            )
        copy.write(data)
        copy.flush()
        try:
            return msgspec.json.encode(course.grader.grade(Task(file, Path(copy.name), lab)))
        except Explained as error:
            raise ClassroomError(str(error)) from None
