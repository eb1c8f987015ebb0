r"""log-sum-exp, softmax and its logarithm of every row of a matrix.

.. math:: \operatorname{lse}(x) = m + \log \sum_j e^{x_j - m}, \qquad m = \max_j x_j

Rows go through a buffer of float64 that stays in the fastest cache, many short rows at a time, so
that the exponentials vectorise whatever the length of a row. Cost: about two exponentials' worth
of time an entry; one read of the matrix.

References
----------
.. [1] P. Blanchard, D. J. Higham, N. J. Higham: Accurately computing the log-sum-exp and softmax
   functions. IMA Journal of Numerical Analysis 41 (2021).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from learnable.core.compiler import loop
from learnable.loops.arguments import Array, numbers, result, room
from learnable.loops.bits import bits_of, float_of
from learnable.loops.elementary import exp_, log_

BUFFER, SHORT = 2048, 5
MAGNITUDE = 0x7FFFFFFFFFFFFFFF


@loop(inline=True)
def ordered(bits: int) -> int:
    """Map the bits of floats to integers in the same order, and back (NaN beyond infinity)."""
    return bits ^ ((bits >> 63) & MAGNITUDE)


@loop(inline=True)
def largest(X: Any, i: int) -> float:
    """Return the largest entry of a row; compared as integers, for which loops vectorise."""
    best = ordered(bits_of(-math.inf))
    for j in range(X.shape[1]):
        key = ordered(bits_of(np.float64(X[i, j])))
        best = key if key > best else best
    return float_of(ordered(best))


@loop(inline=True)
def differences(X: Any, start: int, stop: int, tops: Any, buffer: Any) -> None:
    """Fill in x - top of some rows, and their tops (0 where infinite), row by row."""
    d = X.shape[1]
    for i in range(start, stop):
        top = largest(X, i)
        top = 0.0 if abs(top) == math.inf else top
        tops[i - start] = top
        for j in range(d):
            buffer[(i - start) * d + j] = X[i, j] - top


@loop(inline=True)
def short_differences(X: Any, start: int, stop: int, tops: Any, buffer: Any) -> None:
    """Do the same column by column: rows too short to vectorise along are many."""
    m, d = stop - start, X.shape[1]
    for i in range(m):
        tops[i] = -math.inf
    for j in range(d):
        for i in range(m):
            x, top = np.float64(X[start + i, j]), tops[i]
            tops[i] = top if x <= top else x
    for i in range(m):
        tops[i] = 0.0 if abs(tops[i]) == math.inf else tops[i]
    for j in range(d):
        for i in range(m):
            buffer[i * d + j] = X[start + i, j] - tops[i]


@loop(inline=True)
def exponentials(X: Any, start: int, stop: int, tops: Any, sums: Any, buffer: Any) -> None:
    """Fill in e^(x - top) of some rows, their tops (0 where infinite) and their sums."""
    d = X.shape[1]
    if d < SHORT:
        short_differences(X, start, stop, tops, buffer)
    else:
        differences(X, start, stop, tops, buffer)
    for k in range((stop - start) * d):
        buffer[k] = exp_(buffer[k])
    for i in range(stop - start):
        total = 0.0
        for j in range(d):
            total += buffer[i * d + j]
        sums[i] = total


@loop(ahead=[("const real[:, ::1]", "real[::1]")])
def logsumexp_rows(X: Any, out: Any) -> None:
    """Write the log-sum-exp of every row."""
    n, d = X.shape
    block = min(n, max(1, BUFFER // max(d, 1)))
    tops, sums, buffer = np.empty(block), np.empty(block), np.empty(block * d)
    for start in range(0, n, max(block, 1)):
        stop = min(n, start + block)
        exponentials(X, start, stop, tops, sums, buffer)
        for i in range(stop - start):
            out[start + i] = tops[i] + log_(sums[i])


@loop(ahead=[("const real[:, ::1]", "real[:, ::1]")])
def softmax_rows(X: Any, out: Any) -> None:
    """Write e^x over its sum, row by row."""
    n, d = X.shape
    block = min(n, max(1, BUFFER // max(d, 1)))
    tops, sums, buffer = np.empty(block), np.empty(block), np.empty(block * d)
    for start in range(0, n, max(block, 1)):
        stop = min(n, start + block)
        exponentials(X, start, stop, tops, sums, buffer)
        for i in range(stop - start):
            sums[i] = 1.0 / sums[i]
        for i in range(stop - start):
            for j in range(d):
                out[start + i, j] = buffer[i * d + j] * sums[i]


@loop(fastmath=False, ahead=[("const real[:, ::1]", "real[:, ::1]")])
def log_softmax_rows(X: Any, out: Any) -> None:
    """Write x less the log-sum-exp of its row; the order of the two subtractions matters."""
    n, d = X.shape
    block = min(n, max(1, BUFFER // max(d, 1)))
    tops, sums, buffer = np.empty(block), np.empty(block), np.empty(block * d)
    for start in range(0, n, max(block, 1)):
        stop = min(n, start + block)
        exponentials(X, start, stop, tops, sums, buffer)
        for i in range(stop - start):
            sums[i] = log_(sums[i])
        for i in range(stop - start):
            for j in range(d):
                out[start + i, j] = (X[start + i, j] - tops[i]) - sums[i]


def logsumexp(x: npt.ArrayLike, out: Array | None = None) -> Any:
    """Return log of the sum of e^x over the last axis.

    A row of -inf gives -inf, a row with +inf gives inf.

    Parameters
    ----------
    x : array_like
        Numbers; rows lie along the last axis.
    out : ndarray, optional
        Where to write; of the shape and type of the result.

    Returns
    -------
    ndarray or scalar
        float32 for float32, else float64.

    Examples
    --------
    >>> from learnable.loops.vector_math import logsumexp
    >>> logsumexp([[1000.0, 1000.0], [0.0, -1e9]])
    array([1000.69314718,    0.        ])
    """
    x = numbers(x)
    made = room(x.shape[:-1], x, out)
    shape = (math.prod(x.shape[:-1]), x.shape[-1])
    logsumexp_rows(x.reshape(shape), made.reshape(-1))
    return result(made, out)


def softmax(x: npt.ArrayLike, out: Array | None = None) -> Any:
    """Return e^x over its sum along the last axis.

    A row of -inf gives NaN; +inf gives NaN in its own place.

    Parameters
    ----------
    x : array_like
        Numbers; rows lie along the last axis.
    out : ndarray, optional
        Where to write; of the shape and type of the result.

    Returns
    -------
    ndarray or scalar
        float32 for float32, else float64.

    Examples
    --------
    >>> from learnable.loops.vector_math import softmax
    >>> softmax([0.0, 1000.0, 1000.0])
    array([0. , 0.5, 0.5])
    """
    x = numbers(x)
    made = room(x.shape, x, out)
    shape = (math.prod(x.shape[:-1]), x.shape[-1])
    softmax_rows(x.reshape(shape), made.reshape(shape))
    return result(made, out)


def log_softmax(x: npt.ArrayLike, out: Array | None = None) -> Any:
    """Return x less the log-sum-exp of its row along the last axis.

    The logarithm of :func:`softmax` where that itself would be rounded to 0 or 1.

    Parameters
    ----------
    x : array_like
        Numbers; rows lie along the last axis.
    out : ndarray, optional
        Where to write; of the shape and type of the result.

    Returns
    -------
    ndarray or scalar
        float32 for float32, else float64.

    Examples
    --------
    >>> from learnable.loops.vector_math import log_softmax
    >>> log_softmax([0.0, 1000.0])
    array([-1000.,     0.])
    """
    x = numbers(x)
    made = room(x.shape, x, out)
    shape = (math.prod(x.shape[:-1]), x.shape[-1])
    log_softmax_rows(x.reshape(shape), made.reshape(shape))
    return result(made, out)
