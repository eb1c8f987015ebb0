"""An interval of any measure: exact where there is an exact one, approximate and named otherwise.

==============================================  ===================================
measure                                         interval by default
==============================================  ===================================
accuracy, error, precision, recall,             Clopper-Pearson (guaranteed, given
specificity, negative predictive value          the number in the denominator)
ROC AUC of two classes                          DeLong
F-beta, kappa, Matthews, balanced accuracy      delta method
average precision of two classes                delta method
any other; whenever rows come in groups         bootstrap (BCa)
==============================================  ===================================

All of them take the rows (or the groups) for independent draws from where new ones come from.

References
----------
.. [1] C. J. Clopper, E. S. Pearson: The use of confidence or fiducial limits illustrated in the
   case of the binomial. Biometrika 26, 1934.
.. [2] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson: Comparing the areas under two or more
   correlated receiver operating characteristic curves. Biometrics 44, 1988.
.. [3] B. Efron: Better bootstrap confidence intervals. JASA 82, 1987.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.metrics import intervals
from learnable.metrics.answers import coded, one_answer
from learnable.metrics.bootstrap import Bootstrap
from learnable.metrics.delong import delong_difference, delong_interval
from learnable.metrics.delta import delta_variance, smooth_measure
from learnable.metrics.estimate import Estimate, estimate
from learnable.metrics.measured import measured
from learnable.metrics.precision import precision_interval
from learnable.metrics.resampling import bootstrapped
from learnable.metrics.scores import ranking, scores
from learnable.metrics.shares import share_of

PROPORTIONS: dict[str, tuple[Callable[..., tuple[float, float]], str]] = {
    "clopper-pearson": (intervals.clopper_pearson, "guaranteed"),
    "hoeffding": (intervals.hoeffding, "guaranteed"),
    "wilson": (intervals.wilson, "approximate"),
    "mid-p": (intervals.mid_p, "approximate"),
    "jeffreys": (intervals.jeffreys, "approximate"),
    "agresti-coull": (intervals.agresti_coull, "approximate"),
    "normal": (intervals.normal, "approximate"),
}
_SHARES = {
    "accuracy_score", "zero_one_loss", "hamming_loss", "precision_score", "recall_score",
    "specificity_score", "negative_predictive_value",
}  # fmt: skip
_SMOOTH = {
    "f1_score", "fbeta_score", "cohen_kappa_score", "matthews_corrcoef", "balanced_accuracy_score",
}  # fmt: skip


def interval(
    metric: Any,
    y_true: Any,
    y_pred: Any,
    confidence: float = 0.95,
    *,
    method: str = "auto",
    n_resamples: int = 2000,
    groups: Any = None,
    random_state: int | None = 0,
    **options: Any,
) -> Estimate:
    """Return a measure with an interval for its true value.

    Parameters
    ----------
    metric : function or str
        A measure of this module, its name, or any function of ``y_true`` and ``y_pred``.
    y_true, y_pred : array (n,)
        What the measure takes.
    confidence : float, default=0.95
        How often such intervals hold the truth.
    method : str, default="auto"
        ``"clopper-pearson"``, ``"wilson"``, ``"mid-p"``, ``"jeffreys"``, ``"agresti-coull"``,
        ``"hoeffding"``, ``"normal"`` for shares; ``"delong"``; ``"delta"``; ``"bca"``.
    n_resamples : int, default=2000
        Draws of the bootstrap.
    groups : array (n,), optional
        Rows that belong together (a patient, a day); the bootstrap draws groups.
    random_state : int or None, default=0
        Seed of the bootstrap.
    **options
        Parameters of the measure.

    Returns
    -------
    Estimate

    Examples
    --------
    >>> from learnable.metrics import interval, recall_score
    >>> y_true, y_pred = [1] * 20 + [0] * 20, [1] * 18 + [0] * 22
    >>> print(interval(recall_score, y_true, y_pred))
    recall_score is 0.9; at least 95% of such intervals hold the true value: 0.683 to 0.9877
    (guaranteed, clopper-pearson, n = 20). Given the number of rows that are 1.
    """
    check_confidence(confidence)
    function, name = named(metric)
    chosen = _method(name, method, options, grouped=groups is not None)
    if chosen in PROPORTIONS:
        return _of_share(name, y_true, y_pred, confidence, chosen, options)
    if chosen == "delong":
        return _of_area(name, y_true, y_pred, confidence, options)
    if chosen == "delta" and name == "average_precision_score":
        return _of_precision(y_true, y_pred, confidence, options)
    if chosen == "delta":
        return _of_table(name, y_true, y_pred, confidence, options)
    found, value, n = bootstrapped(
        function, y_true, [y_pred], options,
        confidence=confidence, n_resamples=n_resamples, seed=random_state, groups=groups,
    )  # fmt: skip
    return estimate(
        name, value, (found.low, found.high), confidence=confidence, kind="approximate",
        method=f"BCa bootstrap of {n_resamples} draws", n=n, note=_notes(found),
        measured=measured(name, "bca"),
    )  # fmt: skip


def difference(
    metric: Any,
    y_true: Any,
    first: Any,
    second: Any,
    confidence: float = 0.95,
    *,
    method: str = "auto",
    n_resamples: int = 2000,
    groups: Any = None,
    random_state: int | None = 0,
    **options: Any,
) -> Estimate:
    """Return how much better the first of two predictions of the same rows is, with an interval.

    The rows are paired, so what makes a row hard for both falls out. DeLong for the ROC AUC of two
    classes, the bootstrap (BCa) for any other measure; both are approximate.

    Parameters
    ----------
    metric : function or str
        A measure of this module, its name, or any function of ``y_true`` and ``y_pred``.
    y_true, first, second : array (n,)
        Right answers and two predictions of them.
    confidence, method, n_resamples, groups, random_state, **options
        As in :func:`interval`; the methods are ``"delong"`` and ``"bca"``.

    Returns
    -------
    Estimate
        Of ``metric(first) - metric(second)``.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.metrics import accuracy_score, difference
    >>> y = np.arange(60) % 2
    >>> found = difference(accuracy_score, y, y, np.where(np.arange(60) % 3, y, 1 - y))
    >>> round(found.value, 4), found.low > 0
    (0.3333, True)
    """
    check_confidence(confidence)
    function, name = named(metric)
    plain = groups is None and not options and name == "roc_auc_score"
    chosen = ("delong" if plain else "bca") if method == "auto" else method
    if chosen == "delong" and name == "roc_auc_score":
        value, bounds, n = _area_difference(y_true, first, second, confidence)
        how, note = "DeLong", ""
    elif chosen == "bca":
        found, value, n = bootstrapped(
            function, y_true, [first, second], options,
            confidence=confidence, n_resamples=n_resamples, seed=random_state, groups=groups,
        )  # fmt: skip
        bounds, note = (found.low, found.high), _notes(found)
        how = f"BCa bootstrap of {n_resamples} draws"
    else:
        msg = f"the difference of {name} has no method {method!r}"
        raise ParameterError(msg)
    apart = bounds[0] > 0.0 or bounds[1] < 0.0
    verdict = "The interval does not hold 0." if apart else "The interval holds 0."
    return estimate(
        f"The difference of {name}", value, bounds, confidence=confidence, kind="approximate",
        method=how, n=n, note=f"{verdict} {note}".strip(),
        measured=measured(name, "delong" if how == "DeLong" else "bca"),
    )  # fmt: skip


def named(metric: Any) -> tuple[Callable[..., Any], str]:
    """Return a measure and its name."""
    if isinstance(metric, str):
        room = import_module("learnable.metrics")
        if metric not in room.__all__:
            msg = f"there is no measure {metric!r} in learnable.metrics"
            raise ParameterError(msg)
        return getattr(room, metric), metric
    if not callable(metric):
        msg = f"metric must be a function or its name, not {metric!r}"
        raise ParameterError(msg)
    return metric, getattr(metric, "__name__", "The measure")


def _method(name: str, method: str, options: dict[str, Any], *, grouped: bool) -> str:
    if method != "auto":
        if method not in {*PROPORTIONS, "delong", "delta", "bca"}:
            msg = f"there is no method {method!r}"
            raise ParameterError(msg)
        if grouped and method != "bca":
            msg = "rows in groups are for the bootstrap alone (method='bca')"
            raise ParameterError(msg)
        return method
    if grouped or options.get("labels") is not None:
        return "bca"
    if name in _SHARES and options.get("average", "binary") == "binary":
        return "clopper-pearson"
    if name == "roc_auc_score" and not options:
        return "delong"
    if name == "average_precision_score" and set(options) <= {"pos_label"}:
        return "delta"
    smooth = name in _SMOOTH and options.get("average", "binary") is not None
    return "delta" if smooth and not options.get("adjusted") else "bca"


def _of_share(
    name: str, y_true: Any, y_pred: Any, confidence: float, method: str, options: dict[str, Any]
) -> Estimate:
    share = share_of(name, one_answer(y_true, y_pred), options)
    if share is None:
        msg = f"{name} is no share of rows, so {method} is not for it"
        raise ParameterError(msg)
    bounds, kind = PROPORTIONS[method]
    value = share.x / share.n if share.n else float("nan")
    return estimate(
        name, value, bounds(share.x, share.n, confidence), confidence=confidence, kind=kind,
        method=method, n=share.n, note=share.given and f"Given {share.given}.",
        measured=measured("shares", method),
    )  # fmt: skip


def _of_area(
    name: str, y_true: Any, y_score: Any, confidence: float, options: dict[str, Any]
) -> Estimate:
    if name != "roc_auc_score" or options:
        msg = "DeLong's interval is for roc_auc_score of two classes, without options"
        raise ParameterError(msg)
    found = ranking(y_true, y_score, coded(y_true)[0][-1])
    if not all(found.totals):
        raise DataError("Only one class is present in y_true.", remedy="Judge rows of both.")
    n = int(sum(found.totals))
    note = "Exact bound of a run of successes." if found.area() in (0.0, 1.0) else ""
    return estimate(
        name, found.area(), delong_interval(found, confidence), confidence=confidence,
        kind="approximate", method="DeLong", n=n, note=note, measured=measured(name, "delong"),
    )  # fmt: skip


def _of_precision(
    y_true: Any, y_score: Any, confidence: float, options: dict[str, Any]
) -> Estimate:
    found = ranking(y_true, y_score, options.get("pos_label", 1))
    value = found.average_precision()
    bounds = precision_interval(found, confidence)
    note = "The variance is 0 or unknown, so the interval tells nothing."
    return estimate(
        "average_precision_score", value, bounds, confidence=confidence, kind="approximate",
        method="delta method", n=int(sum(found.totals)), note="" if bounds != (0.0, 1.0) else note,
        measured=measured("average_precision_score", "delta"),
    )  # fmt: skip


def _of_table(
    name: str, y_true: Any, y_pred: Any, confidence: float, options: dict[str, Any]
) -> Estimate:
    found = one_answer(y_true, y_pred)
    table = found.table()
    measure = smooth_measure(name, found.classes, options)
    value = float(measure(table))
    half = intervals.normal_quantile(confidence) * math.sqrt(delta_variance(measure, table))
    least = -1.0 if name in ("matthews_corrcoef", "cohen_kappa_score") else 0.0
    note = "" if half > 0.0 else "The variance is 0, so the interval tells nothing."
    return estimate(
        name, value, (max(value - half, least), min(value + half, 1.0)), confidence=confidence,
        kind="approximate", method="delta method", n=len(found.actual), note=note,
        measured=measured(name, "delta"),
    )  # fmt: skip


def _area_difference(
    y_true: Any, first: Any, second: Any, confidence: float
) -> tuple[float, tuple[float, float], int]:
    classes, codes = coded(y_true)
    if len(classes) != 2:
        msg = f"DeLong's test is for two classes, not {len(classes)}."
        raise DataError(msg, remedy="Use method='bca'.")
    n = len(codes)
    value, variance = delong_difference(codes == 1, scores(first, n), scores(second, n))
    half = intervals.normal_quantile(confidence) * math.sqrt(variance)
    half = 2.0 if np.isnan(half) else half
    return value, (max(value - half, -1.0), min(value + half, 1.0)), n


def _notes(found: Bootstrap) -> str:
    notes = []
    if found.undefined:
        notes.append(f"{found.undefined} draws, on which it is undefined, were left out.")
    if found.constant:
        notes.append("All draws gave the same value, so the interval tells nothing.")
    return " ".join(notes)
