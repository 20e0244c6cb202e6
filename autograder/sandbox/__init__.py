"""The untrusted side: where students' notebooks run.

    wire.py       what may cross between judge and sandbox
    confine.py    what a student's process may not do
    shell.py      a notebook's cells, with IPython's semantics
    bare.py       definitions without the packages that are missing
    namespace.py  which definition of a name counts
    state.py      global state, put back before every call
    worker.py     the process in which one notebook runs, and its answers to the judge
    zygote.py     the warm process from which workers are forked

and, in the judge's own process,

    host.py       starts, limits and ends those processes
    student.py    the handle with which suites call a student's functions

Nothing in the first list imports the rubric, the suites or the answers: the process it runs in must hold no secret.
"""
