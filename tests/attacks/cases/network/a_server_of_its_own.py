"""Listens for others, in the open and in the abstract, and does so in a process that stays.

naive: loot
"""

# %%
import os, socket, time

for family, address in ((socket.AF_INET, ("127.0.0.1", 0)), (socket.AF_UNIX, "\0attack"), (socket.AF_UNIX, "sock")):
    try:
        server = socket.socket(family)
        server.bind(address)
        server.listen()
        haul("CANARY-OTHER: listening", address)
    except OSError:
        pass
