"""Speaks with a daemon on this machine through its socket file, by stream and by datagram.

naive: harm
"""

# %%
import socket

for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
    try:
        socket.socket(socket.AF_UNIX, kind).connect(UNIX_SOCKET)
    except OSError:
        pass
try:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    ours.sendto(b"x", UNIX_SOCKET)
except OSError:
    pass
