"""What a lecturer wants to know of a class: what went well, what to teach again, what to look at."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from markupsafe import Markup

from autograder.course import Lab
from autograder.record import Grade

HARD = 0.6
"""Share of a question's points, in the mean, below which it is worth teaching again."""


@dataclass
class LabOverview:
    """One lab's class, summed up while grades stream by: it keeps numbers, not records."""

    lab: Lab
    asks: Mapping[tuple[str, str], str]
    hints: Mapping[tuple[str, str], str]
    rejected: int = 0
    pending: int = 0
    rows: list[list[int]] = field(default_factory=list)
    passed: Counter[tuple[str, str]] = field(default_factory=Counter)
    met: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, grade: Grade) -> None:
        """One more submission."""
        if grade.status == "rejected":
            self.rejected += 1
            return
        self.pending += grade.pending
        self.rows.append([question.score for question in grade.questions])
        for question in grade.questions:
            names = {check.misconception for check in question.checks if check.misconception}
            self.met.update((question.name, name) for name in names)
            self.passed.update((question.name, check.name) for check in question.checks if check.status == "passed")

    def summary(self) -> dict[str, object]:
        """All that the report's template shows of this lab."""
        scores = np.array(self.rows, dtype=float).reshape(len(self.rows), len(self.lab.questions))
        totals = scores.sum(axis=1)
        questions = [self._question(name, scores[:, column], totals) for column, name in enumerate(self.lab.questions)]
        low, high = np.percentile(totals, [25, 75]) if len(totals) else (0, 0)
        return {
            "name": self.lab.name,
            "title": self.lab.title,
            "graded": len(self.rows),
            "rejected": self.rejected,
            "pending": self.pending,
            "possible": self.lab.possible,
            "mean": float(totals.mean()) if len(totals) else 0.0,
            "low": f"{low:g}",
            "high": f"{high:g}",
            "questions": questions,
            "teach": self._to_teach_again(questions),
            "misconceptions": self._misconceptions(),
            "checks": self._checks(),
            "histogram": histogram(totals, self.lab.possible),
        }

    def _question(self, name: str, scores: np.ndarray, totals: np.ndarray) -> dict[str, object]:
        question = self.lab.questions[name]
        rest = totals - scores
        varies = len(scores) > 2 and scores.std() > 0 and rest.std() > 0
        mean = float(scores.mean()) if len(scores) else 0.0
        return {
            "name": name,
            "possible": question.points,
            "mean": mean,
            "spread": float(scores.std()) if len(scores) else 0.0,
            "earned": mean / question.points,
            "discrimination": float(np.corrcoef(scores, rest)[0, 1]) if varies else None,
            "written": question.kind == "written",
        }

    def _to_teach_again(self, questions: Iterable[Mapping[str, object]]) -> str:
        """The hardest questions, each with the misconception met most often there."""
        hard = sorted((float(str(q["earned"])), str(q["name"])) for q in questions if not q["written"])
        parts = []
        for earned, name in [pair for pair in hard if pair[0] < HARD][:3] if self.rows else []:
            met = [(count, m) for (question, m), count in self.met.items() if question == name]
            why = f", most often for {max(met)[1].replace('_', ' ')} ({max(met)[0]} students)" if met else ""
            parts.append(f"{name} (the class earned {100 * earned:.0f} % of it{why})")
        return "; ".join(parts) + "." if parts else ""

    def _misconceptions(self) -> list[dict[str, object]]:
        return [
            {"question": question, "name": name, "count": count, "hint": self.hints.get((question, name), "")}
            for (question, name), count in self.met.most_common()
        ]

    def _checks(self) -> list[dict[str, object]]:
        keys = [(check.question, check.name) for check in self.lab.checks]
        rate = {key: self.passed[key] / max(1, len(self.rows)) for key in keys}
        return [
            {"question": key[0], "name": key[1], "asks": self.asks.get(key, ""), "passed": rate[key]}
            for key in sorted(keys, key=lambda key: rate[key])
        ]


def histogram(totals: np.ndarray, possible: int) -> Markup:
    """The distribution of points as inline SVG, with its numbers as text for those who do not see it.

    Without matplotlib (`pip install autograder[report]`) the text stands alone.
    """
    counts, edges = np.histogram(totals, bins=np.linspace(0, possible, min(possible, 20) + 1))
    bars = [(count, low, high) for count, low, high in zip(counts, edges, edges[1:], strict=False) if count]
    told = ", ".join(f"{count} from {low:.0f} to {high:.0f}" for count, low, high in bars)
    label = Markup.escape(f"Histogram of points: {told or 'no submissions'}.")
    try:
        svg = _bars(counts, edges)
    except ImportError:
        return Markup("<p>{}</p>").format(label)
    return Markup(svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1))


def _bars(counts: np.ndarray, edges: np.ndarray) -> str:
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(8, 2.6), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.add_subplot()
    axes.bar(edges[:-1], counts, width=np.diff(edges), align="edge", color="#2456a6", edgecolor="white")
    axes.set(xlabel="points", ylabel="submissions", xlim=(0, float(edges[-1])))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def troubles(grade: Grade) -> list[str]:
    """Why a person may want to look at a submission."""
    if grade.status == "rejected":
        return [f"could not be read: {grade.reason}"]
    stopped: dict[str, list[str]] = defaultdict(list)
    for cell in grade.cells:
        if cell.status != "error":
            stopped[cell.status].append(str(cell.index + 1))
    words = {"timeout": "took too long", "killed": "ended Python"}
    found = [f"cell {', '.join(cells)} {words.get(status, status)}" for status, cells in stopped.items()]
    return [*found, *grade.warnings]
