"""Cells and the intervals they fall into.

The inner edges of each column stand in a row, filled up with infinity to a power of two less one;
an interval holds its lower edge. A halving without branches finds the interval of a cell.

Cost: log2(intervals) comparisons a cell.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop


@loop(fastmath=False, inline=True)
def _place(value, edges):
    """Return how many of the edges are not above a value."""
    place, step = np.int64(0), (edges.shape[0] + 1) >> 1
    while step > 0:
        place += step * np.int64(edges[place + step - 1] <= value)
        step >>= 1
    return place


@loop(fastmath=False, ahead=[("const real[:, ::1]", "const float64[:, ::1]", "real[:, ::1]")])
def place_cells(X, edges, out):
    """Write the number of each cell's interval, NaN where it is missing."""
    n, d = X.shape
    for i in range(n):
        for j in range(d):
            value = X[i, j]
            out[i, j] = value if value != value else _place(value, edges[j])


@loop(
    fastmath=False,
    ahead=[("const real[:, ::1]", "const float64[:, ::1]", "const int64[::1]", "int32[:, ::1]")],
)
def number_cells(X, edges, offsets, out):
    """Write the number of each cell's interval among those of all columns, -1 where missing."""
    n, d = X.shape
    for i in range(n):
        for j in range(d):
            value = X[i, j]
            out[i, j] = -1 if value != value else offsets[j] + _place(value, edges[j])


@loop(fastmath=False, ahead=[("const real[:, ::1]", "const float64[:, ::1]", "const int64[::1]")])
def count_cells(X, edges, offsets):
    """Return how many cells each interval of each column holds."""
    n, d = X.shape
    counts = np.zeros(offsets[d], np.int64)
    for i in range(n):
        for j in range(d):
            value = X[i, j]
            if value == value:
                counts[offsets[j] + _place(value, edges[j])] += 1
    return counts


@loop(
    fastmath=False,
    ahead=[("const real[:, ::1]", "float64[:, ::1]", "int64", "int64[::1]")],
)
def lay_columns(X, out, start, gaps):
    """Lay columns end to end in ``out``, their rows from ``start`` on.

    Counts the missing cells of each in ``gaps``; returns whether a cell is infinite.
    """
    n, d = X.shape
    infinite = False
    for first in range(0, n, 64):
        last = min(first + 64, n)
        for j in range(d):
            missing = 0
            for i in range(first, last):
                value = X[i, j]
                out[j, start + i] = value
                missing += value != value
                infinite |= abs(value) == np.inf
            gaps[j] += missing
    return infinite
