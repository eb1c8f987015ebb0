"""Products of columns, and B-splines of a column, row by row.

A product is an earlier product times a column, so that each costs one multiplication. Of the
B-splines only the ``degree + 1`` that are not zero are computed, by the Cox-de Boor recursion.

Cost: one multiplication a product; degree^2 operations a cell for splines.

References
----------
.. [1] C. de Boor: A Practical Guide to Splines. Springer 2001, chapter X.
.. [2] L. Piegl, W. Tiller: The NURBS Book. Springer 1997, algorithm A2.2.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop

FLAT, ON, STRAIGHT = 0, 1, 2
"""Beyond the knots: the value at the end, the last polynomial, its tangent at the end."""


@loop(
    fastmath=False,
    ahead=[("const real[:, ::1]", "const int64[::1]", "const int64[::1]", "int64", "real[:, ::1]")],
)
def write_products(X, before, columns, skipped, out):
    """Write all but the first ``skipped`` products: product ``before`` (-1: none) times a column.

    Returns the row and the column of the first one that is not finite, or (-1, -1).
    """
    n, terms = X.shape[0], before.shape[0]
    row = np.empty(terms, X.dtype)
    for i in range(n):
        finite = True
        for k in range(terms):
            cell = X[i, columns[k]]
            row[k] = cell if before[k] < 0 else row[before[k]] * cell
            finite &= abs(row[k]) < np.inf
        for k in range(skipped, terms):
            out[i, k - skipped] = row[k]
        if not finite:
            for k in range(terms):
                if not abs(row[k]) < np.inf:
                    return i, columns[k]
    return -1, -1


@loop(fastmath=False)
def _inverses(t, degree, last):
    """Return one over the distance of the knots that each step of the recursion divides by."""
    inverse = np.zeros((last + 1, degree + 1, max(degree, 1)))
    for span in range(degree, last + 1):
        for j in range(1, degree + 1):
            for r in range(j):
                wide = t[span + r + 1] - t[span + 1 - j + r]
                inverse[span, j, r] = 1.0 / wide if wide != 0.0 else 0.0
    return inverse


@loop(fastmath=False, inline=True)
def _bases(x, t, span, degree, inverse, values, lower, left, right):
    """Compute the splines that are not zero between knots ``span`` and ``span + 1``.

    ``lower`` gets those of one degree less.
    """
    values[0] = 1.0
    for j in range(1, degree + 1):
        left[j], right[j] = x - t[span + 1 - j], t[span + j] - x
        if j == degree:
            for r in range(j):
                lower[r] = values[r]
        saved = 0.0
        for r in range(j):
            part = values[r] * inverse[j, r]
            values[r] = saved + right[r + 1] * part
            saved = left[j - r] * part
        values[j] = saved


@loop(fastmath=False, inline=True)
def _span(at, t, first, last):
    """Return the last knot among some that is not above a cell."""
    while first < last:
        middle = (first + last + 1) >> 1
        if t[middle] <= at:
            first = middle
        else:
            last = middle - 1
    return first


@loop(fastmath=False)
def _slope(t, span, degree, lower, k):
    """Return the derivative of one of the splines that are not zero."""
    first = span - degree + k
    slope = 0.0
    if k > 0 and t[first + degree] > t[first]:
        slope += lower[k - 1] / (t[first + degree] - t[first])
    if k < degree and t[first + degree + 1] > t[first + 1]:
        slope -= lower[k] / (t[first + degree + 1] - t[first + 1])
    return degree * slope


@loop(
    fastmath=False,
    ahead=[
        (
            *("const real[::1]", "const float64[::1]", "int64", "int64", "int64", "int64"),
            "real[:, ::1]",
        )
    ],
)
def write_splines(x, t, degree, beyond, turned, first, out):
    """Add the B-splines of each cell to a row of zeros; a missing cell has none.

    Parameters
    ----------
    x : array (n,)
        Cells.
    t : array
        The knots with ``degree`` more at each end.
    degree : int
        Of the polynomials.
    beyond : int
        ``FLAT``, ``ON`` or ``STRAIGHT``.
    turned : int
        Spline number ``turned`` is the first one again (periodic splines).
    first : int
        The column of the first spline.
    out : array (n, columns)
        Zeros.
    """
    values, lower = np.zeros(degree + 1), np.zeros(degree + 1)
    left, right = np.empty(degree + 1), np.empty(degree + 1)
    last = t.shape[0] - degree - 2
    low, high = t[degree], t[last + 1]
    inverse = _inverses(t, degree, last)
    for i in range(x.shape[0]):
        cell = np.float64(x[i])
        if cell != cell:
            continue
        at = cell if beyond == ON else min(max(cell, low), high)
        span = _span(at, t, degree, last)
        _bases(at, t, span, degree, inverse[span], values, lower, left, right)
        for k in range(degree + 1):
            value = values[k]
            if beyond == STRAIGHT and cell != at and degree > 0:
                value += (cell - at) * _slope(t, span, degree, lower, k)
            place = span - degree + k
            out[i, first + (place if place < turned else place - turned)] += value
