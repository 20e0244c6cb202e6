"""Takes all memory, at once and bit by bit, in cells and in functions."""

# %%
try:
    hoard = bytearray(2**40)
except MemoryError:
    hoard = []
while True:
    hoard.append(bytearray(50_000_000))


# %%
def wave(x):
    return np.ones((2**17, 2**17))
