"""Weight, mean and centred scatter of a block of rows, per class; and how two blocks merge.

Deviations from the first row of each class are summed with their squares in one pass, and
``sum(v**2) - sum(v)**2 / n`` is the scatter; where the first row lies so far out that the
difference would lose digits, a second pass takes deviations from the mean. A constant column has
scatter exactly 0, and a column far from 0 loses nothing.

``unit`` is a power of two for each column: the scatter is kept in squares of it. It is 1 for
ordinary columns, 0 for columns that never varied, and of the size of the deviations where their
squares would leave the range of floats.

Cost: 3 n d additions and multiplications.

References
----------
.. [1] T. F. Chan, G. H. Golub, R. J. LeVeque: Algorithms for computing the sample variance.
   The American Statistician 37, 1983.
.. [2] E. Schubert, M. Gertz: Numerically stable parallel computation of (co-)variance. SSDBM 2018.
"""

from __future__ import annotations

import math

import numpy as np

from learnable.core.compiler import loop

TINY, HUGE = 2.0**-400, 2.0**400


@loop
def unit_of(largest):
    """Power of two in whose squares deviations up to ``largest`` are kept; 0 for none at all."""
    if not largest > 0.0:
        return 0.0
    if TINY < largest < HUGE:
        return 1.0
    if largest == math.inf:
        return math.inf
    return math.ldexp(1.0, math.frexp(largest)[1] - 1)


@loop(ahead=[("const real[:, ::1]", "const int32[::1]", "const float64[::1]", "int64")])
def first_moments(X, codes, weight, k):
    """Sum up weight, mean and scatter of each class in one pass, and how much the sums cancelled.

    ``codes`` or ``weight`` may be empty (one class, weight 1). Deviations are taken from the first
    row of each class; where that lies far out, the difference of large sums loses digits. The last
    result is the largest ratio of the sum that was subtracted to what remained.
    """
    n, d = X.shape
    total, mean, origin = np.zeros(k), np.zeros((k, d)), np.zeros((k, d))
    scatter = np.zeros((k, d))
    seen = np.zeros(k, np.bool_)
    labelled, weighted = codes.shape[0] > 0, weight.shape[0] > 0
    for i in range(n):
        c = codes[i] if labelled else 0
        w = weight[i] if weighted else 1.0
        if c < 0 or w == 0.0:
            continue
        if not seen[c]:
            seen[c] = True
            for j in range(d):
                origin[c, j] = X[i, j]
        total[c] += w
        for j in range(d):
            v = X[i, j] - origin[c, j]
            mean[c, j] += w * v
            scatter[c, j] += w * v * v
    lost = 0.0
    for c in range(k):
        if total[c] != 0.0:
            for j in range(d):
                drift = mean[c, j] / total[c]
                taken = drift * mean[c, j]
                scatter[c, j] = max(scatter[c, j] - taken, 0.0)
                if taken > lost * scatter[c, j]:
                    lost = taken / scatter[c, j]
                mean[c, j] = origin[c, j] + drift
    return total, mean, scatter, lost


@loop(ahead=[("const real[:, ::1]", "const int32[::1]", "const float64[::1]", "float64[:, ::1]")])
def squares(X, codes, weight, mean):
    """Sum of squared deviations from the mean, less the square of their sum over the weight."""
    n, d = X.shape
    k = mean.shape[0]
    scatter, drift, total = np.zeros((k, d)), np.zeros((k, d)), np.zeros(k)
    labelled, weighted = codes.shape[0] > 0, weight.shape[0] > 0
    for i in range(n):
        c = codes[i] if labelled else 0
        w = weight[i] if weighted else 1.0
        if c < 0 or w == 0.0:
            continue
        total[c] += w
        for j in range(d):
            v = X[i, j] - mean[c, j]
            drift[c, j] += w * v
            scatter[c, j] += w * v * v
    for c in range(k):
        if total[c] != 0.0:
            for j in range(d):
                scatter[c, j] = max(scatter[c, j] - drift[c, j] * drift[c, j] / total[c], 0.0)
    return scatter


@loop
def column_squares(X, codes, weight, mean, column, unit):
    """Scatter of one column in squares of its unit."""
    scatter = np.zeros(mean.shape[0])
    labelled, weighted = codes.shape[0] > 0, weight.shape[0] > 0
    for i in range(X.shape[0]):
        c = codes[i] if labelled else 0
        w = weight[i] if weighted else 1.0
        if c >= 0 and w != 0.0:
            v = (X[i, column] - mean[c, column]) / unit
            scatter[c] += w * v * v
    return scatter


@loop
def largest_deviation(X, codes, weight, mean, column):
    """Largest distance of a column from the mean of its class."""
    largest = 0.0
    labelled, weighted = codes.shape[0] > 0, weight.shape[0] > 0
    for i in range(X.shape[0]):
        c = codes[i] if labelled else 0
        w = weight[i] if weighted else 1.0
        if c >= 0 and w != 0.0:
            largest = max(largest, abs(X[i, column] - mean[c, column]))
    return largest


@loop
def merge_units(a_weight, a_mean, a_unit, b_weight, b_mean, b_unit):
    """Choose the unit of each column of a merged pair, as wide as the distance of the means."""
    unit = np.empty(a_unit.shape[0])
    for j in range(unit.shape[0]):
        top = max(a_unit[j], b_unit[j])
        for c in range(a_weight.shape[0]):
            if a_weight[c] != 0.0 and b_weight[c] != 0.0:
                top = max(top, unit_of(abs(b_mean[c, j] - a_mean[c, j])))
        unit[j] = top
    return unit


@loop(ahead=[2 * ("float64[::1]", "float64[:, ::1]", "float64[:, ::1]", "float64[::1]")])
def merge_moments(a_weight, a_mean, a_scatter, a_unit, b_weight, b_mean, b_scatter, b_unit):
    """Chan's merge, class by class, for diagonal scatter."""
    k, d = a_mean.shape
    unit = merge_units(a_weight, a_mean, a_unit, b_weight, b_mean, b_unit)
    weight, mean, scatter = a_weight + b_weight, np.empty((k, d)), np.empty((k, d))
    for j in range(d):
        u = unit[j] if unit[j] != 0.0 else 1.0
        left, right = (a_unit[j] / u) ** 2, (b_unit[j] / u) ** 2
        for c in range(k):
            if b_weight[c] == 0.0 or a_weight[c] == 0.0:
                mean[c, j] = a_mean[c, j] if b_weight[c] == 0.0 else b_mean[c, j]
                scatter[c, j] = a_scatter[c, j] * left + b_scatter[c, j] * right
                continue
            delta = b_mean[c, j] - a_mean[c, j]
            share = b_weight[c] / weight[c]
            mean[c, j] = a_mean[c, j] + delta * share
            between = (delta / u) * (delta / u) * a_weight[c] * share
            scatter[c, j] = a_scatter[c, j] * left + b_scatter[c, j] * right + between
    return weight, mean, scatter, unit
