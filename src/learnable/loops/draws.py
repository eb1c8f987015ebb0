"""Draws of the bootstrap: rows with replacement, and what a measure makes of each draw.

Every draw has a seed of its own and numbers its random bits (SplitMix64 of the place), so a draw is
the same whoever makes it. Cost: a few operations a row and draw.

References
----------
.. [1] G. L. Steele, D. Lea, C. H. Flood: Fast splittable pseudorandom number generators.
   OOPSLA 2014.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop
from learnable.loops.areas import precision_area, roc_area

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_A, _B, _C, _D = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(12)
_UNIT = 2.0**-52
_SEEDS, _WEIGHTS = "const uint64[::1]", "const float64[::1]"
_ROWS, _FLAGS = "const int32[::1]", "const bool_[::1]"


@loop(inline=True, fastmath=False)
def _drawn_row(seed, i, n):
    """Draw the i-th row from n, uniform to 1 in 2**52."""
    z = seed + np.uint64(i) * _STEP
    z = (z ^ (z >> _A)) * _FIRST
    z = (z ^ (z >> _B)) * _SECOND
    z ^= z >> _C
    return np.int64(np.float64(np.int64(z >> _D)) * _UNIT * n)


@loop
def _count(seed, drawn):
    n = drawn.shape[0]
    drawn[:] = 0.0
    for i in range(n):
        drawn[_drawn_row(seed, i, n)] += 1.0


@loop
def _area(rows, positive, last, weight, ups, downs, precision):
    """Weigh rows in rising order of their scores, and return the area under their curve."""
    k, up, down = 0, 0.0, 0.0
    for i in range(rows.shape[0]):
        w = weight[rows[i]]
        side = 1.0 if positive[i] else 0.0
        up += w * side
        down += w * (1.0 - side)
        if last[i]:
            ups[k], downs[k] = up, down
            k += 1 if up + down > 0.0 else 0
            up, down = 0.0, 0.0
    if precision:
        return precision_area(ups[:k], downs[:k])[0]
    return roc_area(ups[:k], downs[:k])[0]


@loop(ahead=[(_ROWS, _FLAGS, _FLAGS, _WEIGHTS, "bool_")])
def weighted_area(rows, positive, last, weight, precision):
    """Return the area under the ROC (or precision-recall) curve with a weight for each unit.

    ``rows`` holds the unit of each row in rising order of the scores; ``last`` marks the last one
    of equal scores.
    """
    ups, downs = np.empty(rows.shape[0]), np.empty(rows.shape[0])
    return _area(rows, positive, last, weight, ups, downs, precision)


@loop(ahead=[(_ROWS, _FLAGS, _FLAGS, "int64", _SEEDS, "bool_")])
def drawn_areas(rows, positive, last, units, seeds, precision):
    """Do the same for each of many draws of the units."""
    drawn, found = np.empty(units), np.empty(seeds.shape[0])
    ups, downs = np.empty(rows.shape[0]), np.empty(rows.shape[0])
    for k in range(seeds.shape[0]):
        _count(seeds[k], drawn)
        found[k] = _area(rows, positive, last, drawn, ups, downs, precision)
    return found


@loop(ahead=[("const float64[:, ::1]", _SEEDS)])
def drawn_sums(table, seeds):
    """Sum the columns over each of many draws of the rows."""
    n, d = table.shape
    found = np.zeros((seeds.shape[0], d))
    for k in range(seeds.shape[0]):
        for i in range(n):
            row = _drawn_row(seeds[k], i, n)
            for j in range(d):
                found[k, j] += table[row, j]
    return found


@loop(ahead=[("uint64", "int64")])
def drawn_counts(seed, n):
    """How often each of n units is drawn."""
    drawn = np.empty(n)
    _count(seed, drawn)
    return drawn
