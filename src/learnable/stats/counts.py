"""Counts: contingency tables of coded columns, per class.

The statistic behind categorical naive Bayes, nominal splits, conditional probability tables,
Markov chains and confusion matrices: the weight of each class together with each code of each
column. Codes need not be known beforehand: tables of different sizes merge, the smaller padded.

Cost: n d additions; K (m_1 + ... + m_d) numbers to keep.

References
----------
.. [1] Y. M. M. Bishop, S. E. Fienberg, P. W. Holland: Discrete Multivariate Analysis. MIT Press
   1975.
.. [2] A. Moore, M. S. Lee: Cached sufficient statistics for efficient machine learning with large
   datasets. JAIR 8, 1998.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import ParameterError
from learnable.loops.counting import count_codes
from learnable.stats.arrays import NO_CODES, NO_WEIGHTS, Floats, frozen


class Counts(NamedTuple):
    """Weight of each class with each code of each column.

    Attributes
    ----------
    weight : array (K,)
        Weight of each class.
    table : array (K, offsets[d])
        The tables of the columns side by side.
    offsets : array (d + 1,)
        Where the table of each column begins.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats import Counts
    >>> codes, y = np.array([[0], [1], [1]], np.int32), np.array([0, 0, 1], np.int32)
    >>> counts = Counts.of(codes, y, 2, sizes=[2])
    >>> counts.column(0)
    array([[1., 1.],
           [0., 1.]])
    """

    weight: Floats
    table: Floats
    offsets: NDArray[np.int64]

    @classmethod
    def zero(cls, k: int, d: int) -> Counts:
        """Return the counts of no rows, whose columns have no codes yet."""
        return cls(np.zeros(k), np.zeros((k, 0)), np.zeros(d + 1, np.int64))

    @classmethod
    def of(
        cls,
        codes: NDArray[np.int32],
        classes: NDArray[np.int32] = NO_CODES,
        k: int = 1,
        weight: Floats = NO_WEIGHTS,
        *,
        sizes: list[int] | NDArray[np.int64] | None = None,
    ) -> Counts:
        """Summarise one block.

        Parameters
        ----------
        codes : array (n, d) of int32
            Code of each cell; negative where it is missing.
        classes : array (n,) of int32, optional
            Class of each row; a negative one leaves the row out.
        k : int
            Number of classes.
        weight : array (n,), optional
            Weight of each row.
        sizes : sequence of int, optional
            Number of codes of each column; by default one more than the largest.
        """
        if sizes is None:
            sizes = codes.max(axis=0, initial=-1) + 1
        elif len(sizes) != codes.shape[1]:
            msg = f"there is one size a column: {len(sizes)} sizes, {codes.shape[1]} columns"
            raise ParameterError(msg)
        offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        total, table = count_codes(frozen(codes), frozen(classes), frozen(weight), k, offsets)
        return cls(total, table, offsets)

    def merge(self, other: Counts) -> Counts:
        """Return the counts of both sets of rows."""
        left, right = self._aligned(other)
        return Counts(left.weight + right.weight, left.table + right.table, left.offsets)

    def minus(self, other: Counts) -> Counts:
        """Return the counts of the rows that remain without the other's."""
        left, right = self._aligned(other)
        return Counts(left.weight - right.weight, left.table - right.table, left.offsets)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of codes of each column."""
        return np.diff(self.offsets)

    def column(self, j: int) -> Floats:
        """Return the table of one column, (K, m_j)."""
        return self.table[:, self.offsets[j] : self.offsets[j + 1]]

    def resized(self, sizes: NDArray[np.int64]) -> Counts:
        """Return the same counts in tables of the given sizes, which must not be smaller."""
        offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        table = np.zeros((len(self.weight), offsets[-1]))
        for j, size in enumerate(self.sizes):
            table[:, offsets[j] : offsets[j] + size] = self.column(j)
        return Counts(self.weight, table, offsets)

    def _aligned(self, other: Counts) -> tuple[Counts, Counts]:
        if np.array_equal(self.offsets, other.offsets):
            return self, other
        sizes = np.maximum(self.sizes, other.sizes)
        return self.resized(sizes), other.resized(sizes)
