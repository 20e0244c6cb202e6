"""Prints without end, on every stream, in its cells and in its functions.

naive: harm
"""

# %%
import os, sys

block = "spam " * 200_000
while True:
    print(block)
    print(block, file=sys.stderr)
    os.write(1, block.encode())
    sys.__stdout__ and sys.__stdout__.write(block)
