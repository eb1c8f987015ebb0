"""Least squares finished in doubled precision: the last digits that the data determine.

Small problems are solved as a whole from products of columns that are kept in pairs of floats, so
that even a condition number of 1e13 leaves the coefficients, the triangular factor and the sum of
squares right. For large ones the triangle R of the columns serves as preconditioner, and only the
gradient is computed in doubled precision::

    beta <- beta + (R'R)^-1 A'(y - A beta)

which gains ``log10(1 / (condition eps))`` digits a turn, two passes' worth of work each.

Cost: 45 / 2 n d**2 operations as a whole, or 90 n d a turn.

References
----------
.. [1] A. Bjorck: Numerical Methods for Least Squares Problems. SIAM 1996, section 2.9.
.. [2] N. J. Higham: Accuracy and Stability of Numerical Algorithms. 2nd edition, SIAM 2002,
   chapter 20.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from learnable.core.fold import fold
from learnable.linalg.rank import Ranked
from learnable.loops import doubled as loops
from learnable.stats.arrays import Floats, frozen

_CALL = 1 << 22
_LEAST = 1e-27
_TURNS = 8
_STANDS = 1e-20


class Doubled(NamedTuple):
    """A least-squares solution in doubled precision, rounded.

    Attributes
    ----------
    coef : array (d, m)
        Coefficients of the columns, in the units.
    low : array (d, m)
        What their rounding lost.
    intercept, squares : array (m,)
        Value at the origin (in extended precision), and the sum of squared residuals.
    factor : array (d + m, d + m) or None
        Centred triangular factor of columns and answers, in the units.
    mean : array (d + m,) or None
        Their means less the origin, in the units.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linalg import Doubled
    >>> Doubled(np.ones((1, 1)), np.zeros((1, 1)), np.zeros(1), np.zeros(1), None, None).squares
    array([0.])
    """

    coef: Floats
    low: Floats
    intercept: Floats
    squares: Floats
    factor: Floats | None
    mean: Floats | None


def _gram(origin: Floats, unit: Floats, ones: bool, block: Any) -> Floats:
    A, weight = block
    step = max(_CALL // A.shape[1] ** 2, 16)
    parts = [
        loops.gram(frozen(A[i : i + step]), frozen(weight[i : i + step]), origin, unit, ones)
        for i in range(0, len(A), step)
    ]
    total = parts[0]
    for part in parts[1:]:
        total = loops.add_arrays(frozen(total), frozen(part))
    return total


def _together(one: Floats, other: Floats) -> Floats:
    return loops.add_arrays(frozen(one), frozen(other))


def _gathered(read: Any, task: Any, block: Any) -> Floats:
    """Read one block and summarise it (a module-level function, so that a cluster can run it)."""
    return task(read(block))


def doubled_solution(
    blocks: Any, read: Any, origin: Floats, unit: Floats, d: int, *, ones: bool
) -> Doubled | None:
    """Solve as a whole; None where columns depend on each other.

    Parameters
    ----------
    blocks : iterable
        The blocks of rows.
    read : callable
        Block to ``(rows (n, d + m), weights)``, the answers in the last m columns.
    origin, unit : array (d + m,)
        Where 0 lies in each column, and a power of two as its unit.
    d : int
        Number of columns before the answers.
    ones : bool
        Whether there is a constant column beside them.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linalg import doubled_solution
    >>> rows = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 5.0]])
    >>> found = doubled_solution([rows], lambda A: (A, np.ones(3)), np.zeros(2), np.ones(2), 1,
    ...                          ones=True)
    >>> found.coef, found.intercept.astype(float)
    (array([[2.]]), array([1.]))
    """
    task = partial(_gram, frozen(origin), frozen(unit), ones)
    G = fold(partial(_gathered, read, task), _together, blocks)
    first = int(ones)
    sound, U = loops.cholesky(frozen(G), d + first, _LEAST)
    if not sound:
        return None
    beta = loops.back_substitute(frozen(U), d + first)
    high = U[0] + U[1]
    squares = (high[d + first :, d + first :] ** 2).sum(axis=0)
    intercept = _extended(beta[:, 0]) if ones else np.zeros(beta.shape[2])
    factor, mean = (high[1:, 1:], high[0, 1:] / high[0, 0]) if ones else (None, None)
    return Doubled(beta[0, first:], beta[1, first:], intercept, squares, factor, mean)


def _extended(pair: Floats) -> Floats:
    return np.asarray(pair[0].astype(np.longdouble) + pair[1])


def _gradient(origin: Floats, unit: Floats, beta: Floats, d: int, block: Any) -> Floats:
    A, weight = block
    step = max(_CALL // A.shape[1] ** 2, 1024)
    parts = []
    for i in range(0, len(A), step):
        X = np.ascontiguousarray(A[i : i + step, :d])
        Y = (A[i : i + step, d:] - origin[d:]) / unit[d:]
        w = frozen(weight[i : i + step])
        task = frozen(X), frozen(np.ascontiguousarray(Y)), w, frozen(origin[:d]), frozen(unit[:d])
        parts.append(loops.gradient(*task, beta))
    total = parts[0]
    for part in parts[1:]:
        total = loops.add_arrays(frozen(total), frozen(part))
    return total


def refined(
    blocks: Any,
    read: Any,
    origin: Floats,
    unit: Floats,
    start: Doubled,
    weight: float,
    inverse: Ranked,
    *,
    ones: bool,
) -> Doubled:
    """Improve a solution until its digits stand still.

    Parameters
    ----------
    blocks, read, origin, unit, ones
        As for :func:`doubled_solution`.
    start : Doubled
        Where to begin.
    weight : float
        Sum of the weights.
    inverse : Ranked
        Inverse of the triangle of the columns, in the units.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linalg import Doubled, ranked, refined
    >>> rows = np.array([[-1.0, 1.0], [0.0, 3.0], [1.0, 5.0]])
    >>> start = Doubled(np.full((1, 1), 1.9), *np.zeros((1, 1, 1)), np.array([3.0]), np.zeros(1),
    ...                 None, None)
    >>> found = refined([rows], lambda A: (A, np.ones(3)), np.zeros(2), np.ones(2), start, 3.0,
    ...                 ranked(np.array([[2.0**0.5]])), ones=True)
    >>> found.coef
    array([[2.]])
    """
    d, m = start.coef.shape
    beta = np.zeros((2, d + 1, m))
    beta[0, 1:], beta[1, 1:] = start.coef, start.low
    beta[0, 0] = start.intercept
    last, squares = np.inf, start.squares
    for _ in range(_TURNS):
        task = partial(_gradient, origin, unit, frozen(beta), d)
        g = fold(partial(_gathered, read, task), _together, blocks)
        squares = g[0, d + 1]
        step = np.zeros((d + 1, m))
        step[1:] = inverse.root @ (inverse.root.T @ (g[0, 1 : d + 1] / inverse.scale[:, None]))
        step[1:] /= inverse.scale[:, None]
        step[0] = g[0, 0] / weight if ones else 0.0
        size = float(np.abs(step).max(initial=0.0) / (np.abs(beta[0]).max(initial=0.0) or 1.0))
        if not size < last / 2.0:
            break
        zeros = np.zeros_like(step)
        beta = loops.add_arrays(frozen(beta), frozen(np.stack([step, zeros])))
        last = size
        if size < _STANDS:
            break
    return Doubled(beta[0, 1:], beta[1, 1:], _extended(beta[:, 0]), squares, None, None)
