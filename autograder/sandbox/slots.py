"""A user id for each sandbox on this machine that no other one uses meanwhile."""

from __future__ import annotations

import os
import socket
import sys
from functools import cache

from autograder.sandbox.confine import FIRST_UID

UIDS = 384
"""How many there are: from FIRST_UID up to those that systemd hands out."""

_held: list[socket.socket] = []


@cache
def own_uid() -> int | None:
    """This process's user id for submissions, kept until it ends; None when all are taken.

    The lock is a name in Linux's abstract socket space: the kernel gives it to one process and takes it back however
    that process ends. Containers do not see each other's names, and yet the kernel counts a user's processes in all of
    them together: so each begins the search somewhere else. Elsewhere the process's own number picks one.
    """
    if sys.platform != "linux":
        return FIRST_UID + os.getpid() % UIDS
    first = _number_of_this_network()
    for uid in (FIRST_UID + (first + step) % UIDS for step in range(UIDS)):
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind(f"\0autograder-uid-{uid}")
        except OSError:
            name.close()
        else:
            _held.append(name)
            return uid
    return None


def _number_of_this_network() -> int:
    """The kernel's number for the network namespace, which is that of the socket names, too."""
    try:
        return os.stat("/proc/self/ns/net").st_ino
    except OSError:
        return 0
