"""Moments of answers, predictions and their differences, a block at a time.

A block fits the processor's first cache, so two passes over it read memory once; the moments of
blocks merge as those of samples do.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop
from learnable.loops.bits import bits_of, float_of

_NUMBERS = "const float64[::1]"
_BLOCK = 1024


@loop
def _block_means(t, p, w):
    total, a, b, c = 0.0, 0.0, 0.0, 0.0
    for i in range(t.shape[0]):
        total += w[i]
        a += w[i] * t[i]
        b += w[i] * p[i]
        c += w[i] * (t[i] - p[i])
    return total, a, b, c


@loop
def _block_sums(t, p, w, a, b, c, tiny):
    """Centred sums of squares and products; absolute and relative size; bits of the largest."""
    tt, pp, rr, tp, size, share, most = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, np.int64(0)
    for i in range(t.shape[0]):
        x, y, r = t[i] - a, p[i] - b, t[i] - p[i]
        e, below = abs(r), abs(t[i])
        tt += w[i] * (x * x)
        pp += w[i] * (y * y)
        rr += w[i] * ((r - c) * (r - c))
        tp += w[i] * (x * y)
        size += w[i] * e
        share += w[i] * e / (below if below > tiny else tiny)
        most = max(most, bits_of(e))  # of positive floats the bits are in order, and vectorise
    return tt, pp, rr, tp, size, share, most


@loop(ahead=[(_NUMBERS, _NUMBERS, _NUMBERS, "float64")])
def residual_moments(true, predicted, weight, tiny):
    """Weight, 3 means, 4 centred sums, absolute, relative and largest residual, as one array."""
    n = true.shape[0]
    ones = np.ones(min(n, _BLOCK))
    found = np.zeros(11)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        t, p = true[start:stop], predicted[start:stop]
        if weight.shape[0] > 0:
            here, a, b, c = _block_means(t, p, weight[start:stop])
        else:
            here, a, b, c = _block_means(t, p, ones[: stop - start])
        if here == 0.0:
            continue
        a, b, c = a / here, b / here, c / here
        if weight.shape[0] > 0:
            tt, pp, rr, tp, size, share, most = _block_sums(t, p, weight[start:stop], a, b, c, tiny)
        else:
            tt, pp, rr, tp, size, share, most = _block_sums(
                t, p, ones[: stop - start], a, b, c, tiny
            )
        total = found[0]
        part = here / (total + here)
        between = total * part
        u, v, z = a - found[1], b - found[2], c - found[3]
        if total == 0.0:
            found[1], found[2], found[3] = a, b, c
        else:
            found[1] += u * part
            found[2] += v * part
            found[3] += z * part
        found[0] += here
        found[4] += tt + u * u * between
        found[5] += pp + v * v * between
        found[6] += rr + z * z * between
        found[7] += tp + u * v * between
        found[8] += size
        found[9] += share
        found[10] = max(found[10], float_of(most))
    return found
