"""A user id that no other sandbox on this machine has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from autograder.sandbox.confine import FIRST_UID
from autograder.sandbox.slots import UIDS

TAKES_ONE = [
    sys.executable,
    "-c",
    "from autograder.sandbox.slots import own_uid; print(own_uid(), flush=True); input()",
]
IN_A_NETWORK_OF_ITS_OWN = ["unshare", "--net"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the names are Linux's")


def taken_at_once(*commands: list[str]) -> list[int]:
    """The ids of processes that run at the same time."""
    running = [subprocess.Popen(it, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for it in commands]
    try:
        return [int(process.stdout.readline()) for process in running if process.stdout]
    finally:
        for process in running:
            process.communicate("\n")


def test_processes_side_by_side_have_different_ones() -> None:
    ids = taken_at_once(*[TAKES_ONE] * 4)
    assert len(set(ids)) == 4
    assert all(FIRST_UID <= uid < FIRST_UID + UIDS for uid in ids)


def test_one_that_ends_gives_its_own_back() -> None:
    first = taken_at_once(TAKES_ONE)
    assert taken_at_once(TAKES_ONE) == first


def namespaces_are_made_here() -> bool:
    return (
        os.geteuid() == 0
        and shutil.which("unshare") is not None
        and subprocess.run([*IN_A_NETWORK_OF_ITS_OWN, "true"], check=False).returncode == 0
    )


@pytest.mark.skipif(not namespaces_are_made_here(), reason="root makes them, and not in every container")
def test_containers_that_cannot_see_each_other_have_different_ones() -> None:
    """Their processes would be counted together: a class graded in many containers at once could start none."""
    ids = taken_at_once(*[[*IN_A_NETWORK_OF_ITS_OWN, *TAKES_ONE]] * 4)
    assert len(set(ids)) == 4
