"""Seccomp: which system calls a submission may not make, and the reason for each.

The filter is classic BPF, assembled here, for x86_64 and aarch64. Its three answers: a call is
*refused* (EPERM), *absent* (ENOSYS, so that libraries fall back to an older call) or *idle* (does
nothing and reports success, for calls whose failure would break honest code and whose effect a
submission must not have). Everything else goes through.

A filter only sees numbers, never what a pointer points to: paths are Landlock's business. Call numbers
are the kernel's, from arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import struct
import sys
from dataclasses import dataclass
from functools import cache

from autograder.sandbox import linux

ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
EPERM, ENOSYS, SUCCESS = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS, _ERRNO | 0
"""What a filter returns: go on, or do nothing and report this errno."""

# --- what is forbidden ----------------------------------------------------------------------------

REFUSED: dict[str, str] = {
    "sockets beyond the pairs of one process: no network, no daemon to talk to":
        "socket connect bind listen accept accept4",
    "looking into, or changing, another process":
        "ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd "
        "pidfd_send_signal move_pages migrate_pages",
    "what the machine gives first to whom":
        "setpriority sched_setscheduler sched_setparam sched_setattr ioprio_set",
    "new namespaces, and mounting in them":
        "unshare setns mount umount2 pivot_root chroot move_mount fsopen fsconfig fsmount "
        "fspick open_tree open_tree_attr mount_setattr",
    "the kernel's key rings, which outlive a process": "keyctl add_key request_key",
    "System V and POSIX queues and shared memory, which outlive a process": "shmget msgget semget mq_open",
    "files in memory: written, not mapped, they count against no limit": "memfd_create memfd_secret",
    "watching folders that may not be read": "inotify_init inotify_init1 fanotify_init fanotify_mark",
    "files by handle, past any path": "name_to_handle_at open_by_handle_at",
    "attributes of files: Landlock leaves them to the owner":
        "setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat "
        "file_setattr",
    "device files": "mknod mknodat",
    "calls made past this filter": "io_uring_setup io_uring_enter io_uring_register io_setup",
    "wide doors into the kernel that no lesson needs":
        "bpf perf_event_open userfaultfd modify_ldt personality uselib nfsservctl lookup_dcookie",
    "running the machine":
        "swapon swapoff reboot sethostname setdomainname iopl ioperm init_module finit_module "
        "delete_module kexec_load kexec_file_load acct quotactl quotactl_fd settimeofday clock_settime "
        "clock_adjtime adjtimex syslog vhangup",
}  # fmt: skip

IDLE: dict[str, str] = {
    "leaving the process group: one signal to it must reach all that a submission started": "setsid setpgid",
    "modes, owners and times of files: Landlock leaves them to the owner, who may own the course":
        "chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat",
}  # fmt: skip

ABSENT: dict[str, str] = {
    "flags behind a pointer cannot be read here; the C library falls back to clone": "clone3",
}

_AF_UNIX = 1
_STREAM, _SEQPACKET, _TYPE_BITS = 1, 5, 0xF
_NEW_NAMESPACES = 0x00020000 | 0x7E000000
"""CLONE_NEWNS, and, from bit 25 on, CLONE_NEWCGROUP, -UTS, -IPC, -USER, -PID and -NET."""
_CLONE_PARENT = 0x8000

_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE, _F_NOTIFY = 8, 10, 15, 1024, 1026
_FIOSETOWN, _SIOCSPGRP, _TIOCSTI, _TIOCLINUX = 0x8901, 0x8902, 0x5412, 0x541C
_ALL_BITS = 0xFFFFFFFF
"""The kernel reads the arguments checked here as 32-bit numbers, so the lower half is all that
counts."""


@dataclass(frozen=True)
class Rule:
    """A call that is answered here by one argument: when `argument & mask` is (not) among `values`."""

    call: str
    argument: int
    values: tuple[int, ...]
    allowed: bool
    mask: int = _ALL_BITS
    answer: int = EPERM


RULES: dict[str, tuple[Rule, ...]] = {
    "socket pairs are Unix streams: a datagram pair could send to any path": (
        Rule("socketpair", 0, (_AF_UNIX,), allowed=True),
        Rule("socketpair", 1, (_STREAM, _SEQPACKET), allowed=True, mask=_TYPE_BITS),
    ),
    "a new process is in the same namespaces, and a child, not a sister": (
        Rule("clone", 0, (0,), allowed=True, mask=_NEW_NAMESPACES | _CLONE_PARENT),
    ),
    "limits and cores of this process alone": (
        Rule("prlimit64", 0, (0,), allowed=True),
        Rule("sched_setaffinity", 0, (0,), allowed=True),
    ),
    "no signal by way of a file, no lease that makes others wait, no watch on a folder": (
        Rule("fcntl", 1, (_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE, _F_NOTIFY), allowed=False),
        Rule("ioctl", 1, (_FIOSETOWN, _SIOCSPGRP), allowed=False),
    ),
    "no typing into a terminal": (Rule("ioctl", 1, (_TIOCSTI, _TIOCLINUX), allowed=False),),
    "Path.touch first sets an existing file's time to now: refused, so that it goes on to make the file": (
        Rule("utimensat", 1, (0,), allowed=False, answer=SUCCESS),  # no path but a descriptor: idle
        Rule("utimensat", 2, (0,), allowed=False),  # no times but now; all else is idle, by the list
    ),
    "dies with its parent, whatever it would rather": (Rule("prctl", 0, (linux.PR_SET_PDEATHSIG,), allowed=False),),
}


def signal_rules(pid: int) -> tuple[Rule, ...]:
    """Signals go to this process alone. For kernels whose Landlock cannot keep signals inside."""
    calls = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
    return tuple(Rule(call, 0, (pid,), allowed=True) for call in calls)


# --- call numbers ---------------------------------------------------------------------------------

NUMBERS: dict[str, tuple[int | None, int | None]] = {
    # name: (x86_64, aarch64); None where the machine never had the call
    "accept": (43, 202), "accept4": (288, 242), "acct": (163, 89), "add_key": (248, 217),
    "adjtimex": (159, 171), "bind": (49, 200), "bpf": (321, 280), "chmod": (90, None),
    "chown": (92, None), "chroot": (161, 51), "clock_adjtime": (305, 266),
    "clock_settime": (227, 112), "clone": (56, 220), "clone3": (435, 435), "connect": (42, 203),
    "delete_module": (176, 106), "fanotify_init": (300, 262), "fanotify_mark": (301, 263),
    "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "fchown": (93, 55),
    "fchownat": (260, 54), "fcntl": (72, 25), "file_setattr": (469, 469),
    "finit_module": (313, 273), "fremovexattr": (199, 16), "fsconfig": (431, 431),
    "fsetxattr": (190, 7), "fsmount": (432, 432), "fsopen": (430, 430), "fspick": (433, 433),
    "futimesat": (261, None), "init_module": (175, 105), "inotify_init": (253, None),
    "inotify_init1": (294, 26), "io_setup": (206, 0), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "io_uring_setup": (425, 425), "ioctl": (16, 29),
    "ioperm": (173, None), "iopl": (172, None), "ioprio_set": (251, 30), "kcmp": (312, 272),
    "kexec_file_load": (320, 294), "kexec_load": (246, 104), "keyctl": (250, 219),
    "kill": (62, 129), "lchown": (94, None), "listen": (50, 201), "lookup_dcookie": (212, 18),
    "lremovexattr": (198, 15), "lsetxattr": (189, 6), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "migrate_pages": (256, 238), "mknod": (133, None),
    "mknodat": (259, 33), "modify_ldt": (154, None), "mount": (165, 40),
    "mount_setattr": (442, 442), "move_mount": (429, 429), "move_pages": (279, 239),
    "mq_open": (240, 180), "msgget": (68, 186), "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42), "open_by_handle_at": (304, 265), "open_tree": (428, 428),
    "open_tree_attr": (467, 467), "perf_event_open": (298, 241), "personality": (135, 92),
    "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424), "pivot_root": (155, 41),
    "prctl": (157, 167), "prlimit64": (302, 261), "process_madvise": (440, 440),
    "process_mrelease": (448, 448), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "ptrace": (101, 117), "quotactl": (179, 60), "quotactl_fd": (443, 443), "reboot": (169, 142),
    "removexattr": (197, 14), "removexattrat": (466, 466), "request_key": (249, 218),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274), "sched_setparam": (142, 118), "sched_setscheduler": (144, 119),
    "seccomp": (317, 277), "semget": (64, 190), "setdomainname": (171, 162),
    "sethostname": (170, 161), "setns": (308, 268), "setpgid": (109, 154),
    "setpriority": (141, 140), "setsid": (112, 157), "settimeofday": (164, 170),
    "setxattr": (188, 5), "setxattrat": (463, 463), "shmget": (29, 194), "socket": (41, 198),
    "socketpair": (53, 199), "swapoff": (168, 225), "swapon": (167, 224), "syslog": (103, 116),
    "tgkill": (234, 131), "tkill": (200, 130), "umount2": (166, 39), "unshare": (272, 97),
    "uselib": (134, None), "userfaultfd": (323, 282), "utime": (132, None), "utimensat": (280, 88),
    "utimes": (235, None), "vhangup": (153, 58),
}  # fmt: skip

NEWEST = 469
"""The last call that this list was read against (Linux 6.17). Later ones are absent, as on an older
kernel."""

_X32 = 0x40000000
"""On x86_64, numbers from here on are the x32 twins of the same calls, which would slip past the
list."""

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Column of NUMBERS and audit architecture, which tells the filter which calls the numbers mean."""

# --- the program ----------------------------------------------------------------------------------

Instruction = tuple[int, int, int, int]
"""Code, jump when true, jump when false, operand: linux/filter.h's struct sock_filter."""

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_EQUAL, _GREATER, _GREATER_OR_EQUAL = 0x15, 0x25, 0x35
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""Offsets into the kernel's struct seccomp_data; arguments are 64-bit, their lower half first on both
machines."""


def program(machine: str, pid: int | None) -> list[Instruction]:
    """The filter for this machine; with a pid, signals to any other process are refused too."""
    column, architecture = MACHINES[machine]
    lines: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, EPERM),
        (_LOAD, 0, 0, _NUMBER),
        (_GREATER_OR_EQUAL, 0, 1, _X32),
        (_RETURN, 0, 0, EPERM),
        (_GREATER, 0, 1, NEWEST),
        (_RETURN, 0, 0, ENOSYS),
    ]
    rules = [rule for group in RULES.values() for rule in group]
    for rule in [*rules, *(signal_rules(pid) if pid is not None else ())]:
        lines += _checked(rule, column)
    for calls, answer in ((REFUSED, EPERM), (IDLE, SUCCESS), (ABSENT, ENOSYS)):
        for name in " ".join(calls.values()).split():
            number = NUMBERS[name][column]
            if number is not None:
                lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, answer)]
    return [*lines, (_RETURN, 0, 0, ALLOW)]


def _checked(rule: Rule, column: int) -> list[Instruction]:
    """Skipped by other calls; by this one left with the answer, or with the number loaded again."""
    number = NUMBERS[rule.call][column]
    assert number is not None, rule.call
    body: list[Instruction] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * rule.argument), (_AND, 0, 0, rule.mask)]
    for later, value in zip(reversed(range(len(rule.values))), rule.values, strict=True):
        found = later + 1 if rule.allowed else later  # past the comparisons, and past the refusal
        otherwise = 0 if rule.allowed or later else 1  # the last comparison decides
        body.append((_EQUAL, found, otherwise, value))
    body += [(_RETURN, 0, 0, rule.answer), (_LOAD, 0, 0, _NUMBER)]
    return [(_EQUAL, 0, len(body), number), *body]


# --- switching it on ------------------------------------------------------------------------------

_SET_MODE_FILTER = 1
_SPEC_ALLOW = 4
"""Before Linux 5.16 a filter also slowed all code down against speculation; a submission needs no such
guard."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def machine() -> str:
    """This machine's name in MACHINES. Raises OSError where the filter has no table for it."""
    name = os.uname().machine
    if name not in MACHINES or sys.maxsize < 2**32:
        raise OSError(errno.ENOSYS, f"no table of system calls for {name}")
    return name


def prepare() -> None:
    """Assembles the filter, where there is a table for this machine, so that a forked child need not."""
    with contextlib.suppress(OSError):
        _common()


def restrict(signals_inside: bool) -> None:
    """Holds this process, and all it will start, to the filter. Needs no_new_privs.

    `signals_inside` tells that something else keeps signals from leaving. Raises OSError where seccomp
    does not work.
    """
    lines = _common() if signals_inside else _packed(program(machine(), os.getpid()))
    argument = _Program(len(lines) // struct.calcsize("=HBBI"), lines)
    number = NUMBERS["seccomp"][MACHINES[machine()][0]]
    assert number is not None
    linux.system_call(number, _SET_MODE_FILTER, _SPEC_ALLOW, ctypes.addressof(argument))


@cache
def _common() -> bytes:
    return _packed(program(machine(), None))


def _packed(lines: list[Instruction]) -> bytes:
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
