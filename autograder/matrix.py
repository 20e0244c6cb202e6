"""The audit's results as text: the kill matrix of each lab, and the line that sums it up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from autograder.audit import LabAudit, Result
from autograder.audited import FAULT, marked, sections_of, sentence
from autograder.course import Check, Course, Question

INTRODUCTION = """\
# What the marking accepts and catches

A suite is a classifier, so it is tested as one. `autograder audit` wrote this page (`--check` fails when it is stale):

- an **alternative** is a right answer in another style: it must earn every point of the lab and be told nothing;
- a **misconception** is a wrong answer that students give: it must lose points in its own question, in no other, and be
  told its name, unless another one gives the same outputs;
- a **mutant** is the master's answer with one small slip, made by cosmic-ray's operators: a check of its own question
  must fail.

A check that caught an answer *alone* is needed: without it, that answer would pass. Cases lie in
`solutions/<lab>/alternatives/` and `misconceptions/`, mutants that no check can tell from the answer, with the reason
each, in `solutions/<lab>/equivalent_mutants.yml`.
"""


def summary(audits: Sequence[LabAudit]) -> str:
    """The last line of `autograder audit`."""
    right, wrong, mutants = (
        [r for a in audits for r in a.of(kind)] for kind in ("alternative", "misconception", "mutant")
    )
    return sentence(
        _share(r.is_right and not r.told for r in right),
        _share(r.lost > 0 for r in wrong),
        sum(r.is_named for r in wrong),
        _share(r.lost > 0 for r in mutants),
    )


def page(course: Course, audits: Sequence[LabAudit], before: str = "") -> str:
    """`docs/audit.md`; the sections of labs that were not tried this time stay as they were `before`."""
    sections = sections_of(before)
    sections |= {audit.lab.name: marked(audit.lab, section(audit)) for audit in audits}
    return "\n\n".join([INTRODUCTION.strip(), *(sections[lab] for lab in course.labs if lab in sections)]) + "\n"


def section(audit: LabAudit) -> str:
    """One lab's part of the page."""
    asked = [question for question in audit.lab.questions.values() if question.kind == "auto"]
    parts = [f"## {audit.lab.name}: {audit.lab.title}", f"{summary([audit])}.", matrix(audit, asked)]
    if audit.faults:
        parts.append("\n".join(f"{FAULT}{fault}" for fault in audit.faults))
    if idle := [_name(check) for question in asked for check in question.checks if not _alone(audit, check)]:
        parts.append(f"**Never alone in catching anything**: {', '.join(idle)}.")
    if nameless := [f"`{r.name}` ({r.question})" for r in audit.of("misconception") if r.expected is None]:
        parts.append(
            f"**Caught, but no cause is named**, since another slip has the same outputs: {', '.join(nameless)}."
        )
    if reasons := [(r, why) for r in audit.results if (why := audit.why_equivalent(r))]:
        rows = [[r.question, f"`{r.name.replace('|', chr(92) + '|')}`", why] for r, why in reasons]
        parts += ["**Equivalent mutants**, which no check could catch:", _table(["question", "mutant", "why"], rows)]
    return "\n\n".join(parts)


def matrix(audit: LabAudit, questions: Iterable[Question]) -> str:
    """How many answers each question accepts or catches, and by which checks."""
    rows: list[list[str]] = []
    for question in questions:
        right, wrong, mutants = (audit.of(kind, question.name) for kind in ("alternative", "misconception", "mutant"))
        rows.append(
            [
                f"**{question.name}**",
                str(question.points),
                _share(r.is_right and not r.told for r in right),
                _share(r.lost > 0 for r in wrong),
                str(sum(r.is_named for r in wrong)),
                _share(r.lost > 0 for r in mutants),
                str(len(_needing(audit, question))),
            ]
        )
        for check in question.checks:
            caught = [sum(check.name in r.caught_by for r in results) for results in (wrong, mutants)]
            alone = len(_alone(audit, check))
            rows.append([_name(check), str(check.points), "", str(caught[0]), "", str(caught[1]), str(alone)])
    heads = ["question, check", "points", "alternatives", "misconceptions", "named", "mutants", "alone"]
    return _table(heads, rows)


def _needing(audit: LabAudit, question: Question) -> list[Result]:
    """The wrong answers to a question that a single check catches."""
    wrong = [*audit.of("misconception", question.name), *audit.of("mutant", question.name)]
    return [result for result in wrong if len(result.caught_by) == 1]


def _alone(audit: LabAudit, check: Check) -> list[Result]:
    question = audit.lab.questions[check.question]
    return [result for result in _needing(audit, question) if result.caught_by == (check.name,)]


def _name(check: Check) -> str:
    return f"{check.question}.{check.name}"


def _share(verdicts: Iterable[bool]) -> str:
    found = list(verdicts)
    return f"{sum(found)}/{len(found)}"


def _table(heads: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [heads, *rows]]
    return "\n".join(f"| {line} |" for line in [lines[0], " | ".join("-" * width for width in widths), *lines[1:]])
