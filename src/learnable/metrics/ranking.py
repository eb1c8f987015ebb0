"""Areas under curves: ROC AUC and average precision, of two classes or several.

The ROC AUC is the chance that a positive row scores higher than a negative one, ties counting
half; average precision is ``sum_k (R_k - R_{k-1}) P_k`` over the thresholds, without
interpolation (a constant score gives the share of positives). Both are exact with ties.

Several classes are judged one against the rest (``"ovr"``) or one against one (``"ovo"``), and
averaged.

References
----------
.. [1] J. A. Hanley, B. J. McNeil: The meaning and use of the area under a receiver operating
   characteristic (ROC) curve. Radiology 143, 1982.
.. [2] D. J. Hand, R. J. Till: A simple generalisation of the area under the ROC curve for multiple
   class classification problems. Machine Learning 45, 2001.
.. [3] D. K. McClish: Analyzing a portion of the ROC curve. Medical Decision Making 9, 1989.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.core.warning import warn
from learnable.metrics.answers import coded, undefined, weights
from learnable.metrics.positives import positive_label
from learnable.metrics.scores import indicators, ranked, scores
from learnable.stats.arrays import Floats
from learnable.stats.ranking import Ranking

_AVERAGES = (None, "micro", "macro", "weighted", "samples")
Area = Callable[[Ranking], float]


def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    sample_weight: Any = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: Any = None,
) -> Any:
    """Return the area under the ROC curve.

    Parameters
    ----------
    y_true : array (n,) or (n, labels)
        Right labels, or indicators; of two classes the larger is positive.
    y_score : array (n,) or (n, K)
        Scores of the positive class; of each class (probabilities) where there are several.
    average : {"macro", "weighted", "micro", "samples"} or None
        How classes are averaged.
    sample_weight : array (n,), optional
        Weight of each row.
    max_fpr : float, optional
        Only up to this false positive rate, scaled so that chance gives one half (McClish).
    multi_class : {"raise", "ovr", "ovo"}
        How several classes are judged.
    labels : sequence, optional
        All classes in order, where not all occur in ``y_true``.

    Returns
    -------
    float or array
        NaN, with a warning, where only one class occurs.

    Examples
    --------
    >>> from learnable.metrics import roc_auc_score
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    if max_fpr is not None and not 0.0 < max_fpr <= 1.0:
        msg = f"max_fpr must lie in (0, 1], not {max_fpr!r}"
        raise ParameterError(msg)

    def area(found: Ranking) -> float:
        return _area(found, max_fpr)

    several = indicators(y_true)
    if several is not None:
        made = scores(y_score, len(several), columns=True)
        return averaged(area, several, made, average, sample_weight)
    classes, codes = coded(y_true)
    made = scores(y_score, len(codes), columns=True)
    if len(classes) > 2 or (made.ndim == 2 and made.shape[1] > 2):
        if max_fpr not in (None, 1.0):
            msg = "Partial AUC computation not available in multiclass setting"
            raise ParameterError(msg)
        classes, codes = _known(classes, codes, labels, made)
        if multi_class == "ovo":
            return _one_against_one(codes, made, average, sample_weight)
        if multi_class != "ovr":
            msg = "multi_class must be in ('ovo', 'ovr')"
            raise ParameterError(msg)
        rest = codes[:, None] == np.arange(len(classes))
        return averaged(area, rest, made, average, sample_weight)
    return area(ranked(codes == 1, scores(y_score, len(codes)), sample_weight))


def average_precision_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    pos_label: Any = 1,
    sample_weight: Any = None,
) -> Any:
    """Return average precision, the precision averaged over the steps of the recall.

    Parameters
    ----------
    y_true : array (n,) or (n, labels)
        Right labels, or indicators.
    y_score : array (n,) or (n, K)
        Scores of the positive class; of each class where there are several.
    average : {"macro", "weighted", "micro", "samples"} or None
        How classes are averaged.
    pos_label : label, default=1
        The positive one of two classes.
    sample_weight : array (n,), optional
        Weight of each row.

    Returns
    -------
    float or array
        0, with a warning, where nothing is positive.

    Examples
    --------
    >>> from learnable.metrics import average_precision_score
    >>> round(average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    """
    several = indicators(y_true)
    if several is None:
        classes, codes = coded(y_true)
        if len(classes) <= 2:
            positive = classes == positive_label(classes, pos_label)
            return _precision(ranked(positive[codes], scores(y_score, len(codes)), sample_weight))
        several = codes[:, None] == np.arange(len(classes))
    if pos_label != 1:
        msg = "pos_label stays 1 where there are several classes: each is judged in turn"
        raise ParameterError(msg)
    made = scores(y_score, len(several), columns=True)
    return averaged(_precision, several, made, average, sample_weight)


def averaged(
    area: Area, positive: NDArray[np.bool_], score: Floats, average: str | None, sample_weight: Any
) -> Any:
    """Return the area of each column of an indicator matrix, or a mean of them."""
    if average not in _AVERAGES:
        msg = f"average must be one of {_AVERAGES}, not {average!r}"
        raise ParameterError(msg)
    if positive.shape != score.shape:
        msg = f"y_true has {positive.shape[1]} classes, y_score the shape {score.shape}."
        raise DataError(msg, remedy="Give one column of scores a class.")
    weight = weights(sample_weight, len(score))[0]
    if average == "micro":
        each = np.repeat(weight, score.shape[1]) if len(weight) else None
        return area(ranked(positive.ravel(), score.ravel(), each))
    if average == "samples":
        rows = [area(ranked(p, s, None)) for p, s in zip(positive, score, strict=True)]
        return float(np.average(rows, weights=weight if len(weight) else None))
    given = weight if len(weight) else None
    columns = zip(positive.T, score.T, strict=True)
    values = np.array([area(ranked(p, s, given)) for p, s in columns])
    if average is None:
        return values
    if average == "macro":
        return float(values.mean())
    share = (weight if len(weight) else np.ones(len(score))) @ positive
    return float(np.average(values, weights=share)) if share.any() else 0.0


def _area(found: Ranking, max_fpr: float | None) -> float:
    value = found.area()
    if np.isnan(value):
        undefined("Only one class is present in y_true. ROC AUC score is not defined in that case.")
        return value
    if max_fpr is None or max_fpr == 1.0:
        return value
    tp, fp = (np.append(0.0, part) / part[-1] for part in found.above())
    stop = int(np.searchsorted(fp, max_fpr, side="right"))
    x = np.append(fp[:stop], max_fpr)
    y = np.append(tp[:stop], np.interp(max_fpr, fp[stop - 1 : stop + 1], tp[stop - 1 : stop + 1]))
    partial = float(np.diff(x) @ (y[1:] + y[:-1]) / 2.0)
    least = 0.5 * max_fpr * max_fpr
    return 0.5 * (1.0 + (partial - least) / (max_fpr - least))


def _precision(found: Ranking) -> float:
    if not found.totals[0]:
        warn("No positive class found in y_true, recall is set to one for all thresholds.")
    return found.average_precision()


def _known(
    classes: NDArray[Any], codes: NDArray[np.int32], labels: Any, score: Floats
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Check several classes against the columns of their probabilities."""
    if labels is not None:
        given = np.asarray(labels)
        if len(np.unique(given)) != len(given) or not np.array_equal(np.unique(given), given):
            msg = "Parameter 'labels' must be unique and ordered"
            raise ParameterError(msg)
        place = np.searchsorted(given, classes).clip(max=len(given) - 1)
        if (given[place] != classes).any():
            msg = "'y_true' contains labels not in parameter 'labels'."
            raise DataError(msg, remedy="Name all classes.")
        classes, codes = given, place[codes].astype(np.int32)
    if score.ndim != 2 or score.shape[1] != len(classes):
        msg = f"There are {len(classes)} classes, y_score has the shape {score.shape}."
        raise DataError(msg, remedy="Give one column of probabilities a class.")
    if not np.allclose(score.sum(axis=1), 1.0):
        msg = "Target scores should sum up to 1.0 over classes."
        raise DataError(msg, remedy="Give probabilities, as predict_proba returns.")
    return classes, codes


def _one_against_one(
    codes: NDArray[np.int32], score: Floats, average: str | None, sample_weight: Any
) -> float:
    if average not in ("macro", "weighted"):
        msg = "average must be 'macro' or 'weighted' where multi_class='ovo'"
        raise ParameterError(msg)
    if sample_weight is not None:
        msg = "sample_weight is not supported for multiclass one-vs-one ROC AUC"
        raise ParameterError(msg)
    values, shares = [], []
    rows = [codes == k for k in range(score.shape[1])]
    for a in range(score.shape[1]):
        for b in range(a + 1, score.shape[1]):
            both = rows[a] | rows[b]
            first = _area(ranked(rows[a][both], score[both, a], None), None)
            second = _area(ranked(rows[b][both], score[both, b], None), None)
            values.append((first + second) / 2.0)
            shares.append(both.mean())
    return float(np.average(values, weights=shares if average == "weighted" else None))
