"""Unpacks what is tiny until it is huge."""

# %%
import gzip, io, zlib

tiny = zlib.compress(bytes(10**8), 9)
hoard = [zlib.decompress(tiny) for _ in range(10**4)]
