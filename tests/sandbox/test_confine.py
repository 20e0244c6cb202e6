"""Each protection forbids, in a forked child, what goes through without it; and honest code goes on working.

Runs as root and as any other user: which layers are on differs, what is forbidden does not.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import errno
import importlib
import json
import multiprocessing
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.sandbox import confine as confining
from autograder.sandbox import landlock, linux, seccomp
from autograder.sandbox.confine import FIRST_UID, Confinement, confine, lies_open, prepare, probe

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="these are Linux's protections")

ROOT = os.geteuid() == 0
GIB = 2**30


def on(name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not probe()[name].on, reason=f"{name} does not work here: {probe()[name].why}")


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder which the confined user can reach, whoever that is."""
    folder = Path(tempfile.mkdtemp(prefix="confine-", dir="/var/tmp"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of the course: readable by everyone, were it not for the confinement."""
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    path = tmp_path / "answers.txt"
    path.write_text("42")
    return path


@pytest.fixture
def proc_is_readable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """So that a confined child can be asked about itself."""
    monkeypatch.setattr(confining, "_SYSTEM", (*confining._SYSTEM, "/proc"))
    confining._readable_by_default.cache_clear()
    yield
    confining._readable_by_default.cache_clear()


def forked(action: Callable[[], Any], before: Callable[[], object] = lambda: None) -> Any:
    """What the action returns in a child (as JSON has it), or the name of the error that it raises."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            before()
            try:
                answer = action()
            except BaseException as error:
                answer = type(error).__name__
            os.write(writer, json.dumps(answer).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer_pipe:
        answer = answer_pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else "killed"


def confined(action: Callable[[], Any], scratch: Path, **limits: Any) -> Any:
    """What the action gives in a child that is confined to the scratch folder."""
    uid = FIRST_UID if ROOT else None
    limits.setdefault("memory_bytes", 4 * GIB)
    confinement = Confinement(uid=uid, gid=uid, writable=(str(scratch),), **limits)
    prepare()

    def before() -> None:
        os.chdir(scratch)
        confine(confinement)

    return forked(action, before)


def call(name: str, *arguments: int) -> int:
    """The system call of that name, past Python and the C library."""
    number = seccomp.NUMBERS[name][seccomp.MACHINES[seccomp.machine()][0]]
    assert number is not None
    return linux.system_call(number, *arguments)


# --- the layers together ------------------------------------------------------------------------


def test_what_is_said_to_be_on_is_what_was_seen_to_work(scratch):
    working = [name for name, layer in probe().items() if layer.on]
    uid = FIRST_UID if ROOT else None
    assert forked(lambda: confine(Confinement(4 * GIB, uid=uid, writable=(str(scratch),)))) == working


def state_of_this_process() -> list[Any]:
    return [
        os.getuid(),
        resource.getrlimit(resource.RLIMIT_NOFILE),
        os.getpgid(0),
        linux.prctl(linux.PR_GET_NO_NEW_PRIVS),
    ]


def test_probing_changes_nothing_here_and_leaves_no_child():
    def what_is_left() -> str:
        before = state_of_this_process()
        probe.cache_clear()
        probe()
        assert state_of_this_process() == before
        return str(os.waitpid(-1, os.WNOHANG))

    assert forked(what_is_left) == "ChildProcessError"


def test_every_layer_says_why():
    assert all(layer.why for layer in probe().values())


def test_a_layer_that_fails_although_it_worked_before_stops_the_child(scratch, monkeypatch):
    def broken(*_: object) -> None:
        raise OSError(errno.EINVAL, "made to fail")

    prepare()
    monkeypatch.setattr(landlock, "ruleset", broken)
    if probe()["landlock"].on:
        assert forked(lambda: confine(Confinement(4 * GIB))) == "OSError"


def test_a_user_is_not_changed_unless_one_is_named():
    assert forked(lambda: "uid" in confine(Confinement(4 * GIB))) is False


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_get_a_reduced_mode_that_says_so(platform):
    script = (
        f"import sys; sys.platform = {platform!r}\n"
        "from autograder.sandbox.confine import probe\n"
        "print([(name, layer.why) for name, layer in probe().items() if name in ('landlock', 'seccomp')])\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    why = f"{platform} has no such protection"
    assert ran.stdout.strip() == repr([("landlock", why), ("seccomp", why)])


# --- limits -------------------------------------------------------------------------------------


def test_memory_beyond_the_limit_is_refused(scratch):
    def hog() -> int:
        return len(bytearray(GIB))

    assert forked(hog) == GIB
    assert confined(hog, scratch, memory_bytes=GIB) == "MemoryError"


def test_a_file_grows_to_its_limit_only(scratch):
    def write() -> int:
        with open(scratch / "big", "wb") as file:
            file.write(bytes(2_000_000))
        return (scratch / "big").stat().st_size

    assert confined(write, scratch) == 2_000_000
    assert confined(write, scratch, file_bytes=1_000_000) == "OSError"
    assert (scratch / "big").stat().st_size == 1_000_000


def test_open_files_are_counted(scratch):
    def open_many() -> int:
        return len([os.dup(0) for _ in range(40)])

    assert confined(open_many, scratch) == 40
    assert confined(open_many, scratch, open_files=30) == "OSError"


def test_threads_and_processes_are_counted(scratch):
    def start_threads() -> str:
        for _ in range(40):
            threading.Thread(target=time.sleep, args=(1,), daemon=True).start()
        return "started"

    assert forked(start_threads) == "started"
    assert confined(start_threads, scratch, processes=20) == "RuntimeError"


def test_some_processes_are_always_allowed(scratch):
    """However many the same user already runs."""

    def run_one() -> int:
        return subprocess.run(["true"], check=False).returncode

    assert confined(run_one, scratch, processes=8) == 0


def test_those_of_the_user_outside_take_nothing_from_it(scratch):
    """Someone at a desktop has hundreds; a limit counted with them would let no notebook start a process."""

    def run_one() -> int:
        return subprocess.run(["true"], env={"PATH": "/usr/bin:/bin"}).returncode

    outside = [subprocess.Popen(["sleep", "60"]) for _ in range(20)]
    try:
        assert confined(run_one, scratch, processes=8) == 0
    finally:
        for process in outside:
            process.kill()
            process.wait()


def test_a_fork_bomb_stops_by_itself(scratch):
    def bomb() -> int:
        children = 0
        with contextlib.suppress(BlockingIOError):
            for _ in range(500):
                if os.fork() == 0:
                    time.sleep(1)
                    os._exit(0)
                children += 1
        return children

    assert confined(bomb, scratch, processes=16) < 16


def test_processor_time_ends(scratch):
    def spin() -> None:
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        while True:
            pass

    assert confined(spin, scratch, cpu_seconds=1) == "killed"


def test_no_core_file_and_first_to_go_when_memory_runs_out(scratch, proc_is_readable):
    def look() -> list[Any]:
        return [resource.getrlimit(resource.RLIMIT_CORE)[1], Path("/proc/self/oom_score_adj").read_text()]

    assert confined(look, scratch) == [0, "1000\n"]


def test_a_limit_is_never_raised():
    def limit_twice() -> int:
        confining._set_limit(resource.RLIMIT_NOFILE, 50)
        confining._set_limit(resource.RLIMIT_NOFILE, 60)
        return resource.getrlimit(resource.RLIMIT_NOFILE)[1]

    assert forked(limit_twice) == 50


# --- who it is ----------------------------------------------------------------------------------


@on("uid")
def test_as_root_a_submission_becomes_a_user_of_its_own_and_stays_it(scratch):
    def who() -> list[Any]:
        with contextlib.suppress(PermissionError):
            os.setuid(0)
        return [*os.getresuid(), *os.getresgid(), os.getgroups()]

    assert confined(who, scratch) == [FIRST_UID] * 6 + [[]]


@on("uid")
def test_no_capability_is_left_but_reading_where_pythons_home_is_shut(scratch, proc_is_readable):
    def capabilities() -> int:
        status = Path("/proc/self/status").read_text()
        return int(status.partition("CapPrm:")[2].split()[0], 16)

    expected = sum(1 << capability for capability in confining._read_everywhere())
    assert confined(capabilities, scratch) == expected


@on("capabilities")
def test_root_without_another_user_has_no_privilege_left():
    def privileged() -> str:
        confine(Confinement(4 * GIB))
        os.chroot("/")
        return "still root"

    assert forked(privileged) == "PermissionError"


@on("no_new_privs")
def test_programs_give_no_new_rights(scratch):
    assert confined(lambda: linux.prctl(linux.PR_GET_NO_NEW_PRIVS), scratch) == 1


# --- files --------------------------------------------------------------------------------------


@on("landlock")
def test_only_its_own_folder_is_there_to_read(scratch, secret):
    def read(path: str) -> Callable[[], str]:
        return lambda: Path(path).read_bytes()[:2].decode()

    for path in (str(secret), __file__, "/etc/passwd", "/proc/self/stat", f"/proc/{os.getpid()}/environ"):
        assert forked(read(path)) != "PermissionError"
        assert confined(read(path), scratch) == "PermissionError", path
    (scratch / "own.txt").write_text("42")
    (scratch / "own.txt").chmod(0o644)
    assert confined(read("own.txt"), scratch) == "42"


@on("landlock")
@pytest.mark.parametrize("folder", ["/", "/home", "/tmp", "/var", "/proc", "/etc", "/dev", "/dev/shm", ".."])
def test_no_other_folder_can_be_listed(scratch, folder):
    assert forked(lambda: len(os.listdir(folder))) != "PermissionError"
    assert confined(lambda: len(os.listdir(folder)), scratch) == "PermissionError"


@on("landlock")
def test_the_course_is_not_readable_where_only_its_venv_is(scratch):
    venv = Path(sys.prefix)
    assert confined(lambda: len(os.listdir(venv / "lib")) > 0, scratch) is True
    assert confined(lambda: len(os.listdir(venv)), scratch) == "PermissionError"
    assert confined(lambda: len(os.listdir(venv.parent)), scratch) == "PermissionError"


@on("landlock")
def test_links_lead_nowhere(scratch, secret):
    (scratch / "by_name").symlink_to(secret)
    assert confined(lambda: (scratch / "by_name").read_text(), scratch) == "PermissionError"
    assert confined(lambda: os.link(secret, scratch / "by_inode"), scratch) in ("PermissionError", "OSError")


@on("landlock")
@pytest.mark.parametrize(
    "attack",
    [
        lambda path: path.write_text("0"),
        lambda path: path.open("ab").close(),
        lambda path: os.truncate(path, 0),
        lambda path: path.unlink(),
        lambda path: path.rename("mine"),
        lambda path: (path.parent / "new").touch(),
        lambda path: (path.parent / "new").mkdir(),
        lambda path: os.symlink("/", path.parent / "new"),
    ],
)
def test_nothing_outside_is_changed_even_where_the_user_may(scratch, secret, attack):
    secret.parent.chmod(0o777)
    secret.chmod(0o666)
    assert confined(lambda: attack(secret), scratch) in ("PermissionError", "OSError")  # a move: EXDEV
    assert secret.read_text() == "42"
    assert os.listdir(secret.parent) == [secret.name]
    assert forked(lambda: attack(secret), lambda: os.chdir(scratch)) not in ("PermissionError", "OSError")


@on("landlock")
def test_no_fifo_socket_or_device_is_left_for_others_to_stumble_over(scratch):
    assert confined(lambda: os.mkfifo("fifo"), scratch) == "PermissionError"
    assert os.listdir(scratch) == []


@on("landlock")
def test_more_can_be_made_readable(scratch, secret):
    uid = FIRST_UID if ROOT else None
    confinement = Confinement(4 * GIB, uid=uid, readable=(str(secret),), writable=(str(scratch),))
    assert forked(secret.read_text, lambda: confine(confinement)) == "42"
    assert forked(lambda: secret.write_text("0"), lambda: confine(confinement)) == "PermissionError"


@on("landlock")
def test_one_submissions_folder_is_not_anothers(scratch):
    other = Path(tempfile.mkdtemp(dir="/var/tmp"))
    other.chmod(0o777)
    assert confined(lambda: (other / "mine").touch(), other) is None
    assert confined(lambda: (other / "mine").read_text(), scratch) == "PermissionError"
    shutil.rmtree(other)


def test_a_course_within_pythons_folders_lies_open(tmp_path):
    assert lies_open(Path(sys.prefix) / "lib" / "course")
    assert lies_open(Path(os.__file__))
    assert not lies_open(Path(sys.prefix).parent)
    assert not lies_open(Path.home())
    assert not lies_open(tmp_path)


# --- system calls -------------------------------------------------------------------------------


@on("seccomp")
@pytest.mark.parametrize(
    ("family", "kind"),
    [
        (socket.AF_INET, socket.SOCK_STREAM),
        (socket.AF_INET, socket.SOCK_DGRAM),
        (socket.AF_INET6, socket.SOCK_DGRAM),
        (socket.AF_UNIX, socket.SOCK_STREAM),
        (socket.AF_UNIX, socket.SOCK_DGRAM),
        (socket.AF_NETLINK, socket.SOCK_RAW),
    ],
)
def test_there_are_no_sockets(scratch, family, kind):
    def make() -> str:
        socket.socket(family, kind).close()
        return "made"

    assert forked(make) == "made"
    assert confined(make, scratch) == "PermissionError"


@on("seccomp")
def test_a_pair_is_a_stream_so_that_it_reaches_nobody_else(scratch):
    def pair(kind: int) -> Callable[[], int]:
        return lambda: len(socket.socketpair(socket.AF_UNIX, kind))

    assert confined(pair(socket.SOCK_STREAM), scratch) == 2
    assert confined(pair(socket.SOCK_STREAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC), scratch) == 2
    assert confined(pair(socket.SOCK_DGRAM), scratch) == "PermissionError"


REFUSED_NAMES = " ".join(seccomp.REFUSED.values()).split()


@on("seccomp")
def test_every_refused_call_is_refused(scratch):
    def errors() -> list[str]:
        answers = []
        for name in REFUSED_NAMES:
            if seccomp.NUMBERS[name][seccomp.MACHINES[seccomp.machine()][0]] is not None:
                try:
                    answers.append(f"{name} went through with {call(name)}")
                except OSError as error:
                    answers += [] if error.errno == errno.EPERM else [f"{name}: {error}"]
        return answers

    assert confined(errors, scratch) == []


@on("seccomp")
@pytest.mark.parametrize(
    "attempt",
    [
        lambda: call("memfd_create", ctypes.addressof(ctypes.create_string_buffer(b"x")), 0),
        lambda: call("unshare", linux.CLONE_NEWUSER),
        lambda: call("keyctl", 0, -3, 0),  # the session's key ring
        lambda: call("shmget", 0, 4096, 0o1600),
        lambda: call("inotify_init1", 0),
        lambda: call("ptrace", 0),  # TRACEME
        lambda: call("setpriority", 0, 0, 19),
    ],
)
def test_calls_that_work_elsewhere_do_not_work_here(scratch, attempt):
    def tried() -> str:
        attempt()
        return "worked"

    assert forked(tried) == "worked"
    assert confined(tried, scratch) == "PermissionError"


@on("seccomp")
def test_the_parent_cannot_be_limited(scratch):
    parent = os.getpid()

    def limit() -> None:
        resource.prlimit(parent, resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE))

    assert forked(limit) is None
    assert confined(limit, scratch) == "PermissionError"


@on("seccomp")
def test_modes_and_times_of_files_stay_and_honest_copies_still_work(scratch, secret):
    def copy_and_change() -> str:
        Path("a").write_text("a")
        shutil.copy2("a", "b")
        os.chmod("a", 0)
        os.chmod(secret, 0)
        os.utime(secret, (0, 0))
        os.chown(secret, os.getuid(), -1)
        return Path("b").read_text()

    before = secret.stat()
    assert confined(copy_and_change, scratch) == "a"
    assert (secret.stat().st_mode, secret.stat().st_mtime) == (before.st_mode, before.st_mtime)
    assert (scratch / "a").stat().st_mode & 0o400


@on("seccomp")
def test_a_new_process_has_the_same_namespaces(scratch):
    def clone_into_a_namespace() -> int:
        return call("clone", 0x04000000 | signal.SIGCHLD)  # CLONE_NEWUTS

    assert confined(clone_into_a_namespace, scratch) == "PermissionError"


@on("seccomp")
def test_newer_calls_than_were_reviewed_do_not_exist(scratch):
    def newer() -> int:
        try:
            return linux.system_call(seccomp.NEWEST + 1)
        except OSError as error:
            return error.errno

    assert confined(newer, scratch) == errno.ENOSYS


# --- signals and what outlives its parent -------------------------------------------------------


def test_the_parent_and_the_rest_of_the_machine_get_no_signal(scratch):
    parent = os.getpid()
    for victim in {parent, os.getppid(), -os.getpgid(0), 1} - {0}:
        answer = confined(lambda victim=victim: os.kill(victim, 0), scratch)
        assert answer in ("PermissionError", "ProcessLookupError")


def test_its_own_processes_do(scratch):
    def kill_own() -> int:
        child = subprocess.Popen(["sleep", "100"])
        child.kill()
        return child.wait(timeout=10)

    assert confined(kill_own, scratch) == -signal.SIGKILL


@on("seccomp")
def test_without_landlocks_scopes_signals_reach_this_process_alone():
    parent = os.getpid()

    def only_the_filter() -> None:
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        seccomp.restrict(signals_inside=False)

    assert forked(lambda: os.kill(os.getpid(), 0), only_the_filter) is None
    assert forked(lambda: signal.raise_signal(signal.SIGKILL), only_the_filter) == "killed"
    for victim in (parent, 0, -1):
        assert forked(lambda victim=victim: os.kill(victim, 0), only_the_filter) == "PermissionError"


def daemonise() -> None:
    """What a daemon does to be left alone: a new session, twice forked."""
    if os.fork() == 0:
        os.setsid()
        os.setpgid(0, 0)
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.closerange(0, 100)
            time.sleep(60)
        os._exit(0)


@on("seccomp")
def test_a_daemon_is_still_in_the_group_and_ends_with_it(scratch):
    def leave_a_daemon() -> list[int]:
        with contextlib.suppress(PermissionError):
            os.setpgid(0, os.getppid())
        daemonise()
        time.sleep(0.2)
        return [os.getpid(), os.getpgid(0)]

    pid, group = confined(leave_a_daemon, scratch)
    assert pid == group
    os.killpg(group, signal.SIGKILL)
    for _ in range(100):
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)  # in a container these tests may be process 1, to which orphans come
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("a process of the group is still there")


def test_a_submission_dies_with_the_process_that_started_it(scratch):
    reader, writer = os.pipe()

    def start_and_die() -> None:
        if os.fork() == 0:
            confine(Confinement(4 * GIB, uid=FIRST_UID if ROOT else None, writable=(str(scratch),)))
            os.write(writer, b"on")
            time.sleep(60)
        os.close(writer)
        os.read(reader, 2)
        os._exit(0)

    prepare()
    forked(start_and_die)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:  # ends when the last process that holds the other end is gone
        started = time.monotonic()
        assert pipe.read() == b""
    assert time.monotonic() - started < 10


# --- what must go on working --------------------------------------------------------------------


def shell_out() -> str:
    command = "ls / >/dev/null; echo hi | tr h H"
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=False).stdout


def write_away() -> int:
    with open(os.devnull, "w") as file, tempfile.TemporaryFile(dir=".") as other:
        return file.write("gone") + other.write(b"too")


def copy_a_tree() -> list[str]:
    Path("tree").mkdir()
    Path("tree/leaf").touch()
    shutil.copytree("tree", "copy")
    return os.listdir("copy")


def talk_to_a_pipe() -> list[int]:
    ours, theirs = multiprocessing.Pipe()
    ours.send([1])
    return theirs.recv()


def plot() -> int:
    matplotlib = importlib.import_module("matplotlib")
    matplotlib.use("Agg")
    pyplot = importlib.import_module("matplotlib.pyplot")
    pyplot.plot([1, 2])
    pyplot.savefig("plot.png")
    return Path("plot.png").stat().st_size


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("honest", "answer"),
    [
        (lambda: importlib.import_module("sqlite3").sqlite_version > "3", True),
        (lambda: importlib.import_module("numpy.random").default_rng(0).random(2).shape, [2]),
        (lambda: "é".encode("utf_7").decode("utf_7"), "é"),
        (shell_out, "Hi\n"),
        (write_away, 7),
        (lambda: [Path("new").touch(), Path("new").touch(), Path("new").exists()], [None, None, True]),
        (lambda: subprocess.run(["touch", "made"], check=False).returncode, 0),
        (copy_a_tree, ["leaf"]),
        (lambda: asyncio.run(asyncio.sleep(0.001, "slept")), "slept"),
        (talk_to_a_pipe, [1]),
        (lambda: len(os.urandom(4)), 4),
        (lambda: os.cpu_count() > 0, True),
        (lambda: time.localtime().tm_year > 2000, True),
        (lambda: plot() > 1000, True),
    ],
)  # fmt: skip
def test_honest_code_works(scratch, monkeypatch, honest, answer):
    monkeypatch.setenv("MPLCONFIGDIR", str(scratch))
    assert confined(honest, scratch) == answer


# --- the filter, by a reader of its own, for both machines --------------------------------------


def verdict(machine: str, number: int, arguments: tuple[int, ...] = (), architecture: int | None = None) -> int:
    """What the filter answers: the few instructions of classic BPF that it uses, interpreted."""
    data = {0: number, 4: seccomp.MACHINES[machine][1] if architecture is None else architecture}
    data |= {16 + 8 * index: value & 0xFFFFFFFF for index, value in enumerate((*arguments, *[0] * 6)[:6])}
    program, at, held = seccomp.program(machine, pid=77), 0, 0
    while True:
        code, when_true, when_false, operand = program[at]
        at += 1
        if code == 0x06:
            return operand
        if code == 0x20:
            held = data[operand]
        elif code == 0x54:
            held &= operand
        else:
            holds = {0x15: held == operand, 0x25: held > operand, 0x35: held >= operand}[code]
            at += when_true if holds else when_false


MACHINE = pytest.mark.parametrize("machine", seccomp.MACHINES)


@MACHINE
def test_the_filter_answers_by_name_on_each_machine(machine):
    column = seccomp.MACHINES[machine][0]
    expected = {
        **dict.fromkeys(REFUSED_NAMES, seccomp.EPERM),
        **dict.fromkeys(" ".join(seccomp.IDLE.values()).split(), seccomp.SUCCESS),
        **dict.fromkeys(" ".join(seccomp.ABSENT.values()).split(), seccomp.ENOSYS),
    }
    for name, answer in expected.items():
        number = seccomp.NUMBERS[name][column]
        assert number is None or verdict(machine, number, (0, 8, 8)) == answer, name
    listed = {numbers[column] for numbers in seccomp.NUMBERS.values()}
    others = set(range(seccomp.NEWEST + 1)) - listed
    assert {verdict(machine, number) for number in others} == {seccomp.ALLOW}


@MACHINE
@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("socketpair", (1, 1 | 0x80800), seccomp.ALLOW),
        ("socketpair", (1, 5), seccomp.ALLOW),
        ("socketpair", (1, 2), seccomp.EPERM),
        ("socketpair", (2, 1), seccomp.EPERM),
        ("socketpair", (1 << 32 | 1, 1 << 32 | 2), seccomp.EPERM),
        ("clone", (0x00010F00,), seccomp.ALLOW),
        ("clone", (0x10000000,), seccomp.EPERM),
        ("clone", (0x00008000,), seccomp.EPERM),
        ("prlimit64", (0,), seccomp.ALLOW),
        ("prlimit64", (77,), seccomp.EPERM),
        ("fcntl", (3, 1), seccomp.ALLOW),
        ("fcntl", (3, 8), seccomp.EPERM),
        ("fcntl", (3, 1026), seccomp.EPERM),
        ("ioctl", (0, 0x5401), seccomp.ALLOW),
        ("ioctl", (0, 0x5412), seccomp.EPERM),
        ("ioctl", (0, 1 << 32 | 0x5412), seccomp.EPERM),
        ("utimensat", (0, 8, 8), seccomp.SUCCESS),
        ("utimensat", (0, 8, 0), seccomp.EPERM),
        ("utimensat", (3, 0, 0), seccomp.SUCCESS),
        ("prctl", (15,), seccomp.ALLOW),
        ("prctl", (1,), seccomp.EPERM),
        ("kill", (77,), seccomp.ALLOW),
        ("kill", (76,), seccomp.EPERM),
        ("kill", (-1,), seccomp.EPERM),
        ("tgkill", (77, 99), seccomp.ALLOW),
        ("seccomp", (1,), seccomp.ALLOW),
    ],
)
def test_the_filter_reads_arguments(machine, name, arguments, answer):
    number = seccomp.NUMBERS[name][seccomp.MACHINES[machine][0]]
    assert number is not None
    assert verdict(machine, number, arguments) == answer


def test_another_machines_numbers_and_x32_are_refused():
    assert verdict("x86_64", 39, architecture=0x40000003) == seccomp.EPERM
    assert verdict("x86_64", 0x40000000 | 39) == seccomp.EPERM


@MACHINE
def test_the_filter_is_short_enough_for_the_kernel(machine):
    assert len(seccomp.program(machine, pid=1)) <= 4096
    assert all(jump < 256 for line in seccomp.program(machine, pid=1) for jump in line[1:3])
