"""Has other programs make the connection.

naive: harm
"""

# %%
import subprocess

program = f"import socket; socket.create_connection(('127.0.0.1', {PORT}), timeout=0.5)"
subprocess.run(["python3", "-c", program], capture_output=True)
subprocess.run(["bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{PORT}"], capture_output=True)
