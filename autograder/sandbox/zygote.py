"""The warm process from which workers are forked: `python -I -m autograder.sandbox.zygote FD MODULE…`.

It imports what notebooks need once, makes one shell, and then forks a worker for each submission in a few
milliseconds. It runs no student code itself, knows no lab, and obeys one judge over one socket. All processes of a
submission, however they detach themselves, stay its descendants, so it can count their time and end them all.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import sys
import tempfile

from autograder.sandbox import orders, wire
from autograder.sandbox.confine import confine, prepare
from autograder.sandbox.orders import SCRATCH_LIMIT, Done, Order, Spawn, Sweep, Usage
from autograder.sandbox.shell import CellShell
from autograder.sandbox.state import GlobalState
from autograder.sandbox.warmup import warm
from autograder.sandbox.worker import Names, Worker

PR_SET_CHILD_SUBREAPER = 36
"""prctl(2): orphaned descendants become this process's children instead of init's."""

CLOCK_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def main() -> None:
    """Warm up, then obey until the judge hangs up."""
    control = socket.socket(fileno=int(sys.argv[1]))
    shell = warm(sys.argv[2:])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the judge, who then hangs up
    prepare()
    try:
        control.sendall(orders.frame(Done(os.getpid())))
        while True:
            body, fds = wire.receive_body_and_fds(control, 2)
            order = orders.decoder.decode(body)
            control.sendall(orders.frame(obey(order, fds, control, shell)))
    except (EOFError, ConnectionError):
        sweep(keep=0)


def obey(order: Order, fds: list[int], control: socket.socket, shell: CellShell) -> Done:
    """Carry out one order; in the forked worker this does not return."""
    match order:
        case Spawn():
            return Done(spawn(order, fds, control, shell))
        case Sweep(keep=keep):
            sweep(keep)
        case Usage(scratch=scratch):
            pids = descendants(os.getpid())
            return Done(0, sum(map(cpu_seconds, pids)), sum(map(memory, pids)), disk(scratch))
    return Done()


def spawn(order: Spawn, fds: list[int], control: socket.socket, shell: CellShell) -> int:
    """Fork a worker; returns its pid."""
    pid = os.fork()
    if pid:
        for fd in fds:
            os.close(fd)
        return pid
    status = 1
    try:
        control.close()
        sock, steps = fds
        become_worker(socket.socket(fileno=sock), steps, order, shell)
        status = 0
    except (EOFError, ConnectionError):
        status = 0  # the judge has hung up
    finally:
        os._exit(status)


def become_worker(sock: socket.socket, steps: int, order: Spawn, shell: CellShell) -> None:
    """Confine this process and serve one notebook."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.close(null)
    os.chdir(order.scratch)
    for name in ("HOME", "TMPDIR", "MPLCONFIGDIR", "IPYTHONDIR"):
        os.environ[name] = order.scratch
    tempfile.tempdir = order.scratch
    sys.path.append(order.scratch)  # modules that the notebook writes, as in Jupyter; the real ones come first
    protections = confine(order.confinement)
    state, names = GlobalState(order.scratch, order.output_limit), Names(order.functions, order.values)
    worker = Worker(sock, steps, shell, state, names)
    wire.send(sock, wire.Ready(list(protections)))
    worker.serve()


def sweep(keep: int) -> None:
    """End every descendant but `keep`, or all."""
    if keep:
        end_all_but(keep)
    else:
        end_all()


def end_all() -> None:
    """End every descendant, and wait for each: looking again and again takes the processor from those that end.

    A process that has no child has no descendants, since it is their subreaper: whoever loses its parent becomes its
    child. So nothing hangs on the kernel's lists of children, which may skip some while others end.
    """
    while True:
        doomed = descendants(os.getpid())
        kill(doomed)
        for pid in doomed:  # parents come first, and leave theirs to this process
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
        if not reap():
            return


def end_all_but(keep: int) -> None:
    """End every other descendant: the lists of children, which may skip some while others end, are read until they
    are twice found empty."""
    quiet = 0
    while quiet < 2:
        doomed = [pid for pid in descendants(os.getpid()) if pid != keep and alive(pid)]
        kill(doomed)
        reap()
        quiet = 0 if doomed else quiet + 1


def kill(pids: list[int]) -> None:
    """End them, those that have ended already apart."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def reap() -> bool:
    """Take leave of the children that have ended; whether there are others."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def descendants(pid: int) -> list[int]:
    """Pids of all processes below this one, parents first, by the kernel's own records; only on Linux."""
    below: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            for child in map(int, _read(f"/proc/{pid}/task/{task}/children").split()):
                below += [child, *descendants(child)]
    return below


def alive(pid: int) -> bool:
    """Whether a process exists and is not a zombie that its parent has yet to reap."""
    return _stat(pid)[:1] not in ([], ["Z"])


def cpu_seconds(pid: int) -> float:
    """CPU time of a process and of its reaped children, in seconds."""
    return sum(map(int, _stat(pid)[11:15])) / CLOCK_TICKS


def memory(pid: int) -> int:
    """Bytes of memory that are a process's own; pages that it shares with its copies count to each in part."""
    lines = _read(f"/proc/{pid}/smaps_rollup").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Pss_Anon:", "Pss_Shmem:"))) * 1024


def disk(folder: str) -> int:
    """Bytes of files in a folder, a file counting a page at least; it stops counting at what is too much anyway."""
    total, waiting = 0, [folder]
    while waiting and total <= SCRATCH_LIMIT:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                total += max(entry.stat(follow_symlinks=False).st_blocks * 512, 4096)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
    return total


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on; none if there is no such process."""
    return _read(f"/proc/{pid}/stat").rpartition(")")[2].split()


def _read(path: str) -> str:
    """A record of the kernel's; nothing if what it is about has ended."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read().decode("ascii", "replace")
    except OSError:
        return ""


if __name__ == "__main__":
    main()
