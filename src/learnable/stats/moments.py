"""Moments: weight, mean and centred scatter of rows, per class, diagonal or full.

The statistic behind Gaussian naive Bayes, discriminants, least squares, principal components,
scalers and clusters. For the rows ``i`` of class ``c`` with weights ``w_i``::

    weight = sum w_i
    mean = sum w_i x_i / weight
    scatter = sum w_i (x_i - mean)(x_i - mean)'

Two statistics merge by Chan's rule, ``scatter = a + b + delta delta' w_a w_b / (w_a + w_b)``.
``unit`` is a power of two for each column in whose squares the scatter is kept, so that columns of
scale 1e-200 or 1e150 lose nothing: 1 for ordinary columns, 0 for columns that never varied.

Cost: diagonal 2 n d additions, full n d**2 by a matrix product; K d or K d**2 numbers to keep.

References
----------
.. [1] T. F. Chan, G. H. Golub, R. J. LeVeque: Algorithms for computing the sample variance.
   The American Statistician 37, 1983.
.. [2] E. Schubert, M. Gertz: Numerically stable parallel computation of (co-)variance. SSDBM 2018.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.loops import moments as loops
from learnable.stats.arrays import NO_CODES, NO_WEIGHTS, Floats, frozen

_TOLERABLE = 2.0**10
"""Sums that cancel to less than this part lose ten bits: then a second pass is made."""

_NEAR, _CHUNK = 16, 512
_LOW, _HIGH = loops.TINY**2, loops.HUGE**2


class Moments(NamedTuple):
    """Weight, mean and centred scatter of rows, one line a class.

    Attributes
    ----------
    weight : array (K,)
        Sum of the weights of each class.
    mean : array (K, d)
        Weighted mean; 0 where a class has no weight.
    scatter : array (K, d) or (K, d, d)
        Centred sum of squares (and products), in units of ``unit`` (of each column).
    unit : array (d,)
        A power of two a column; 0 where the column never varied.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats import Moments
    >>> a, b = Moments.of(np.array([[1.0], [3.0]])), Moments.of(np.array([[8.0]]))
    >>> whole = a.merge(b)
    >>> whole.weight, whole.mean, whole.variance()
    (array([3.]), array([[4.]]), array([[8.66666667]]))
    >>> whole.minus(b).mean
    array([[2.]])
    """

    weight: Floats
    mean: Floats
    scatter: Floats
    unit: Floats

    @classmethod
    def zero(cls, k: int, d: int, *, full: bool = False) -> Moments:
        """Return the moments of no rows."""
        shape = (k, d, d) if full else (k, d)
        return cls(np.zeros(k), np.zeros((k, d)), np.zeros(shape), np.zeros(d))

    @classmethod
    def of(
        cls,
        X: Floats,
        codes: NDArray[np.int32] = NO_CODES,
        k: int = 1,
        weight: Floats = NO_WEIGHTS,
        *,
        full: bool = False,
    ) -> Moments:
        """Summarise one block.

        Parameters
        ----------
        X : array (n, d)
            Finite numbers; anything else makes :attr:`is_finite` false.
        codes : array (n,) of int32, optional
            Class of each row, 0 to k - 1; a negative code leaves the row out.
        k : int
            Number of classes.
        weight : array (n,), optional
            Weight of each row.
        full : bool
            Keep products of columns too.
        """
        X, codes, weight = frozen(X), frozen(codes), frozen(weight)
        total, mean, scatter, lost = loops.first_moments(X, codes, weight, k)
        if not lost < _TOLERABLE:
            scatter = loops.squares(X, codes, weight, mean)
        unit = np.ones(X.shape[1])
        top = scatter.max(axis=0, initial=0.0)
        for j in np.flatnonzero(~((top > _LOW) & (top < _HIGH))):
            unit[j] = loops.unit_of(loops.largest_deviation(X, codes, weight, mean, j))
            if unit[j] != 1.0:
                scale = unit[j] or 1.0
                scatter[:, j] = loops.column_squares(X, codes, weight, mean, j, scale)
        if full:
            with np.errstate(invalid="ignore", over="ignore"):  # is_finite tells
                scatter = _products(X, codes, weight, mean, unit)
        return cls(total, mean, scatter, unit)

    @classmethod
    def by_products(cls, X: Floats, weight: Floats = NO_WEIGHTS) -> Moments:
        """Summarise one block of one class with products of columns, by one matrix product.

        Faster than :meth:`of` and as good: where the sums would cancel or leave the range of
        floats, it is :meth:`of` that answers.

        Parameters
        ----------
        X : array (n, d)
            Finite numbers; anything else makes :attr:`is_finite` false.
        weight : array (n,), optional
            Weight of each row.
        """
        n, d = X.shape
        with np.errstate(over="ignore", invalid="ignore"):
            origin = X[0] + (X[:_NEAR] - X[0]).mean(axis=0)
            products = np.zeros((d + 1, d + 1))
            for start in range(0, n, _CHUNK):
                some = slice(start, min(start + _CHUNK, n))
                rows = np.ones((some.stop - start, d + 1))
                np.subtract(X[some], origin, out=rows[:, 1:])
                if len(weight):
                    rows *= np.sqrt(weight[some, None])
                products += rows.T @ rows
            total = products[0, 0]
            drift = products[0, 1:]
            taken = np.outer(drift, drift) / (total or 1.0)
            scatter = products[1:, 1:] - taken
            own = np.diagonal(scatter)
            sound = (own > _LOW) & (own < _HIGH) & (np.diagonal(taken) < _TOLERABLE * own)
        if not sound.all():
            return cls.of(np.ascontiguousarray(X), weight=weight, full=True)
        mean = origin + drift / total
        return cls(np.array([total]), mean[None], scatter[None], np.ones(d))

    def merge(self, other: Moments) -> Moments:
        """Return the moments of both sets of rows."""
        if self.scatter.ndim == 2:
            return Moments(*loops.merge_moments(*self, *other))
        unit = loops.merge_units(
            self.weight, self.mean, self.unit, other.weight, other.mean, other.unit
        )
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight != 0.0)
        delta = np.where(
            ((self.weight != 0.0) & (other.weight != 0.0))[:, None], other.mean - self.mean, 0.0
        )
        mean = np.where(
            (self.weight != 0.0)[:, None], self.mean + delta * share[:, None], other.mean
        )
        between = _outer(delta / _divisor(unit), self.weight * share)
        return Moments(
            weight, mean, self._scatter_in(unit) + other._scatter_in(unit) + between, unit
        )

    def minus(self, other: Moments) -> Moments:
        """Return the moments of the rows that remain without the other's (to rounding)."""
        weight = self.weight - other.weight
        left = weight > 0.0
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=left)
        delta = np.where((left & (other.weight != 0.0))[:, None], self.mean - other.mean, 0.0)
        mean = np.where(left[:, None], self.mean + delta * share[:, None], 0.0)
        v = delta / _divisor(self.unit)
        spread = np.divide(
            other.weight * self.weight, weight, out=np.zeros_like(weight), where=left
        )
        between = _outer(v, spread) if self.scatter.ndim == 3 else v**2 * spread[:, None]
        scatter = self.scatter - other._scatter_in(self.unit) - between
        if self.scatter.ndim == 2:
            scatter = np.maximum(scatter, 0.0)
        scatter[~left] = 0.0
        return Moments(np.where(left, weight, 0.0), mean, scatter, self.unit)

    def _scatter_in(self, unit: Floats) -> Floats:
        ratio = self.unit / _divisor(unit)
        square = np.outer(ratio, ratio) if self.scatter.ndim == 3 else ratio**2
        return np.asarray(self.scatter * square)

    def in_units(self, unit: Floats) -> Moments:
        """Return the same moments with the scatter kept in squares of other units."""
        return Moments(self.weight, self.mean, self._scatter_in(unit), unit)

    def pooled(self) -> Moments:
        """Return the moments of all classes taken together."""
        weight, mean, scatter, unit = self
        each = [slice(c, c + 1) for c in range(len(weight))]
        parts = [Moments(weight[c], mean[c], scatter[c], unit) for c in each]
        total = parts[0]
        for part in parts[1:]:
            total = total.merge(part)
        return total

    def within(self) -> Moments:
        """Return one class with the summed scatter about the class means."""
        return Moments(
            self.weight.sum(keepdims=True),
            self.pooled().mean,
            self.scatter.sum(axis=0, keepdims=True),
            self.unit,
        )

    @property
    def is_finite(self) -> bool:
        """Whether every number of the statistic is finite (so were those of the rows)."""
        return bool(
            np.isfinite(self.mean).all()
            and np.isfinite(self.scatter).all()
            and np.isfinite(self.unit).all()
        )

    def spread(self) -> Floats:
        """Return the standard deviation by N of each class and column, of any size."""
        weight = np.where(self.weight > 0.0, self.weight, 1.0)[:, None]
        return np.asarray(np.sqrt(self._diagonal() / weight) * self.unit)

    def _diagonal(self) -> Floats:
        if self.scatter.ndim == 2:
            return self.scatter
        return np.diagonal(self.scatter, axis1=1, axis2=2)

    def variance(self) -> Floats:
        """Return the variance by N; unlike :meth:`spread` it can leave the range of floats."""
        weight = np.where(self.weight > 0.0, self.weight, 1.0)[:, None]
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(self._diagonal() / weight * self.unit * self.unit)

    def covariance(self) -> Floats:
        """Return the covariance by N of each class (K, d, d); needs the full scatter."""
        weight = np.where(self.weight > 0.0, self.weight, 1.0)[:, None, None]
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(self.scatter / weight * self.unit[:, None] * self.unit)


def _divisor(unit: Floats) -> Floats:
    return np.where(unit != 0.0, unit, 1.0)


def _outer(rows: Floats, weight: Floats) -> Floats:
    return np.asarray(np.einsum("k,ki,kj->kij", weight, rows, rows))


def _products(
    X: Floats, codes: NDArray[np.int32], weight: Floats, mean: Floats, unit: Floats
) -> Floats:
    """Return the full scatter, class by class, by matrix products of the centred block."""
    k, d = mean.shape
    scatter = np.zeros((k, d, d))
    for c in range(k):
        rows = codes == c if len(codes) else slice(None)
        centred = (X[rows] - mean[c]) / _divisor(unit)
        scaled = centred * weight[rows][:, None] if len(weight) else centred
        total = weight[rows].sum() if len(weight) else len(centred)
        drift = scaled.sum(axis=0)
        scatter[c] = scaled.T @ centred
        if total:
            scatter[c] -= np.outer(drift, drift) / total
        scatter[c] = (scatter[c] + scatter[c].T) / 2
    return scatter
