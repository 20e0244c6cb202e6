"""What a lecturer wants to know of a class: what went well, what to teach again, what to look at."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.course import Lab
from autograder.record import Grade
from autograder.reports.feedback import UNWRITTEN, Texts
from autograder.reports.histogram import Histogram

MASTERED = 0.9
"""Share of each question's points, in the mean, from which there is nothing to teach again."""

FEW = 0.2
"""Discrimination below which a question's points tell little about who knows the matter."""


@dataclass
class LabOverview:
    """One lab's class, summed up while grades stream by: it keeps numbers, not records."""

    lab: Lab
    told: Texts
    rejected: int = 0
    pending: int = 0
    rows: list[list[int]] = field(default_factory=list)
    marked: list[list[bool]] = field(default_factory=list)
    """As `rows`, whether nothing of a question waits for a person."""
    possible: list[int] = field(default_factory=list)
    """What is possible for each row; it grows when a person marks."""
    waiting: Counter[tuple[str, str]] = field(default_factory=Counter)
    passed: Counter[tuple[str, str]] = field(default_factory=Counter)
    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    unwritten: Counter[str] = field(default_factory=Counter)

    def add(self, grade: Grade) -> None:
        """One more submission."""
        if grade.status == "rejected":
            self.rejected += 1
            return
        self.pending += grade.pending
        self.rows.append([question.score for question in grade.questions])
        self.marked.append([not question.pending for question in grade.questions])
        self.possible.append(grade.possible)
        for question in grade.questions:
            names = {check.misconception for check in question.checks if check.misconception}
            self.met.update((question.name, name) for name in names)
            self.passed.update((question.name, check.name) for check in question.checks if check.status == "passed")
            self.waiting.update((question.name, check.name) for check in question.checks if check.status == "pending")
            stubs = [UNWRITTEN in check.message for check in question.checks]
            self.unwritten[question.name] += bool(stubs) and all(stubs)

    def summary(self) -> dict[str, object]:
        """All that the report's template shows of this lab."""
        scores = np.array(self.rows, dtype=float).reshape(len(self.rows), len(self.lab.questions))
        marked = np.array(self.marked, dtype=bool).reshape(scores.shape)
        totals = scores.sum(axis=1)
        questions = [
            self._question(name, scores[:, column], totals, marked[:, column])
            for column, name in enumerate(self.lab.questions)
        ]
        low, high = np.percentile(totals, [25, 75]) if len(totals) else (0, 0)
        return {
            "name": self.lab.name,
            "title": self.lab.title,
            "graded": len(self.rows),
            "rejected": self.rejected,
            "pending": self.pending,
            "possible": self._possible(),
            "mean": float(totals.mean()) if len(totals) else 0.0,
            "low": f"{low:.0f}",
            "high": f"{high:.0f}",
            "questions": questions,
            "few": FEW,
            "teach": self._to_teach_again(questions),
            "unwritten": [(name, count) for name, count in self.unwritten.most_common() if count],
            "misconceptions": self._misconceptions(),
            "checks": self._checks(),
            "histogram": Histogram.of(totals, max(self.possible, default=self.lab.possible), self.lab.name),
        }

    def _possible(self) -> str:
        """The points that the class could have; they differ while some are marked by a person and others wait."""
        least, most = min(self.possible, default=self.lab.possible), max(self.possible, default=self.lab.possible)
        return f"{most}" if least == most else f"{least} to {most}"

    def _question(self, name: str, scores: np.ndarray, totals: np.ndarray, marked: np.ndarray) -> dict[str, object]:
        """One question's figures, over the submissions in which nothing of it waits for a person."""
        question = self.lab.questions[name]
        rest, scores = (totals - scores)[marked], scores[marked]
        varies = len(scores) > 2 and scores.std() > 0 and rest.std() > 0
        mean = float(scores.mean()) if len(scores) else 0.0
        return {
            "name": name,
            "possible": question.points,
            "mean": mean,
            "spread": float(scores.std()) if len(scores) else 0.0,
            "earned": mean / question.points,
            "lost": int((scores < question.points).sum()),
            "discrimination": float(np.corrcoef(scores, rest)[0, 1]) if varies else None,
            "marked": len(scores),
            "waiting": int((~marked).sum()),
            "written": question.kind == "written",
        }

    def _to_teach_again(self, questions: Iterable[Mapping[str, Any]]) -> dict[str, str] | None:
        """The question of which the class earned least, and why, in sentences; None where there is none to teach."""
        ranked = sorted((q for q in questions if q["marked"] and not q["written"]), key=lambda q: q["earned"])
        if not ranked or ranked[0]["earned"] >= MASTERED:
            return None
        weakest, others = ranked[0], [f"{q['name']} ({100 * q['earned']:.0f} %)" for q in ranked[1:3]]
        name = weakest["name"]
        return {
            "question": name,
            "points": f"the class earned {100 * weakest['earned']:.0f} % of its points, the smallest share of all "
            f"questions; {weakest['lost']} of {times(weakest['marked'])} lost some."
            + (f" Next come {' and '.join(others)}." if others else ""),
            "cause": self._commonest_cause(name),
            "check": self._hardest_check(name),
        }

    def _commonest_cause(self, question: str) -> str:
        """Why points were lost there, as far as it is known."""
        met = max(((count, name) for (of, name), count in self.met.items() if of == question), default=(0, ""))
        hint = self.told.hints.get((question, met[1]), "")
        causes = [
            (met[0], f"The commonest known cause is “{spoken(met[1])}” ({times(met[0])}): {hint}".rstrip(": ")),
            (self.unwritten[question], f"{times(self.unwritten[question])} did not begin it."),
        ]
        known = [text for count, text in sorted(causes, reverse=True) if count]
        return " ".join(known) or "No known misconception explains it: read some of the answers."

    def _hardest_check(self, question: str) -> str:
        key = min((key for key in self._keys() if key[0] == question), key=self._rate)
        asks = self.told.asks.get(key, "")
        return f"Its hardest check is “{spoken(key[1])}”, which {100 * self._rate(key):.0f} % passed. {asks}".strip()

    def _keys(self) -> list[tuple[str, str]]:
        return [(check.question, check.name) for check in self.lab.checks]

    def _rate(self, key: tuple[str, str]) -> float:
        return self.passed[key] / max(1, len(self.rows) - self.waiting[key])

    def _misconceptions(self) -> list[dict[str, object]]:
        return [
            {"question": question, "name": name, "count": count, "hint": self.told.hints.get((question, name), "")}
            for (question, name), count in self.met.most_common()
        ]

    def _checks(self) -> list[dict[str, object]]:
        return [
            {"question": key[0], "name": key[1], "asks": self.told.asks.get(key, ""), "passed": self._rate(key)}
            for key in sorted(self._keys(), key=self._rate)
        ]


def spoken(name: str) -> str:
    """A name in code as words."""
    return name.replace("_", " ")


def times(count: int) -> str:
    """How many submissions."""
    return f"{count} submission{'s' * (count != 1)}"


def troubles(grade: Grade) -> list[str]:
    """Why a person may want to look at a submission."""
    if grade.status == "rejected":
        return [f"could not be read: {grade.reason}", *grade.warnings]
    stopped: dict[str, list[str]] = defaultdict(list)
    for cell in grade.cells:
        if cell.status != "error":
            stopped[cell.status].append(str(cell.index + 1))
    words = {"timeout": "took too long", "killed": "ended Python"}
    found = [f"cell {', '.join(cells)} {words.get(status, status)}" for status, cells in stopped.items()]
    hung = [question.name for question in grade.questions if any(c.status == "timeout" for c in question.checks)]
    return [*found, *([f"a call took too long in {', '.join(hung)}"] if hung else []), *grade.warnings]
