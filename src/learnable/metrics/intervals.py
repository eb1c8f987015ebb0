"""Intervals for a proportion.

Clopper and Pearson invert the binomial test: with ``x`` of ``n`` and ``alpha = 1 - confidence``,

    low = B(alpha / 2; x, n - x + 1)        high = B(1 - alpha / 2; x + 1, n - x)

where ``B`` is the quantile of the Beta distribution. Coverage is at least ``confidence`` for every
``n`` and every true proportion.

References
----------
.. [1] C. J. Clopper, E. S. Pearson: The use of confidence or fiducial limits illustrated in the
   case of the binomial. Biometrika 26, 1934.
.. [2] L. D. Brown, T. T. Cai, A. DasGupta: Interval estimation for a binomial proportion.
   Statistical Science 16, 2001.
"""

from __future__ import annotations


def clopper_pearson(x: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of a proportion, ``x`` of ``n``.

    Parameters
    ----------
    x, n : int
        Successes and trials.
    confidence : float
        Coverage that is guaranteed.

    Returns
    -------
    tuple of float
        Lower and upper bound.

    Examples
    --------
    >>> from learnable.metrics.intervals import clopper_pearson
    >>> low, high = clopper_pearson(12, 40)
    >>> round(low, 5), round(high, 5)
    (0.16563, 0.46532)
    """
    from scipy.special import betaincinv

    if n == 0:
        return 0.0, 1.0
    tail = (1.0 - confidence) / 2.0
    low = float(betaincinv(x, n - x + 1, tail)) if x > 0 else 0.0
    high = float(betaincinv(x + 1, n - x, 1.0 - tail)) if x < n else 1.0
    return low, high


def upper_bound(x: float, n: float, confidence: float = 0.95) -> float:
    """Return the exact one-sided upper bound of a proportion, ``x`` of ``n``.

    Examples
    --------
    >>> from learnable.metrics.intervals import upper_bound
    >>> round(upper_bound(0, 100), 6)
    0.029513
    """
    return clopper_pearson(x, n, 2.0 * confidence - 1.0)[1]
