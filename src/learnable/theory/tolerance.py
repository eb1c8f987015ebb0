"""Distribution-free statements from order statistics.

If ``x_(1) <= ... <= x_(n)`` are independent draws of any distribution, then

- at least a share ``p`` of new values lies at or below ``x_(k)`` with probability
  ``P(Bin(n, p) < k)`` at least (Wilks);
- a new value falls outside ``[x_(1), x_(n)]`` with probability ``2 / (n + 1)`` at most on
  average, and the share outside is at most ``u`` with probability
  ``1 - (1 - u)^n - n u (1 - u)^(n - 1)`` at least.

References
----------
.. [1] S. S. Wilks: Determination of sample sizes for setting tolerance limits. Annals of
   Mathematical Statistics 12, 1941.
.. [2] J. G. Saw, M. C. K. Yang, T. C. Mo: Chebyshev inequality with estimated mean and variance.
   The American Statistician 38, 1984.
"""

from __future__ import annotations

import math


def tolerance_rank(n: int, share: float, confidence: float) -> int | None:
    """Return the smallest ``k`` so that ``x_(k)`` bounds ``share`` of new values, or None.

    Parameters
    ----------
    n : int
        Number of draws.
    share : float
        Share of new values to bound.
    confidence : float
        How often, at least, the statement is true.

    Examples
    --------
    >>> from learnable.theory.tolerance import tolerance_rank
    >>> tolerance_rank(59, 0.95, 0.95), tolerance_rank(58, 0.95, 0.95)
    (59, None)
    """
    from scipy.special import bdtr

    low, high = 1, n + 1
    while low < high:
        k = (low + high) // 2
        if bdtr(k - 1, n, share) >= confidence:
            high = k
        else:
            low = k + 1
    return low if low <= n else None


def share_outside_range(n: int, confidence: float) -> float:
    """Return a bound on the share of new values outside the extremes of ``n`` draws.

    Examples
    --------
    >>> from learnable.theory.tolerance import share_outside_range
    >>> round(share_outside_range(100, 0.95), 4)
    0.0466
    """
    from scipy.special import betaincinv

    return 1.0 if n < 2 else 1.0 - float(betaincinv(n - 1, 2, 1.0 - confidence))


def chebyshev_share(n: int, distance: float) -> float:
    """Return a bound on the chance that a new value lies more than ``distance`` sds from the mean.

    Mean and standard deviation (by n - 1) are those of ``n`` exchangeable earlier values. Among
    all ``n + 1``, at most ``floor(c)`` can lie so far out that their squared deviation from the
    common mean is the c-th part of the sum of all; exchangeability makes that a chance.

    Examples
    --------
    >>> from learnable.theory.tolerance import chebyshev_share
    >>> round(chebyshev_share(1000, 3.0), 4)
    0.1119
    """
    if n < 2 or distance <= 0.0:
        return 1.0
    allowed = (1.0 + 1.0 / n) * ((n - 1.0 / n) / distance**2 + 1.0)
    return min(1.0, math.floor(allowed) / (n + 1))
