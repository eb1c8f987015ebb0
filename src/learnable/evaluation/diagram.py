"""The critical difference diagram: mean ranks on a line, and bars over what is not told apart.

References
----------
.. [1] J. Demsar: Statistical comparisons of classifiers over multiple data sets. Journal of
   Machine Learning Research 7, 2006.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from learnable.core.errors import ParameterError
from learnable.evaluation.comparison import percent
from learnable.evaluation.comparisons import Comparisons
from learnable.evaluation.plots import new_axes

_STEP, _BAR, _TOP = 0.5, 0.22, 0.35


class Label(NamedTuple):
    """A learner: its value on the line, the height of its name, and the side it stands on.

    Examples
    --------
    >>> from learnable.evaluation.diagram import Label
    >>> Label("tree", 1.5, -1.0, "left").side
    'left'
    """

    name: str
    at: float
    height: float
    side: str


class Layout(NamedTuple):
    """Where everything stands: labels, bars (from, to, height), the ends of the line, the bottom.

    Examples
    --------
    >>> from learnable.evaluation import nemenyi
    >>> from learnable.evaluation.diagram import layout
    >>> scores = {"a": [.9, .8, .7, .9, .8], "b": [.8, .7, .6, .7, .7], "c": [.7, .6, .5, .6, .6]}
    >>> layout(nemenyi(scores)).bars
    ((1.0, 2.0, -0.22), (2.0, 3.0, -0.44))
    """

    labels: tuple[Label, ...]
    bars: tuple[tuple[float, float, float], ...]
    ends: tuple[float, float]
    bottom: float


def layout(found: Comparisons) -> Layout:
    """Return where everything of a diagram stands, best on the left.

    The better half of the names stands on the left, the best one on top; the other half on the
    right, the worst one on top, so that no two lines cross. Bars of groups lie between the line
    and the names.

    Examples
    --------
    >>> from learnable.evaluation import nemenyi
    >>> from learnable.evaluation.diagram import layout
    >>> scores = {"a": [.9, .8, .7, .9, .8], "b": [.8, .7, .6, .7, .7], "c": [.7, .6, .5, .6, .6]}
    >>> [(label.name, label.side) for label in layout(nemenyi(scores)).labels]
    [('a', 'left'), ('b', 'left'), ('c', 'right')]
    """
    order = found.order()
    at = {found.names[i]: found.values[i] for i in order}
    groups = [group for group in found.groups() if len(group) > 1 and found.control is None]
    bars = tuple(
        (at[group[0]], at[group[-1]], -_BAR * (place + 1)) for place, group in enumerate(groups)
    )
    base = -_BAR * (len(bars) + 1) - _TOP
    half = math.ceil(len(order) / 2)
    labels = tuple(
        Label(
            found.names[i],
            found.values[i],
            base - _STEP * min(place, len(order) - 1 - place),
            "left" if place < half else "right",
        )
        for place, i in enumerate(order)
    )
    ends = _ends(found)
    return Layout(labels, bars, ends, min(label.height for label in labels) - _STEP)


def critical_difference_diagram(found: Comparisons, ax: Any = None, title: str = "") -> Any:
    """Draw learners by their mean ranks, with bars over those not told apart.

    The bars, the critical difference and the verdicts of ``found`` are the same, at the same
    confidence. With a control, its critical difference is shaded instead of bars.

    Parameters
    ----------
    found : Comparisons
        Such as of :func:`nemenyi`, :func:`bonferroni_dunn`, :func:`holm` or :func:`compare`.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    title : str, optional
        What stands above; the test and its confidence by default.

    Returns
    -------
    matplotlib.axes.Axes
        What was drawn on. Cost: constant.

    References
    ----------
    J. Demsar: Statistical comparisons of classifiers over multiple data sets. Journal of Machine
    Learning Research 7, 2006.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from learnable.evaluation import critical_difference_diagram, nemenyi
    >>> scores = {"a": [.9, .8, .7, .9, .8], "b": [.8, .7, .6, .7, .7], "c": [.7, .6, .5, .6, .6]}
    >>> ax = critical_difference_diagram(nemenyi(scores))
    >>> ax.get_title()
    'Nemenyi test, 95%'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    if not isinstance(found, Comparisons):
        msg = f"a diagram is drawn of Comparisons, not of {type(found).__name__}"
        raise ParameterError(msg)
    made = layout(found)
    ax = new_axes(ax, 8.0, 0.9 + 0.6 * (1.3 - made.bottom))
    low, high = made.ends
    margin = 0.35 * (high - low)
    ax.plot([low, high], [0.0, 0.0], color="black", lw=1.2)
    for tick in _ticks(low, high):
        ax.plot([tick, tick], [0.0, 0.1], color="black", lw=1.0)
        ax.text(tick, 0.16, f"{tick:g}", ha="center", va="bottom")
    for label in made.labels:
        _name(ax, label, made)
    for start, end, height in made.bars:
        reach = 0.012 * (high - low)
        ax.plot([start - reach, end + reach], [height] * 2, color="C3", lw=4.0)
    _difference(ax, found, made)
    forward = found.lower_is_better
    ends = (low - margin, high + margin)
    ax.set_xlim(*(ends if forward else ends[::-1]))
    ax.set_ylim(made.bottom, 1.3)
    ax.set_axis_off()
    ax.set_title(title or f"{found.method}, {percent(found.confidence)}", parse_math=False)
    return ax


def _name(ax: Any, label: Label, made: Layout) -> None:
    """Write a name at its side, joined with its place on the line."""
    low, high = made.ends
    left, room = label.side == "left", 0.04 * (high - low)
    edge, told = (low - room if left else high + room), f"{label.name} ({label.at:.3g})"
    ax.plot([label.at, label.at, edge], [0.0, label.height, label.height], color="0.35", lw=1.0)
    ax.text(
        edge, label.height, f"{told} " if left else f" {told}", ha="right" if left else "left",
        va="center", parse_math=False,
    )  # fmt: skip


def _ends(found: Comparisons) -> tuple[float, float]:
    """Return the ends of the line: all ranks there are, or the span of the values."""
    if found.quantity == "mean rank":
        return 1.0, float(len(found.names))
    low, high = min(found.values), max(found.values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _ticks(low: float, high: float) -> list[float]:
    """Return round values on the line, four or so."""
    rough = (high - low) / 4.0
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * m for m in (1, 2, 5, 10) if unit * m >= rough)
    first = math.ceil(low / step - 1e-9)
    return [round(step * k, 12) for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _difference(ax: Any, found: Comparisons, made: Layout) -> None:
    """Draw how long the critical difference is, or shade it around the control."""
    width, (low, _) = found.critical_difference, made.ends
    if width is None:
        return
    if found.control is not None:
        at = found.values[found.names.index(found.control)]
        ax.plot([at - width, at + width], [-_BAR, -_BAR], color="C3", lw=4.0, alpha=0.5)
        return
    ax.plot([low, low + width], [0.75, 0.75], color="C3", lw=2.0)
    ax.text(low + width / 2.0, 0.8, f"CD = {width:.3g}", ha="center", va="bottom")
