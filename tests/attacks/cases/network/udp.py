"""Sends datagrams, which need no connection.

naive: harm
"""

# %%
import os, socket

for kind in (socket.SOCK_DGRAM, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK):
    try:
        socket.socket(socket.AF_INET, kind).sendto(b"the answers", ("127.0.0.1", PORT))
    except OSError:
        pass
