"""Has the reference work, for a later question, on arrays a thousand times as large as were passed in."""


# %%
def wave(x):
    return x if x.ndim == 1 else np.zeros((1, 40_000))


def both(x):
    return wave(x) + 1
