"""Leaves background jobs of shells behind, with nohup and setsid.

naive: harm
"""

# %%
import subprocess

subprocess.run("nohup sleep 600 >/dev/null 2>&1 & setsid sleep 600 & (setsid nohup sh -c 'sleep 600' &) &", shell=True)
subprocess.Popen(["sleep", "600"], start_new_session=True)
