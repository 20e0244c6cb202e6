"""Landlock: of the whole file system a process keeps only what it is told it may read or write.

Nothing is taken from anyone else, no privilege is needed, and it cannot be undone; what the process
starts is held as well. The kernel's interface has grown by versions ("ABI"); what a kernel does not
know yet is left out. Numbers are the kernel's, from include/uapi/linux/landlock.h.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from functools import cache

from autograder.sandbox import linux

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""System call numbers, the same on every machine."""

_ASK_VERSION = 1
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REG, _MAKE_SYM = 1 << 7, 1 << 8, 1 << 12
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_BIND_TCP, _CONNECT_TCP = 1 << 0, 1 << 1
_SCOPE_ABSTRACT_SOCKETS, _SCOPE_SIGNALS = 1 << 0, 1 << 1

_FIRST_13 = (1 << 13) - 1
"""All rights of ABI 1: execute, read, write, list, remove, and make any kind of file."""

_FOR_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
"""The rights that make sense for what is no folder; the kernel refuses others there."""

_READ = _EXECUTE | _READ_FILE | _READ_DIR
_WRITE = (
    _READ_FILE | _READ_DIR | _WRITE_FILE | _TRUNCATE | _REFER
    | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _MAKE_SYM
)  # fmt: skip
"""No device files, no FIFOs and no sockets: a reader of the folder could be made to wait on those for
ever."""

ABI_NETWORK, ABI_SCOPES = 4, 6
"""From these versions on TCP can be forbidden, and signals and abstract sockets kept inside."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


@cache
def abi() -> int:
    """The kernel's Landlock version; 0 where it has none, or has it turned off."""
    try:
        return linux.system_call(_CREATE_RULESET, 0, 0, _ASK_VERSION)
    except OSError:
        return 0


def ruleset(readable: Iterable[str], writable: Iterable[str]) -> int:
    """A descriptor of rules: read and execute below `readable`, read and write below `writable`,
    nothing else.

    Paths that do not exist are left out. The caller hands the descriptor to `restrict`. It is made anew
    for every child: a ruleset inherited from the parent is one shared object, and each child's folder
    would be added to all that follow. Raises OSError where Landlock does not work.
    """
    handled = _handled(abi())
    size = 8 * (1 + (abi() >= ABI_NETWORK) + (abi() >= ABI_SCOPES))  # the words that this version knows
    descriptor = linux.system_call(_CREATE_RULESET, ctypes.addressof(handled), size, 0)
    for paths, rights in ((readable, _READ), (writable, _WRITE)):
        for path in paths:
            _allow(descriptor, path, rights & handled.fs)
    return descriptor


def restrict(descriptor: int) -> None:
    """Holds this process, and all it will start, to the rules; closes the descriptor. Needs
    no_new_privs."""
    linux.system_call(_RESTRICT_SELF, descriptor, 0)
    os.close(descriptor)


def _handled(version: int) -> _Ruleset:
    """Everything that this version can forbid."""
    fs = _FIRST_13
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV)):
        fs |= right if version >= since else 0
    net = _BIND_TCP | _CONNECT_TCP if version >= ABI_NETWORK else 0
    scoped = _SCOPE_ABSTRACT_SOCKETS | _SCOPE_SIGNALS if version >= ABI_SCOPES else 0
    return _Ruleset(fs, net, scoped)


def _allow(descriptor: int, path: str, rights: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(parent).st_mode):
            rights &= _FOR_FILES
        rule = _PathBeneath(rights, parent)
        linux.system_call(_ADD_RULE, descriptor, _RULE_PATH_BENEATH, ctypes.addressof(rule), 0)
    finally:
        os.close(parent)
