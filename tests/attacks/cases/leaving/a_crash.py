"""Crashes the interpreter: a null pointer, an abort, an overflow of the C stack.

naive: harm
"""

# %%
import ctypes

ctypes.string_at(0)

# %%
import os

os.abort()

# %%
import sys

sys.setrecursionlimit(10**9)


def down():
    return down()


down()


# %%
def wave(x):
    import ctypes

    return ctypes.string_at(0)
