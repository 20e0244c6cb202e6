"""What a submission's process may not do: layers, each tried here and used where it works.

A layer is never assumed. `probe` tries each in a child that is thrown away; `confine`, called in the
forked child before any student code, switches on those that work and returns their names, which go into
the grade's record.

    rlimits         processor time, memory, file size, open files, processes; no core files;
                    the first to go when memory runs out
    no_new_privs    starting a program never gives more rights (sudo, setuid files)
    uid             as root: a user of its own, so that processes and files of others are out of reach
    user_namespace  not as root: processes are counted for this submission alone
    capabilities    no privilege of root's is left
    landlock        reads Python and system libraries, writes its scratch folder; signals stay inside
    seccomp         no sockets, no other process, no leaving of the process group (see seccomp.py)

Left out, after measuring: a network namespace costs 0.5 ms a fork and forbids nothing that seccomp does
not; a mount namespace is not to be had in a container, and Landlock does its work; in a process
namespace the submission's first process would be process 1, which ignores signals that kill any other,
while a process group that cannot be left is ended as surely.
"""

from __future__ import annotations

import contextlib
import os
import signal
import site
import socket
import sys
import sysconfig
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.sandbox import landlock, linux, seccomp

if sys.platform != "win32":
    import resource

RESERVED = 16
"""Processes above a submission's own limit, for the copies in which its checks run (`with_reserve`)."""

FIRST_UID = 60_800
"""User ids for submissions count up from here: between those that systemd hands out (60001-60705 and
61184-65519), and below 65536 so that containers with mapped ids have them."""


@dataclass(frozen=True)
class Confinement:
    """What one submission may use.

    `readable` adds to what Python itself needs. With a uid, the folders in `writable` are handed over to it.
    """

    memory_bytes: int  # address space of each process, Python and its libraries included
    file_bytes: int = 64 * 2**20  # of any one file: ten times the largest model or plot of a lesson
    processes: int = 128  # and threads, at a time: pools that a cell leaves idle, as many as its computer has cores
    open_files: int = 256  # a quarter of what a login gives
    cpu_seconds: int = 3600  # of each process: the last resort, should whoever counts seconds be gone
    uid: int | None = None
    gid: int | None = None
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()


@dataclass(frozen=True)
class Probe:
    """Whether a layer works here, and why (not)."""

    on: bool
    why: str


def prepare() -> None:
    """Works out once what every child needs; called before forking, it saves each of them some 30 ms."""
    probe()
    _readable_by_default()
    _read_everywhere()
    if linux.SUPPORTED:
        seccomp.prepare()


# --- probing --------------------------------------------------------------------------------------


@cache
def probe() -> dict[str, Probe]:
    """Every layer by name, in the order in which they are switched on.

    Forks (once a process) a child for each that is tried: call it before threads are started.
    """
    root = _is_root()
    return {
        "rlimits": _tried(_try_limits, "limits hold"),
        "no_new_privs": _tried(_try_no_new_privs, "granted by the kernel"),
        "uid": _tried(_try_uid, "each submission gets a user of its own") if root
        else Probe(False, "only root can change the user"),
        "user_namespace": Probe(False, "not needed: as root each submission gets a user of its own") if root
        else _tried(_try_user_namespace, "processes are counted by submission"),
        "capabilities": _tried(_try_capabilities, "all given up"),
        "landlock": _tried(_try_landlock, f"ABI {landlock.abi()}"),
        "seccomp": _tried(_try_seccomp, "filter accepted"),
    }  # fmt: skip


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


class _ForbidsNothingError(Exception):
    """The kernel said yes, and then let through what the layer forbids."""


_NOT_ON_LINUX, _FORBIDS_NOTHING, _BROKEN = 253, 254, 255
"""Exit statuses of a probe beside 0 and errno values."""


def _tried(attempt: Callable[[], None], when_on: str) -> Probe:
    """Runs the attempt in a child that is thrown away."""
    if not hasattr(os, "fork"):
        return Probe(False, f"{sys.platform} has no such protection")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child only makes system calls
        child = os.fork()
    if child == 0:
        os._exit(_status_of(attempt))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        return Probe(True, when_on)
    if status == _NOT_ON_LINUX:
        return Probe(False, f"{sys.platform} has no such protection")
    if status == _FORBIDS_NOTHING:
        return Probe(False, "accepted, but forbids nothing")
    if 0 < status < _NOT_ON_LINUX:
        return Probe(False, f"the kernel refuses: {os.strerror(status)}")
    return Probe(False, "the trial failed")


def _status_of(attempt: Callable[[], None]) -> int:
    try:
        attempt()
        return 0
    except OSError as error:
        return error.errno or _NOT_ON_LINUX
    except _ForbidsNothingError:
        return _FORBIDS_NOTHING
    except BaseException:
        return _BROKEN


def _refused(action: Callable[[], object]) -> None:
    """Raises unless the action is turned down."""
    try:
        action()
    except PermissionError:
        return
    raise _ForbidsNothingError


def _try_limits() -> None:
    _set_limit(resource.RLIMIT_NOFILE, 0)
    try:
        os.dup(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        return
    raise _ForbidsNothingError


def _try_no_new_privs() -> None:
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    if linux.prctl(linux.PR_GET_NO_NEW_PRIVS) != 1:
        raise _ForbidsNothingError


def _try_uid() -> None:
    _become(FIRST_UID, FIRST_UID, kept=_read_everywhere())
    _refused(lambda: os.setuid(0))


def _try_user_namespace() -> None:
    linux.unshare(linux.CLONE_NEWUSER)


def _try_capabilities() -> None:
    linux.keep_capabilities(())
    _refused(lambda: linux.unshare(0x04000000))  # CLONE_NEWUTS, which takes CAP_SYS_ADMIN


def _try_landlock() -> None:
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(landlock.ruleset((), ()))
    _refused(lambda: os.listdir("/"))


def _try_seccomp() -> None:
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.restrict(signals_inside=False)
    _refused(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))


# --- confining ------------------------------------------------------------------------------------


def confine(confinement: Confinement) -> tuple[str, ...]:
    """Switches on every layer that works; returns their names, in the order of `probe`.

    To be called in a forked child that runs one thread. Afterwards the child leads a process group
    which nothing that it starts can leave (with seccomp), and dies with its parent. Raises OSError if a
    layer fails that worked when probed: the child must then end without running anything.
    """
    works = {name for name, layer in probe().items() if layer.on}
    if confinement.uid is None:
        works.discard("uid")
    rules = _rules(confinement) if "landlock" in works else None  # while every path can still be reached
    if hasattr(os, "setsid") and os.getpgid(0) != os.getpid():
        os.setsid()
    if "rlimits" in works:
        _limit(confinement)
    if "no_new_privs" in works:
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    _change_identity(confinement, works)
    if "rlimits" in works:
        _limit_processes(confinement, counted_alone=bool(works & {"uid", "user_namespace"}))
    if linux.SUPPORTED:
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)  # after the change of user, which clears it
    if rules is not None:
        landlock.restrict(rules)
    if "seccomp" in works:
        seccomp.restrict(signals_inside=rules is not None and landlock.abi() >= landlock.ABI_SCOPES)
    return tuple(name for name in probe() if name in works)


def _rules(confinement: Confinement) -> int:
    readable = (*_readable_by_default(), *confinement.readable)
    return landlock.ruleset(readable, (*_DEVICES, *confinement.writable))


def _change_identity(confinement: Confinement, works: set[str]) -> None:
    """Gives up root, or this user's place among the others of that user, as far as it can be done."""
    kept = _read_everywhere() if works >= {"uid", "landlock"} else ()
    if "uid" in works and confinement.uid is not None:
        gid = confinement.uid if confinement.gid is None else confinement.gid
        for folder in confinement.writable:
            os.chown(folder, confinement.uid, gid)
        _become(confinement.uid, gid, kept)
    elif "user_namespace" in works:
        linux.unshare(linux.CLONE_NEWUSER)
    if "capabilities" in works:
        linux.keep_capabilities(kept)


def _become(uid: int, gid: int, kept: tuple[int, ...]) -> None:
    """Another user in no groups but one, from whom there is no way back; capabilities in `kept`
    stay."""
    if kept:
        linux.prctl(linux.PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    linux.keep_capabilities(kept)


def _limit(confinement: Confinement) -> None:
    seconds = confinement.cpu_seconds
    _set_limit(resource.RLIMIT_CPU, seconds, seconds + 1)  # SIGXCPU; SIGKILL for those who ignore it
    _set_limit(resource.RLIMIT_AS, confinement.memory_bytes)
    _set_limit(resource.RLIMIT_FSIZE, confinement.file_bytes)
    _set_limit(resource.RLIMIT_NOFILE, confinement.open_files)
    _set_limit(resource.RLIMIT_CORE, 0)  # a core file would hold what the warm process held
    _set_limit(resource.RLIMIT_MEMLOCK, 0)  # locked pages are not taken back when memory runs short
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "wb", buffering=0) as file:
        file.write(b"1000")  # when memory runs out, this goes first


def _limit_processes(confinement: Confinement, counted_alone: bool) -> None:
    """To be called once the user namespace is there: the limit in force when one is made holds for all of that user's
    processes outside it, too, and a student at a desktop has hundreds."""
    most = confinement.processes + (0 if counted_alone else _processes_of_this_user())
    _set_limit(resource.RLIMIT_NPROC, most, most + RESERVED)


@contextlib.contextmanager
def with_reserve() -> Iterator[None]:
    """While this process forks a copy of itself: threads that a notebook has left must not keep it from that."""
    if not linux.SUPPORTED:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    resource.setrlimit(resource.RLIMIT_NPROC, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NPROC, (soft, hard))


def _set_limit(kind: int, soft: int, hard: int | None = None) -> None:
    """Never above the limit already there; what a system does not keep (macOS: address space) stays as
    it is."""
    ceiling = resource.getrlimit(kind)[1]
    wanted = [soft, soft if hard is None else hard]
    if ceiling != resource.RLIM_INFINITY:
        wanted = [min(limit, ceiling) for limit in wanted]
    try:
        resource.setrlimit(kind, (wanted[0], wanted[1]))
    except (OSError, ValueError):
        if linux.SUPPORTED:
            raise


def _processes_of_this_user() -> int:
    """Processes and threads that the kernel counts together with ours: its limit is by user, not by
    submission."""
    count, me = 0, os.getuid() if hasattr(os, "getuid") else 0
    with contextlib.suppress(OSError):
        for entry in os.scandir("/proc"):
            with contextlib.suppress(OSError):
                if entry.name.isdecimal() and entry.stat().st_uid == me:
                    count += os.stat(f"/proc/{entry.name}/task").st_nlink - 2  # one folder a thread
    return count


# --- what may be read -----------------------------------------------------------------------------

_DEVICES = ("/dev/null", "/dev/zero")
"""Written to without effect. `ioctl` on them stays forbidden."""

_SYSTEM = (
    "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",  # shared libraries
    "/bin", "/usr/bin", "/usr/local/bin",  # `!ls`: programs, without rights to gain from them
    "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/usr/share/locale", "/usr/share/terminfo",
    "/etc/fonts", "/usr/share/fonts", "/usr/share/fontconfig", "/usr/local/share/fonts",  # for plots
    "/dev/urandom", "/dev/random",
    "/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo",  # the C library, OpenBLAS and torch ask
)  # fmt: skip

_OF_PYTHON = ("bin", "lib", "lib64", "include", "share", "etc", "pyvenv.cfg")
"""Below each prefix. Not the prefix itself: a venv made in the course's folder must not give away the
course."""


@cache
def _readable_by_default() -> tuple[str, ...]:
    """Python, its packages, shared libraries and system programs: what is there of it, without
    repetitions.

    Of sys.path only the packages' folders: the rest of it may well be the course. No /proc, no home, no /tmp.
    """
    prefixes = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}
    libraries = [sysconfig.get_path(kind) for kind in ("stdlib", "platstdlib", "purelib", "platlib")]
    packages = [*libraries, *site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        packages.append(site.getusersitepackages())
    paths = [Path(prefix, part) for prefix in prefixes for part in _OF_PYTHON]
    paths += [Path(path) for path in (*packages, *_SYSTEM)]
    there = {path.resolve() for path in paths if path.exists()}
    return tuple(sorted(str(path) for path in there if there.isdisjoint(path.parents)))


def lies_open(path: Path) -> bool:
    """Whether every submission may read this path, even with Landlock on. A course there must be moved."""
    path = path.resolve()
    return not {str(path), *map(str, path.parents)}.isdisjoint(_readable_by_default())


@cache
def _read_everywhere() -> tuple[int, ...]:
    """The capability that a foreign user needs where Python lies in root's home; none where it does not.

    A late import would fail otherwise (pyenv and conda install into a home that no one else may enter). Landlock
    decides what is read and written in any case, so this is used with it only; programs that are started do not
    inherit it. Root in a container has but the second of the two.
    """
    homes = {Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)}
    shut = any(not folder.stat().st_mode & 0o001 for home in homes for folder in (home, *home.parents))
    able = [it for it in (linux.CAP_DAC_READ_SEARCH, linux.CAP_DAC_OVERRIDE) if linux.holds_capability(it)]
    return tuple(able[:1]) if shut else ()
