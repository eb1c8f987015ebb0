"""What k-means adds up over a block: sums a cluster, who may have moved, distances as they are.

Rows are read as ``(x - origin) * scale``, so that data far from 0 or of any scale lose nothing;
distances here are sums of squared differences, exactly 0 for equal rows. ``weight`` may be empty
(1 for each row).

References
----------
.. [1] G. Hamerly: Making k-means even faster. SIAM International Conference on Data Mining 2010.
"""

from __future__ import annotations

import math

import numpy as np

from learnable.core.compiler import loop
from learnable.core.events import EventBuffer
from learnable.loops.clusters import MARGIN, STEP, fill_tile, lines
from learnable.loops.events import note

_SAFE = 1.0 + 1e-12
"""Makes a distance an upper bound on itself: its relative error is a few units of rounding."""


@loop(inline=True)
def square_between(X, i, origin, scale, centre):
    """Squared distance of a row from a centre that is centred and scaled."""
    total = 0.0
    for j in range(X.shape[1]):
        v = (X[i, j] - origin[j]) * scale - centre[j]
        total += v * v
    return total


@loop(
    ahead=[
        (
            "const real[:, ::1]", "const float64[::1]", "const float64[::1]", "float64",
            "const int32[::1]", "const int32[::1]", "int32[::1]", "int64[::1]", "float64[::1]",
            "float64[:, ::1]", "int64", EventBuffer.of(0, 3),
        )
    ]
)  # fmt: skip
def settle(X, weight, origin, scale, rows, found, labels, count, mass, sums, start, moves):
    """Give rows their labels; the sums lose them in the old cluster and gain them in the new.

    Moves are noted as number of the row (counted from ``start``), old and new cluster.
    """
    changed, weighted = 0, weight.shape[0] > 0
    for p in range(rows.shape[0]):
        i = rows[p]
        old, new = labels[i], found[p]
        if old == new:
            continue
        labels[i] = new
        w = weight[i] if weighted else 1.0
        if w == 0.0:
            continue
        changed += 1
        count[new] += 1
        mass[new] += w
        for j in range(X.shape[1]):
            sums[new, j] += w * ((X[i, j] - origin[j]) * scale)
        if old >= 0:
            note(moves, (start + i, old, new))
            count[old] -= 1
            mass[old] -= w
            for j in range(X.shape[1]):
                sums[old, j] -= w * ((X[i, j] - origin[j]) * scale)
    return changed


@loop(
    ahead=[
        (
            "const real[:, ::1]", "const float64[::1]", "float64", "const float64[:, ::1]",
            "const float64[::1]", "const float64[::1]", "const int32[::1]", "float64[::1]",
            "float64[::1]",
        )
    ]
)  # fmt: skip
def undecided(X, origin, scale, centres, moved, gap, labels, upper, lower):
    """Rows whose nearest centre may be another one now that the centres moved; bounds follow.

    ``moved`` is how far each centre went, ``gap`` half the distance to its nearest neighbour. A
    row keeps its centre while the upper bound on its distance lies below the lower bound on the
    distances to all others, or below the gap; the upper bound is made exact before it gives up.
    """
    k, kept = moved.shape[0], 0
    first, second, who = 0.0, 0.0, -1
    for c in range(k):
        if moved[c] > first:
            first, second, who = moved[c], first, c
        elif moved[c] > second:
            second = moved[c]
    open_rows = np.empty(labels.shape[0], np.int32)
    for i in range(labels.shape[0]):
        a = labels[i]
        lower[i] -= second if a == who else first
        upper[i] += moved[a]
        bound = max(lower[i], gap[a])
        if upper[i] < bound:
            continue
        upper[i] = math.sqrt(square_between(X, i, origin, scale, centres[a])) * _SAFE
        if upper[i] < bound:
            continue
        open_rows[kept] = i
        kept += 1
    return open_rows[:kept].copy()


@loop(
    ahead=[
        (
            "const real[:, ::1]", "const float64[::1]", "float64", "const float64[:, ::1]",
            "const int32[::1]",
        )
    ]
)  # fmt: skip
def squares_to_own(X, origin, scale, centres, labels):
    """Squared distance of each row from its own centre."""
    out = np.empty(X.shape[0])
    for i in range(X.shape[0]):
        out[i] = square_between(X, i, origin, scale, centres[labels[i]])
    return out


@loop
def add_squares(tile, n, centres, c, squares):
    """Squared distances of ``n`` rows of a tile from four centres."""
    c0, c1, c2, c3 = centres[c], centres[c + 1], centres[c + 2], centres[c + 3]
    s0, s1, s2, s3 = squares[0], squares[1], squares[2], squares[3]
    for i in range(n):
        s0[i] = s1[i] = s2[i] = s3[i] = 0.0
    for j in range(0, tile.shape[0], 2):
        x0, x1 = tile[j], tile[j + 1]
        a0, a1, b0, b1 = c0[j], c0[j + 1], c1[j], c1[j + 1]
        d0, d1, e0, e1 = c2[j], c2[j + 1], c3[j], c3[j + 1]
        for i in range(n):
            y, z = x0[i], x1[i]
            s0[i] += (y - a0) * (y - a0) + (z - a1) * (z - a1)
            s1[i] += (y - b0) * (y - b0) + (z - b1) * (z - b1)
            s2[i] += (y - d0) * (y - d0) + (z - d1) * (z - d1)
            s3[i] += (y - e0) * (y - e0) + (z - e1) * (z - e1)


@loop(
    ahead=[("const real[:, ::1]", "const float64[::1]", "float64", "const float64[:, ::1]")]
)  # fmt: skip
def squares_to_all(X, origin, scale, centres):
    """Squared distance of each row from every centre, by tiles of rows on their side."""
    (n, d), k = X.shape, centres.shape[0]
    padded = np.zeros(((k + STEP - 1) // STEP * STEP, (d + STEP - 1) // STEP * STEP))
    padded[:k, :d] = centres
    out, rows = np.empty((n, k)), np.arange(n).astype(np.int32)
    width = max(16, min(256, n + 15, 16384 // padded.shape[1]) // 16 * 16)
    tile = lines(padded.shape[1], width + MARGIN, padded)
    squares = lines(4, width + MARGIN, padded)
    for start in range(0, n, width):
        stop = min(start + width, n)
        fill_tile(X, rows, start, stop, origin, scale, tile)
        for c in range(0, k, 4):
            add_squares(tile, width, padded, c, squares)
            for i in range(start, stop):
                for q in range(min(4, k - c)):
                    out[i, c + q] = squares[q, i - start]
    return out
