"""Missing cells of a block, replaced by one number a column, and counted.

Cost: one comparison a cell.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop


@loop(fastmath=False, ahead=[("const real[:, ::1]", "const real[::1]", "real[:, ::1]")])
def fill_missing(X, fill, out):
    """Copy a block, each NaN as the number of its column."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            v = X[i, j]
            out[i, j] = fill[j] if v != v else v


@loop(fastmath=False, ahead=[("const real[:, ::1]",)])
def count_missing(X):
    """Return how many cells each column misses, and how many rows miss one."""
    n, d = X.shape
    missing, incomplete = np.zeros(d, np.int64), 0
    for i in range(n):
        here = 0
        for j in range(d):
            gap = np.int64(X[i, j] != X[i, j])
            missing[j] += gap
            here |= gap
        incomplete += here
    return missing, incomplete
