"""The untrusted side: where students' notebooks run.

    zygote.py     the warm process from which workers are forked
    warmup.py     what is done in it once, so that no worker has to
    worker.py     the process in which one notebook runs, and its answers to the judge
    shell.py      a notebook's cells, with IPython's semantics
    bare.py       definitions without the packages that are missing
    namespace.py  which definition of a name counts
    aliases.py    by which other ways a notebook reaches its own functions
    state.py      global state, put back before every call
    confine.py    what a student's process may not do: with linux.py, landlock.py and seccomp.py

on both sides,

    codec.py      values as bytes
    wire.py       what judge and worker say to each other
    orders.py     what the judge has the zygote do

and, in the judge's own process,

    host.py       starts, limits and ends those processes
    notebook.py   one notebook, from its first cell to its end
    student.py    the handle with which suites call a student's functions
    slots.py      a user id for each sandbox on a machine

Nothing in the first two lists imports the rubric, the suites or the answers: the process that it runs in must hold no
secret.
"""
