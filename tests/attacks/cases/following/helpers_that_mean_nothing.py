"""Hopes that a wrong answer counts where a later question is held against the student's own."""


# %%
def wave(x):
    return np.ones(np.shape(x))


def both(x):
    return np.zeros(np.shape(x))
