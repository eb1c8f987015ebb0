"""Histogram: weight of each class in each bin of each column, on edges stated beforehand.

Bin 0 holds missing cells, bin 1 what lies below the first edge, the last bin what lies above the
last edge, so that nothing is lost silently. A value on an inner edge belongs to the bin above it.

Cost: n d log(bins) comparisons; K d (bins + 3) numbers to keep.

References
----------
.. [1] Y. Ben-Haim, E. Tom-Tov: A streaming parallel decision tree algorithm. JMLR 11, 2010.
.. [2] G. Ke et al.: LightGBM: a highly efficient gradient boosting decision tree. NeurIPS 2017.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import ParameterError
from learnable.loops.counting import count_bins
from learnable.stats.arrays import NO_CODES, NO_WEIGHTS, Floats, frozen


class Histogram(NamedTuple):
    """Weight of each class in each bin of each column.

    Attributes
    ----------
    edges : array (d, bins + 1)
        Rising edges of each column.
    table : array (K, d, bins + 3)
        Weight missing, below, in each bin, above.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats import Histogram
    >>> X = np.array([[0.5], [1.5], [9.0], [np.nan]])
    >>> Histogram.of(X, np.array([[0.0, 1.0, 2.0]])).table[0, 0]
    array([1., 0., 1., 1., 1.])
    """

    edges: Floats
    table: Floats

    @classmethod
    def zero(cls, edges: Floats, k: int = 1) -> Histogram:
        """Return the histogram of no rows."""
        return cls(edges, np.zeros((k, edges.shape[0], edges.shape[1] + 2)))

    @classmethod
    def of(
        cls,
        X: Floats,
        edges: Floats,
        codes: NDArray[np.int32] = NO_CODES,
        k: int = 1,
        weight: Floats = NO_WEIGHTS,
    ) -> Histogram:
        """Summarise one block, of rows with class ``codes`` (negative: left out)."""
        if edges.ndim != 2 or edges.shape[1] < 2 or not (np.diff(edges, axis=1) > 0).all():
            msg = "edges must be (columns, bins + 1) with rising edges in each column"
            raise ParameterError(msg)
        if len(edges) != X.shape[1]:
            msg = f"edges are for {len(edges)} columns, the rows have {X.shape[1]} columns"
            raise ParameterError(msg)
        table = count_bins(frozen(X), frozen(codes), frozen(weight), k, frozen(edges))
        return cls(edges, table)

    def merge(self, other: Histogram) -> Histogram:
        """Return the histogram of both sets of rows."""
        return Histogram(self.edges, self.table + self._same_edges(other).table)

    def minus(self, other: Histogram) -> Histogram:
        """Return the histogram of the rows that remain without the other's."""
        return Histogram(self.edges, self.table - self._same_edges(other).table)

    @property
    def inside(self) -> Floats:
        """Weight in the bins between the edges, (K, d, bins)."""
        return self.table[:, :, 2:-1]

    def _same_edges(self, other: Histogram) -> Histogram:
        if not np.array_equal(self.edges, other.edges):
            msg = "histograms on different edges do not merge; state the edges once for all blocks"
            raise ParameterError(msg)
        return other
