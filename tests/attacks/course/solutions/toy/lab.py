# %% [raw]
# # ASSIGNMENT CONFIG
# name: toy

# %% tags=["given"]
import numpy as np


def halve(x):
    """Half of x."""
    return x / 2


# %% [raw]
# # BEGIN QUESTION
# name: center


# %%
def center(x):
    """x without the mean of its last axis."""
    # BEGIN SOLUTION
    return x - x.mean(axis=-1, keepdims=True)  # CANARY-ANSWERS
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: wave


# %%
def wave(x):
    """A wave of x."""
    # BEGIN SOLUTION
    return x * np.tanh(0.7390851332 * x) + halve(x)
    # END SOLUTION


# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: both


# %%
def both(x):
    """The centered wave."""
    # BEGIN SOLUTION
    return center(wave(x))
    # END SOLUTION


# %% [raw]
# # END QUESTION
