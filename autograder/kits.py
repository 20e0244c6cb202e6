"""What other systems need of a lab, as folders in `dist/<lab>/`: for now the template of students' repositories."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from autograder.bundle import grader_pins, grader_requirements, package_wheel, template
from autograder.course import Lab
from autograder.handout import GRADER, public_course
from autograder.master import Master
from autograder.sandbox.host import WALL_FACTOR

SETUP_MINUTES = 10
"""For installing the grader, beyond what a submission's own limits allow."""


def github_template(lab: Lab, master: Master, handed_out: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of `github-template/`; `handed_out` are those of `assignments/<lab>/`, by name."""
    minutes = SETUP_MINUTES + int(lab.limits.total_seconds * WALL_FACTOR / 60)
    public = lab.public()
    readme = template("github/README.md", LAB=lab.name, PUBLIC=str(public.possible), WHOLE=str(lab.whole))
    files: dict[str, bytes] = {
        **handed_out,
        "README.md": handed_out["README.md"].rstrip() + b"\n" + readme.encode(),
        ".gitignore": template("github/gitignore").encode(),
        ".devcontainer/devcontainer.json": template("github/devcontainer.json", TITLE=_in_json(lab.title)).encode(),
        ".github/workflows/classroom.yml": template(
            "github/classroom.yml", TITLE=lab.title, MINUTES=str(minutes)
        ).encode(),
    }
    course = public_course(lab, master) | wheelhouse(lab, GRADER)
    return files | {f"{GRADER}/{path}": data for path, data in course.items()}


def wheelhouse(lab: Lab, folder: str) -> dict[str, bytes]:
    """The package as a wheel, its hash, and what it needs; `folder` is where they will lie, seen from the checkout."""
    name, wheel = package_wheel()
    digest = hashlib.sha256(wheel).hexdigest()
    return {
        name: wheel,
        "grader.txt": f"./{folder}/{name} --hash=sha256:{digest}\n".encode(),
        "requirements.txt": grader_requirements(lab).encode(),
        "constraints.txt": grader_pins(lab).encode(),
    }


def _in_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
