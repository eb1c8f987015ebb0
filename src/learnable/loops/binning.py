"""Cells and the intervals they fall into.

The inner edges of each column stand in a row, filled up with infinity; an interval holds its lower
edge. A piece of a column is compared to one edge after the other, many cells at a time; where there
are many edges, each cell is looked up by halving.

Cost: one comparison an edge and cell up to 64 edges, log2(edges) steps a cell beyond.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop

_PIECE, _FEW = 256, 64


@loop(fastmath=False)
def _places(X, first, last, j, edges, cells, places):
    """Find the intervals of a piece of a column; of a missing cell it is -1."""
    for i in range(first, last):
        cells[i - first] = X[i, j]
    size = last - first
    if edges.shape[0] <= _FEW:
        places[:] = 0
        for edge in edges:
            for i in range(size):
                places[i] += np.int32(cells[i] >= edge)
    else:
        for i in range(size):
            places[i] = np.searchsorted(edges, cells[i], side="right")
    for i in range(size):
        places[i] = places[i] if cells[i] == cells[i] else np.int32(-1)


@loop(fastmath=False, ahead=[("const real[:, ::1]", "const float64[:, ::1]", "real[:, ::1]")])
def place_cells(X, edges, out):
    """Write the number of each cell's interval, NaN where it is missing."""
    n, d = X.shape
    cells, places = np.empty(_PIECE), np.empty(_PIECE, np.int32)
    for first in range(0, n, _PIECE):
        last = min(first + _PIECE, n)
        for j in range(d):
            _places(X, first, last, j, edges[j], cells, places)
            for i in range(first, last):
                place = places[i - first]
                out[i, j] = place if place >= 0 else np.nan


@loop(
    fastmath=False,
    ahead=[("const real[:, ::1]", "const float64[:, ::1]", "const int64[::1]", "int32[:, ::1]")],
)
def number_cells(X, edges, offsets, out):
    """Write the number of each cell's interval among those of all columns, -1 where missing."""
    n, d = X.shape
    cells, places = np.empty(_PIECE), np.empty(_PIECE, np.int32)
    for first in range(0, n, _PIECE):
        last = min(first + _PIECE, n)
        for j in range(d):
            _places(X, first, last, j, edges[j], cells, places)
            for i in range(first, last):
                place = places[i - first]
                out[i, j] = place + offsets[j] if place >= 0 else -1


@loop(fastmath=False)
def _count_above(X, first, last, j, edges, cells, counts):
    """Count a piece of a column: what lies above an edge and not above the next one."""
    size, known = last - first, 0
    for i in range(size):
        cells[i] = X[first + i, j]
        known += cells[i] == cells[i]
    for k in range(edges.shape[0]):
        above = 0
        for i in range(size):
            above += cells[i] >= edges[k]
        counts[k] += known - above
        known = above
    counts[edges.shape[0]] += known


@loop(fastmath=False, ahead=[("const real[:, ::1]", "const float64[:, ::1]", "const int64[::1]")])
def count_cells(X, edges, offsets):
    """Return how many cells each interval of each column holds."""
    n, d = X.shape
    counts = np.zeros(offsets[d], np.int64)
    cells, places = np.empty(_PIECE), np.empty(_PIECE, np.int32)
    for first in range(0, n, _PIECE):
        last = min(first + _PIECE, n)
        for j in range(d):
            inner, size = offsets[j + 1] - offsets[j] - 1, last - first
            if inner <= _FEW:
                _count_above(X, first, last, j, edges[j, :inner], cells, counts[offsets[j] :])
                continue
            _places(X, first, last, j, edges[j], cells, places)
            for place in places[:size]:
                if place >= 0:
                    counts[offsets[j] + place] += 1
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
