"""Computes numbers of millions of digits, and patterns that never finish matching.

naive: harm
"""

# %%
9**9**9

# %%
import re

re.match(r"(a+)+$", "a" * 60 + "b")


# %%
def wave(x):
    return 7 ** (10**7)
