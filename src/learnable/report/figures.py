"""The figures of a report: small SVG drawings in the colours of the page, each with its data.

Text stays text and lines take the colour of the page's text, so that a figure is readable by
screen readers, in light and dark, and on paper.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from learnable.studies.sentences import points
from learnable.theory.statements import percent

if TYPE_CHECKING:
    from learnable.studies.study import Study

INK, ACCENT, PALE = "#010101", "#1f6fb2", "#8a8a8a"
MOST_BARS = 20
MOST_WORDS = 34


class Figure(NamedTuple):
    """A drawing, what it says, and the numbers in it.

    Attributes
    ----------
    name : str
        A short name.
    title : str
        Its heading.
    sentence : str
        What it shows, in one sentence.
    svg : str
        The drawing.
    data : dict of str to list
        The numbers, a column each.
    """

    name: str
    title: str
    sentence: str
    svg: str
    data: dict[str, list[Any]]


def figures(study: Study) -> list[Figure]:
    """Return the figures that the study has material for."""
    makers: list[Callable[[Study], Figure | None]] = [
        forest, importances, learning, calibration, cost_curve,
    ]  # fmt: skip
    return [figure for figure in (make(study) for make in makers) if figure is not None]


def forest(study: Study) -> Figure | None:
    """Draw the score of every learner with its interval."""
    if study.choice is None:
        return None
    lines = [line for line in study.choice.lines if np.isfinite(line.mean)]

    def draw(axes: Any) -> None:
        for place, line in enumerate(reversed(lines)):
            chosen = line.name == study.choice.name
            colour = ACCENT if chosen else INK
            if np.isfinite(line.low):
                axes.plot([line.low, line.high], [place, place], color=colour, lw=2)
            axes.plot(line.mean, place, "o", color=colour, ms=7 if chosen else 5)
        axes.set_yticks(range(len(lines)), [_short(line.title) for line in reversed(lines)])
        axes.set_xlabel(study.plan.metric.replace("_", " "))
        axes.set_ylim(-0.6, len(lines) - 0.4)

    best = study.choice.line(study.choice.best)
    return Figure(
        "learners", "Learners and their intervals",
        f"{best.title[:1].upper()}{best.title[1:]} has the best mean score, "
        f"{points(study, best.mean)}; the lines are {percent(study.plan.confidence)} intervals "
        "that allow for folds sharing rows.",
        _svg(draw, height=0.34 * len(lines) + 0.9),
        {
            "learner": [line.title for line in lines], "mean": [line.mean for line in lines],
            "low": [line.low for line in lines], "high": [line.high for line in lines],
        },
    )  # fmt: skip


def importances(study: Study) -> Figure | None:
    """Draw what each column is worth."""
    found = study.verdict.importances if study.verdict else None
    if found is None or not len(found.names):
        return None
    order = np.argsort(-found.importances_mean, kind="stable")[:MOST_BARS]
    names = [found.names[j] for j in order]

    def draw(axes: Any) -> None:
        for place, j in enumerate(order[::-1]):
            axes.plot([found.low[j], found.high[j]], [place, place], color=INK, lw=2)
            axes.plot(found.importances_mean[j], place, "o", color=ACCENT)
        axes.axvline(0.0, color=PALE, lw=1)
        axes.set_yticks(range(len(order)), [_short(name) for name in names[::-1]])
        lost = "share of right answers lost" if study.problem.classes else "squared error added"
        axes.set_xlabel(f"{lost} when the column is shuffled")

    sure = [names[i] for i, j in enumerate(order) if found.low[j] > 0.0]
    told = f"{len(sure)} of {len(found.names)} columns are worth something beyond doubt"
    return Figure(
        "importances", "What each column is worth",
        f"{told}{': ' + ', '.join(sure[:5]) if sure else ''}; columns that tell the same share "
        "their worth.",
        _svg(draw, height=0.3 * len(order) + 0.9),
        {
            "column": names,
            "worth": found.importances_mean[order].tolist(),
            "low": found.low[order].tolist(),
            "high": found.high[order].tolist(),
        },
    )  # fmt: skip


def learning(study: Study) -> Figure | None:
    """Draw the score by number of rows learned from."""
    curve = study.verdict.curve if study.verdict else None
    if curve is None or len(curve.train_sizes) < 2:
        return None
    sizes = curve.train_sizes
    mean, spread = curve.test_scores.mean(axis=1), curve.test_scores.std(axis=1)

    def draw(axes: Any) -> None:
        axes.fill_between(sizes, mean - spread, mean + spread, color=ACCENT, alpha=0.2, lw=0)
        axes.plot(sizes, mean, "o-", color=ACCENT, label="rows set aside")
        axes.plot(
            sizes, curve.train_scores.mean(axis=1), "--", color=INK, label="rows learned from"
        )
        axes.set_xlabel("rows learned from")
        axes.set_ylabel(study.plan.metric.replace("_", " "))
        axes.legend(frameon=False)

    gap = float(curve.train_scores.mean(axis=1)[-1] - mean[-1])
    return Figure(
        "learning", "More rows",
        f"With {sizes[-1]:,} rows the score is {points(study, float(mean[-1]))}, after "
        f"{points(study, float(mean[0]))} with {sizes[0]:,}; it is {points(study, gap)} higher on "
        "the rows learned from. The band is one standard deviation over folds.",
        _svg(draw),
        {"rows": sizes.tolist(), "score": mean.tolist(), "deviation": spread.tolist(),
         "score on rows learned from": curve.train_scores.mean(axis=1).tolist()},
    )  # fmt: skip


def calibration(study: Study) -> Figure | None:
    """Draw what came true against what was said."""
    bins = study.verdict.bins if study.verdict else ()
    if len(bins) < 2:
        return None

    def draw(axes: Any) -> None:
        axes.plot([0, 1], [0, 1], color=PALE, lw=1)
        for one in bins:
            axes.plot([one.said, one.said], [one.low, one.high], color=INK, lw=2)
        axes.plot([b.said for b in bins], [b.came for b in bins], "o", color=ACCENT)
        axes.set_xlabel("chance that the model gave its answer")
        axes.set_ylabel("share that was right")
        axes.set_xlim(min(b.said for b in bins) - 0.03, 1.02)
        axes.set_ylim(min(b.low for b in bins) - 0.03, 1.02)

    off = sum(not b.low <= b.said <= b.high for b in bins)
    told = (
        f"In none of {len(bins)} bins are the chances it gives off beyond doubt"
        if not off
        else f"In {off} of {len(bins)} bins the chances it gives are off beyond doubt"
    )
    return Figure(
        "calibration", "Can its chances be believed?",
        f"{told}; bins hold equal numbers of rows, lines are {percent(study.plan.confidence)} "
        "Wilson intervals.",
        _svg(draw),
        {name: [getattr(b, name) for b in bins] for name in ("said", "came", "low", "high", "n")},
    )  # fmt: skip


def cost_curve(study: Study) -> Figure | None:
    """Draw the cost of the answers by how much dearer one kind of error is (two classes)."""
    found = study.verdict.confusion if study.verdict else None
    if found is None or len(found.labels) != 2:
        return None
    positive = study.problem.wishes.positive or study.problem.classes[-1]
    p = [str(label) for label in found.labels].index(positive)
    n = found.matrix.sum()
    missed, alarms = found.matrix[p, 1 - p] / n, found.matrix[1 - p, p] / n
    share = found.matrix[p].sum() / n
    weights = np.linspace(0.0, 1.0, 41)
    ours = weights * missed + (1.0 - weights) * alarms
    never, always = weights * share, (1.0 - weights) * (1.0 - share)

    def draw(axes: Any) -> None:
        axes.plot(weights, ours, color=ACCENT, label="the model")
        axes.plot(weights, np.minimum(never, always), "--", color=INK, label="one answer for all")
        axes.set_xlabel(f"weight of missing {_short(positive)!r} (the rest: of false alarms)")
        axes.set_ylabel("mean cost of a row")
        axes.legend(frameon=False)

    worth = weights[ours < np.minimum(never, always)]
    told = (
        f"Where a miss weighs between {worth.min():.2f} and {worth.max():.2f} of all blame, the "
        "model costs less than answering everybody alike"
        if len(worth)
        else "For no weight of the two errors does the model cost less than one answer for all"
    )
    return Figure(
        "costs", "What errors cost", f"{told}.", _svg(draw),
        {"weight of a miss": weights.tolist(), "model": ours.tolist(),
         "one answer": np.minimum(never, always).tolist()},
    )  # fmt: skip


def _short(text: str) -> str:
    text = str(text)
    return text if len(text) <= MOST_WORDS else text[: MOST_WORDS - 1] + "\u2026"


def _svg(draw: Callable[[Any], None], *, height: float = 3.2, width: float = 6.4) -> str:
    """Draw on one pair of axes and return the SVG, with the page's own ink."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Canvas

    style = {
        "svg.fonttype": "none", "svg.hashsalt": "learnable", "font.family": "sans-serif",
        "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK,
        "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
        "text.usetex": False, "text.parse_math": False, "font.size": 10,
    }  # fmt: skip
    with mpl.rc_context(style):
        canvas = Canvas(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(canvas)
        canvas.patch.set_alpha(0.0)
        axes = canvas.add_subplot()
        axes.patch.set_alpha(0.0)
        draw(axes)
        out = io.StringIO()
        canvas.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    return text.replace(INK, "currentColor")
