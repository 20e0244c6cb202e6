"""Which notebook of a repository is graded: one rule, for a student's own workflow and for staff who collect."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from autograder.submission import Rejected


def may_be_graded(file: str) -> bool:
    """Whether a file of a repository may be the notebook: nothing hidden is."""
    return file.lower().endswith((".ipynb", ".ipynb.txt")) and not file.startswith(".") and "/." not in file


def choose(lab: str, files: Iterable[str], is_of_the_lab: Callable[[str], bool]) -> str:
    """The notebook of the lab's name, the only one that says it is of the lab, or the only one. Raises Rejected.

    Notebooks are looked into only where names do not tell.
    """
    found = list(files)
    if f"{lab}.ipynb" in found:
        return f"{lab}.ipynb"
    if not found:
        raise Rejected("the repository holds no notebook", f"Commit and push {lab}.ipynb")
    chosen = [file for file in found if len(found) == 1 or is_of_the_lab(file)] or found
    if len(chosen) > 1:
        listed = ", ".join(map(_shown, chosen[:3])) + (", …" if len(chosen) > 3 else "")
        problem = f"the repository holds {len(chosen)} notebooks ({listed})"
        raise Rejected(problem, f"Keep the one to be graded, or call it {lab}.ipynb")
    return chosen[0]


def _shown(file: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in file)
