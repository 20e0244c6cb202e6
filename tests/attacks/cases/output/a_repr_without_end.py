"""Shows objects whose repr, str and format never end, or fail.

naive: harm
"""


# %%
class Endless:
    def __repr__(self):
        while True:
            pass

    __str__ = __format__ = _repr_html_ = lambda self, *args: repr(self)


print(Endless())

# %%
Endless()


# %%
class Endless(Exception):
    def __str__(self):
        while True:
            pass


def wave(x):
    raise Endless
