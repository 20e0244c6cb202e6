"""Fills its folder with files until the disk or the directory is full.

naive: harm
"""

# %%
for number in range(10**7):
    open(f"file{number}", "w").close()
