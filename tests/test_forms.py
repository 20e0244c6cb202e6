"""A right answer, however it is delivered, gets full marks; a broken one loses its own question and is told why.

Each form is a notebook for the course in `tests/attacks/course`, given as what stands in place of the right cells, or
above and below them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from autograder.course import load_course
from autograder.grade import Judge
from autograder.record import Grade
from autograder.submission import read_submission
from tests.conftest import check, lost, points, submission
from tests.test_submission import zipped
from tests.toy import BOTH, CENTER, COURSE, POINTS, RIGHT, WAVE, notebook

NUMPY = RIGHT[0]
VALUE = "x * np.tanh(0.7390851332 * x) + halve(x)"
INDENTED = WAVE.replace("\n", "\n    ")


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    lab = load_course(COURSE).labs["toy"]
    hasty = msgspec.structs.replace(lab.limits, cell_seconds=0.5)
    judge = Judge(msgspec.structs.replace(lab, limits=hasty))
    yield judge
    judge.close()


def with_wave(cell: str) -> tuple[str, ...]:
    """The right notebook with another cell for `wave`."""
    return NUMPY, CENTER, cell, BOTH


def returning(value: str, first: str = "") -> tuple[str, ...]:
    """The right notebook, whose `wave` returns this."""
    return with_wave(f"{first}\ndef wave(x):\n    return {value}\n")


def above(*cells: str) -> tuple[str, ...]:
    return *cells, *RIGHT


def below(*cells: str) -> tuple[str, ...]:
    return *RIGHT, *cells


RIGHT_FORMS = {
    # what a scratch cell leaves behind
    "a pool of threads for each core": below(
        "import time\nfrom concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(64)\n"
        "waits = [pool.submit(time.sleep, 0.01) for _ in range(200)]"
    ),
    # what only the student's own computer has does not stop the rest of its cell
    "a decorator of a missing package": with_wave(f"from numba import njit\n@njit\n{WAVE}"),
    "a decorator of a missing module": with_wave(f"import numba\n@numba.njit(cache=True)\n{WAVE}"),
    "types of a missing package": with_wave(
        "from jaxtyping import Float\n" + WAVE.replace("(x)", "(x: Float[object, 't c']) -> Float[object, 't c']", 1)
    ),
    "decorated methods": with_wave(
        "import numba\n@numba.experimental.jitclass\nclass Waves:\n    @staticmethod\n    @numba.njit\n"
        f"    {INDENTED}\nwave = Waves.wave"
    ),
    "a decorator beside one that is here": with_wave(
        "import functools, numba\n@functools.lru_cache\n@numba.njit\ndef one():\n    return 1.0\n"
        f"def wave(x):\n    return one() * ({VALUE}) + 0 * one.cache_info().misses\n"
    ),
    "an extension that is missing": with_wave(f"%load_ext nb_black\n{WAVE}"),
    "a magic of that extension": with_wave(f"%load_ext nb_black\n%black on\n{WAVE}"),
    "a question at the keyboard": with_wave(f"name = input('Who are you? ')\nprint(name)\n{WAVE}"),
    "a file that is not here": with_wave(f"data = np.load('waves.npy')\nprint(data.shape)\n{WAVE}"),
    "a folder that is not here": with_wave(f"import os\nos.chdir('/content/drive/MyDrive')\n{WAVE}"),
    "a download": with_wave(
        f"import urllib.request\npage = urllib.request.urlopen('http://127.0.0.1:9/')\ntext = page.read()\n{WAVE}"
    ),
    "a graphics card": with_wave(f"def to_cuda():\n    raise AssertionError('no CUDA here')\ny = to_cuda()\n{WAVE}"),
    # a definition counts although its cell comes to no end
    "a loop without end below it": with_wave(f"{WAVE}while True:\n    pass"),
    "a demo that takes too long": with_wave(f"print('waves')\n{WAVE}import time\ntime.sleep(100)"),
    "an exit below it": with_wave(f"{WAVE}import os\nos._exit(0)"),
    "a crash below it": with_wave(f"{WAVE}import ctypes\nctypes.string_at(0)"),
    "a loop in a cell with a magic": with_wave(f"{WAVE}%time exec('while True: pass')"),
    "two cells with loops": (NUMPY, f"{CENTER}while True:\n    pass", f"{WAVE}while True:\n    pass", BOTH),
    "an error below it": with_wave(f"{WAVE}1 / 0"),
    # how a function may be made
    "a lambda": with_wave(f"wave = lambda x: {VALUE}"),
    "one of two lambdas": with_wave(f"wave, other = (lambda x: {VALUE}), 3"),
    "a walrus": with_wave(f"(wave := lambda x: {VALUE})"),
    "a partial": with_wave(f"import functools\ndef f(k, x):\n    return {VALUE}\nwave = functools.partial(f, 1)"),
    "an object that can be called": with_wave(
        f"class W:\n    def __call__(self, x):\n        return {VALUE}\nwave = W()"
    ),
    "a method": with_wave(f"class W:\n    def wave(self, x):\n        return {VALUE}\nwave = W().wave"),
    "a decorated function": with_wave(
        f"def timed(f):\n    def g(*a):\n        return f(*a)\n    return g\n@timed\n{WAVE}"
    ),
    "a vectorised function": with_wave(
        "import math\nwave = np.vectorize(lambda x: x * math.tanh(0.7390851332 * x) + halve(x), otypes=[float])"
    ),
    "an array of objects": returning("np.frompyfunc(lambda v: float(v), 1, 1)(" + VALUE + ")"),
    "exec": with_wave(f"exec('''{WAVE}''')"),
    "a global of another function": with_wave(f"def make():\n    global wave\n    {INDENTED}\nmake()"),
    "globals()": with_wave(f"globals()['wave'] = lambda x: {VALUE}"),
    "a module": (
        f"%%writefile mine.py\n{NUMPY}{WAVE.replace('halve(x)', 'x / 2')}",
        *with_wave("from mine import wave"),
    ),
    "a script": (f"%%writefile mine.py\n{WAVE}", *with_wave("%run -i mine.py")),
    "a main guard": with_wave(f"if __name__ == '__main__':\n    {INDENTED}"),
    "an except clause": with_wave(f"try:\n    import cupy\nexcept ImportError:\n    {INDENTED}"),
    "annotations that are never looked at": with_wave(
        f"from __future__ import annotations\n{WAVE.replace('(x)', '(x: Nobody.Knows) -> This', 1)}"
    ),
    "another parameter name": with_wave(f"def wave(signal):\n    x = signal\n    return {VALUE}"),
    "more parameters": with_wave(WAVE.replace("(x)", "(x, verbose=False, *rest, **more)", 1)),
    "a cell magic": with_wave(f"%%time\n{WAVE}"),
    "two cell magics": with_wave(f"%%capture out\n%%time\n{WAVE}"),
    "a global that counts calls": with_wave(f"n = []\ndef wave(x):\n    n.append(1)\n    return {VALUE}"),
    "printing": with_wave(f"def wave(x):\n    print('x' * 10**6)\n    return {VALUE}"),
    # what may come back
    "nested lists": (*returning(f"({VALUE}).tolist()")[:3], BOTH.replace("wave(x)", "np.array(wave(x))")),
    "a tuple around it": (*returning(f"({VALUE}, 'and more')")[:3], BOTH.replace("wave(x)", "wave(x)[0]")),
    "a masked array": returning(f"np.ma.masked_array({VALUE})"),
    "a subclass of arrays": returning(f"({VALUE}).view(Mine)", "class Mine(np.ndarray):\n    pass"),
    "the other byte order": returning(f"({VALUE}).astype('>f8')"),
    "more precision": returning(f"({VALUE}).astype(np.longdouble)"),
    "columns first": returning(f"np.asfortranarray({VALUE})"),
    "a view": returning(f"({VALUE})[..., ::-1][..., ::-1]"),
    # what was changed for everybody
    "errors raised for every rounding": below(
        "np.seterr(all='raise')", "import warnings\nwarnings.simplefilter('error')"
    ),
    "generators that cannot be seeded": below("import random\nnp.random.seed = random.seed = None"),
    "settings that cannot be set": below("np.seterr = np.set_printoptions = None\nimport os, sys\nos.chdir = None"),
    "a low recursion limit": below("import sys\nsys.setrecursionlimit(60)"),
    "no builtins to rely on": below("import builtins\nbuiltins.len = lambda x: 3\nbuiltins.isinstance = None"),
    "another folder": below("import os, shutil\nhere = os.getcwd()\nos.chdir('/')\nshutil.rmtree(here, True)"),
    "no output": below("import sys\nsys.stdout = sys.stderr = None", "print = None"),
    "an alarm": below("import signal\nsignal.alarm(1)"),
    "threads": below("import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()"),
    "every name deleted": below("for name in list(globals()):\n    if name[0] != '_':\n        del globals()[name]"),
    "names used again": below("for wave in range(3):\n    pass\nnp = None", "with open('f', 'w') as center:\n    pass"),
    # scratch cells that fail
    "text": above("Here I explain.", "$$x^2$$", "…", "def f(:", '"""', "%", "!", "?"),
    "errors that are no exceptions": above("raise KeyboardInterrupt", "raise SystemExit", "exit()", "quit", "%exit"),
    "an event loop": above("import asyncio\nawait asyncio.sleep(0)", "asyncio.run(asyncio.sleep(0))"),
    "a kernel": above("get_ipython().kernel.do_shutdown(True)", "%load_ext autoreload\n%autoreload 2"),
    "a window": above("import matplotlib\nmatplotlib.use('TkAgg')", "%matplotlib qt", "%matplotlib widget"),
    "widgets": above("from ipywidgets import interact\n@interact(x=3)\ndef show(x):\n    pass"),
}


@pytest.mark.parametrize("form", RIGHT_FORMS)
def test_a_right_answer_gets_full_marks(form: str, judge: Judge) -> None:
    grade = judge.grade(submission(*RIGHT_FORMS[form]))
    assert grade.score == POINTS, [check for q in grade.questions for check in q.checks if check.message]


BROKEN_FORMS = {
    "an error above it": (f"print(nobody)\n{WAVE}", "Cell 3 defines it, but did not run: NameError"),
    "a loop without end above it": (
        f"while True:\n    pass\n{WAVE}",
        "Cell 3 defines it, but did not run: The cell took",
    ),
    "an exit above it": (
        f"import os\nos._exit(0)\n{WAVE}",
        "Cell 3 defines it, but did not run: The cell ended Python",
    ),
    "a decorator that is nowhere": (f"@njit\n{WAVE}", "NameError: name 'njit' is not defined"),
    "a typist's space": (WAVE.replace("    ", "\N{NO-BREAK SPACE}" * 4), "non-printable character U+00A0"),
    "another letter": (WAVE.replace("wave", "w\N{CYRILLIC SMALL LETTER A}ve"), "`wave` is not defined"),
    "another case": (WAVE.replace("wave", "Wave"), "Did you mean `Wave`?"),
    "a string": (f"'''{WAVE}'''", "`wave` is not defined"),
    "an inner function": (f"def mine():\n    {INDENTED}\n    return wave", "`wave` is not defined"),
    "a file": (f"%%writefile wave.py\n{WAVE}", "`%%writefile` throws definitions away"),
    "a magic that nobody knows": (f"%%cython\n{WAVE}", "Cell magic `%%cython` not found"),
    "Python 2": (WAVE.replace("return", "print 'waves'\n    return"), "Missing parentheses in call to 'print'"),
    "a coroutine": (f"async {WAVE}", "`wave` returned something of type coroutine, not numbers"),
    "a generator": (f"def wave(x):\n    yield {VALUE}", "`wave` returned something of type generator"),
    "nothing": (f"def wave(x):\n    print({VALUE})", "`wave` returned None. Is the `return` missing?"),
    "text that looks like numbers": (f"def wave(x):\n    return str({VALUE})", "`wave` returned a str, not"),
    "objects that are no numbers": (
        f"def wave(x):\n    return ({VALUE}).astype(str).astype(object)",
        "array of object",
    ),
    "a package that is not here": (f"import numba\n{WAVE.replace('np.tanh', 'numba.tanh')}", "numba"),
}


@pytest.mark.parametrize("form", BROKEN_FORMS)
def test_a_broken_answer_loses_its_own_question_and_is_told_why(form: str, judge: Judge) -> None:
    cell, reason = BROKEN_FORMS[form]
    grade = judge.grade(submission(*with_wave(cell)))
    assert points(grade)["center"] == 3
    assert lost(grade)["wave"] == 5
    assert reason in check(grade, "wave", "worked_example").message


def test_a_name_that_was_meant_is_told_to_its_own_notebook_alone(judge: Judge) -> None:
    for own in ("Wave", "WAVE", "wave_2"):
        grade = judge.grade(submission(*with_wave(WAVE.replace("wave", own))))
        assert f"Did you mean `{own}`?" in check(grade, "wave", "worked_example").message
    assert "Did you mean" not in check(judge.grade(submission(*with_wave("pass"))), "wave", "worked_example").message


def test_what_was_left_out_and_forgiven_is_in_the_record(judge: Judge) -> None:
    cell = f"name = input()\nimport numba\n@numba.njit\n{WAVE}\nwhile True:\n    pass"
    grade = judge.grade(submission(*with_wave(cell)))
    [stopped] = grade.cells
    assert (stopped.index, stopped.status) == (2, "timeout")
    assert stopped.message == "The cell took too long and was left out from there on."
    assert "The keyboard cannot be had while grading; the rest of the cell was run." in grade.notes
    assert "`wave` was defined without numba, which is not installed here." in grade.notes


def test_a_cell_that_hangs_as_soon_as_it_is_cut_is_left_out(judge: Judge) -> None:
    """What was reached is the notebook's own word: one that lies about it costs itself a cell, and nobody the time."""
    cell = "for n in range(2):\n    while n or open('twice', 'a').tell() == 0:\n        pass"
    grade: Grade = judge.grade(submission(*above(f"x = 1\n{cell}\nprint(x)"), *below()))
    assert grade.score == POINTS
    assert [stopped.status for stopped in grade.cells] == ["timeout"]


def test_a_cell_that_came_to_its_end_keeps_its_time_when_another_hangs(judge: Judge) -> None:
    """Others have a quarter of theirs from then on: what hangs in one cell mostly hangs in the next as well."""
    slow = "import time\nbegan = time.process_time()\nwhile time.process_time() - began < {}:\n    pass\n"
    cells = with_wave(slow.format(0.2) + WAVE), "while True:\n    pass", slow.format(0.4)
    grade: Grade = judge.grade(submission(*cells[0], *cells[1:]))
    assert grade.score == POINTS
    assert [(stopped.index, stopped.status) for stopped in grade.cells] == [(4, "timeout"), (5, "timeout")]


def test_of_two_notebooks_in_a_zip_the_one_of_the_labs_name_is_graded(tmp_path: Path) -> None:
    path = tmp_path / "hw.zip"
    path.write_bytes(zipped({"hw/toy.ipynb": bare(RIGHT), "hw/scratch.ipynb": bare(("1 + 1",))}))
    chosen = read_submission(path, lab="toy")
    assert [cell.source for cell in chosen.cells] == list(RIGHT)
    assert chosen.notes == ("The zip holds 2 notebooks; “hw/toy.ipynb” was graded.",)


def bare(cells: tuple[str, ...]) -> bytes:
    """A notebook that does not name its lab."""
    return notebook(*cells).replace(b'"assignment_name": "toy"', b"")
