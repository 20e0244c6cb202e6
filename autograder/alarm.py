"""A limit on what the judge computes in its own process: wrong answers that the course knows may loop without end."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import NoReturn


class TooLong(Exception):
    """Something was not done in the time that it had."""


class _TimeIsUp(BaseException):
    """What interrupts; no `except Exception` on its way stops it."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooLong when the body takes more CPU seconds. 0 is no limit; only a main thread can be interrupted."""
    if not seconds or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _interrupt)
    left, _ = signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    except _TimeIsUp:
        raise TooLong(f"it was not done in {seconds:g} seconds") from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, left)  # that of a body around this one, which stood still meanwhile
        signal.signal(signal.SIGVTALRM, before)


def _interrupt(number: int, frame: object) -> NoReturn:
    raise _TimeIsUp
