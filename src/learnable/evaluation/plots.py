"""Pictures of judgements: intervals, tests, confusion.

Each draws on the axes it is given, or on a new figure, and returns the axes. What is drawn is what
the values say: the same intervals, at the same confidence.

References
----------
.. [1] S. Lewis, M. Clarke: Forest plots: trying to see the wood and the trees. BMJ 322, 2001.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnable.core.errors import MissingDependencyError, ParameterError
from learnable.evaluation.comparison import chance, percent
from learnable.evaluation.comparisons import Comparisons
from learnable.metrics import ConfusionMatrix, clopper_pearson

_DARK = 0.6
_AHEAD, _BEHIND, _EVEN = (0.65, 0.8, 0.95), (0.97, 0.75, 0.7), (0.9, 0.9, 0.9)


def new_axes(ax: Any, width: float = 6.0, height: float = 4.5) -> Any:
    """Return the axes, or those of a new figure.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from learnable.evaluation.plots import new_axes
    >>> ax = new_axes(None)
    >>> matplotlib.pyplot.close(ax.figure)
    """
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        msg = 'a picture needs matplotlib: pip install "learnable[study]"'
        raise MissingDependencyError(msg) from error
    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def forest_plot(found: Any, ax: Any = None, *, title: str = "") -> Any:
    """Draw intervals below each other, with a line at no difference where they are differences.

    Parameters
    ----------
    found : Comparisons, or mapping of str to Estimate or Comparison
        What has ``low`` and ``high``, and a ``value`` or an ``effect``.
    ax : matplotlib axes, optional
        Where to draw.
    title : str
        What stands above.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from learnable.evaluation import forest_plot
    >>> from learnable.metrics import interval
    >>> y, p = [0, 1] * 20, [0, 1] * 15 + [1, 0] * 5
    >>> ax = forest_plot({name: interval(name, y, p) for name in ("recall_score", "f1_score")})
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['recall_score', 'f1_score']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    if isinstance(found, Comparisons):
        named = {
            f"{found.names[i]} less {found.names[j]}": pair
            for (i, j), pair in zip(found.places, found.pairs, strict=True)
        }
        title = title or f"{found.method}, {percent(found.confidence)}"
    elif isinstance(found, Mapping) and found:
        named = {str(name): one for name, one in found.items()}
    else:
        msg = "a forest plot is drawn of Comparisons, or of intervals by name"
        raise ParameterError(msg)
    ax = new_axes(ax, 6.5, 0.9 + 0.4 * len(named))
    differences = all(hasattr(one, "effect") for one in named.values())
    for place, one in enumerate(named.values()):
        value = one.effect if hasattr(one, "effect") else one.value
        apart = not differences or one.told_apart
        colour = "C0" if apart else "0.55"
        low = one.low if np.isfinite(one.low) else value
        high = one.high if np.isfinite(one.high) else value
        ax.plot([low, high], [place, place], color=colour, lw=2.0, solid_capstyle="butt")
        ax.plot([value], [place], "o", color=colour)
    if differences:
        ax.axvline(0.0, color="black", lw=0.8, ls="--")
        ax.set_xlabel("difference")
    ax.set_yticks(range(len(named)), list(named), parse_math=False)
    ax.set_ylim(len(named) - 0.5, -0.5)
    ax.set_title(title, parse_math=False, fontsize="medium")
    return ax


def matrix_of_tests(found: Comparisons, ax: Any = None, *, title: str = "") -> Any:
    """Draw who is told apart from whom: the effect and p of each pair in a table, best first.

    Parameters
    ----------
    found : Comparisons
        Such as of :func:`compare`.
    ax : matplotlib axes, optional
        Where to draw.
    title : str
        What stands above; the test by default.

    Returns
    -------
    matplotlib.axes.Axes
        Cells are of the learner of the row less that of the column; blue is ahead in the order,
        grey not told apart.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from learnable.evaluation import holm, matrix_of_tests
    >>> scores = {"a": [.9, .8, .7, .9, .8], "b": [.8, .7, .6, .7, .7], "c": [.7, .6, .5, .6, .6]}
    >>> ax = matrix_of_tests(holm(scores))
    >>> [tick.get_text() for tick in ax.get_xticklabels()]
    ['a', 'b', 'c']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    if not isinstance(found, Comparisons):
        msg = f"a matrix of tests is drawn of Comparisons, not of {type(found).__name__}"
        raise ParameterError(msg)
    order = found.order()
    place = {learner: where for where, learner in enumerate(order)}
    k = len(order)
    ax = new_axes(ax, 2.2 + 1.1 * k, 1.2 + 0.9 * k)
    colours = np.ones((k, k, 3))
    for (i, j), pair in zip(found.places, found.pairs, strict=True):
        for row, column, sign in ((place[i], place[j], 1.0), (place[j], place[i], -1.0)):
            ahead = _AHEAD if row < column else _BEHIND
            colours[row, column] = ahead if pair.told_apart else _EVEN
            words = "" if pair.p is None else f"\n{chance(pair.p)}"
            told = f"{sign * pair.effect:+.3g}{words}"
            ax.text(column, row, told, ha="center", va="center", fontsize="small")
    ax.imshow(colours)
    names = [found.names[i] for i in order]
    ax.set_xticks(range(k), names, rotation=30, ha="right", parse_math=False)
    ax.set_yticks(range(k), names, parse_math=False)
    heading = title or f"{found.method}\nrow less column, {percent(found.confidence)}"
    ax.set_title(heading, parse_math=False, fontsize="small")
    return ax


def plot_confusion(found: ConfusionMatrix, ax: Any = None, *, confidence: float = 0.95) -> Any:
    """Draw a confusion matrix: counts, and of each row's class the shares with exact intervals.

    Parameters
    ----------
    found : ConfusionMatrix
        Of whole rows (Clopper-Pearson's intervals have no weights).
    ax : matplotlib axes, optional
        Where to draw.
    confidence : float, default=0.95
        Of each interval by itself (guaranteed).

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from learnable.evaluation import plot_confusion
    >>> from learnable.metrics import ConfusionMatrix
    >>> ax = plot_confusion(ConfusionMatrix.of([0, 1, 1, 0], [0, 1, 0, 0]))
    >>> ax.get_ylabel()
    'right class'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    table = np.asarray(found.matrix, dtype=np.float64)
    if not (table == np.round(table)).all():
        msg = "intervals of shares are for whole rows, not for weights"
        raise ParameterError(msg)
    k = len(found.labels)
    ax = new_axes(ax, 1.8 + 1.3 * k, 1.4 + 1.0 * k)
    total = table.sum(axis=1, keepdims=True)
    share = np.divide(table, total, out=np.zeros_like(table), where=total > 0.0)
    ax.imshow(share, cmap="Blues", vmin=0.0, vmax=1.0)
    for i, j in np.ndindex(k, k):
        words = f"{int(table[i, j]):,}"
        if total[i, 0]:
            low, high = clopper_pearson(int(table[i, j]), int(total[i, 0]), confidence)
            words += f"\n{share[i, j]:.0%}\n{low:.0%} to {high:.0%}"
        colour = "white" if share[i, j] > _DARK else "black"
        ax.text(j, i, words, ha="center", va="center", color=colour, fontsize="small")
    names = [str(label) for label in found.labels]
    ax.set_xticks(range(k), names, parse_math=False)
    ax.set_yticks(range(k), names, parse_math=False)
    ax.set_xlabel("answer")
    ax.set_ylabel("right class")
    ax.set_title(f"shares of each row, {percent(confidence)} intervals", fontsize="medium")
    return ax
