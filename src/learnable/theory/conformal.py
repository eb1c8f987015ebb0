"""Split conformal prediction: ranks, and the law of the coverage that they give.

If the scores of ``n`` calibration rows and of a new row are exchangeable, then the score of the new
row is at most the ``k``-th smallest one, ``k = ceil((n + 1) p)``, with a chance of ``p`` at least.
For given calibration rows the chance is a draw of ``Beta(k, n + 1 - k)`` (with ties: no smaller).

References
----------
.. [1] V. Vovk, A. Gammerman, G. Shafer: Algorithmic Learning in a Random World. Springer 2005.
.. [2] V. Vovk: Conditional validity of inductive conformal predictors. Machine Learning 92, 2013.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple


def conformal_rank(n: int, confidence: float) -> int:
    """Return ``ceil((n + 1) confidence)`` in exact arithmetic; more than ``n`` is the whole line.

    Parameters
    ----------
    n : int
        Calibration rows.
    confidence : float
        Coverage wanted, taken as the decimal number that it prints as.

    Examples
    --------
    >>> from learnable.theory.conformal import conformal_rank
    >>> [conformal_rank(n, 0.9) for n in (8, 9, 99, 100)]
    [9, 9, 90, 91]
    """
    return math.ceil((n + 1) * Fraction(repr(float(confidence))))


class CoverageLaw(NamedTuple):
    """How the coverage is spread over draws of the calibration rows: ``Beta(k, n + 1 - k)``.

    Attributes
    ----------
    n, k : int
        Calibration rows and rank; ``k > n`` covers everything.

    Examples
    --------
    >>> from learnable.theory.conformal import CoverageLaw
    >>> law = CoverageLaw(100, 91)
    >>> round(law.mean, 5), round(law.sd, 4), round(law.low(0.95), 4)
    (0.90099, 0.0296, 0.8482)
    """

    n: int
    k: int

    @property
    def mean(self) -> float:
        """Coverage on average over calibrations."""
        return min(self.k / (self.n + 1), 1.0)

    @property
    def sd(self) -> float:
        """Standard deviation of the coverage over calibrations."""
        if self.k > self.n:
            return 0.0
        return math.sqrt(self.mean * (1.0 - self.mean) / (self.n + 2))

    def low(self, confidence: float) -> float:
        """Return a bound that the coverage keeps for that share of the calibrations."""
        from scipy.special import betaincinv

        if self.k > self.n:
            return 1.0
        return float(betaincinv(self.k, self.n + 1 - self.k, 1.0 - confidence))
