"""Ends the process with status 0 in the middle of the notebook.

naive: harm
"""

# %%
import os

os._exit(0)


# %%
def wave(x):
    import os

    os._exit(0)
