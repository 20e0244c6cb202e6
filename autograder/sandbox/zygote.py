"""The warm process from which workers are forked: `python -I -m autograder.sandbox.zygote FD MODULE…`.

It imports what notebooks need once, makes one shell, and then forks a worker for each submission in a few
milliseconds. It runs no student code itself, knows no lab, and obeys one judge over one socket. All processes of a
submission, however they detach themselves, stay its descendants, so it can count their time and end them all.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import linecache
import os
import signal
import socket
import sys
import tempfile
from pathlib import Path

from autograder.sandbox import orders, wire
from autograder.sandbox.confine import confine, prepare
from autograder.sandbox.orders import SCRATCH_LIMIT, Done, Order, Spawn, Sweep, Usage
from autograder.sandbox.shell import CellShell
from autograder.sandbox.state import GlobalState
from autograder.sandbox.worker import Names, Worker, install_otter_standin

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
    control.sendall(orders.frame(Done(os.getpid())))
    try:
        while True:
            body, fds = wire.receive_body_and_fds(control)
            order = orders.decoder.decode(body)
            control.sendall(orders.frame(obey(order, fds, control, shell)))
    except (EOFError, ConnectionError):
        sweep(keep=0)


def warm(modules: list[str]) -> CellShell:
    """Import what the lab's notebooks import, and run one cell of each kind so that nothing is first in a worker."""
    gc.disable()  # what is imported stays: looking for garbage in it meanwhile takes a tenth of the time
    install_otter_standin()
    shell = CellShell.instance()
    for name in ("importlib.metadata", *modules):  # the labs' first cell asks for versions
        importlib.import_module(name)
    for source in ("warm = 1", "def warm(x):\n    return x", "%time warm(1)", "del warm"):
        shell.run(0, source)
    if "torch" in sys.modules:
        _warm_torch()
        _remember_own_lines()
    prepare()
    gc.collect()
    gc.freeze()  # the collector must not touch, and so copy, pages that all workers share
    gc.enable()
    return shell


def obey(order: Order, fds: list[int], control: socket.socket, shell: CellShell) -> Done:
    """Carry out one order; in the forked worker this does not return."""
    match order:
        case Spawn():
            return Done(spawn(order, fds[0], control, shell))
        case Sweep(keep=keep):
            sweep(keep)
        case Usage(scratch=scratch):
            pids = descendants(os.getpid())
            return Done(0, sum(map(cpu_seconds, pids)), sum(map(memory, pids)), disk(scratch))
    return Done()


def spawn(order: Spawn, fd: int, control: socket.socket, shell: CellShell) -> int:
    """Fork a worker; returns its pid."""
    pid = os.fork()
    if pid:
        os.close(fd)
        return pid
    status = 1
    try:
        control.close()
        sock = socket.socket(fileno=fd)
        become_worker(sock, order, shell)
        status = 0
    except (EOFError, ConnectionError):
        status = 0  # the judge has hung up
    finally:
        os._exit(status)


def become_worker(sock: socket.socket, order: Spawn, shell: CellShell) -> None:
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
    worker = Worker(sock, shell, GlobalState(order.scratch, order.output_limit), Names(order.functions, order.values))
    wire.send(sock, wire.Ready(list(protections)))
    worker.serve()


def sweep(keep: int) -> None:
    """End every descendant but `keep`.

    The kernel's lists of children may skip some while others end. So they are read until they are twice found empty,
    and, where nobody is kept, until no child is left: orphans become children of this process.
    """
    quiet, children = 0, True
    while quiet < 2 or (children and not keep):
        doomed = [pid for pid in descendants(os.getpid()) if pid != keep and alive(pid)]
        for pid in doomed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        children = reap()
        quiet = 0 if doomed else quiet + 1


def reap() -> bool:
    """Take leave of the children that have ended; whether there are others."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def descendants(pid: int) -> list[int]:
    """Pids of all processes below this one, by the kernel's own records; only on Linux."""
    below: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, task.read_text().split()):
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
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
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
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _warm_torch() -> None:
    """One real training step: torch imports much of itself at first use."""
    import torch

    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Embedding(8, 8), torch.nn.LayerNorm(8), torch.nn.Linear(8, 8), torch.nn.GELU())
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3)
    loss = torch.nn.functional.cross_entropy(model(torch.arange(8)), torch.arange(8))
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()


def _remember_own_lines() -> None:
    """`torch.manual_seed` writes down the stack, whose files a confined process looks for in vain, each time anew."""
    for name, module in list(sys.modules.items()):
        if name.startswith("autograder.sandbox.") and module.__file__:
            linecache.getlines(module.__file__)
    linecache.getlines(__file__)


if __name__ == "__main__":
    main()
