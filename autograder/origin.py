"""Where a notebook came from: the lab and the build that its metadata names, against what is handed out now."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.course import Lab
from autograder.notebook import read_notebook
from autograder.submission import Rejected, Submission


def current_build(lab: Lab) -> str | None:
    """The build that `assignments/<lab>/<lab>.ipynb` names; None where it does not lie there."""
    try:
        return read_notebook(lab.handout.read_bytes()).build
    except (OSError, Rejected):
        return None


STRAY = "It was made for "
"""How a warning about a notebook of another lab begins."""


def origin_warnings(submission: Submission, lab: Lab) -> Iterator[str]:
    """What staff are told about a notebook of another lab: the lab that was named may be the wrong one."""
    if submission.lab is not None and submission.lab != lab.name:
        yield f"{STRAY}{submission.lab}, and graded as {lab.name}."


def origin_notes(submission: Submission, lab: Lab, current: str | None) -> Iterator[str]:
    """What a student is told about a notebook of another lab, or of an older build of this one."""
    if submission.lab is not None and submission.lab != lab.name:
        yield f"This notebook was made for {submission.lab}, and graded as {lab.name}: did you hand in the right one?"
    elif current is not None and submission.build is not None and submission.build != current:
        yield (
            "This notebook was made from an earlier version of the handout. It was graded by today's checks; "
            "compare its text with today's, if a check surprises you."
        )
