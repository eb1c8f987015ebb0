"""Extent: smallest and largest value of each column, and how many rows were seen.

There is no ``minus``: what the extreme would be without a row cannot be known.

Cost: n d comparisons.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learnable.loops.counting import extremes
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen


class Extent(NamedTuple):
    """Smallest and largest value of each column.

    Attributes
    ----------
    n : int
        Rows seen.
    low, high : array (d,)
        Extremes; infinite where no row was seen.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats import Extent
    >>> Extent.of(np.array([[1.0], [3.0]])).merge(Extent.of(np.array([[-2.0]])))
    Extent(n=3, low=array([-2.]), high=array([3.]))
    """

    n: int
    low: Floats
    high: Floats

    @classmethod
    def zero(cls, d: int) -> Extent:
        """Return the extent of no rows."""
        return cls(0, np.full(d, np.inf), np.full(d, -np.inf))

    @classmethod
    def of(cls, X: Floats, weight: Floats = NO_WEIGHTS) -> Extent:
        """Summarise one block; rows of weight 0 do not count."""
        n = int(np.count_nonzero(weight)) if len(weight) else len(X)
        return cls(n, *extremes(frozen(X), frozen(weight)))

    def merge(self, other: Extent) -> Extent:
        """Return the extent of both sets of rows."""
        return Extent(
            self.n + other.n, np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        )
