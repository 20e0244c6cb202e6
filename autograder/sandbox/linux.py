"""The few Linux calls that Python's library does not offer, each with argument types and an OSError on
failure.

Importing this works everywhere; calling it works on Linux (`SUPPORTED` tells). Numbers are the
kernel's, from include/uapi/linux/{prctl,capability,sched}.h and asm-generic/mman-common.h.
"""

from __future__ import annotations

import ctypes
import os
import sys

SUPPORTED = sys.platform == "linux"

PR_SET_PDEATHSIG = 1
PR_SET_KEEPCAPS = 8
PR_SET_NO_NEW_PRIVS = 38
PR_GET_NO_NEW_PRIVS = 39

CLONE_NEWUSER = 0x10000000

MADV_COLLAPSE = 25

CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2
_CAPABILITY_VERSION_3 = 0x20080522
"""The layout of two 32-bit words for each set, the only one since Linux 2.6.26."""


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _CapabilityWord(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


_libc = ctypes.CDLL(None, use_errno=True) if SUPPORTED else None

if _libc is not None:
    _libc.syscall.argtypes = [ctypes.c_long] * 5
    _libc.syscall.restype = ctypes.c_long
    _libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    _libc.prctl.restype = ctypes.c_int
    _libc.unshare.argtypes = [ctypes.c_int]
    _libc.unshare.restype = ctypes.c_int
    _libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    _libc.madvise.restype = ctypes.c_int
    for call in (_libc.capget, _libc.capset):
        call.argtypes = [ctypes.POINTER(_CapabilityHeader), ctypes.POINTER(_CapabilityWord)]
        call.restype = ctypes.c_int


def system_call(number: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> int:
    """One raw system call; an address is a number too. Raises OSError with the kernel's errno."""
    if _libc is None:
        raise OSError("Linux calls are made on Linux only")
    return _checked(_libc.syscall(number, a, b, c, d))


def prctl(option: int, value: int = 0) -> int:
    """prctl(2) with one argument; the others are the zeros that the kernel insists on."""
    if _libc is None:
        raise OSError("Linux calls are made on Linux only")
    return _checked(_libc.prctl(option, value, 0, 0, 0))


def unshare(flags: int) -> None:
    """unshare(2), which `os` offers from Python 3.12 on."""
    if _libc is None:
        raise OSError("Linux calls are made on Linux only")
    _checked(_libc.unshare(flags))


def madvise(start: int, size: int, advice: int) -> None:
    """madvise(2) by address, which `mmap` offers for its own objects only."""
    if _libc is None:
        raise OSError("Linux calls are made on Linux only")
    _checked(_libc.madvise(start, size, advice))


def holds_capability(capability: int) -> bool:
    """Whether this process may use a capability (a number below 32)."""
    if _libc is None:
        return False
    header = _CapabilityHeader(_CAPABILITY_VERSION_3, 0)
    words = (_CapabilityWord * 2)()
    _checked(_libc.capget(ctypes.byref(header), words))
    return bool(words[0].permitted & 1 << capability)


def keep_capabilities(kept: tuple[int, ...]) -> None:
    """Holds on to these capabilities (numbers below 32) and gives up all others, for good."""
    if _libc is None:
        raise OSError("Linux calls are made on Linux only")
    mask = sum(1 << capability for capability in kept)
    header = _CapabilityHeader(_CAPABILITY_VERSION_3, 0)
    words = (_CapabilityWord * 2)(_CapabilityWord(mask, mask, 0), _CapabilityWord(0, 0, 0))
    _checked(_libc.capset(ctypes.byref(header), words))


def _checked(result: int) -> int:
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
