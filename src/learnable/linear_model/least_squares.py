"""Least squares from a triangle: rank, coefficients, refinement; the mathematics of the family.

    minimise  sum_i w_i |y_i - b - x_i' beta|^2

The rows enter through :class:`~learnable.stats.Triangle`, by reflections, or through
:class:`~learnable.stats.Moments`, by products, where the condition of the columns allows it.

References
----------
.. [1] G. H. Golub: Numerical methods for solving linear least squares problems. Numerische
   Mathematik 7, 1965.
.. [2] A. Bjorck: Numerical Methods for Least Squares Problems. SIAM 1996.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cholesky

from learnable.core.errors import DataError
from learnable.core.fold import fold
from learnable.linalg import Doubled, Ranked, doubled_solution, ranked, refined
from learnable.linear_model.pairs import Pair, refuse_overflow, side_by_side
from learnable.stats import Moments, Triangle
from learnable.stats.arrays import Floats

WHOLE = 4e7
"""Products of cells up to which a problem is solved as a whole in doubled precision."""

GRAM = 2e8
"""Products of cells from which the cheaper route by a matrix of products is tried first."""

STEEP = 1e3
"""Condition of the columns up to which products of columns, and single precision, will do."""


class Solution(NamedTuple):
    """Coefficients of least squares, and what they rest on.

    Attributes
    ----------
    coef : array (m, d)
        One row an answer.
    intercept : array (m,)
        The constants.
    length : array (m,)
        Roots of the sums of squared residuals.
    triangle : Triangle
        Of the columns and the answers.
    inverse : Ranked
        Rank decision and inverse of the factor of the columns.
    """

    coef: Floats
    intercept: Floats
    length: Floats
    triangle: Triangle
    inverse: Ranked


def _triangle(pair: Pair) -> Triangle:
    found = Triangle.of(*side_by_side(pair))
    if not found.is_finite:
        refuse_overflow(pair)
    return found


def fold_triangle(pairs: list[Pair]) -> Triangle:
    """Return the triangle of all rows beside their answers.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.linear_model.least_squares import fold_triangle
    >>> from learnable.linear_model.pairs import pairs
    >>> fold_triangle(pairs(Rows(np.array([[1.0], [3.0]])), np.array([[0.0], [1.0]]))).mean
    array([2. , 0.5])
    """
    return fold(_triangle, Triangle.merge, pairs)


def _moments(pair: Pair) -> Moments:
    A, weight = side_by_side(pair)
    found = Moments.by_products(A, weight)
    if not found.is_finite:
        refuse_overflow(pair)
    return found


def triangle_by_products(pairs: list[Pair], d: int) -> Triangle | None:
    """Return the triangle by way of the products of columns; None where that would lose digits.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.linear_model.least_squares import triangle_by_products
    >>> from learnable.linear_model.pairs import pairs
    >>> x = np.array([[1.0], [2.0]])
    >>> triangle_by_products(pairs(Rows(x), x), 1) is None
    True
    """
    moments = fold(_moments, Moments.merge, pairs)
    scatter = moments.scatter[0]
    size = np.sqrt(np.diagonal(scatter))
    if not size.all():
        return None
    try:
        scaled = cholesky(scatter / np.outer(size, size))
    except LinAlgError:
        return None
    if np.diagonal(scaled).min() < 1.0 / STEEP or ranked(scaled[:d, :d]).condition > STEEP:
        return None
    return Triangle(moments.weight, moments.mean[0], moments.unit, scaled * size)


def factor_of(triangle: Triangle, d: int, *, ones: bool) -> tuple[Floats, Floats, Floats]:
    """Return the factor of the columns, that of the answers, and the units.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.least_squares import factor_of
    >>> from learnable.stats import Triangle
    >>> rows = np.array([[0.0, 0.0], [4.0, 2.0]])
    >>> columns, answers, unit = factor_of(Triangle.of(rows), 1, ones=True)
    >>> (answers[0] * unit[1] / (columns[0] * unit[0])).round(12)
    array([0.5])
    """
    factor = triangle.factor if ones else triangle.uncentred()
    unit = triangle.unit if ones else triangle.around()
    return factor[:d, :d], factor[:, d:], np.where(unit > 0.0, unit, 1.0)


def rank_of(triangle: Triangle, d: int, *, ones: bool, tol: float | None) -> Ranked:
    """Decide the rank of the columns of a triangle.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.least_squares import rank_of
    >>> from learnable.stats import Triangle
    >>> rows = np.array([[0.0, 0.0, 1.0], [1.0, 2.0, 1.0], [2.0, 4.0, 1.0]])
    >>> rank_of(Triangle.of(rows), 2, ones=True, tol=None).dependencies()
    [(1, [0])]
    """
    columns, _, unit = factor_of(triangle, d, ones=ones)
    size = np.abs(triangle.mean[:d]) / unit[:d] * np.sqrt(triangle.weight)
    return ranked(columns, tol, least=4e-16 * size if ones else 0.0, unit=unit[:d])


def solve(triangle: Triangle, d: int, *, ones: bool, tol: float | None) -> Solution:
    """Solve for all answers by the triangle alone.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.least_squares import solve
    >>> from learnable.stats import Triangle
    >>> rows = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 5.0]])
    >>> solve(Triangle.of(rows), 1, ones=True, tol=None).coef.round(12)
    array([[2.]])
    """
    inverse = rank_of(triangle, d, ones=ones, tol=tol)
    _, answers, unit = factor_of(triangle, d, ones=ones)
    right = answers[:d]
    scaled = inverse.solve(right)
    lost = right - inverse.turn.T @ (inverse.turn @ right)
    rest = (answers[d:] ** 2).sum(axis=0) + (lost**2).sum(axis=0)
    return _outward(scaled, np.zeros_like(scaled), None, rest, triangle, unit, inverse, ones=ones)


def _outward(
    scaled: Floats,
    low: Floats,
    at_origin: tuple[Floats, Floats] | None,
    squares: Floats,
    triangle: Triangle,
    unit: Floats,
    inverse: Ranked,
    *,
    ones: bool,
) -> Solution:
    """Turn coefficients in units of the columns into those of the columns as they are."""
    d = len(scaled)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        ratio = unit[d:] / unit[:d, None]
        coef, rest = scaled * ratio, low * ratio
        origin, base = at_origin or (triangle.mean[:d], triangle.mean[d:])
        exact = np.longdouble
        intercept = np.zeros(len(unit) - d)
        if ones:
            sums = (coef.astype(exact) + rest).T @ origin.astype(exact)
            intercept = np.asarray(base - sums).astype(np.float64)
        length = np.sqrt(np.maximum(squares, 0.0)) * unit[d:]
        found = Solution(coef.T, intercept, length, triangle, inverse)
    if not (np.isfinite(found.coef).all() and np.isfinite(found.intercept).all()):
        raise DataError(
            "A coefficient leaves the range of floats.",
            remedy="Rescale the columns or the answers.",
        )
    return found


def finished(solution: Solution, pairs: list[Pair], *, ones: bool) -> Solution:
    """Finish a solution in doubled precision, where its columns are independent and it is needed.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.linear_model.least_squares import finished, fold_triangle, solve
    >>> from learnable.linear_model.pairs import pairs
    >>> rows = pairs(Rows(np.array([[0.0], [1.0], [2.0]])), np.array([[1.0], [3.0], [5.0]]))
    >>> rough = solve(fold_triangle(rows), 1, ones=True, tol=None)
    >>> finished(rough, rows, ones=True).coef
    array([[2.]])
    """
    triangle, inverse = solution.triangle, solution.inverse
    d = solution.coef.shape[1]
    n = sum(pair.block.n for pair in pairs)
    small = n * (triangle.mean.size + 1.0) ** 2 <= WHOLE
    if inverse.rank < d or not (small or inverse.condition > STEEP):
        return solution
    unit = factor_of(triangle, d, ones=ones)[2]
    origin = triangle.mean if ones else np.zeros_like(triangle.mean)
    task: tuple[Any, ...] = (pairs, side_by_side, origin, unit)
    found = doubled_solution(*task, d, ones=ones) if small else None
    if found is None:
        ratio = unit[:d, None] / unit[d:]
        start = Doubled(
            solution.coef.T * ratio, np.zeros((d, len(unit) - d)), np.zeros(len(unit) - d),
            np.zeros(len(unit) - d), None, None,
        )  # fmt: skip
        found = refined(*task, start, float(triangle.weight[0]), inverse, ones=ones)
    if found.factor is not None and found.mean is not None:
        triangle = Triangle(
            triangle.weight, origin + found.mean * unit, triangle.unit, found.factor
        )
        inverse = rank_of(triangle, d, ones=ones, tol=0.0)
    base = origin[d:].astype(np.longdouble) + found.intercept * unit[d:]
    return _outward(
        found.coef, found.low, (origin[:d], base), found.squares, triangle, unit, inverse,
        ones=ones,
    )  # fmt: skip
