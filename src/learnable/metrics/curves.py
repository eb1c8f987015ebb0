"""Curves over all thresholds: ROC, precision-recall, detection error trade-off.

Rows with equal scores move together, so a curve has one point a distinct score, whatever the
order of the rows.

References
----------
.. [1] T. Fawcett: An introduction to ROC analysis. Pattern Recognition Letters 27, 2006.
.. [2] J. Davis, M. Goadrich: The relationship between precision-recall and ROC curves. ICML 2006.
.. [3] A. Martin et al.: The DET curve in assessment of detection task performance. Eurospeech 1997.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.core.warning import warn
from learnable.metrics.answers import undefined
from learnable.metrics.scores import ranking
from learnable.stats.arrays import Floats
from learnable.stats.ranking import Ranking


def roc_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = True,
) -> tuple[Any, Any, Any]:
    """Return the ROC curve: false and true positive rate at falling thresholds.

    Parameters
    ----------
    y_true, y_score : array (n,)
        Right labels and scores of the positive class.
    pos_label : label, optional
        The positive class; 1 among zeros and ones by default.
    sample_weight : array (n,), optional
        Weight of each row.
    drop_intermediate : bool, default=True
        Leave out points on a straight line between others.

    Returns
    -------
    fpr, tpr, thresholds : array
        A threshold of infinity, which nothing reaches, comes first.

    Examples
    --------
    >>> from learnable.metrics import roc_curve
    >>> fpr, tpr, thresholds = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    tp, fp, thresholds = _steps(ranking(y_true, y_score, pos_label, sample_weight))
    if drop_intermediate and len(fp) > 2:
        keep = _ends(np.logical_or(np.diff(fp, 2), np.diff(tp, 2)))
        tp, fp, thresholds = tp[keep], fp[keep], thresholds[keep]
    tp, fp, thresholds = np.append(0.0, tp), np.append(0.0, fp), np.append(np.inf, thresholds)
    return _share(fp, "false", "negative"), _share(tp, "true", "positive"), thresholds


def precision_recall_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> tuple[Any, Any, Any]:
    """Return precision and recall at rising thresholds, closed by precision 1 at recall 0.

    Parameters are those of :func:`roc_curve`.

    Returns
    -------
    precision, recall : array (m + 1,)
    thresholds : array (m,)

    Examples
    --------
    >>> from learnable.metrics import precision_recall_curve
    >>> precision, recall, _ = precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> precision.round(2).tolist(), recall.tolist()
    ([0.5, 0.67, 0.5, 1.0, 1.0], [1.0, 1.0, 0.5, 0.5, 0.0])
    """
    tp, fp, thresholds = _steps(ranking(y_true, y_score, pos_label, sample_weight))
    if drop_intermediate and len(fp) > 2:
        keep = _ends(np.logical_or(np.diff(tp[:-1]), np.diff(tp[1:])))
        tp, fp, thresholds = tp[keep], fp[keep], thresholds[keep]
    precision, recall = precision_and_recall(tp, fp)
    return np.append(precision[::-1], 1.0), np.append(recall[::-1], 0.0), thresholds[::-1]


def det_curve(
    y_true: Any,
    y_score: Any,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> tuple[Any, Any, Any]:
    """Return the detection error trade-off: false positive and false negative rate.

    Parameters are those of :func:`roc_curve`; thresholds rise.

    Examples
    --------
    >>> from learnable.metrics import det_curve
    >>> fpr, fnr, thresholds = det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), fnr.tolist()
    ([0.5, 0.5, 0.0], [0.0, 0.5, 0.5])
    """
    tp, fp, thresholds = _steps(ranking(y_true, y_score, pos_label, sample_weight))
    tp, fp, thresholds = np.append(0.0, tp), np.append(0.0, fp), np.append(np.inf, thresholds)
    if tp[-1] == 0.0 or fp[-1] == 0.0:
        msg = "Only one class is present in y_true. The curve is not defined in that case."
        raise DataError(msg, remedy="Judge rows of both classes.")
    if drop_intermediate and len(fp) > 2:
        keep = _ends(np.logical_or(np.diff(tp[:-1]), np.diff(tp[1:])))
        tp, fp, thresholds = tp[keep], fp[keep], thresholds[keep]
    first = np.searchsorted(fp, fp[0], side="right") - 1
    part = slice(first, np.searchsorted(tp, tp[-1]) + 1)
    missed = tp[-1] - tp
    return fp[part][::-1] / fp[-1], missed[part][::-1] / tp[-1], thresholds[part][::-1]


def auc(x: Any, y: Any) -> float:
    """Return the area under a curve through points, by the trapezoidal rule.

    Parameters
    ----------
    x : array (n,)
        Rising or falling.
    y : array (n,)
        The heights.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import auc
    >>> auc([0.0, 0.5, 1.0], [0.0, 1.0, 1.0])
    0.75
    """
    across, height = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if across.shape != height.shape or across.ndim != 1 or len(across) < 2:
        msg = "At least 2 points are needed, x and y of the same length."
        raise DataError(msg, remedy="Give the points of a curve.")
    steps = np.diff(across)
    if (steps < 0.0).any() and (steps > 0.0).any():
        msg = "x is neither increasing nor decreasing."
        raise DataError(msg, remedy="Sort the points by x.")
    direction = -1.0 if (steps < 0.0).any() else 1.0
    return float(direction * (steps @ (height[1:] + height[:-1])) / 2.0)


def precision_and_recall(tp: Floats, fp: Floats) -> tuple[Floats, Floats]:
    """Return both rates at each threshold; recall is 1 throughout where nothing is positive."""
    called = tp + fp
    precision = np.divide(tp, called, out=np.zeros_like(tp), where=called != 0.0)
    if tp[-1] == 0.0:
        warn("No positive class found in y_true, recall is set to one for all thresholds.")
        return precision, np.ones_like(tp)
    return precision, tp / tp[-1]


def _steps(found: Ranking) -> tuple[Floats, Floats, Floats]:
    """Return the true and false positives at falling thresholds."""
    tp, fp = found.above()
    return tp, fp, found.score[::-1]


def _ends(inside: Floats) -> Floats:
    return np.flatnonzero(np.concatenate([[True], inside, [True]]))


def _share(counts: Floats, what: str, which: str) -> Floats:
    if counts[-1] > 0.0:
        return np.asarray(counts / counts[-1])
    undefined(f"No {which} samples in y_true, {what} positive value should be meaningless")
    return np.full(len(counts), np.nan)
