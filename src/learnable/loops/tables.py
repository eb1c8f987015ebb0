"""Codes of a block of rows, and sums of their table entries: what nominal columns need.

Cost: one look-up a cell (and class).
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop


@loop(fastmath=False, ahead=[("const real[:, ::1]", "int32[:, ::1]", "int64")])
def whole_codes(X, codes, most):
    """Write the codes of a block, -1 for NaN; return the first cell that is none, or (-1, -1)."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            v = X[i, j]
            if v != v:
                codes[i, j] = -1
            elif v >= 0 and v <= most and v == np.floor(v):
                codes[i, j] = np.int32(v)
            else:
                return i, j
    return -1, -1


@loop(
    ahead=[
        ("const int32[:, ::1]", "const int64[::1]", "const float64[:, ::1]", "const float64[::1]")
    ]
)
def joint_log_tables(codes, offsets, logs, constant):
    """``constant[c] + sum_j logs[offsets[j] + code, c]``; a code outside its table says nothing."""
    n, d = codes.shape
    k = constant.shape[0]
    out = np.empty((n, k))
    for i in range(n):
        for c in range(k):
            out[i, c] = constant[c]
        for j in range(d):
            code = codes[i, j]
            if 0 <= code < offsets[j + 1] - offsets[j]:
                for c in range(k):
                    out[i, c] += logs[offsets[j] + code, c]
    return out
