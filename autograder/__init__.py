"""Grades notebooks without letting their code near the answers.

The way of one submission:

    course.py       grading.yml becomes a Course of Labs, Questions and Checks
    master.py       a lab's master becomes the reference, the given cells and the handout
    notebook.py     a notebook's bytes become cells, whatever their form (mending.py), or are refused (rejected.py)
    submission.py   a file or zip becomes a Submission, or is Rejected with a reason
    sandbox/        a Submission becomes a running notebook; Student is the judge's handle on it
    reference.py    the right answers, and the known wrong ones, run in the judge
    compare.py      the vocabulary of a check, and the sentences it fails with
    suite.py        the suites, collected once, run on a pair of Student and reference
    diagnosis.py    a failed question's calls become a misconception, if exactly one fits
    known.py        what a check found after the same replies is not found out again
    marking.py      all checks of one notebook: verdicts, follow-through, causes
    grade.py        a Submission becomes a Grade (record.py), which everything else reads
    classroom.py    many submissions, on local processes (workers.py) or a Dask cluster (cluster.py)
    gradebook.py    Grades are kept: nothing is lost, and nothing unchanged is graded again
    results.py      the Grades of one call, with names, people's marks and the rule for attempts laid over them
    reports/        Grades become csv, json, html, Gradescope's and GitHub's forms

For a class on GitHub, collect.py fetches the notebooks before it (github_api.py asks, collection.py remembers), and
publish.py comments on them after it. Neither ever runs what it fetches.

Beside it: build.py makes what is handed out, audit.py tries the marking itself, otter.py and github.py grade in other
places, explain.py shows staff one question, doctor.py says what works on a machine. Data goes one way, top to bottom:
docs/architecture.md has the picture, and a test compares it with the imports.
"""
