"""How often what was called probable happened: the calibration curve, with bands.

Probabilities are put into bins; in each, the share of rows that were positive stands against the
mean probability. Each band is the exact interval of such a share (Clopper-Pearson), and they hold
for all bins at once by the union bound: where the diagonal leaves one of them, the probabilities
are not calibrated.

Cost: one pass, and a sort for bins of equally many rows.

References
----------
.. [1] A. Niculescu-Mizil, R. Caruana: Predicting good probabilities with supervised learning.
   ICML 2005.
.. [2] J. Brocker, L. A. Smith: Increasing the reliability of reliability diagrams. Weather and
   Forecasting 22, 2007.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.metrics.answers import coded
from learnable.metrics.intervals import clopper_pearson
from learnable.metrics.positives import positive_label
from learnable.metrics.scores import scores

Floats = NDArray[np.float64]
_DRIFT = 1e-12


class Reliability(NamedTuple):
    """A calibration curve with its bands, an entry a bin that holds rows.

    Attributes
    ----------
    prob_true, prob_pred : array (m,)
        Share of positive rows, and mean probability.
    low, high : array (m,)
        The band of the share; all of them hold together with the confidence.
    count : array (m,)
        Rows.
    confidence : float
        Of all bands together.

    Examples
    --------
    >>> from learnable.calibration import reliability
    >>> found = reliability([0, 1] * 20, [0.1] * 20 + [0.9] * 20)
    >>> found.prob_true, found.calibrated
    (array([0.5, 0.5]), False)
    """

    prob_true: Floats
    prob_pred: Floats
    low: Floats
    high: Floats
    count: NDArray[np.int64]
    confidence: float

    @property
    def calibrated(self) -> bool:
        """Whether every band holds the mean probability, so that nothing speaks against it."""
        inside = (self.low <= self.prob_pred + _DRIFT) & (self.prob_pred - _DRIFT <= self.high)
        return bool(inside.all())

    @property
    def text(self) -> str:
        """The finding in one sentence."""
        n = int(self.count.sum())
        if self.calibrated:
            return f"Nothing in {n} rows speaks against these probabilities being calibrated."
        gap = self.prob_true - self.prob_pred
        out = (self.prob_pred < self.low) | (self.prob_pred > self.high)
        worst = int(np.argmax(np.where(out, np.abs(gap), -1.0)))
        return (
            f"Not calibrated: of {self.count[worst]} rows called {self.prob_pred[worst]:.3g} "
            f"probable on average, {self.prob_true[worst]:.3g} were positive, and at "
            f"{self.confidence:.0%} the true share lies between {self.low[worst]:.3g} and "
            f"{self.high[worst]:.3g}."
        )


def reliability(
    y_true: Any,
    y_prob: Any,
    *,
    pos_label: Any = None,
    n_bins: int = 5,
    strategy: str = "uniform",
    confidence: float = 0.95,
) -> Reliability:
    """Return the calibration curve with bands that hold for all bins at once.

    Parameters
    ----------
    y_true : array (n,)
        Right labels of two classes.
    y_prob : array (n,)
        Probability of the positive one.
    pos_label : label, optional
        The positive class; 1 among zeros and ones by default.
    n_bins : int, default=5
        Bins.
    strategy : {"uniform", "quantile"}
        Bins of equal width, or of equally many rows.
    confidence : float, default=0.95
        Of all bands together. They are guaranteed for independent rows, given the bins; where
        the bins are quantiles of the probabilities, they are given with them.

    Examples
    --------
    >>> from learnable.calibration import reliability
    >>> print(reliability([0, 1] * 20, [0.5] * 40).text)
    Nothing in 40 rows speaks against these probabilities being calibrated.
    """
    check_confidence(confidence)
    positive, prob = _checked(y_true, y_prob, pos_label)
    if n_bins < 1 or strategy not in ("uniform", "quantile"):
        msg = f"n_bins={n_bins!r}, strategy={strategy!r}: 1 or more bins, 'uniform' or 'quantile'"
        raise ParameterError(msg)
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    if strategy == "quantile":
        edges = np.percentile(prob, edges * 100)
    place = np.searchsorted(edges[1:-1], prob)
    count = np.bincount(place, minlength=n_bins)
    there = count > 0
    right = np.bincount(place, weights=positive, minlength=n_bins)[there]
    mean = np.bincount(place, weights=prob, minlength=n_bins)[there] / count[there]
    each = 1.0 - (1.0 - confidence) / int(there.sum())
    bands = [
        clopper_pearson(x, n, each)
        for x, n in zip(right.tolist(), count[there].tolist(), strict=True)
    ]
    low, high = np.array(bands).T
    return Reliability(right / count[there], mean, low, high, count[there], confidence)


def calibration_curve(
    y_true: Any,
    y_prob: Any,
    *,
    pos_label: Any = None,
    n_bins: int = 5,
    strategy: str = "uniform",
) -> tuple[Floats, Floats]:
    """Return the share of positive rows and the mean probability in each bin that holds rows.

    Parameters are those of :func:`reliability`, which gives bands too.

    Examples
    --------
    >>> from learnable.calibration import calibration_curve
    >>> true, predicted = calibration_curve([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], n_bins=2)
    >>> true, predicted.round(2)
    (array([0., 1.]), array([0.15, 0.85]))
    """
    found = reliability(y_true, y_prob, pos_label=pos_label, n_bins=n_bins, strategy=strategy)
    return found.prob_true, found.prob_pred


def _checked(y_true: Any, y_prob: Any, pos_label: Any) -> tuple[NDArray[np.bool_], Floats]:
    classes, codes = coded(y_true)
    prob = scores(y_prob, len(codes))
    if not (prob.min() >= 0.0 and prob.max() <= 1.0):
        raise DataError("y_prob has values outside [0, 1].", remedy="Give probabilities.")
    if len(classes) > 2:
        raise DataError(
            f"Only binary classification is supported. Provided labels {classes.tolist()}.",
            remedy="Judge one class at a time.",
        )
    return classes[codes] == positive_label(classes, pos_label), prob
