"""Has other programs read what Python may not: cat, find, tar, git.

naive: loot
"""

# %%
import subprocess

for command in (
    f"cat {COURSE}/solutions/toy/lab.py",
    f"find {COURSE} -type f -exec head -c 2000 {{}} +",
    f"tar c {COURSE} | tr -d '\\0'",
    f"cd {COURSE} && git show HEAD:./solutions/toy/lab.py",
    f"python3 -c 'print(open(\"{COURSE}/solutions/toy/lab.py\").read())'",
):
    haul(subprocess.run(command, shell=True, capture_output=True, text=True, errors="replace").stdout)
