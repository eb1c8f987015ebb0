"""Rows against the fit: residuals, leverages, sandwich matrices, and what a row changes.

With ``q_i`` the row in coordinates in which the covariance of the coefficients is the identity,
the leverage is ``h_i = |q_i|**2``, the internally studentised residual ``r_i = e_i / (s sqrt(1 -
h_i))``, and Cook's distance ``r_i**2 h_i / ((1 - h_i) p)``.

References
----------
.. [1] R. D. Cook: Detection of influential observation in linear regression. Technometrics 19,
   1977.
.. [2] D. A. Belsley, E. Kuh, R. E. Welsch: Regression Diagnostics. Wiley 1980.
"""

from __future__ import annotations

import operator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from learnable.core.fold import fold, runner
from learnable.core.frames import as_frame
from learnable.linear_model.pairs import Pair, side_by_side
from learnable.stats.arrays import Floats


def lengths(rows: Floats) -> Floats:
    """Return the length of each row; none of its squares leaves the range of floats.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.influence import lengths
    >>> lengths(np.array([[3e200, 4e200]]))
    array([5.e+200])
    """
    size = np.abs(rows).max(axis=1, initial=0.0)
    safe = np.where(size > 0.0, size, 1.0)
    return np.asarray(np.sqrt(((rows / safe[:, None]) ** 2).sum(axis=1)) * size)


class Coordinates(NamedTuple):
    """Coordinates in which the coefficients of a fit vary alike and independently.

    Attributes
    ----------
    origin, divisor : array (d,)
        Where 0 lies in each column, and what 1 is.
    root : array (d, r)
        ``q = ((x - origin) / divisor) @ root``.
    level : float
        The first coordinate of every row, ``1 / sqrt(n)``; 0 without a constant.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.influence import Coordinates
    >>> frame = Coordinates(np.zeros(1), np.ones(1), np.full((1, 1), 0.5), 0.0)
    >>> frame.of(np.array([[2.0]])), frame.lines()
    (array([[1.]]), array([[0.5]]))
    """

    origin: Floats
    divisor: Floats
    root: Floats
    level: float

    def of(self, X: Floats) -> Floats:
        """Return the coordinates of rows."""
        found = ((X - self.origin) / self.divisor) @ self.root
        if not self.level:
            return np.asarray(found)
        return np.column_stack([np.full(len(X), self.level), found])

    def lines(self) -> Floats:
        """Return what the coefficients are of coordinates, the constant first."""
        with np.errstate(over="ignore"):
            own = self.root / self.divisor[:, None]
            if not self.level:
                return np.asarray(own)
            first = np.concatenate([[self.level], -(self.origin / self.divisor) @ self.root])
        return np.vstack([first, np.column_stack([np.zeros(len(own)), own])])


class Fit(NamedTuple):
    """What residuals are taken from, and what 1 is for them."""

    coef: Floats
    intercept: Floats
    noise: Floats

    def residuals(self, pair: Pair) -> tuple[Floats, Floats, Floats]:
        """Return rows, residuals over the noise, and weights of a block."""
        A, weight = side_by_side(pair)
        X, Y = A[:, : self.coef.shape[1]], A[:, self.coef.shape[1] :]
        return X, (Y - (X @ self.coef.T + self.intercept)) / self.noise, weight


def _meat(frame: Coordinates, fit: Fit, power: int, pair: Pair) -> Floats:
    X, errors, weight = fit.residuals(pair)
    q = frame.of(X)
    share = np.maximum(1.0 - (q**2).sum(axis=1), 1e-300)[:, None] ** power
    squares = errors**2 / share
    if len(weight):
        squares *= weight[:, None]
    return np.stack([(q * squares[:, k : k + 1]).T @ q for k in range(errors.shape[1])])


def robust_meat(pairs: list[Pair], frame: Coordinates, fit: Fit, power: int) -> Floats:
    """Return ``sum_i w_i e_i**2 / (1 - h_i)**power q_i q_i'``, one matrix an answer.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.linear_model.influence import Coordinates, Fit, robust_meat
    >>> from learnable.linear_model.pairs import pairs
    >>> frame = Coordinates(np.zeros(1), np.ones(1), np.ones((1, 1)), 0.0)
    >>> rows = pairs(Rows(np.ones((1, 1))), np.ones((1, 1)))
    >>> robust_meat(rows, frame, Fit(np.zeros((1, 1)), np.zeros(1), np.ones(1)), 0)
    array([[[1.]]])
    """
    return fold(partial(_meat, frame, fit, power), operator.add, pairs)


def _sums(frame: Coordinates, fit: Fit, codes: Any, count: int, pair: Pair) -> Floats:
    X, errors, weight = fit.residuals(pair)
    q = frame.of(X)
    if len(weight):
        q *= weight[:, None]
    mine = codes[pair.block.start : pair.block.start + len(X)]
    found = np.zeros((errors.shape[1], count, q.shape[1]))
    for k in range(errors.shape[1]):
        np.add.at(found[k], mine, q * errors[:, k : k + 1])
    return found


def clustered_meat(
    pairs: list[Pair], frame: Coordinates, fit: Fit, codes: Any, count: int
) -> Floats:
    """Return the sum over groups of ``s s'`` with ``s`` the sum of ``w_i e_i q_i`` of the group.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.linear_model.influence import Coordinates, Fit, clustered_meat
    >>> from learnable.linear_model.pairs import pairs
    >>> frame = Coordinates(np.zeros(1), np.ones(1), np.ones((1, 1)), 0.0)
    >>> rows = pairs(Rows(np.ones((2, 1))), np.ones((2, 1)))
    >>> fit = Fit(np.zeros((1, 1)), np.zeros(1), np.ones(1))
    >>> clustered_meat(rows, frame, fit, np.zeros(2, int), 1)
    array([[[4.]]])
    """
    sums = fold(partial(_sums, frame, fit, codes, count), operator.add, pairs)
    return np.einsum("kgi,kgj->kij", sums, sums)


class Influence(NamedTuple):
    """What each training row does to a fit.

    Attributes
    ----------
    fitted, residual : array (n,)
        Answers of the model, and what is missing to the true ones.
    leverage : array (n,)
        Share of its own answer in the fitted one; they sum to the number of coefficients.
    studentized : array (n,)
        Residuals over their standard errors.
    cook : array (n,)
        Cook's distance: how far the coefficients move without the row.
    left_out : array (n,)
        Residual of the row against a fit without it.

    Examples
    --------
    >>> from learnable.linear_model import LinearRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.1, 0.9, 2.1, 2.9]
    >>> found = LinearRegression().fit(X, y).influence(X, y)
    >>> found.leverage.round(6)
    array([0.7, 0.3, 0.3, 0.7])
    """

    fitted: Floats
    residual: Floats
    leverage: Floats
    studentized: Floats
    cook: Floats
    left_out: Floats

    def to_frame(self) -> Any:
        """Return a data frame, one row a training row."""
        return as_frame({name: part.tolist() for name, part in self._asdict().items()})


def _looked_at(frame: Coordinates, fit: Fit, pair: Pair) -> Floats:
    X, errors, _ = fit.residuals(pair)
    return np.column_stack([(frame.of(X) ** 2).sum(axis=1), errors])


def influence_of(pairs: list[Pair], frame: Coordinates, fit: Fit) -> Influence:
    """Hold every row against the fit of one answer."""
    found = np.concatenate(list(runner()(partial(_looked_at, frame, fit), pairs)))
    leverage, ratio = np.minimum(found[:, 0], 1.0), found[:, 1]
    answers = np.concatenate([pair.answers for pair in pairs])[:, 0]
    left = np.maximum(1.0 - leverage, np.finfo(float).eps)
    studentized, residual = ratio / np.sqrt(left), ratio * fit.noise[0]
    cook = studentized**2 * leverage / (left * frame.lines().shape[1])
    return Influence(answers - residual, residual, leverage, studentized, cook, residual / left)
