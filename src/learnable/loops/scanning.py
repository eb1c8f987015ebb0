"""Passes that look at a block without learning from it: what is not finite, labels, row hashes.

Row hashes are multilinear over the mixed bits of the cells, so that equal rows agree and different
rows differ but for one pair in about 2**60. Without the mixing, cells that differ in high bits
alone (0 and 2, say) would leave the low bits of the sum empty.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop
from learnable.loops.bits import bits_of

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT, _ONE = np.uint64(32), np.uint64(1)


@loop(ahead=[("const real[:, ::1]",)])
def all_finite(X):
    """Whether no cell is NaN or infinite: x * 0 is 0 for finite x only."""
    s = 0.0
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            s += X[i, j] * 0.0
    return s == 0.0


@loop(fastmath=False, ahead=[("const real[:, ::1]",)])
def any_infinite(X):
    """Whether a cell is infinite."""
    count = 0
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            count += abs(X[i, j]) == np.inf
    return count > 0


@loop(fastmath=False)
def first_not_finite(X):
    """Row and column of the first cell that is NaN or infinite, or (-1, -1)."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            if not np.isfinite(X[i, j]):
                return i, j
    return -1, -1


@loop(fastmath=False, ahead=[("const real[:, ::1]", "const uint64[::1]")])
def hash_rows(X, keys):
    """Hash each row to 63 bits, with one odd key a column; equal numbers hash equally."""
    n, d = X.shape
    out = np.empty(n, np.uint64)
    for i in range(n):
        h = np.uint64(0)
        for j in range(d):
            # Adding 0 turns -0 into 0, which is equal to it but has other bits.
            b = np.uint64(bits_of(np.float64(X[i, j]) + 0.0))
            b = (b ^ (b >> _SHIFT)) * _MIX
            h += (b ^ (b >> _SHIFT)) * keys[j]
        h = (h ^ (h >> _SHIFT)) * _MIX
        out[i] = (h ^ (h >> _SHIFT)) >> _ONE
    return out


@loop(ahead=[("const int64[::1]", "int64", "int64")])
def present(values, low, span):
    """Which of the whole numbers ``low .. low + span - 1`` occur."""
    seen = np.zeros(span, np.bool_)
    for value in values:
        seen[value - low] = True
    return seen


@loop(ahead=[("const int64[::1]", "int64", "const int32[::1]")])
def look_up(values, low, place):
    """Code of each whole number by a table."""
    out = np.empty(values.shape[0], np.int32)
    for i in range(values.shape[0]):
        out[i] = place[values[i] - low]
    return out
