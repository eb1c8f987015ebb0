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
            "float64[:, ::1]",
        )
    ]
)  # fmt: skip
def settle(X, weight, origin, scale, rows, found, labels, count, mass, sums):
    """Give rows their labels; the sums lose them in the old cluster and gain them in the new."""
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


@loop(
    ahead=[("const real[:, ::1]", "const float64[::1]", "float64", "const float64[:, ::1]")]
)  # fmt: skip
def squares_to_all(X, origin, scale, centres):
    """Squared distance of each row from every centre."""
    out = np.empty((X.shape[0], centres.shape[0]))
    for i in range(X.shape[0]):
        for c in range(centres.shape[0]):
            out[i, c] = square_between(X, i, origin, scale, centres[c])
    return out


@loop(
    ahead=[
        (
            "const real[:, ::1]", "const float64[::1]", "const float64[::1]", "float64",
            "const float64[:, ::1]", "const float64[::1]",
        )
    ]
)  # fmt: skip
def potentials(X, weight, origin, scale, candidates, closest):
    """Sum of the squared distances to the nearest centre, would each candidate become one."""
    out, weighted = np.zeros(candidates.shape[0]), weight.shape[0] > 0
    for i in range(X.shape[0]):
        w, now = weight[i] if weighted else 1.0, closest[i]
        for c in range(candidates.shape[0]):
            square = square_between(X, i, origin, scale, candidates[c])
            out[c] += w * (square if square < now else now)
    return out
