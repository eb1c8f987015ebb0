"""Contingency counts and histograms of a block of rows, per class.

Ragged tables lie side by side in one flat row a class: column ``j`` owns the cells from
``offsets[j]`` to ``offsets[j + 1]``. A negative code is a missing cell and counts nowhere.

Cost: one addition a cell of the block.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop


@loop(
    ahead=[("const int32[:, ::1]", "const int32[::1]", "const float64[::1]", "int64", "int64[::1]")]
)
def count_codes(codes, classes, weight, k, offsets):
    """Weight of each class, and of each class together with each code of each column."""
    n, d = codes.shape
    total, table = np.zeros(k), np.zeros((k, offsets[d]))
    labelled, weighted = classes.shape[0] > 0, weight.shape[0] > 0
    for i in range(n):
        c = classes[i] if labelled else 0
        w = weight[i] if weighted else 1.0
        if c < 0:
            continue
        total[c] += w
        for j in range(d):
            code = codes[i, j]
            if 0 <= code < offsets[j + 1] - offsets[j]:
                table[c, offsets[j] + code] += w
    return total, table


@loop
def count_bins(X, codes, weight, k, edges):
    """Weight of each class in each bin of each column; ``edges`` is (d, bins + 1), rising.

    Bin 0 holds what is missing, bin 1 what lies below the first edge, the last bin what lies
    above the last edge; a value on an edge belongs to the bin above it, on the last edge to the
    last bin inside.
    """
    n, d = X.shape
    inside = edges.shape[1] - 1
    table = np.zeros((k, d, inside + 3))
    labelled, weighted = codes.shape[0] > 0, weight.shape[0] > 0
    for i in range(n):
        c = codes[i] if labelled else 0
        w = weight[i] if weighted else 1.0
        if c < 0:
            continue
        for j in range(d):
            v = X[i, j]
            if v != v:
                table[c, j, 0] += w
            elif v < edges[j, 0]:
                table[c, j, 1] += w
            elif v > edges[j, inside]:
                table[c, j, inside + 2] += w
            else:
                low, high = 0, inside
                while high - low > 1:
                    middle = (low + high) // 2
                    if edges[j, middle] <= v:
                        low = middle
                    else:
                        high = middle
                table[c, j, low + 2] += w
    return table


@loop(ahead=[("const real[:, ::1]", "const float64[::1]")])
def extremes(X, weight):
    """Smallest and largest value of each column over the rows whose weight is not zero."""
    n, d = X.shape
    low, high = np.full(d, np.inf), np.full(d, -np.inf)
    weighted = weight.shape[0] > 0
    for i in range(n):
        if weighted and weight[i] == 0.0:
            continue
        for j in range(d):
            v = np.float64(X[i, j])
            low[j] = v if v < low[j] else low[j]
            high[j] = v if v > high[j] else high[j]
    return low, high
