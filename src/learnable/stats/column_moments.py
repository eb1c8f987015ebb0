"""Moments of columns that miss cells: a weight of its own for each column.

As :class:`~learnable.stats.Moments` of one class, but a missing cell (NaN) counts nowhere, and the
stored cells of compressed rows are enough: the zeros between them are one merge.

Cost: 2 n d additions, 3 passes where cells are missing; 4 d numbers to keep.

References
----------
.. [1] T. F. Chan, G. H. Golub, R. J. LeVeque: Algorithms for computing the sample variance.
   The American Statistician 37, 1983.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.loops import scaling
from learnable.loops.scanning import all_finite
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen
from learnable.stats.moments import Moments


class ColumnMoments(NamedTuple):
    """Weight, mean and centred scatter of each column, over the cells that are there.

    Attributes
    ----------
    weight : array (d,)
        Sum of the weights of the cells.
    mean : array (d,)
        Weighted mean; 0 where there is no cell.
    scatter : array (d,)
        Centred sum of squares, in units of ``unit``.
    unit : array (d,)
        A power of two; 0 where the column never varied.
    even : bool
        Whether every row had the weight 1.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats.column_moments import ColumnMoments
    >>> found = ColumnMoments.of(np.array([[1.0, np.nan], [3.0, 5.0]]))
    >>> found.weight, found.mean, found.spread()
    (array([2., 1.]), array([2., 5.]), array([1., 0.]))
    """

    weight: Floats
    mean: Floats
    scatter: Floats
    unit: Floats
    even: bool

    @classmethod
    def zero(cls, d: int) -> ColumnMoments:
        """Return the moments of no rows."""
        return cls(np.zeros(d), np.zeros(d), np.zeros(d), np.zeros(d), True)

    @classmethod
    def of(cls, X: Floats, weight: Floats = NO_WEIGHTS) -> ColumnMoments:
        """Summarise one block; NaN is a missing cell.

        Parameters
        ----------
        X : array (n, d)
            Finite numbers and NaN.
        weight : array (n,), optional
            Weight of each row.
        """
        X = frozen(np.ascontiguousarray(X))
        d = X.shape[1]
        if all_finite(X.reshape(1, -1)):
            total, mean, scatter, unit = Moments.of(X, weight=weight)
            return cls(np.repeat(total, d), mean[0], scatter[0], unit, _even(weight))
        total, mean = scaling.gapped_means(X, frozen(weight))
        scatter, unit = scaling.gapped_scatter(X, frozen(weight), frozen(total), frozen(mean))
        return cls(total, mean, scatter, unit, _even(weight))

    @classmethod
    def of_stored(cls, X: Any, weight: Floats = NO_WEIGHTS) -> ColumnMoments:
        """Summarise compressed rows: what is not stored is 0.

        Parameters
        ----------
        X : CSR matrix (n, d)
            Its stored cells, finite or NaN.
        weight : array (n,), optional
            Weight of each row.
        """
        n, d = X.shape
        height = np.diff(X.indptr)
        each = np.repeat(weight, height) if len(weight) else np.ones(len(X.data))
        stored = _of_cells(X.data, X.indices.astype(np.int64), each, d, _even(weight))
        whole = weight.sum() if len(weight) else float(n)
        rest = np.maximum(whole - np.bincount(X.indices, weights=each, minlength=d), 0.0)
        rest[np.bincount(X.indices, minlength=d) == n] = 0.0
        return stored.merge(cls(rest, *cls.zero(d)[1:]))

    def merge(self, other: ColumnMoments) -> ColumnMoments:
        """Return the moments of both sets of rows."""
        weight, mean, scatter, unit = scaling.merge_columns(*self[:4], *other[:4])
        return ColumnMoments(weight, mean, scatter, unit, self.even and other.even)

    def minus(self, other: ColumnMoments) -> ColumnMoments:
        """Return the moments of the rows that remain without the other's (to rounding).

        Whether these all had the weight 1 is known only if all of them had.
        """
        weight = self.weight - other.weight
        left = weight > 0.0
        divisor = np.where(self.unit != 0.0, self.unit, 1.0)
        delta = np.where(left & (other.weight != 0.0), self.mean - other.mean, 0.0)
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=left)
        between = (delta / divisor) ** 2 * self.weight * share
        scatter = self.scatter - other.scatter * (other.unit / divisor) ** 2 - between
        return ColumnMoments(
            np.where(left, weight, 0.0),
            np.where(left, self.mean + delta * share, 0.0),
            np.where(left, np.maximum(scatter, 0.0), 0.0),
            self.unit,
            self.even,
        )

    @property
    def is_finite(self) -> bool:
        """Whether every number of the statistic is finite."""
        return all(bool(np.isfinite(part).all()) for part in self[:4])

    def spread(self) -> Floats:
        """Return the standard deviation by N of each column; never under- or overflows."""
        return np.asarray(np.sqrt(self.scatter / self._divisor()) * self.unit)

    def variance(self) -> Floats:
        """Return the variance by N; unlike :meth:`spread` it can leave the range of floats."""
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(self.scatter / self._divisor() * self.unit * self.unit)

    def _divisor(self) -> Floats:
        return np.where(self.weight > 0.0, self.weight, 1.0)


def _even(weight: Floats) -> bool:
    return bool((weight == 1.0).all())


def _of_cells(
    data: Floats, columns: NDArray[np.int64], weight: Floats, d: int, even: bool
) -> ColumnMoments:
    """Summarise single cells, leaving out the missing ones and those without weight."""
    there = ~np.isnan(data) & (weight != 0.0)
    cells = frozen(data[there]), frozen(columns[there]), frozen(weight[there])
    total, mean = scaling.stored_means(*cells, d)
    scatter, unit = scaling.stored_scatter(*cells, frozen(total), frozen(mean))
    return ColumnMoments(total, mean, scatter, unit, even)
