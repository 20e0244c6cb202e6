"""Connects to a server on this machine.

naive: harm
"""

# %%
import socket

for address in ("127.0.0.1", "localhost", "::ffff:127.0.0.1"):
    try:
        socket.create_connection((address, PORT), timeout=0.5).send(b"GET /answers")
    except OSError:
        pass
