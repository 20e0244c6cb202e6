"""Makes links to the answers in its own folder, and reads those.

naive: loot
"""

# %%
import os

for number, make in enumerate((os.symlink, os.link)):
    try:
        make(COURSE + "/solutions/toy/lab.py", f"link{number}")
        haul(open(f"link{number}").read())
    except OSError:
        pass
try:
    os.symlink(COURSE, "course")
    haul(open("course/solutions/toy/lab.py").read())
    os.rename(COURSE + "/solutions", "solutions")
except OSError:
    pass
