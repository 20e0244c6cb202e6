"""The checks of one submission under pytest as anybody knows it: `-k`, `--pdb`, `print` and the rest.

For whoever writes a check or looks into one. It runs on the notebook as it is, without follow-through and without
causes; the grade is `autograder grade`'s to give.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.errors import Explained
from autograder.grade import Judge
from autograder.known import prepare
from autograder.rejected import Rejected
from autograder.submission import read_submission
from autograder.suite import fixtures, key_of


class OneSubmission:
    """A pytest plugin: the suites of one lab, and the running notebook that they are tried on."""

    def __init__(self, file: Path, root: Path) -> None:
        """Read and run the file, for the course in `root`. Raises pytest.UsageError."""
        self._open = ExitStack()
        try:
            self._start(file, root)
        except (Explained, Rejected) as problem:
            self.close()
            raise pytest.UsageError(f"{file}: {problem}") from None

    def _start(self, file: Path, root: Path) -> None:
        submission, labs = read_submission(file), load_course(root).labs
        if submission.lab not in labs:
            raise Explained(
                f"the notebook names no lab of this course ({', '.join(labs)}). Take one that was built here."
            )
        self.lab = labs[submission.lab]
        judge = Judge(self.lab)
        self._open.callback(judge.close)
        self._marking = self._open.enter_context(judge.running(submission))
        self._copies = self._open.enter_context(self._marking.copies())

    def close(self) -> None:
        """End the sandbox."""
        self._open.close()

    def pytest_configure(self, config: pytest.Config) -> None:
        """Add what checks take: `student`, `reference`, and the lab's names."""
        config.pluginmanager.register(fixtures(self._marking.suite.providers))

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out the suites of other labs."""
        suites = self.lab.root / "tests"
        is_a_labs = collection_path.is_dir() and collection_path.parent in (suites / "public", suites / "hidden")
        return True if is_a_labs and collection_path.name != self.lab.name else None

    @pytest.fixture(autouse=True)
    def _bench(self, request: pytest.FixtureRequest) -> None:
        """Put the student's side and the reference on the bench, as the check wants them."""
        marking = self._marking
        question, name, visible = key_of(request.node, self.lab)
        (check,) = [c for c in self.lab.questions[question].checks if (c.name, c.visible) == (name, visible)]
        bound = marking.suite.standins(check)
        student, reference = self._copies.where(bound), marking.answers.reference(bound)
        prepare(student, reference)
        marking.suite.place(check, student, reference)
