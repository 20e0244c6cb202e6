"""How a class's points are distributed."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup


@dataclass(frozen=True)
class Histogram:
    """The distribution of points: how many submissions lie between two edges and the next. `name` begins all ids, for
    a page may show several.

    As HTML it is inline SVG, with its numbers as text for those who do not see it; without matplotlib (`pip install
    autograder[report]`) the text stands alone. It is drawn when a page is written, and not where none would change.
    """

    counts: tuple[int, ...]
    edges: tuple[float, ...]
    name: str

    @classmethod
    def of(cls, totals: np.ndarray, possible: int, name: str) -> Histogram:
        """A class's points in at most twenty bins, up to what is possible or, where somebody has more, to that."""
        possible = max(possible, int(totals.max(initial=0)))
        counts, edges = np.histogram(totals, bins=np.linspace(0, possible, min(possible, 20) + 1))
        return cls(tuple(counts.tolist()), tuple(edges.tolist()), name)

    def __html__(self) -> str:
        bars = [(count, low, high) for count, low, high in zip(self.counts, self.edges, self.edges[1:], strict=False)]
        told = ", ".join(f"{count} from {low:.0f} to {high:.0f}" for count, low, high in bars if count)
        label = Markup.escape(f"Histogram of points: {told or 'no submissions'}.")
        try:
            svg = _bars(np.array(self.counts), np.array(self.edges))
        except ImportError:
            return Markup("<p>{}</p>").format(label)
        svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{self.name}-", svg)
        return svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)


def _bars(counts: np.ndarray, edges: np.ndarray) -> str:
    from matplotlib import rc_context
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
    with rc_context({"svg.hashsalt": "histogram"}):  # the same numbers give the same file
        figure.savefig(text, format="svg", metadata={"Date": None}, transparent=True)
    return text.getvalue()[text.getvalue().index("<svg") :]
