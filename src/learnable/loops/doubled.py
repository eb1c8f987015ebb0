"""Arithmetic on pairs of floats: a number is the exact sum ``high + low``, some 32 digits.

Nothing may be reordered or contracted here, so these loops are compiled without any of the
compiler's liberties.

Cost: an addition takes 20 operations, a product 24.

References
----------
.. [1] T. J. Dekker: A floating-point technique for extending the available precision. Numerische
   Mathematik 18, 1971.
.. [2] T. Ogita, S. M. Rump, S. Oishi: Accurate sum and dot product. SIAM Journal on Scientific
   Computing 26, 2005.
"""

from __future__ import annotations

import math

import numpy as np

from learnable.core.compiler import loop

_SPLIT = 134217729.0  # 2**27 + 1


@loop(fastmath=False, inline=True)
def two_sum(a, b):
    """Sum and what its rounding lost."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@loop(fastmath=False, inline=True)
def quick_sum(a, b):
    """Sum and what its rounding lost, where ``a`` is the larger."""
    s = a + b
    return s, b - (s - a)


@loop(fastmath=False, inline=True)
def two_product(a, b):
    """Product and what its rounding lost."""
    p = a * b
    t = _SPLIT * a
    a_high = t - (t - a)
    a_low = a - a_high
    t = _SPLIT * b
    b_high = t - (t - b)
    b_low = b - b_high
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


@loop(fastmath=False, inline=True)
def add(a, a_low, b, b_low):
    """Add two pairs."""
    s, e = two_sum(a, b)
    t, f = two_sum(a_low, b_low)
    s, e = quick_sum(s, e + t)
    return quick_sum(s, e + f)


@loop(fastmath=False, inline=True)
def multiply(a, a_low, b, b_low):
    """Multiply two pairs."""
    p, e = two_product(a, b)
    return quick_sum(p, e + (a * b_low + a_low * b))


@loop(fastmath=False, inline=True)
def divide(a, a_low, b, b_low):
    """Divide two pairs."""
    q = a / b
    p, e = multiply(q, 0.0, b, b_low)
    r, r_low = add(a, a_low, -p, -e)
    second = (r + r_low) / b
    p, e = multiply(second, 0.0, b, b_low)
    r, r_low = add(r, r_low, -p, -e)
    q, e = quick_sum(q, second)
    return quick_sum(q, e + (r + r_low) / b)


@loop(fastmath=False, inline=True)
def root(a, a_low):
    """Square root of a pair of at least 0."""
    if a <= 0.0:
        return 0.0, 0.0
    s = math.sqrt(a)
    p, e = two_product(s, s)
    r, r_low = add(a, a_low, -p, -e)
    return quick_sum(s, (r + r_low) / (2.0 * s))


@loop(
    fastmath=False,
    ahead=[
        ("const float64[:, ::1]", "const float64[::1]", "const float64[::1]", "const float64[::1]",
         "bool")
    ],
)  # fmt: skip
def gram(A, weight, origin, unit, ones):
    """Weighted products of the columns of ``(A - origin) / unit``, after one of ones if asked.

    The result holds the upper triangle, high parts in ``[0]``, low parts in ``[1]``.
    """
    n, p = A.shape
    first = 1 if ones else 0
    q = p + first
    out = np.zeros((2, q, q))
    row, low = np.ones(q), np.zeros(q)
    for i in range(n):
        w = weight[i] if weight.shape[0] > 0 else 1.0
        if w == 0.0:
            continue
        for j in range(p):
            high, rest = two_sum(A[i, j], -origin[j])
            row[first + j] = high / unit[j]
            low[first + j] = rest / unit[j]
        for j in range(q):
            a, a_low = multiply(row[j], low[j], w, 0.0)
            for k in range(j, q):
                b, b_low = multiply(a, a_low, row[k], low[k])
                out[0, j, k], out[1, j, k] = add(out[0, j, k], out[1, j, k], b, b_low)
    return out


@loop(fastmath=False, ahead=[("const float64[:, :, ::1]", "const float64[:, :, ::1]")])
def add_arrays(one, other):
    """Add arrays of pairs, element by element."""
    out = np.empty_like(one)
    for j in range(one.shape[1]):
        for k in range(one.shape[2]):
            out[0, j, k], out[1, j, k] = add(
                one[0, j, k], one[1, j, k], other[0, j, k], other[1, j, k]
            )
    return out


@loop(fastmath=False, ahead=[("const float64[:, :, ::1]", "int64", "float64")])
def cholesky(G, d, least):
    """Upper triangle U with U'U = G; False where one of the first ``d`` pivots cancels.

    A pivot cancels that is less than ``least`` of its diagonal element; past ``d`` it counts as 0.
    """
    q = G.shape[1]
    U = np.zeros_like(G)
    for j in range(q):
        s, s_low = G[0, j, j], G[1, j, j]
        for i in range(j):
            p, e = multiply(U[0, i, j], U[1, i, j], U[0, i, j], U[1, i, j])
            s, s_low = add(s, s_low, -p, -e)
        if s <= least * G[0, j, j]:
            if j < d:
                return False, U
            continue
        U[0, j, j], U[1, j, j] = root(s, s_low)
        for k in range(j + 1, q):
            s, s_low = G[0, j, k], G[1, j, k]
            for i in range(j):
                p, e = multiply(U[0, i, j], U[1, i, j], U[0, i, k], U[1, i, k])
                s, s_low = add(s, s_low, -p, -e)
            U[0, j, k], U[1, j, k] = divide(s, s_low, U[0, j, j], U[1, j, j])
    return True, U


@loop(fastmath=False, ahead=[("const float64[:, :, ::1]", "int64")])
def back_substitute(U, d):
    """Solve ``U[:d, :d] Z = U[:d, d:]`` for all columns to the right."""
    m = U.shape[1] - d
    Z = np.zeros((2, d, m))
    for c in range(m):
        for j in range(d - 1, -1, -1):
            s, s_low = U[0, j, d + c], U[1, j, d + c]
            for k in range(j + 1, d):
                p, e = multiply(U[0, j, k], U[1, j, k], Z[0, k, c], Z[1, k, c])
                s, s_low = add(s, s_low, -p, -e)
            Z[0, j, c], Z[1, j, c] = divide(s, s_low, U[0, j, j], U[1, j, j])
    return Z


@loop(
    fastmath=False,
    ahead=[
        ("const float64[:, ::1]", "const float64[:, ::1]", "const float64[::1]",
         "const float64[::1]", "const float64[::1]", "const float64[:, :, ::1]")
    ],
)  # fmt: skip
def gradient(X, Y, weight, origin, unit, beta):
    """Residuals of ``Y`` and their products with the columns; the last row holds their squares.

    The columns are one of ones and ``(X - origin) / unit``; ``beta`` is (2, 1 + d, m).
    """
    n, d = X.shape
    m = Y.shape[1]
    out = np.zeros((2, d + 2, m))
    row, low = np.ones(d + 1), np.zeros(d + 1)
    for i in range(n):
        w = weight[i] if weight.shape[0] > 0 else 1.0
        if w == 0.0:
            continue
        for j in range(d):
            high, rest = two_sum(X[i, j], -origin[j])
            row[1 + j] = high / unit[j]
            low[1 + j] = rest / unit[j]
        for c in range(m):
            r, r_low = Y[i, c], 0.0
            for j in range(d + 1):
                p, e = multiply(row[j], low[j], beta[0, j, c], beta[1, j, c])
                r, r_low = add(r, r_low, -p, -e)
            v, v_low = multiply(r, r_low, w, 0.0)
            for j in range(d + 1):
                p, e = multiply(row[j], low[j], v, v_low)
                out[0, j, c], out[1, j, c] = add(out[0, j, c], out[1, j, c], p, e)
            p, e = multiply(r, r_low, v, v_low)
            out[0, d + 1, c], out[1, d + 1, c] = add(out[0, d + 1, c], out[1, d + 1, c], p, e)
    return out
