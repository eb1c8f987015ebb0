"""Leaving out one row, for all penalties at once, by a formula.

A fit without row i misses its answer by ``e_i / (1 - h_i)``, with ``e_i`` the residual of the fit
with it and ``h_i`` its leverage. Residuals and leverages of every penalty come from the rows in the
coordinates of the singular vectors, by three matrix products a block. A row of weight 2 is two
rows, of which one is left out.

Cost: 2 n d r + 4 n r for each penalty and answer.

References
----------
.. [1] D. M. Allen: The relationship between variable selection and data augmentation and a method
   for prediction. Technometrics 16, 1974.
.. [2] G. H. Golub, M. Heath, G. Wahba: Generalized cross-validation as a method for choosing a
   good ridge parameter. Technometrics 21, 1979.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from learnable.core.fold import runner
from learnable.linear_model.pairs import Pair, side_by_side
from learnable.linear_model.shrinkage import Spectrum
from learnable.stats.arrays import Floats

_TILE = 1024


class Lines(NamedTuple):
    """What turns rows into answers and leverages of all penalties."""

    origin: Floats
    divisor: Floats
    free: Floats
    fitted: Floats
    leverage: Floats
    base: float

    @classmethod
    def of(cls, found: Spectrum, alphas: Floats) -> Lines:
        """Prepare them: ``z = ((x - origin) / divisor) vectors`` without what is free."""
        m = found.targets.shape[1]
        shrunk = np.column_stack([found.shrunken(alpha) for alpha in alphas])
        safe = np.where(found.values > 0.0, found.values, 1.0)
        with np.errstate(over="ignore"):
            leverage = np.where(found.values[:, None] > 0.0, shrunk / safe[:, None], 0.0)
        fitted = np.hstack([shrunk * found.targets[:, k : k + 1] for k in range(m)])
        base = 1.0 / found.weight if found.constant else 0.0
        d = len(found.penalised) + len(found.free)
        return cls(found.mean[:d], found.scale, found.free_factor, fitted, leverage, base)


def _errors(found: Spectrum, lines: Lines, pair: Pair) -> Floats:
    """Return the errors (n, m, alphas) of one block when each row is left out."""
    A, _ = side_by_side(pair)
    d, m = len(lines.origin), A.shape[1] - len(lines.origin)
    count = lines.leverage.shape[1]
    out = np.empty((len(A), m, count))
    for start in range(0, len(A), _TILE):
        some = slice(start, start + _TILE)
        centred = A[some, :d] - lines.origin
        Y = A[some, d:] - found.mean[d:]
        inner = centred[:, found.penalised] / lines.divisor
        leverage = np.full((len(inner), 1), lines.base)
        if len(found.free):
            q = solve_triangular(lines.free, centred[:, found.free].T, trans="T").T
            inner = inner - q @ found.cross
            Y = Y - q @ found.free_targets
            leverage = leverage + (q**2).sum(axis=1, keepdims=True)
        z = inner @ found.vectors
        left = 1.0 - leverage - (z**2) @ lines.leverage
        left = np.maximum(left, np.finfo(float).eps)
        residual = Y[:, :, None] - (z @ lines.fitted).reshape(len(z), m, count)
        out[some] = residual / left[:, None, :]
    return out


class LeftOut(NamedTuple):
    """Squared errors of rows left out, summed up.

    Attributes
    ----------
    mean : array (m, alphas)
        Mean squared error.
    error : array (m, alphas)
        Its standard error.
    each : array (n, m, alphas) or None
        The errors themselves.
    """

    mean: Floats
    error: Floats
    each: Floats | None


def _sums(found: Spectrum, lines: Lines, keep: bool, pair: Pair) -> tuple[Floats, Floats, Floats]:
    errors = _errors(found, lines, pair)
    weight = pair.block.weight if len(pair.block.weight) else np.ones(len(errors))
    squares = errors**2
    one = np.tensordot(weight, squares, axes=1)
    two = np.tensordot(weight, squares**2, axes=1)
    return one, two, errors if keep else errors[:0]


def leave_one_out(
    pairs: list[Pair], found: Spectrum, alphas: Floats, *, keep: bool = False
) -> LeftOut:
    """Return the mean squared errors of leaving out one row, for each answer and penalty.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.linear_model.leaving_out import leave_one_out
    >>> from learnable.linear_model.least_squares import fold_triangle
    >>> from learnable.linear_model.pairs import pairs
    >>> from learnable.linear_model.shrinkage import spectrum
    >>> rows = pairs(Rows(np.array([[0.0], [1.0], [2.0]])), np.array([[0.0], [1.0], [3.0]]))
    >>> found = spectrum(fold_triangle(rows), 1, ones=True)
    >>> leave_one_out(rows, found, np.array([0.0])).mean.round(6)
    array([[0.75]])
    """
    lines = Lines.of(found, alphas)
    parts = list(runner()(partial(_sums, found, lines, keep), pairs))
    with np.errstate(over="ignore", invalid="ignore"):
        mean = sum(part[0] for part in parts) / found.weight
        square = sum(part[1] for part in parts) / found.weight
        error = np.sqrt(np.maximum(square - mean**2, 0.0) / found.weight)
    each = np.concatenate([part[2] for part in parts]) if keep else None
    return LeftOut(np.asarray(mean), np.asarray(error), each)
