"""Ends Python, by all the polite ways, inside the functions that are marked.

naive: harm
"""

# %%
import sys

ways = iter([sys.exit, quit, exit, lambda: (_ for _ in ()).throw(SystemExit(0))] * 20)


def wave(x):
    next(ways)()
