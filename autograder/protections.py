"""The sandbox's layers for people: what each is for, whether it works here, and what to do where it does not.

`insist` is the one place that refuses to grade with less than somebody demands: `--require` and, for what is started
without a command line of ours (Otter, a workflow), the variable AUTOGRADER_REQUIRE.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.errors import Explained
from autograder.sandbox.confine import probe

VARIABLE = "AUTOGRADER_REQUIRE"
"""The environment's way to say what `--require` says."""

PURPOSES = {
    "rlimits": "time, memory, files and processes of a submission are limited",
    "no_new_privs": "starting a program gives no new rights",
    "uid": "each submission is a user of its own",
    "user_namespace": "processes are counted by submission, not by user",
    "capabilities": "root's privileges are given up",
    "landlock": "a submission reads Python, writes its own folder, and sees no other file",
    "seccomp": "no network, no look into another process, no daemon left behind",
}

_REMEDIES = {
    "rlimits": "Grade on Linux.",
    "no_new_privs": "Grade on Linux.",
    "uid": "As root (in a container, say) each submission gets a user of its own.",
    "user_namespace": "Ask for unprivileged user namespaces (sysctl user.max_user_namespaces), or leave it: "
    "processes are then counted together with yours.",
    "capabilities": "Grade on Linux.",
    "landlock": "Use Linux 5.13 or newer with landlock in the kernel's lsm= list; in a container, a runtime "
    "whose seccomp profile lets landlock_* through, as current Docker and podman do.",
    "seccomp": "Use Linux on x86_64 or aarch64 with seccomp filters in the kernel.",
}

_ELSEWHERE = "Grade in a Linux container or virtual machine; here submissions are limited, not locked in."


class ProtectionError(Explained):
    """A layer that somebody demands is off, or there is none of that name."""


@dataclass(frozen=True)
class Protection:
    """One layer of the sandbox; `remedy` is empty where there is nothing to do."""

    name: str
    purpose: str
    on: bool
    why: str
    remedy: str


def protections() -> tuple[Protection, ...]:
    """Every layer, in the order in which they are switched on."""
    remedies = _REMEDIES if sys.platform == "linux" else dict.fromkeys(_REMEDIES, _ELSEWHERE)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    beside_the_point = "user_namespace" if root else ""  # root needs none: it has users to give
    return tuple(
        Protection(
            name=name,
            purpose=PURPOSES[name],
            on=layer.on,
            why=layer.why,
            remedy="" if layer.on or name == beside_the_point else remedies[name],
        )
        for name, layer in probe().items()
    )


def named(text: str) -> tuple[str, ...]:
    """The layers that a list with commas names. Raises ProtectionError where there is none of that name."""
    names = tuple(name for name in map(str.strip, text.split(",")) if name)
    for name in names:
        if name not in PURPOSES:
            raise ProtectionError(f"there is no protection {name!r}. Those there are: {', '.join(PURPOSES)}.")
    return names


def insist(names: Iterable[str]) -> None:
    """Raises ProtectionError unless all these layers are on."""
    if trouble := missing(tuple(names)):
        raise ProtectionError(f"nothing was graded: {trouble}")


def missing(names: tuple[str, ...]) -> str:
    """What is off of these layers, why, and the remedy, in sentences; empty where all are on."""
    off = [layer for layer in protections() if layer.name in names and not layer.on] if names else []
    return " ".join(
        f"{layer.name} is required, and off here: {layer.why}. {layer.remedy or 'Require it no longer.'}"
        for layer in off
    )
