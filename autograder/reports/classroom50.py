"""A grade as Classroom 50 reads it: `result.json`, in its schema `classroom50/result/v1`.

Its runner tells by the environment whose submission this is, and overwrites what a result must not choose for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from autograder.course import Lab
from autograder.record import Grade
from autograder.reports.github import counted

RESULT, BODY = "result.json", "release-body.md"
SCHEMA = "classroom50/result/v1"

NAMED = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "assignment_type": "ASSIGNMENT_TYPE",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
"""Keys of a result, and the variables that hold them."""


def identity(environment: Mapping[str, str]) -> dict[str, str] | None:
    """Whose submission of what this is; None where Classroom 50 does not run this."""
    if not all(environment.get(NAMED[key]) for key in ("classroom", "assignment", "submission", "commit", "release")):
        return None
    found = {key: environment.get(variable, "") for key, variable in NAMED.items()}
    found["assignment_type"] = found["assignment_type"] or "individual"
    found["owner"] = found["owner"] or environment.get("USERNAME") or environment.get("GITHUB_ACTOR", "")
    found["review"] = found["review"] or found["commit"]
    return found


def result(grade: Grade, lab: Lab, whose: Mapping[str, str], now: datetime) -> dict[str, Any]:
    """The result: points are whole numbers, a test is a check, and the totals are the grade's."""
    tests = [
        {
            "test-name": f"{question}: {check.name}",
            "passed": check.status == "passed",
            "score": check.score,
            "max-score": check.possible,
        }
        for question, check in counted(grade, lab)
    ]
    moment = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    totals = {"datetime": moment, "score": grade.score, "max-score": grade.possible}
    return {"schema": SCHEMA, **whose, **totals, "tests": tests}
