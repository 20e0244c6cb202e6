"""What other systems need of a lab, as folders in `dist/<lab>/`.

`github-template/` is for students and `classroom50/` can be read by anybody: both hold the public part alone.
`github-staff/` holds everything and is for staff's own private repository.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from autograder.bundle import grader_pins, grader_requirements, package_wheel, packed_course, template
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


def github_staff(lab: Lab, handout: bytes) -> dict[str, bytes]:
    """The files of `github-staff/`: the lab with all its answers, the grader, and the workflow that grades a class."""
    files = {
        ".github/workflows/grade.yml": template("github-staff/grade.yml", LAB=lab.name, TITLE=lab.title).encode(),
        "README.md": template("github-staff/README.md", LAB=lab.name, TITLE=lab.title).encode(),
        ".gitignore": template("github-staff/gitignore").encode(),
    }
    files |= {f"course/{path}": data for path, data in packed_course(lab, handout).items()}
    return files | {f"grader/{path}": data for path, data in wheelhouse(lab, "grader").items()}


def classroom50(lab: Lab, master: Master) -> dict[str, bytes]:
    """The files of `classroom50/`, a bundle whose entry point is `autograder.py`."""
    files = {"autograder.py": template("classroom50/autograder.py", TITLE=lab.title).encode()}
    files |= {f"course/{path}": data for path, data in public_course(lab, master).items()}
    return files | {f"grader/{path}": data for path, data in wheelhouse(lab, "grader").items()}


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
