"""Intervals for a proportion.

With ``x`` of ``n``, ``p = x / n``, ``alpha = 1 - confidence`` and the normal quantile ``z``,

===============  ======================================================================
Clopper-Pearson  ``B(alpha / 2; x, n - x + 1)`` to ``B(1 - alpha / 2; x + 1, n - x)``
Hoeffding        ``p -+ sqrt(log(2 / alpha) / (2 n))``
Wilson           ``(p + z^2 / 2n -+ z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n)``
Agresti-Coull    the normal one about ``(x + z^2 / 2) / (n + z^2)``
mid-P            the exact one that counts half of what was seen itself
Jeffreys         quantiles of ``Beta(x + 1/2, n - x + 1/2)``
normal           ``p -+ z sqrt(p (1 - p) / n)``
===============  ======================================================================

where ``B`` is the quantile of the Beta distribution. The first two are guaranteed: coverage is at
least ``confidence`` for every ``n`` and every true proportion. The others are approximate; exact
coverage of nominal 95% intervals, by counting every outcome:

=======================  ======  ======  =====  ========  =============  ===============
n, true proportion       normal  Wilson  mid-P  Jeffreys  Agresti-Coull  Clopper-Pearson
=======================  ======  ======  =====  ========  =============  ===============
10, 0.05                 .400    .914    .988   .988      .988           .988
20, 0.05                 .639    .925    .984   .984      .984           .984
40, 0.1                  .914    .943    .970   .970      .958           .970
100, 0.01                .633    .921    .982   .982      .982           .982
100, 0.1                 .932    .936    .956   .956      .972           .956
1000, 0.01               .927    .964    .945   .945      .964           .976
=======================  ======  ======  =====  ========  =============  ===============

References
----------
.. [1] C. J. Clopper, E. S. Pearson: The use of confidence or fiducial limits illustrated in the
   case of the binomial. Biometrika 26, 1934.
.. [2] E. B. Wilson: Probable inference, the law of succession, and statistical inference. JASA 22,
   1927.
.. [3] L. D. Brown, T. T. Cai, A. DasGupta: Interval estimation for a binomial proportion.
   Statistical Science 16, 2001.
.. [4] W. Hoeffding: Probability inequalities for sums of bounded random variables. JASA 58, 1963.
"""

from __future__ import annotations

import math

from learnable.core.warning import warn

_TOO_FEW = 5.0


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


def wilson(x: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval of a proportion (approximate).

    Parameters are those of :func:`clopper_pearson`.

    Examples
    --------
    >>> from learnable.metrics import wilson
    >>> low, high = wilson(12, 40)
    >>> round(low, 5), round(high, 5)
    (0.18075, 0.4543)
    """
    if n == 0:
        return 0.0, 1.0
    p, z = x / n, normal_quantile(confidence)
    scale = 1.0 + z * z / n
    middle = (p + z * z / (2.0 * n)) / scale
    half = z * math.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n)) / scale
    return (0.0 if x == 0 else middle - half), (1.0 if x == n else middle + half)


def agresti_coull(x: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the interval of Agresti and Coull (approximate).

    Parameters are those of :func:`clopper_pearson`.

    Examples
    --------
    >>> from learnable.metrics import agresti_coull
    >>> low, high = agresti_coull(12, 40)
    >>> round(low, 4), round(high, 4)
    (0.1797, 0.4553)
    """
    z = normal_quantile(confidence)
    trials = n + z * z
    p = (x + z * z / 2.0) / trials
    half = z * math.sqrt(p * (1.0 - p) / trials)
    return max(p - half, 0.0), min(p + half, 1.0)


def mid_p(x: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the mid-P interval of a proportion (approximate).

    Parameters are those of :func:`clopper_pearson`.

    Examples
    --------
    >>> from learnable.metrics import mid_p
    >>> low, high = mid_p(12, 40)
    >>> round(low, 4), round(high, 4)
    (0.1738, 0.4542)
    """
    from scipy.optimize import brentq
    from scipy.special import betainc

    if n == 0:
        return 0.0, 1.0
    tail = (1.0 - confidence) / 2.0

    def beyond(p: float, less: float) -> float:
        reached = betainc(x, n - x + 1, p) if x > 0 else 1.0
        passed = betainc(x + 1, n - x, p) if x < n else 0.0
        return 0.5 * float(reached + passed) - less

    low = float(brentq(beyond, 0.0, 1.0, (tail,), xtol=1e-14)) if x > 0 else 0.0
    high = float(brentq(beyond, 0.0, 1.0, (1.0 - tail,), xtol=1e-14)) if x < n else 1.0
    return low, high


def jeffreys(x: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return Jeffreys' interval of a proportion, closed at 0 and 1 (approximate).

    Parameters are those of :func:`clopper_pearson`.

    Examples
    --------
    >>> from learnable.metrics import jeffreys
    >>> low, high = jeffreys(12, 40)
    >>> round(low, 4), round(high, 4)
    (0.1756, 0.4522)
    """
    from scipy.special import betaincinv

    tail = (1.0 - confidence) / 2.0
    low = float(betaincinv(x + 0.5, n - x + 0.5, tail)) if x > 0 else 0.0
    high = float(betaincinv(x + 0.5, n - x + 0.5, 1.0 - tail)) if x < n else 1.0
    return low, high


def hoeffding(x: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return Hoeffding's interval of a mean of numbers between 0 and 1 (guaranteed).

    Parameters are those of :func:`clopper_pearson`; ``x`` is the sum and need not be whole.

    Examples
    --------
    >>> from learnable.metrics import hoeffding
    >>> low, high = hoeffding(369, 738)
    >>> round(low, 3), round(high, 3)
    (0.45, 0.55)
    """
    if n == 0:
        return 0.0, 1.0
    half = math.sqrt(math.log(2.0 / (1.0 - confidence)) / (2.0 * n))
    return max(x / n - half, 0.0), min(x / n + half, 1.0)


def normal(x: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the normal interval of a proportion (approximate); it warns where it fails.

    It is fit for use where ``n p (1 - p) >= 5``. Parameters are those of
    :func:`clopper_pearson`.

    Examples
    --------
    >>> from learnable.metrics import normal
    >>> low, high = normal(12, 40)
    >>> round(low, 5), round(high, 5)
    (0.15799, 0.44201)
    """
    spread = x * (n - x) / n if n else 0.0
    if spread < _TOO_FEW:
        warn(
            f"The normal interval is not fit for {x:g} of {n:g}: n p (1 - p) is {spread:.3g}, less "
            "than 5. Use clopper_pearson or wilson."
        )
    if n == 0:
        return 0.0, 1.0
    half = normal_quantile(confidence) * math.sqrt(spread) / n
    return max(x / n - half, 0.0), min(x / n + half, 1.0)


def normal_quantile(confidence: float) -> float:
    """Return ``z``, so that a standard normal number lies within ``-+z`` that often.

    Examples
    --------
    >>> from learnable.metrics.intervals import normal_quantile
    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri(0.5 + confidence / 2.0))
