"""Sums and sweeps of calibration: Platt's sigmoid, one temperature, and rising steps.

Cost: one exponential and one logarithm a row for the sigmoid, K + 1 for the temperature, a few
operations for the steps.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop
from learnable.loops.elementary import exp_, log1p_

_NUMBERS = "const float64[::1]"


@loop(ahead=[(_NUMBERS, _NUMBERS, _NUMBERS, "float64", "float64")])
def sigmoid_sums(score, target, weight, slope, offset):
    """Log loss of ``1 / (1 + exp(slope score + offset))``, its gradient and its curvature."""
    loss, by_slope, by_offset, ss, so, oo = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(score.shape[0]):
        z = slope * score[i] + offset
        e = exp_(-abs(z))
        p = e / (1.0 + e) if z > 0.0 else 1.0 / (1.0 + e)
        loss += weight[i] * (max(-z, 0.0) + log1p_(e) + target[i] * z)
        g, h = weight[i] * (target[i] - p), weight[i] * p * (1.0 - p)
        by_slope += g * score[i]
        by_offset += g
        ss += h * score[i] * score[i]
        so += h * score[i]
        oo += h
    return loss, by_slope, by_offset, ss, so, oo


@loop(ahead=[("const float64[:, ::1]", "const int32[::1]", _NUMBERS, "float64")])
def temperature_sums(logits, codes, weight, inverse):
    """Log loss of ``softmax(inverse * logits)``, its slope and curvature by the inverse."""
    loss, slope, curve = 0.0, 0.0, 0.0
    k = logits.shape[1]
    for i in range(logits.shape[0]):
        top = logits[i, 0]
        for c in range(1, k):
            top = max(top, logits[i, c])
        total, first, second = 0.0, 0.0, 0.0
        for c in range(k):
            z = logits[i, c] - top
            e = exp_(inverse * z)
            total += e
            first += e * z
            second += e * z * z
        mean = first / total
        own = logits[i, codes[i]] - top
        loss += weight[i] * (np.log(total) - inverse * own)
        slope += weight[i] * (mean - own)
        curve += weight[i] * (second / total - mean * mean)
    return loss, slope, curve


@loop(ahead=[(_NUMBERS, _NUMBERS)])
def rising_steps(values, weight):
    """Nearest rising values by weighted squares: neighbours that fall are pooled (PAV)."""
    n = values.shape[0]
    mean, mass, size = np.empty(n), np.empty(n), np.empty(n, np.int64)
    k = 0
    for i in range(n):
        mean[k], mass[k], size[k] = values[i], weight[i], 1
        k += 1
        while k > 1 and mean[k - 2] >= mean[k - 1]:
            both = mass[k - 2] + mass[k - 1]
            mean[k - 2] += (mean[k - 1] - mean[k - 2]) * (mass[k - 1] / both)
            mass[k - 2] = both
            size[k - 2] += size[k - 1]
            k -= 1
    out = np.empty(n)
    place = 0
    for block in range(k):
        for _ in range(size[block]):
            out[place] = mean[block]
            place += 1
    return out
