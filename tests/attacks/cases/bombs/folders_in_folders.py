"""Nests folders deeper than a path can be long, and shuts some of them."""

# %%
import os

os.makedirs("shut", mode=0)
os.mkdir("deep")
os.chdir("deep")
for _ in range(1500):
    os.mkdir("d")
    os.chdir("d")
open("file", "w").close()
