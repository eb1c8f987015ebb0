"""Areas under curves and their variances, from the weight of both classes at each score.

Scores rise, so the last entry is the highest score. Cost: two passes over the distinct scores.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop

_WEIGHTS = "const float64[::1]"


@loop(ahead=[(_WEIGHTS, _WEIGHTS)])
def roc_area(ups, downs):
    """Area, and the sums of squares of the placements of positive and of negative rows."""
    m = ups.shape[0]
    up, down, wins = 0.0, 0.0, 0.0
    for i in range(m):
        wins += ups[i] * (down + 0.5 * downs[i])
        up += ups[i]
        down += downs[i]
    if up == 0.0 or down == 0.0:
        return np.nan, np.nan, np.nan
    area = wins / up / down
    below, over, first, second = 0.0, up, 0.0, 0.0
    for i in range(m):
        v = (below + 0.5 * downs[i]) / down - area
        w = (over - 0.5 * ups[i]) / up - area
        first += ups[i] * v * v
        second += downs[i] * w * w
        below += downs[i]
        over -= ups[i]
    return area, first, second


@loop(ahead=[(_WEIGHTS, _WEIGHTS)])
def precision_area(ups, downs):
    """Average precision, and the sum of squares of its derivatives by the weight of each row."""
    m = ups.shape[0]
    up, called, found = 0.0, 0.0, 0.0
    for i in range(m - 1, -1, -1):
        up += ups[i]
        called += ups[i] + downs[i]
        if ups[i] > 0.0:
            found += ups[i] * (up / called)
    if up == 0.0:
        return 0.0, np.nan
    found /= up
    gained, lost, squares = 0.0, 0.0, 0.0
    true, every = up, called
    for i in range(m):
        gained += ups[i] / every
        lost += ups[i] * true / (every * every)
        mine = true / every + gained - lost - found
        squares += ups[i] * mine * mine + downs[i] * lost * lost
        true -= ups[i]
        every -= ups[i] + downs[i]
    return found, squares / (up * up)
