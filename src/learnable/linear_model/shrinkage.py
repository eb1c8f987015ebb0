"""Ridge regression for every penalty from one factorisation; the mathematics.

    minimise  sum_i w_i (y_i - b - x_i' beta)**2  +  alpha sum_j f_j beta_j**2

With the triangle R of the rows (their columns divided by ``sqrt(f_j)``) and ``R = U S V'``, all
solutions are ``beta = V diag(s / (s**2 + alpha)) U' y``. R has no more rows than there are, so that
few rows with many columns cost no more than their products among each other (the dual form).
Columns with ``f_j = 0`` and the constant are eliminated first and not shrunken.

Cost: one triangle, 4 k d min(k, d) for the factorisation with k = min(n, d), then d a penalty.

References
----------
.. [1] A. E. Hoerl, R. W. Kennard: Ridge regression. Technometrics 12, 1970.
.. [2] G. H. Golub, M. Heath, G. Wahba: Generalized cross-validation as a method for choosing a
   good ridge parameter. Technometrics 21, 1979.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import solve_triangular, svd

from learnable.core.errors import DataError
from learnable.linear_model.least_squares import factor_of
from learnable.stats import Triangle
from learnable.stats.arrays import Floats


class Spectrum(NamedTuple):
    """A triangle of rows beside answers, taken apart along its singular vectors.

    Attributes
    ----------
    values : array (r,)
        Singular values of the penalised columns, each divided by the root of its factor.
    vectors : array (p, r)
        Right singular vectors.
    targets : array (r, m)
        The answers along the left singular vectors.
    rest : array (m,)
        Sum of squares of the answers outside all columns.
    scale : array (p,)
        By what the penalised columns were divided.
    penalised, free : array of int
        Which columns are shrunken, and which not.
    free_factor, cross, free_targets : array
        Triangle of the free columns, and what penalised columns and answers are along it.
    weight : float
        Sum of the weights.
    mean : array (d + m,)
        Means that were taken off; 0 without a constant.
    constant : bool
        Whether there is a constant.
    """

    values: Floats
    vectors: Floats
    targets: Floats
    rest: Floats
    scale: Floats
    penalised: Any
    free: Any
    free_factor: Floats
    cross: Floats
    free_targets: Floats
    weight: float
    mean: Floats
    constant: bool

    def shrunken(self, alpha: float) -> Floats:
        """Return ``1 / (s**2 + alpha)`` times s, as far as there is anything along a direction."""
        s = self.values
        if not alpha:
            least = s.max(initial=0.0) * np.finfo(float).eps * 10 * max(len(self.scale), 10)
            return np.where(s > least, 1.0 / np.where(s > least, s, 1.0), 0.0)
        safe = np.where(s > 0.0, s, 1.0)
        with np.errstate(over="ignore"):
            return np.where(s > 0.0, 1.0 / (safe + alpha / safe), 0.0)

    def coef(self, alpha: float) -> tuple[Floats, Floats]:
        """Return coefficients (m, d) and constants (m,)."""
        inner = self.vectors @ (self.shrunken(alpha)[:, None] * self.targets)
        d = len(self.penalised) + len(self.free)
        coef = np.zeros((inner.shape[1], d))
        with np.errstate(over="ignore"):
            coef[:, self.penalised] = (inner / self.scale[:, None]).T
        if len(self.free):
            right = self.free_targets - self.cross @ inner
            coef[:, self.free] = solve_triangular(self.free_factor, right).T
        intercept = self.mean[d:] - coef @ self.mean[:d]
        if not (np.isfinite(coef).all() and np.isfinite(intercept).all()):
            raise DataError(
                "A coefficient leaves the range of floats.",
                remedy="Rescale the columns or the answers.",
            )
        return coef, intercept if self.constant else np.zeros(len(intercept))

    def kept(self, alpha: float) -> Floats:
        """Return which part of each direction is kept, ``s**2 / (s**2 + alpha)``."""
        return np.asarray(self.shrunken(alpha) * self.values)

    def degrees(self, alpha: float) -> float:
        """Return the effective number of coefficients, the constant counted."""
        return float(self.kept(alpha).sum()) + len(self.free) + float(self.constant)

    def squares(self, alpha: float) -> Floats:
        """Return the sum of squared residuals of each answer."""
        left = (1.0 - self.kept(alpha))[:, None] * self.targets
        return np.asarray(self.rest + (left**2).sum(axis=0))

    def gcv(self, alpha: float) -> float:
        """Return the score of generalised cross-validation, ``n RSS / (n - df)**2``, averaged."""
        left = self.weight - self.degrees(alpha)
        if left <= 0.0:
            return math.inf
        return float(np.mean(self.weight * self.squares(alpha) / left**2))

    def evidence(self, alpha: float) -> float:
        """Return the log evidence, the variance of the noise at its best, summed over answers.

        The coefficients are taken as normal with the variance ``noise / alpha`` each, the constant
        and the free ones as flat.
        """
        if not alpha:
            return -math.inf
        n = self.weight - len(self.free) - float(self.constant)
        if n <= 0.0:
            return -math.inf
        with np.errstate(over="ignore", divide="ignore"):
            logs = float(np.log1p((self.values / math.sqrt(alpha)) ** 2).sum())
            pull = (1.0 - self.kept(alpha))[:, None] * self.targets**2
            noise = (self.rest + pull.sum(axis=0)) / n
            terms = n * (np.log(2.0 * math.pi * noise) + 1.0) + logs
        return float(-0.5 * terms.sum())


def spectrum(triangle: Triangle, d: int, *, ones: bool, factors: Floats | None = None) -> Spectrum:
    """Take a triangle of d columns beside answers apart.

    Parameters
    ----------
    triangle : Triangle
        Of the columns and the answers.
    d : int
        Number of columns.
    ones : bool
        Whether there is a constant.
    factors : array (d,), optional
        How much each column is penalised, relative to the others.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.shrinkage import spectrum
    >>> from learnable.stats import Triangle
    >>> rows = np.array([[-1.0, -2.0], [1.0, 2.0]])
    >>> found = spectrum(Triangle.of(rows), 1, ones=True)
    >>> found.coef(2.0)[0].round(12), round(found.degrees(2.0), 12)
    (array([[1.]]), 1.5)
    """
    columns, answers, unit = factor_of(triangle, d, ones=ones)
    columns, answers = columns * unit[:d], answers * unit[d:]
    factors = np.ones(d) if factors is None else factors
    free, penalised = np.flatnonzero(factors == 0.0), np.flatnonzero(factors > 0.0)
    # Units of the columns that leave the range of floats when squared are divided out of s alone.
    scale = np.sqrt(factors[penalised])
    first = np.zeros((0, 0))
    cross, free_targets = np.zeros((0, len(penalised))), np.zeros((0, answers.shape[1]))
    rows = np.hstack([columns, answers[: len(columns)]])
    rest = (answers[len(columns) :] ** 2).sum(axis=0)
    inner = columns[:, penalised] / scale
    right = answers[: len(columns)]
    if len(free):
        k = len(free)
        turned = np.linalg.qr(np.hstack([columns[:, free], inner, rows[:, d:]]), mode="r")
        first, cross, free_targets = (
            turned[:k, :k], turned[:k, k : k + len(penalised)], turned[:k, k + len(penalised) :]
        )  # fmt: skip
        own = np.abs(np.diagonal(first))
        if len(first) < k or not (own > 1e-12 * np.abs(first).max()).all():
            raise DataError(
                "The columns without a penalty depend on each other.",
                remedy="Give them a penalty factor above 0.",
            )
        inner, right = turned[k:, k : k + len(penalised)], turned[k:, k + len(penalised) :]
    U, s, Vt = svd(inner, full_matrices=False, check_finite=False)
    targets = U.T @ right
    rest = rest + np.maximum((right**2).sum(axis=0) - (targets**2).sum(axis=0), 0.0)
    if len(inner) <= len(penalised):  # U is square: nothing of the answers lies outside
        rest = (answers[len(columns) :] ** 2).sum(axis=0)
    mean = triangle.mean if ones else np.zeros_like(triangle.mean)
    return Spectrum(
        s, Vt.T, targets, rest, scale, penalised, free, first, cross, free_targets,
        float(triangle.weight[0]), mean, ones,
    )  # fmt: skip
