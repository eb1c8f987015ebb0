"""Every measure against the threshold; the threshold that is best for a measure or for costs.

A row is called positive when its score is at least the threshold. All thresholds at which anything
changes are looked at, from the tallies at each, so the best one is the best.

The value of a measure at the threshold that was chosen on the same rows flatters: choose on some
rows and judge on others.

Cost: n log n comparisons for measures of the tallies; for any other function of the answers, one
call for each of at most 200 thresholds.

References
----------
.. [1] C. Elkan: The foundations of cost-sensitive learning. IJCAI 2001.
.. [2] T. Fawcett: An introduction to ROC analysis. Pattern Recognition Letters 27, 2006.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.metrics.answers import coded, one_answer
from learnable.metrics.positives import positive_label
from learnable.metrics.scores import ranking, scores
from learnable.metrics.tallies import Tallies
from learnable.stats.arrays import Floats

_MOST = 200


class Threshold(NamedTuple):
    """The best threshold, and the measure at all of them.

    Attributes
    ----------
    threshold : float
        From this score on, rows are called positive; infinite if none should be.
    value : float
        The measure there, on these rows.
    thresholds, values : array (m,)
        All thresholds at which an answer changes, falling, and the measure at each.
    text : str
        The finding in one sentence.

    Examples
    --------
    >>> from learnable.metrics import choose_threshold
    >>> choose_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], "f1_score").threshold
    0.35
    """

    threshold: float
    value: float
    thresholds: Floats
    values: Floats
    text: str


def expected_cost(
    y_true: Any, y_pred: Any, cost: Any, *, labels: Any = None, sample_weight: Any = None
) -> float:
    """Return the average cost of the answers.

    Parameters
    ----------
    y_true, y_pred : array (n,)
        Right and predicted labels.
    cost : array (K, K)
        What it costs to answer column ``j`` where row ``i`` is right; negative numbers are gains.
    labels : sequence, optional
        The classes in the order of ``cost``; sorted by default.
    sample_weight : array (n,), optional
        Weight of each row.

    Examples
    --------
    >>> from learnable.metrics import expected_cost
    >>> expected_cost([0, 0, 1, 1], [0, 1, 1, 0], [[0, 1], [5, 0]])
    1.5
    """
    found = one_answer(y_true, y_pred, sample_weight)
    names = found.classes.tolist() if labels is None else np.asarray(labels).tolist()
    matrix = _costs(cost, len(names))
    strange = [name for name in found.classes.tolist() if name not in names]
    if strange:
        raise DataError(f"The costs do not speak of {strange}.", remedy="Name all in labels.")
    at = [names.index(name) for name in found.classes.tolist()]
    table = found.table()
    return float((table * matrix[np.ix_(at, at)]).sum() / table.sum())


def threshold_curve(
    y_true: Any,
    y_score: Any,
    metric: Any = "f1_score",
    *,
    cost: Any = None,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> tuple[Floats, Floats]:
    """Return all thresholds at which an answer changes, falling, and a measure at each.

    Parameters
    ----------
    y_true, y_score : array (n,)
        Right labels of two classes, and scores of the positive one.
    metric : str or callable, default="f1_score"
        One of ``accuracy_score``, ``balanced_accuracy_score``, ``f1_score``,
        ``precision_score``, ``recall_score``, ``specificity_score``,
        ``negative_predictive_value``, ``jaccard_score``, ``matthews_corrcoef``,
        ``cohen_kappa_score``; or any function of right and predicted labels.
    cost : array (2, 2), optional
        Instead of a measure: what it costs to answer column ``j`` where row ``i`` is right, the
        positive class second.
    pos_label : label, optional
        The positive class; 1 among zeros and ones by default.
    sample_weight : array (n,), optional
        Weight of each row.

    Returns
    -------
    thresholds, values : array (m,)
        The first threshold is infinite: nothing is called positive.

    Examples
    --------
    >>> from learnable.metrics import threshold_curve
    >>> thresholds, values = threshold_curve([0, 1, 1], [0.1, 0.2, 0.3], "accuracy_score")
    >>> thresholds.tolist(), values.round(2).tolist()
    ([inf, 0.3, 0.2, 0.1], [0.33, 0.67, 1.0, 0.67])
    """
    found = ranking(y_true, y_score, pos_label, sample_weight)
    thresholds = np.append(np.inf, found.score[::-1])
    up, down = found.totals
    if not up or not down:
        raise DataError("Only one class is present in y_true.", remedy="Give rows of both.")
    tp, fp = (np.append(0.0, part) for part in found.above())
    up, down = float(tp[-1]), float(fp[-1])  # as they add up, so that what is left ends at 0
    tallies = Tallies(tp, fp, up - tp, down - fp)
    if cost is not None:
        (tn_cost, fp_cost), (fn_cost, tp_cost) = _costs(cost, 2)
        spent = (
            tallies.tn * tn_cost + tallies.fp * fp_cost + tallies.fn * fn_cost
            + tallies.tp * tp_cost
        )  # fmt: skip
        return thresholds, spent / (up + down)
    name = metric if isinstance(metric, str) else getattr(metric, "__name__", "")
    if name in MEASURES and (isinstance(metric, str) or _is_ours(metric)):
        with np.errstate(divide="ignore", invalid="ignore"):
            return thresholds, np.asarray(MEASURES[name](tallies))
    if not callable(metric):
        msg = f"metric must be a function, or one of {', '.join(MEASURES)}, not {metric!r}"
        raise ParameterError(msg)
    if sample_weight is not None:
        msg = "weights are for the measures that are known by name"
        raise ParameterError(msg)
    return _asked(metric, y_true, y_score, pos_label, thresholds)


def choose_threshold(
    y_true: Any,
    y_score: Any,
    metric: Any = "f1_score",
    *,
    cost: Any = None,
    pos_label: Any = None,
    sample_weight: Any = None,
    greater_is_better: bool = True,
) -> Threshold:
    """Return the threshold at which a measure is best, or the costs are least.

    Parameters
    ----------
    y_true, y_score, metric, cost, pos_label, sample_weight
        As in :func:`threshold_curve`.
    greater_is_better : bool, default=True
        False for losses; costs are always to be small.

    Returns
    -------
    Threshold
        Of several that are equally good the highest.

    Examples
    --------
    >>> from learnable.metrics import choose_threshold
    >>> found = choose_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], cost=[[0, 1], [5, 0]])
    >>> found.threshold, found.value
    (0.35, 0.25)
    """
    thresholds, values = threshold_curve(
        y_true, y_score, metric, cost=cost, pos_label=pos_label, sample_weight=sample_weight
    )
    least = cost is not None or not greater_is_better
    there = np.isfinite(values)
    if not there.any():
        raise DataError("The measure is defined at no threshold.", remedy="Choose another one.")
    best = int(np.argmax(np.where(there, -values if least else values, -np.inf)))
    name = "The average cost" if cost is not None else _called(metric)
    at, value = float(thresholds[best]), float(values[best])
    text = (
        f"{name} is best at {value:.4g} where scores of {at:.6g} and more are called positive. On "
        "the rows it was chosen on that flatters; judge it on others."
    )
    return Threshold(at, value, thresholds, values, text)


def _called(metric: Any) -> str:
    return metric if isinstance(metric, str) else getattr(metric, "__name__", "The measure")


def _is_ours(metric: Any) -> bool:
    return getattr(metric, "__module__", "").split(".")[0] in ("learnable", "sklearn")


def _costs(cost: Any, k: int) -> Floats:
    made = np.asarray(cost, dtype=np.float64)
    if made.shape != (k, k) or not np.isfinite(made).all():
        raise DataError(
            f"The costs have the shape {made.shape}, the classes are {k}.",
            remedy=f"Give finite costs, ({k}, {k}): rows the right class, columns the answer.",
        )
    return made


def _asked(
    metric: Callable[..., Any], y_true: Any, y_score: Any, pos_label: Any, thresholds: Floats
) -> tuple[Floats, Floats]:
    """Ask a function for the answers at some of the thresholds."""
    classes, codes = coded(y_true)
    if len(classes) != 2:
        raise DataError(f"There are {len(classes)} classes.", remedy="Judge two at a time.")
    positive = positive_label(classes, pos_label)
    negative = classes[0] if positive == classes[1] else classes[1]
    score = scores(y_score, len(codes))
    if len(thresholds) > _MOST:
        places = np.linspace(0, len(thresholds) - 1, _MOST).astype(int)
        thresholds = thresholds[places]
    truth = classes[codes]
    values = [float(metric(truth, np.where(score >= t, positive, negative))) for t in thresholds]
    return thresholds, np.array(values)


def _kappa(t: Tallies) -> NDArray[Any]:
    n = t.tp + t.fp + t.fn + t.tn
    chance = ((t.tp + t.fn) * (t.tp + t.fp) + (t.tn + t.fp) * (t.tn + t.fn)) / n
    return np.asarray((t.tp + t.tn - chance) / (n - chance))


def _matthews(t: Tallies) -> NDArray[Any]:
    sides = (t.tp + t.fp) * (t.tp + t.fn) * (t.tn + t.fp) * (t.tn + t.fn)
    above = t.tp * t.tn - t.fp * t.fn
    return np.divide(above, np.sqrt(sides), out=np.zeros_like(above), where=sides > 0.0)


def _rate(name: str) -> Callable[[Tallies], Any]:
    return lambda tallies: tallies.rate(name)


MEASURES: dict[str, Callable[[Tallies], Any]] = {
    "accuracy_score": lambda t: (t.tp + t.tn) / (t.tp + t.fp + t.fn + t.tn),
    "balanced_accuracy_score": lambda t: (t.rate("recall") + t.rate("specificity")) / 2.0,
    "f1_score": _rate("f-score"),
    "precision_score": _rate("precision"),
    "recall_score": _rate("recall"),
    "specificity_score": _rate("specificity"),
    "negative_predictive_value": _rate("negative predictive value"),
    "jaccard_score": _rate("jaccard"),
    "matthews_corrcoef": _matthews,
    "cohen_kappa_score": _kappa,
}
"""Measures as functions of the tallies at each threshold."""
