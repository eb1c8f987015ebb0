"""Curves over all thresholds with bands that hold everywhere at once, and gain and lift.

The shares of positive and of negative rows at a threshold or above it are distribution functions,
so the Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant bounds both everywhere [1]_:

    P(sup_t |share(t) - true share(t)| > eps) <= 2 exp(-2 n eps^2)

A third of ``1 - confidence`` goes to each of the two, and a third to the share of positive rows
(Clopper-Pearson). Precision and lift rise with the first and fall with the second, so their bands
follow. All of it is guaranteed for independent rows, whatever the scores.

========  ==============================================================
ROC       recall against the false positive rate
PR        precision against recall
gain      recall against the share of rows that are called positive
lift      precision over the share of rows that are positive
========  ==============================================================

Cost: n log n comparisons.

References
----------
.. [1] P. Massart: The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality. Annals of
   Probability 18, 1990.
.. [2] G. Campbell: Advances in statistical methodology for the evaluation of diagnostic and
   laboratory tests. Statistics in Medicine 13, 1994.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError
from learnable.metrics.intervals import clopper_pearson
from learnable.metrics.scores import ranking
from learnable.stats.arrays import Floats


class Side(NamedTuple):
    """A rate at each threshold, with its band.

    Examples
    --------
    >>> from learnable.metrics import curve_bands
    >>> found = curve_bands([0, 1] * 50, list(range(100)))
    >>> bool((found.recall.low <= found.recall.value).all())
    True
    """

    value: Floats
    low: Floats
    high: Floats


class CurveBands(NamedTuple):
    """Rates at each threshold with bands that hold at all of them together.

    Attributes
    ----------
    threshold : array (m,)
        Falling; the first is infinite, so that nothing is called positive.
    called : array (m,)
        Share of the rows that are called positive.
    recall, false_positive_rate, precision, lift : Side
        The rates; precision and lift of no calls at all are those of the first call.
    share : Side
        Share of positive rows (one entry).
    confidence : float
        Of all bands at all thresholds together.
    n : int
        Rows.

    Examples
    --------
    >>> from learnable.metrics import curve_bands
    >>> found = curve_bands([0, 1] * 50, list(range(100)))
    >>> found.threshold[:2], round(float(found.recall.high[0]), 3)
    (array([inf, 99.]), 0.219)
    """

    threshold: Floats
    called: Floats
    recall: Side
    false_positive_rate: Side
    precision: Side
    lift: Side
    share: Side
    confidence: float
    n: int


def curve_bands(
    y_true: Any, y_score: Any, *, pos_label: Any = None, confidence: float = 0.95
) -> CurveBands:
    """Return ROC, precision-recall, gain and lift curves with bands.

    Parameters
    ----------
    y_true, y_score : array (n,)
        Right labels of two classes, and scores of the positive one.
    pos_label : label, optional
        The positive class; 1 among zeros and ones by default.
    confidence : float, default=0.95
        Of all bands at all thresholds together.

    Examples
    --------
    >>> from learnable.metrics import curve_bands
    >>> found = curve_bands([0] * 200 + [1] * 200, list(range(400)))
    >>> round(float(found.lift.value[1]), 2), round(float(found.precision.low[-1]), 3)
    (2.0, 0.411)
    """
    check_confidence(confidence)
    found = ranking(y_true, y_score, pos_label)
    up, down = found.totals
    if not up or not down:
        raise DataError("Only one class is present in y_true.", remedy="Give rows of both.")
    each = 1.0 - (1.0 - confidence) / 3.0
    tp, fp = (np.append(0.0, part) for part in found.above())
    recall, wrong = _banded(tp, up, each), _banded(fp, down, each)
    share = Side(
        *(np.array([x]) for x in (up / (up + down), *clopper_pearson(up, up + down, each)))
    )
    precision = Side(
        _first_call(_precise(recall.value, wrong.value, share.value)),
        _precise(recall.low, wrong.high, share.low, empty=0.0),
        _precise(recall.high, wrong.low, share.high, empty=1.0),
    )
    ends = [
        (_lift(recall.low, wrong.high, one, 0.0), _lift(recall.high, wrong.low, one, 1.0 / one))
        for one in (share.low, share.high)
    ]
    lift = Side(
        precision.value / share.value,
        np.minimum(ends[0][0], ends[1][0]),
        np.maximum(ends[0][1], ends[1][1]),
    )
    return CurveBands(
        np.append(np.inf, found.score[::-1]), (tp + fp) / (up + down), recall, wrong, precision,
        lift, share, confidence, int(up + down),
    )  # fmt: skip


def gain_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None
) -> tuple[Floats, Floats, Floats]:
    """Return the share of rows called positive, the share of positive rows among them, thresholds.

    Parameters
    ----------
    y_true, y_score, pos_label
        As in :func:`curve_bands`, which gives bands too.

    Examples
    --------
    >>> from learnable.metrics import gain_curve
    >>> called, gain, _ = gain_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> called.tolist(), gain.tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    found = curve_bands(y_true, y_score, pos_label=pos_label)
    return found.called, found.recall.value, found.threshold


def lift_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None
) -> tuple[Floats, Floats, Floats]:
    """Return the share of rows called positive, how much denser positives are there, thresholds.

    Parameters
    ----------
    y_true, y_score, pos_label
        As in :func:`curve_bands`, which gives bands too.

    Examples
    --------
    >>> from learnable.metrics import lift_curve
    >>> called, lift, _ = lift_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> called.tolist(), lift.round(2).tolist()
    ([0.25, 0.5, 0.75, 1.0], [2.0, 1.0, 1.33, 1.0])
    """
    found = curve_bands(y_true, y_score, pos_label=pos_label)
    return found.called[1:], found.lift.value[1:], found.threshold[1:]


def _banded(counts: Floats, n: float, confidence: float) -> Side:
    eps = math.sqrt(math.log(2.0 / (1.0 - confidence)) / (2.0 * n))
    value = counts / n
    return Side(value, np.maximum(value - eps, 0.0), np.minimum(value + eps, 1.0))


def _precise(recall: Floats, wrong: Floats, share: Floats, empty: float = math.nan) -> Floats:
    right, rest = share * recall, (1.0 - share) * wrong
    called = right + rest
    return np.divide(right, called, out=np.full(len(recall), empty), where=called > 0.0)


def _first_call(values: Floats) -> Floats:
    return np.append(values[1], values[1:])


def _lift(recall: Floats, wrong: Floats, share: Floats, empty: Any) -> Floats:
    """Return ``recall / (share recall + (1 - share) wrong)``."""
    called = share * recall + (1.0 - share) * wrong
    return np.divide(recall, called, out=np.full(len(recall), empty), where=called > 0.0)
