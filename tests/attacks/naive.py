"""The grader that most courses have: it runs the notebook, and then its tests, in one process.

`python naive.py COURSE NOTEBOOK` prints the points for `wave` as its last line. Every family of attacks is first shown
to work here, so that the tests of this folder can fail. It is only ever run in a process of its own.
"""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np


def run_the_notebook(notebook):
    space = {"__name__": "__main__"}
    for cell in json.loads(Path(notebook).read_text())["cells"]:
        try:
            exec("".join(cell["source"]), space)
        except Exception as error:
            print("cell failed:", repr(error))
    return space


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def points_for_wave(space, course):
    answers = load(course / "solutions/toy/lab.py")
    inputs = load(course / "tests/hidden/toy/inputs.py").ROWS
    points = 0
    for x, points_for_it in ((inputs, 2), (2.0 * inputs[0], 2)):
        expected = answers.wave(x)
        try:
            got = space["wave"](x)
            np.testing.assert_allclose(got, expected, rtol=1e-5)
            assert np.allclose(got, expected)
            points += points_for_it
        except Exception as error:
            print("check failed:", type(error).__name__)
    return points


if __name__ == "__main__":
    space = run_the_notebook(sys.argv[2])
    result = {"wave": points_for_wave(space, Path(sys.argv[1]))}
    print(json.dumps(result))
