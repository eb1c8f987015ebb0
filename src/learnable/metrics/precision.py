"""The variance of average precision, by the derivative of each row's weight.

Average precision does not change when all rows are repeated, so with ``D_i`` its derivative by the
weight of row i (the infinitesimal jackknife),

    var(AP) = n / (n - 1) sum_i D_i^2

The interval is made on the scale ``log(AP / (1 - AP))``, which keeps it inside 0 and 1. It is
approximate, and poor for few positive rows (:mod:`learnable.metrics.measured`).

Cost: n log n comparisons.

References
----------
.. [1] K. Boyd, K. H. Eng, C. D. Page: Area under the precision-recall curve: point estimates and
   confidence intervals. ECML PKDD 2013.
.. [2] B. Efron: Nonparametric estimates of standard error: the jackknife, the bootstrap and other
   methods. Biometrika 68, 1981.
"""

from __future__ import annotations

import math

from learnable.metrics.intervals import normal_quantile
from learnable.stats.ranking import Ranking


def precision_variance(found: Ranking) -> float:
    """Return the variance of average precision; NaN with fewer than two rows or none positive.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.metrics.precision import precision_variance
    >>> from learnable.stats import Ranking
    >>> y = np.arange(20) % 4 > 1
    >>> round(precision_variance(Ranking.of(np.arange(20.0) + 4 * y, y)), 4)
    0.011
    """
    n = sum(found.totals)
    return n / (n - 1.0) * found.precision_squares() if n > 1.0 else math.nan


def precision_interval(found: Ranking, confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval of average precision; from 0 to 1 where the rows tell nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.metrics.precision import precision_interval
    >>> from learnable.stats import Ranking
    >>> y = np.arange(20) % 4 > 1
    >>> low, high = precision_interval(Ranking.of(np.arange(20.0) + 4 * y, y))
    >>> round(low, 3), round(high, 3)
    (0.525, 0.935)
    """
    return logit_interval(found.average_precision(), precision_variance(found), confidence)


def logit_interval(value: float, variance: float, confidence: float) -> tuple[float, float]:
    """Return the normal interval of a share on the scale of its log-odds.

    Examples
    --------
    >>> from learnable.metrics.precision import logit_interval
    >>> low, high = logit_interval(0.5, 0.01, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.313, 0.687)
    """
    if not 0.0 < value < 1.0 or not variance > 0.0:
        return 0.0, 1.0
    middle = math.log(value / (1.0 - value))
    half = normal_quantile(confidence) * math.sqrt(variance) / (value * (1.0 - value))
    return _expit(middle - half), _expit(middle + half)


def _expit(x: float) -> float:
    return 0.5 * (1.0 + math.tanh(0.5 * x))
