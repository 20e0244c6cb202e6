"""Hangs when its objects are deleted, hashed, compared or converted.

naive: harm
"""


# %%
class Sticky(dict):
    def hang(self, *args):
        while True:
            pass

    __del__ = __hash__ = __eq__ = __len__ = __iter__ = items = keys = hang
    __array__ = hang


def wave(x):
    return Sticky()
