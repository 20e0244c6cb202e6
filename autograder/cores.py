"""The processor's cores: which this process may use, and who works on which."""

from __future__ import annotations

import os


def cores() -> list[int]:
    """The numbers of those that this process may use: a container or `taskset` may leave it a part of the machine's."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def shared_out(workers: int) -> list[int | None]:
    """The core that each of so many workers keeps to; None where it had better go wherever there is room.

    Grading one submission is a conversation of processes of which only one is at work at a time. Spread over the cores,
    each word that they exchange wakes another one up, and the workers take the cores from each other. So each has its
    own as soon as there are enough of them to keep all cores busy.
    """
    here = cores()
    if workers < len(here) or not hasattr(os, "sched_setaffinity"):
        return [None] * workers
    return [here[number % len(here)] for number in range(workers)]
