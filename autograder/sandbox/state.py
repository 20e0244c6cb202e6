"""Global state that a notebook may have changed, put back before every call.

A student who seeds a generator, turns gradients off or changes the default dtype in a scratch cell must not be
marked for it. The defaults are recorded in the zygote, before any student code runs, and so are the functions that put
them back: `np.random.seed = None` must not be fatal.
"""

from __future__ import annotations

import io
import os
import sys
from os import chdir
from random import seed as seed_python
from sys import getrecursionlimit, setrecursionlimit
from typing import Any
from warnings import resetwarnings, simplefilter

from numpy import get_printoptions, geterr, set_printoptions, seterr
from numpy.random import seed as seed_numpy

SEED = 0


class Output(io.TextIOBase):
    """A text stream that keeps the first `limit` characters and drops the rest."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.parts: list[str] = []
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.size < self.limit:
            self.parts.append(text[: self.limit - self.size])
        self.size += len(text)
        return len(text)

    def take(self) -> str:
        """What was kept since the last call."""
        text = "".join(self.parts)
        self.parts.clear()
        return text


class GlobalState:
    """The process-wide settings as they were before the notebook."""

    def __init__(self, folder: str, output_limit: int) -> None:
        self.folder = folder
        self.output_limit = output_limit
        self.recursion_limit = getrecursionlimit()
        self.environment = dict(os.environ)
        self.variables = dict(_variables())
        self.print_options = get_printoptions()
        self.error_state = geterr()

    def reset(self) -> Output:
        """Put everything back; returns the fresh stream that now is stdout and stderr."""
        output = Output(self.output_limit)
        sys.stdout = sys.stderr = output
        sys.stdin = io.StringIO()
        setrecursionlimit(self.recursion_limit)
        resetwarnings()
        simplefilter("ignore")
        if _variables() != self.variables:
            os.environ.clear()
            os.environ.update(self.environment)
        chdir(self.folder)
        seterr(**self.error_state)
        if get_printoptions() != self.print_options:
            set_printoptions(**self.print_options)
        seed_everything()
        return output


def _variables() -> dict[Any, Any]:
    """The environment as Python keeps it: comparing `os.environ` itself would encode every name anew, at each call."""
    found: dict[Any, Any] = os.environ._data  # type: ignore[attr-defined]
    return found


def seed_everything() -> None:
    """Seed every generator, and give torch its defaults if it is loaded."""
    seed_python(SEED)
    seed_numpy(SEED)
    torch = sys.modules.get("torch")
    if torch is not None:
        _reset_torch(torch)


def seed_no_cards() -> None:
    """`torch.manual_seed` is for all graphics cards, too. There are none here; for each kind of them it would write
    down the stack, in case one turns up: 2 ms at each call."""
    torch = sys.modules.get("torch")
    for cards in (torch.cuda, torch.xpu, torch.mtia) if torch is not None else ():
        cards.manual_seed_all = lambda seed: None


_held: list[Any] = []


def _reset_torch(torch: Any) -> None:
    torch.set_grad_enabled(True)
    if torch.is_inference_mode_enabled():
        off = torch.inference_mode(False)
        off.__enter__()
        _held.append(off)  # it ends with the object
    if torch.is_autocast_enabled("cpu"):
        torch.set_autocast_enabled("cpu", False)
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)
    if torch.get_num_threads() != 1:
        torch.set_num_threads(1)
    torch.use_deterministic_algorithms(False)
    torch.autograd.set_detect_anomaly(False)
    torch.default_generator.manual_seed(SEED)  # `torch.manual_seed` also keeps the stack's text, for GPUs to come: 2 ms
