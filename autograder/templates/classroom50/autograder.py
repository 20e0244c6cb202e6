"""Classroom 50 runs this at every push, in the student's checkout: it grades the public part of a lab.

The lab: @TITLE@

Everybody can read what lies here. It holds the public checks and the grader, no answer and no hidden check, and what it
finds is a first look: the grade is made elsewhere.
"""

import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE / "environment"
PYTHON = ENVIRONMENT / "bin" / "python"
INSTALL = ["pip", "install", "--quiet", "--disable-pip-version-check"]
NEEDED = ["-r", "grader/requirements.txt", "-c", "grader/constraints.txt"]
OURS = ["--no-index", "--no-deps", "--require-hashes", "-r", "grader/grader.txt"]
GRADE = ["autograder", "--course", str(HERE / "course"), "github", "."]


def main() -> int:
    """Install the grader beside this file, if it is not there yet, and grade; its status is ours."""
    if not PYTHON.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    run = [str(PYTHON), "-I", "-m"]
    for packages in (NEEDED, OURS):
        subprocess.run([*run, *INSTALL, *packages], cwd=HERE, check=True)
    return subprocess.run([*run, *GRADE]).returncode


if __name__ == "__main__":
    sys.exit(main())
