"""Opens another student's notebook.

naive: loot
"""

# %%
import glob, os

for pattern in (OTHER, os.path.dirname(OTHER) + "/*.ipynb", "../*/*.ipynb", "../*.ipynb", "/tmp/*/*.ipynb"):
    for path in glob.glob(pattern)[:50]:
        try:
            haul(open(path).read())
        except OSError:
            pass
