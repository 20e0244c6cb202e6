"""Recurses without end: in functions, in data, in classes, in the parser."""


# %%
def down(n):
    return down(n + 1)


down(0)

# %%
eval("(" * 5000 + ")" * 5000)

# %%
nested = []
for _ in range(10**6):
    nested = [nested]
repr(nested)


# %%
def wave(x):
    return wave(wave(x))
