"""Moments of answers, predictions and their differences, in two passes over a block."""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop

_TABLE = "const float64[:, ::1]"


@loop(ahead=[(_TABLE, _TABLE, "const float64[::1]", "float64")])
def residual_moments(true, predicted, weight, tiny):
    """Weight, and for each output means, centred sums, absolute, relative, largest residual."""
    n, m = true.shape
    means, sums = np.zeros((3, m)), np.zeros((4, m))
    absolute, relative, largest = np.zeros(m), np.zeros(m), np.zeros(m)
    weighted = weight.shape[0] > 0
    total = 0.0
    for i in range(n):
        total += weight[i] if weighted else 1.0
    if total == 0.0:
        return total, means, sums, absolute, relative, largest
    for j in range(m):
        a, b, c = 0.0, 0.0, 0.0
        for i in range(n):
            w = weight[i] if weighted else 1.0
            a += w * true[i, j]
            b += w * predicted[i, j]
            c += w * (true[i, j] - predicted[i, j])
        a, b, c = a / total, b / total, c / total
        means[0, j], means[1, j], means[2, j] = a, b, c
        tt, pp, rr, tp, size, share, most = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            w = weight[i] if weighted else 1.0
            t, p = true[i, j] - a, predicted[i, j] - b
            r = true[i, j] - predicted[i, j]
            e = abs(r)
            tt += w * t * t
            pp += w * p * p
            rr += w * (r - c) * (r - c)
            tp += w * t * p
            size += w * e
            share += w * e / max(abs(true[i, j]), tiny)
            most = max(most, e)
        sums[0, j], sums[1, j], sums[2, j], sums[3, j] = tt, pp, rr, tp
        absolute[j], relative[j], largest[j] = size, share, most
    return total, means, sums, absolute, relative, largest
