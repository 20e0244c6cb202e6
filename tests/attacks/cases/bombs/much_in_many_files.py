"""Fills the disk with many files, each of them small enough.

naive: harm
"""

# %%
block = bytes(2**20)
for number in range(10**6):
    with open(f"block{number}", "wb") as file:
        for _ in range(40):
            file.write(block)
