"""Grading on a Dask cluster, through the executor of `distributed` (extra `[cluster]`).

The cluster's workers need this package and nothing else: no shared folder, no copy of the course. The course travels
to each once, as a zip that is named by its content, and a submission as its bytes. Whether the connection is
encrypted is Dask's own setting (`distributed.comm.tls`, or DASK_DISTRIBUTED__COMM__TLS__… in the environment).
A worker process grades one submission at a time, however many threads it has.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import logging
import re
import threading
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

import msgspec

from autograder.classroom import ClassroomError, Task, refused
from autograder.course import FILE, Course
from autograder.fingerprint import grader_version
from autograder.protections import missing
from autograder.submission import Rejected, contents

INSTALL = "pip install 'autograder[cluster]'"
CONNECT_SECONDS = 30
COUNT_SECONDS = 2.0
"""How often the cluster's processes are counted: they may come and go."""

ANSWER_SECONDS = 20
"""How long a scheduler may take to count them, before it is taken for gone."""

PARTING_SECONDS = 1.0
"""How long workers that are at work are waited for, when they are given up, until they have forgotten the course."""

TLS = "distributed.comm.tls"
"""Where Dask's configuration keeps the files that encryption takes."""

AHEAD = 2
"""Submissions on their way for each process of the cluster: one that is graded, one that waits beside it."""


class Cluster:
    """A hall of Dask workers. Use as a context manager."""

    lost: tuple[type[BaseException], ...] = (CancelledError,)

    def __init__(self, address: str, course: Course, require: tuple[str, ...] = ()) -> None:
        """Connect, and send the course. Raises ClassroomError when nobody is there, or `distributed` is not.

        A worker on which one of the layers in `require` is off grades nothing.
        """
        self._client = _connected(address)
        from autograder import cluster_worker

        self.course = course
        bundle = packed(course)
        self._address = address
        self._name = hashlib.sha256(bundle).hexdigest()
        self._work = cluster_worker.grade
        versions = {lab.warm: grader_version(lab.warm) for lab in course.labs.values()}
        with _gone_if_silent(address):
            self._client.register_plugin(cluster_worker.CoursePlugin(self._name, bundle, versions, require))
        self._executor = self._client.get_executor()
        self._ended = False
        self._counted = -COUNT_SECONDS
        self._processes = 1

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, error: object, *more: object) -> None:
        self._executor.shutdown(wait=False)
        parting = threading.Thread(target=self._take_back_the_course, daemon=True)
        parting.start()
        parting.join(PARTING_SECONDS if self._ended or error else None)
        self._client.close()

    def _take_back_the_course(self) -> None:
        """Takes as long as the workers are at work. Whoever has left meanwhile has no course either."""
        with contextlib.suppress(Exception):
            self._client.unregister_worker_plugin(self._name)

    def end(self) -> None:
        """Do not wait for the cluster any more."""
        self._ended = True

    @property
    def places(self) -> int:
        """Twice the processes of the cluster."""
        return AHEAD * max(1, self._count())

    @property
    def is_deserted(self) -> bool:
        return self._count() == 0

    def _count(self) -> int:
        """The processes of the cluster. Raises ClassroomError as soon as the scheduler has gone."""
        self._insist_on_the_scheduler()
        if time.monotonic() - self._counted > COUNT_SECONDS:
            with _gone_if_silent(self._address):
                self._processes = len(self._client.nthreads(callback_timeout=ANSWER_SECONDS))
            self._counted = time.monotonic()
        return self._processes

    def _insist_on_the_scheduler(self) -> None:
        """Dask gives up all that is under way when its connection is lost; whether it finds another changes nothing."""
        if self._client.status != "running":
            raise _gone(self._address)

    def grade(self, task: Task) -> Future[bytes]:
        """Send a file's bytes to the cluster."""
        self._insist_on_the_scheduler()
        try:
            data = contents(task.path)
        except Rejected as reason:
            unread: Future[bytes] = Future()
            unread.set_result(msgspec.json.encode(refused(self.course, task, reason)))
            return unread
        sent: Future[bytes] = self._executor.submit(self._work, self._name, task.file, task.lab, data)
        return sent


def insist_there(address: str, require: tuple[str, ...]) -> None:
    """Raises ClassroomError unless these layers are on at every worker that the cluster has now."""
    client = _connected(address)
    try:
        with _gone_if_silent(address):
            troubles = client.run(missing, require)
        for worker, trouble in troubles.items():
            if trouble:
                raise ClassroomError(f"nothing was graded: at the cluster's worker {worker}: {trouble}")
    finally:
        client.close()


def is_address(text: str) -> bool:
    """Whether this can be a scheduler's address: a host and a port, perhaps with one of Dask's protocols in front."""
    return re.fullmatch(r"(?:(?:tcp|tls|ws|wss|ucx)://)?(?:\[[^\[\]\s]+\]|[^/:\[\]\s]+):\d{1,5}/?", text) is not None


def _connected(address: str) -> Any:
    """A client of a cluster that has workers. Raises ClassroomError."""
    try:
        import distributed
    except ImportError:
        raise ClassroomError(f"--scheduler needs Dask's package distributed. Install it with {INSTALL}.") from None
    _insist_on_settings_that_fit(address)
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its tracebacks say what is said here, too
    client = None
    try:
        connect: Any = distributed.Client
        client = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except Exception as error:  # Dask has many kinds for addresses, protocols and settings that do not fit
        if client is not None:
            client.close()
        raise ClassroomError(
            f"no Dask cluster with workers answers at {address} ({error}). Start one with `dask scheduler` and "
            "`dask worker --nthreads 1 ADDRESS`, or look at the TLS settings."
        ) from None
    return client


def _insist_on_settings_that_fit(address: str) -> None:
    """Raises ClassroomError where Dask's configuration says nothing of the encryption that is asked for, or wants one.

    Dask itself would say so only in a traceback, and a minute later.
    """
    import dask

    if not address.startswith(("tls://", "wss://")):
        if dask.config.get("distributed.comm.require-encryption", None):
            raise ClassroomError(
                f"{address}: Dask's configuration insists on encryption. Name the scheduler by tls://…, or unset "
                "distributed.comm.require-encryption."
            )
    elif missing := [name for name in ("ca-file", "client.cert") if not dask.config.get(f"{TLS}.{name}", None)]:
        needed = " and ".join(f"{TLS}.{name} ({_variable(name)})" for name in missing)
        raise ClassroomError(
            f"{address}: an encrypted connection needs certificates, and Dask's configuration names none. Set {needed} "
            f"to their files; and {TLS}.client.key ({_variable('client.key')}), unless the key is in the certificate's."
        )


def _variable(name: str) -> str:
    """The environment variable that stands for one of Dask's TLS settings."""
    return f"dask.{TLS}.{name}".upper().replace(".", "__").replace("-", "_").replace("DASK__", "DASK_", 1)


@contextlib.contextmanager
def _gone_if_silent(address: str) -> Iterator[None]:
    """What goes wrong on the way to the scheduler, said in a sentence."""
    try:
        yield
    except OSError:  # TimeoutError is one
        raise _gone(address) from None


def _gone(address: str) -> ClassroomError:
    return ClassroomError(
        f"the cluster's scheduler at {address} has gone. What was graded is kept: start it anew, with its workers, and "
        "run the same command again."
    )


def packed(course: Course) -> bytes:
    """What grading reads of a course, as a zip; the same course gives the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files(course):
            archive.writestr(zipfile.ZipInfo(path.relative_to(course.root).as_posix()), path.read_bytes())
    return buffer.getvalue()


def _files(course: Course) -> Iterator[Path]:
    yield course.root / FILE
    for pattern in ("solutions/*/lab.py", "solutions/*/misconceptions/*.py", "tests/__init__.py"):
        yield from sorted(course.root.glob(pattern))
    for side in ("public", "hidden"):
        yield from sorted((course.root / "tests" / side).rglob("*.py"))
    yield from (lab.handout for lab in course.labs.values() if lab.handout.is_file())
