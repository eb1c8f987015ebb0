"""Pictures of curves with their bands: over thresholds, over rows, over a parameter.

Each draws on the axes it is given, or on a new figure, and returns the axes.

References
----------
.. [1] T. Fawcett: An introduction to ROC analysis. Pattern Recognition Letters 27, 2006.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from learnable.calibration import Reliability
from learnable.core.errors import ParameterError
from learnable.evaluation.comparison import percent
from learnable.evaluation.plots import new_axes
from learnable.metrics import CurveBands, Threshold
from learnable.model_selection import LearningCurve, ValidationCurve

CURVES = ("roc", "precision-recall", "gain", "lift")
_BAND = 0.2


def plot_curve(found: CurveBands, kind: str = "roc", ax: Any = None, *, label: str = "") -> Any:
    """Draw a curve over all thresholds with its band.

    Parameters
    ----------
    found : CurveBands
        Of :func:`learnable.metrics.curve_bands`.
    kind : {"roc", "precision-recall", "gain", "lift"}
        Which curve.
    ax : matplotlib axes, optional
        Where to draw.
    label : str
        What the legend calls it.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from learnable.evaluation import plot_curve
    >>> from learnable.metrics import curve_bands
    >>> ax = plot_curve(curve_bands([0, 1] * 50, list(range(100))), "gain")
    >>> ax.get_xlabel()
    'share of rows called positive'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    if kind not in CURVES:
        msg = f"kind must be one of {', '.join(CURVES)}, not {kind!r}"
        raise ParameterError(msg)
    ax = new_axes(ax, 5.0, 4.6)
    shape = _roc(found) if kind == "roc" else _of_calls(found, kind)
    if shape.chance is None:
        ax.plot([0, 1], [0, 1], color="0.6", lw=0.8, ls="--")
    else:
        ax.axhline(shape.chance, color="0.6", lw=0.8, ls="--")
    (drawn,) = ax.plot(*shape.line, label=label or None, lw=1.6)
    ax.fill_between(*shape.band, color=drawn.get_color(), alpha=_BAND, lw=0)
    ax.set_xlabel(shape.labels[0])
    ax.set_ylabel(shape.labels[1])
    ax.set_title(f"{percent(found.confidence)} band for all thresholds, n = {found.n:,}",
                 fontsize="medium")  # fmt: skip
    if kind != "lift":
        ax.set_ylim(-0.02, 1.02)
    if label:
        ax.legend()
    return ax


class _Shape(NamedTuple):
    """The line, its band, the names of the axes, the height of chance (None: the diagonal)."""

    line: tuple[Any, Any]
    band: tuple[Any, Any, Any]
    labels: tuple[str, str]
    chance: float | None


def _roc(found: CurveBands) -> _Shape:
    """Both rates vary: the upper edge joins high recall with a low false positive rate."""
    recall, wrong = found.recall, found.false_positive_rate
    grid = np.linspace(0.0, 1.0, 400)
    upper = np.interp(grid, *_rising(wrong.low, recall.high))
    lower = np.interp(grid, *_rising(wrong.high, recall.low, ends=(0.0, 0.0)))
    line = wrong.value, recall.value
    return _Shape(line, (grid, lower, upper), ("false positive rate", "recall"), None)


def _of_calls(found: CurveBands, kind: str) -> _Shape:
    across = found.recall.value if kind == "precision-recall" else found.called
    side = {"precision-recall": found.precision, "gain": found.recall, "lift": found.lift}[kind]
    part = slice(1, None) if kind == "lift" else slice(None)
    chance = {"gain": None, "lift": 1.0}.get(kind, float(found.share.value[0]))
    called = "share of rows called positive"
    labels = {"gain": (called, "recall"), "lift": (called, "lift")}.get(
        kind, ("recall", "precision")
    )
    across, value, low, high = (one[part] for one in (across, *side))
    return _Shape((across, value), (across, low, high), labels, chance)


def _rising(x: Any, y: Any, ends: tuple[float, float] | None = None) -> tuple[Any, Any]:
    if ends is not None:
        x, y = np.append(ends[0], x), np.append(ends[1], y)
    return np.maximum.accumulate(x), np.maximum.accumulate(y)


def plot_reliability(found: Reliability, ax: Any = None, *, label: str = "") -> Any:
    """Draw a calibration curve with its bands and the diagonal it should lie on.

    Parameters
    ----------
    found : Reliability
        Of :func:`learnable.calibration.reliability`.
    ax : matplotlib axes, optional
        Where to draw.
    label : str
        What the legend calls it.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from learnable.calibration import reliability
    >>> from learnable.evaluation import plot_reliability
    >>> ax = plot_reliability(reliability([0, 1] * 20, [0.4, 0.6] * 20))
    >>> ax.get_ylabel()
    'share that was positive'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    ax = new_axes(ax, 5.0, 4.6)
    ax.plot([0, 1], [0, 1], color="0.6", lw=0.8, ls="--")
    off = np.abs(np.stack([found.low, found.high]) - found.prob_true)
    ax.errorbar(
        found.prob_pred, found.prob_true, yerr=off, fmt="o-", capsize=3.0, label=label or None
    )
    ax.set_xlabel("mean probability")
    ax.set_ylabel("share that was positive")
    ax.set_title(f"{percent(found.confidence)} for all bins together", fontsize="medium")
    if label:
        ax.legend(loc="lower right")
    return ax


def plot_learning_curve(
    found: LearningCurve, ax: Any = None, *, confidence: float = 0.95, further: float = 1.0
) -> Any:
    """Draw scores by number of rows with their bands, and the power law through them.

    Parameters
    ----------
    found : LearningCurve
        Of :func:`learnable.model_selection.learning_curve`.
    ax : matplotlib axes, optional
        Where to draw.
    confidence : float, default=0.95
        Of the bands, at each size by itself (approximate).
    further : float, default=1
        How many times the largest size the power law is drawn to.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from learnable.datasets import load_iris
    >>> from learnable.evaluation import plot_learning_curve
    >>> from learnable.model_selection import learning_curve
    >>> from learnable.naive_bayes import GaussianNB
    >>> ax = plot_learning_curve(learning_curve(GaussianNB(), *load_iris(return_X_y=True)))
    >>> ax.get_xlabel()
    'rows learned from'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    ax = new_axes(ax)
    sizes = found.train_sizes
    _banded(ax, sizes, found.train_scores, found.band(confidence, train=True), "training rows")
    _banded(ax, sizes, found.test_scores, found.band(confidence), "other rows")
    if len(sizes) >= 3 and (found.test_scores.mean(axis=1) <= 1.0).all():
        law = found.power_law()
        beyond = np.geomspace(sizes.min(), sizes.max() * further, 200)
        ax.plot(
            beyond, [law.score(n) for n in beyond], color="C1", lw=1.0, ls=":", label="power law"
        )
    ax.set_xlabel("rows learned from")
    ax.set_ylabel("score")
    ax.set_title(f"{percent(confidence)} band at each size", fontsize="medium")
    ax.legend()
    return ax


def plot_validation_curve(found: ValidationCurve, ax: Any = None) -> Any:
    """Draw scores by the value of a parameter; the bands are the spread over the folds.

    Parameters
    ----------
    found : ValidationCurve
        Of :func:`learnable.model_selection.validation_curve`.
    ax : matplotlib axes, optional
        Where to draw.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import numpy as np
    >>> from learnable.evaluation import plot_validation_curve
    >>> from learnable.model_selection import ValidationCurve
    >>> scores = np.array([[0.7, 0.8], [0.8, 0.9]])
    >>> ax = plot_validation_curve(ValidationCurve("alpha", [0.1, 1.0], scores, scores - 0.1))
    >>> ax.get_xlabel()
    'alpha'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    ax = new_axes(ax)
    values = found.param_range
    numeric = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
    across = np.asarray(values, dtype=float) if numeric else np.arange(len(values))
    for scores, name in ((found.train_scores, "training rows"), (found.test_scores, "other rows")):
        _banded(ax, across, scores, np.quantile(scores, [0.0, 1.0], axis=1), name)
    if not numeric:
        ax.set_xticks(across, [str(value) for value in values], parse_math=False)
    elif across.min() > 0.0 and across.max() >= 50.0 * across.min():
        ax.set_xscale("log")
    ax.set_xlabel(found.param_name, parse_math=False)
    ax.set_ylabel("score")
    ax.set_title("lowest to highest fold", fontsize="medium")
    ax.legend()
    return ax


def _banded(ax: Any, across: Any, scores: Any, band: Any, name: str) -> None:
    (drawn,) = ax.plot(across, scores.mean(axis=1), "o-", ms=4.0, label=name)
    ax.fill_between(across, *band, color=drawn.get_color(), alpha=_BAND, lw=0)


def plot_threshold(found: Mapping[str, Threshold], ax: Any = None) -> Any:
    """Draw measures against the threshold, each with its best one.

    Parameters
    ----------
    found : mapping of str to Threshold
        Of :func:`learnable.metrics.choose_threshold`, by name.
    ax : matplotlib axes, optional
        Where to draw.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from learnable.evaluation import plot_threshold
    >>> from learnable.metrics import choose_threshold
    >>> ax = plot_threshold({"F1": choose_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])})
    >>> ax.get_xlabel()
    'threshold'
    >>> matplotlib.pyplot.close(ax.figure)
    """
    ax = new_axes(ax)
    for name, one in found.items():
        at = np.isfinite(one.thresholds)
        (drawn,) = ax.plot(one.thresholds[at], one.values[at], drawstyle="steps-pre", label=name)
        if np.isfinite(one.threshold):
            ax.plot([one.threshold], [one.value], "o", color=drawn.get_color())
    ax.set_xlabel("threshold")
    ax.set_ylabel("measure")
    ax.legend()
    return ax
