"""Opens the answers by their path, in several ways.

naive: loot
"""

# %%
import io, linecache, os, tokenize
from pathlib import Path

answers = COURSE + "/solutions/toy/lab.py"
for read in (
    lambda: open(answers).read(),
    lambda: io.FileIO(answers).readall(),
    lambda: Path(answers).read_bytes(),
    lambda: os.read(os.open(answers, os.O_RDONLY), 10_000),
    lambda: linecache.getlines(answers),
    lambda: tokenize.open(answers).read(),
    lambda: np.fromfile(answers, dtype="u1").tobytes(),
    lambda: np.memmap(answers, mode="r").tobytes(),
):
    try:
        haul(read())
    except OSError:
        pass
