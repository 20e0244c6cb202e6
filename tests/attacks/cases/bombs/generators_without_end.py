"""Returns generators, iterators and lazy sequences that never end.

naive: harm
"""

# %%
import itertools


class Endless:
    def __iter__(self):
        return itertools.count()

    def __len__(self):
        return 2**62

    def __getitem__(self, key):
        return 0.0


def wave(x):
    return itertools.repeat(1.0) if x.ndim == 1 else Endless()
