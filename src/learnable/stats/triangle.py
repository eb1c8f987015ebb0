"""Triangle: weight, mean and the triangular factor of centred rows, the statistic of least squares.

For rows ``a_i`` with weights ``w_i``::

    weight = sum w_i
    mean = sum w_i a_i / weight
    R'R = sum w_i (a_i - mean)(a_i - mean)',  R upper triangular, its diagonal not negative

R comes from Householder reflections of the rows and never from their products, so that it keeps
the digits which a matrix of products loses. Two statistics merge by reflecting one triangle into
the other together with the row ``sqrt(w_a w_b / (w_a + w_b)) (mean_b - mean_a)``. ``unit`` is a
power of two a column in which R is kept, so that columns of scale 1e-200 or 1e150 lose nothing.

Cost: 2 n p**2 operations, p**2 / 2 numbers to keep.

References
----------
.. [1] J. Demmel, L. Grigori, M. Hoemmen, J. Langou: Communication-optimal parallel and sequential
   QR and LU factorizations. SIAM Journal on Scientific Computing 34, 2012.
.. [2] G. H. Golub, C. F. Van Loan: Matrix Computations. 4th edition 2013, chapters 5 and 6.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from learnable.stats.arrays import NO_WEIGHTS, Floats

TINY, HUGE = 2.0**-400, 2.0**400
_NEAR = 16
_CHUNK = 1024
_NARROW, _WIDTH, _ROWS = 32, 26, 1024
_CLEAR, _STEEP, _ALIKE = 1e-6, 1e3, 1e3
"""Rows that are reflected at a time: their panels stay in the cache."""


class Triangle(NamedTuple):
    """Weight, mean and triangular factor of rows.

    Attributes
    ----------
    weight : array (1,)
        Sum of the weights.
    mean : array (p,)
        Weighted mean; 0 where there is no row.
    unit : array (p,)
        A power of two a column; 0 where the column never varied.
    factor : array (k, p)
        R in these units, with k at most p and at most the number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats import Triangle
    >>> a, b = Triangle.of(np.array([[1.0], [3.0]])), Triangle.of(np.array([[8.0]]))
    >>> whole = a.merge(b)
    >>> whole.weight, whole.mean, whole.products().round(10)
    (array([3.]), array([4.]), array([[26.]]))
    >>> whole.minus(b).products().round(10)
    array([[2.]])
    """

    weight: Floats
    mean: Floats
    unit: Floats
    factor: Floats

    @classmethod
    def zero(cls, p: int) -> Triangle:
        """Return the statistic of no rows."""
        return cls(np.zeros(1), np.zeros(p), np.zeros(p), np.zeros((0, p)))

    @classmethod
    def of(cls, A: Floats, weight: Floats = NO_WEIGHTS) -> Triangle:
        """Summarise one block.

        Parameters
        ----------
        A : array (n, p)
            Finite numbers; anything else makes :attr:`is_finite` false.
        weight : array (n,), optional
            Weight of each row.
        """
        A = np.asarray(A, dtype=np.float64)
        if len(weight) and not weight.all():
            A, weight = A[weight > 0.0], weight[weight > 0.0]
        if not len(A):
            return cls.zero(A.shape[1])
        with np.errstate(over="ignore", invalid="ignore"):  # is_finite tells
            found = _reflected_about(A, weight, np.ones(A.shape[1]))
            size = np.sqrt((found.factor**2).sum(axis=0))
            if ((size > TINY) & (size < HUGE)).all():
                unit = power_of_two(size)
                return found._replace(unit=unit, factor=found.factor_in(unit))
            if np.isnan(found.mean).any() or np.isnan(A).any():
                return found._replace(mean=np.full(A.shape[1], np.nan))
            spread = np.maximum(A.max(axis=0) - A[0], A[0] - A.min(axis=0))
            unit = power_of_two(spread)
            found = _reflected_about(A, weight, np.where(unit > 0.0, unit, 1.0))
        return found._replace(unit=unit)

    def merge(self, other: Triangle) -> Triangle:
        """Return the statistic of both sets of rows."""
        if not self.weight[0]:
            return other
        if not other.weight[0]:
            return self
        weight = self.weight + other.weight
        delta = other.mean - self.mean
        unit = np.maximum(np.maximum(self.unit, other.unit), power_of_two(np.abs(delta)))
        divisor = np.where(unit > 0.0, unit, 1.0)
        between = np.sqrt(self.weight * (other.weight / weight)) * (delta / divisor)
        rows = np.vstack([self.factor_in(unit), other.factor_in(unit), between])
        mean = self.mean + delta * (other.weight / weight)
        return Triangle(weight, mean, unit, reflected(rows))

    def minus(self, other: Triangle) -> Triangle:
        """Return the statistic of the rows that remain without the other's (to rounding)."""
        weight = self.weight - other.weight
        if not other.weight[0]:
            return self
        if weight[0] <= 0.0:
            return self.zero(len(self.mean))
        delta = self.mean - other.mean
        divisor = np.where(self.unit > 0.0, self.unit, 1.0)
        between = np.sqrt(self.weight * (other.weight / weight)) * (delta / divisor)
        taken = np.vstack([other.factor_in(self.unit), between])
        mean = self.mean + delta * (other.weight / weight)
        return Triangle(weight, mean, self.unit, downdated(self.factor, taken))

    @property
    def is_finite(self) -> bool:
        """Whether every number of the statistic is finite."""
        return all(bool(np.isfinite(part).all()) for part in self)

    def factor_in(self, unit: Floats) -> Floats:
        """Return R kept in other units."""
        return np.asarray(self.factor * (self.unit / np.where(unit > 0.0, unit, 1.0)))

    def products(self) -> Floats:
        """Return the centred sums of products, ``R'R``; they can leave the range of floats."""
        factor = self.factor * self.unit
        return np.asarray(factor.T @ factor)

    def uncentred(self) -> Floats:
        """Return the factor of the rows as they are, about 0, in the units of :meth:`around`."""
        unit = self.around()
        row = np.sqrt(self.weight) * (self.mean / np.where(unit > 0.0, unit, 1.0))
        return reflected(np.vstack([self.factor_in(unit), row]))

    def around(self) -> Floats:
        """Return the units in which the rows about 0 are kept."""
        return np.maximum(self.unit, power_of_two(np.abs(self.mean)))


def _reflected_about(A: Floats, weight: Floats, unit: Floats) -> Triangle:
    """Reflect rows beside a column of ones, about a point among them; that centres them too.

    The column of ones is the first to be reflected, so that what is left of the others has mean 0.
    """
    n, p = A.shape
    origin = A[0] + (A[:_NEAR] - A[0]).mean(axis=0)
    root = np.sqrt(weight) if len(weight) else None
    rows = partial(_beside_ones, A, origin, unit, root)
    factor = _whitened_factor(rows, n, p + 1)
    if factor is None:
        factor = _plain_factor(rows, n, p + 1)
    total = weight.sum() if len(weight) else float(n)
    mean = origin + factor[0, 1:] / factor[0, 0] * unit
    own = np.array(factor[1:, 1:])
    own[np.diagonal(own) < 0.0] *= -1.0
    return Triangle(np.array([total], dtype=np.float64), mean, unit, own)


def _beside_ones(
    A: Floats, origin: Floats, unit: Floats, root: Floats | None, start: int, out: Floats
) -> None:
    """Write neighbouring rows, beside a column of ones, in their units and times their weights."""
    some = slice(start, start + len(out))
    out[:, 0] = 1.0
    np.subtract(A[some], origin, out=out[:, 1:])
    if (unit != 1.0).any():
        out[:, 1:] /= unit
    if root is not None:
        out *= root[some, None]


def _plain_factor(rows: Any, n: int, p: int) -> Floats:
    """Return the factor by reflections alone, some rows at a time."""
    chunk = max(_CHUNK, 2 * p)
    factor = np.empty((0, p))
    for start in range(0, n, chunk):
        part = np.empty((len(factor) + min(chunk, n - start), p))
        part[: len(factor)] = factor
        rows(start, part[len(factor) :])
        factor = np.asarray(np.linalg.qr(part, mode="r"))
    return factor


def _whitened_factor(rows: Any, n: int, p: int) -> Floats | None:
    """Return the factor by products of rows that the first of them have made alike, or None.

    The factor R of the first rows is found by reflections. In the coordinates in which these are
    orthonormal, ``B = A R^-1``, all rows have columns that are nearly orthogonal, so that products
    lose nothing there: with ``C'C = I + B'B`` the factor of all rows is ``C R``. The substitution
    behind ``B`` and the condition of ``C`` are watched.
    """
    first = 3 * p
    if p < _NARROW or n < 4 * first:
        return None
    part = np.empty((first, p))
    rows(0, part)
    R = np.asarray(np.linalg.qr(part, mode="r"))
    length = np.sqrt((R**2).sum(axis=0))
    if not (np.abs(np.diagonal(R)) > _CLEAR * length).all():
        return None
    inverses = []
    for j in range(0, p, _WIDTH):
        own = R[j : j + _WIDTH, j : j + _WIDTH]
        inverses.append(np.linalg.inv(own))
        if np.abs(own).max(axis=0) @ np.abs(inverses[-1]).max(axis=1) > _STEEP * len(own):
            return None
    products = np.eye(p)
    for start in range(first, n, _ROWS):
        part = np.empty((min(_ROWS, n - start), p))
        rows(start, part)
        white = np.empty_like(part)
        for k, j in enumerate(range(0, p, _WIDTH)):
            mine = part[:, j : j + _WIDTH]
            if j:
                mine = mine - white[:, :j] @ R[:j, j : j + _WIDTH]
            np.matmul(mine, inverses[k], out=white[:, j : j + _WIDTH])
        products += white.T @ white
    values = np.linalg.eigvalsh(products)
    if not values[-1] < _ALIKE * values[0]:
        return None
    return np.asarray(np.linalg.cholesky(products).T @ R)


def power_of_two(size: Floats) -> Floats:
    """Return the power of two just above each size, 0 for 0.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats.triangle import power_of_two
    >>> power_of_two(np.array([0.0, 1.0, 5.0]))
    array([0., 2., 8.])
    """
    exponent = np.clip(np.frexp(size)[1], -1000, 1000)
    found = np.where(size > 0.0, np.ldexp(1.0, exponent), 0.0)
    return np.asarray(np.where(np.isfinite(size), found, np.nan))


def reflected(rows: Floats) -> Floats:
    """Return the triangular factor of rows, its diagonal not negative, some rows at a time.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats.triangle import reflected
    >>> reflected(np.array([[3.0], [4.0]])).round(12)
    array([[5.]])
    """
    chunk = max(_CHUNK, 2 * rows.shape[1])
    factor = np.linalg.qr(rows[:chunk], mode="r")
    for start in range(chunk, len(rows), chunk):
        factor = np.linalg.qr(np.vstack([factor, rows[start : start + chunk]]), mode="r")
    factor[np.diagonal(factor) < 0.0] *= -1.0
    return np.asarray(factor)


def downdated(factor: Floats, taken: Floats) -> Floats:
    """Return the triangle U with ``U'U = factor'factor - taken'taken`` (what is below 0 is 0).

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats.triangle import downdated
    >>> downdated(np.array([[5.0]]), np.array([[3.0]])).round(12)
    array([[4.]])
    """
    size = np.sqrt((factor**2).sum(axis=0))
    scaled = factor / np.where(size > 0.0, size, 1.0)
    share = np.linalg.lstsq(scaled.T, (taken / np.where(size > 0.0, size, 1.0)).T, rcond=None)[0]
    left, turns = np.linalg.eigh(np.eye(len(factor)) - share @ share.T)
    return reflected((np.sqrt(np.maximum(left, 0.0)) * turns).T @ factor)
