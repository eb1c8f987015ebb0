"""Nearest centres of the rows of a block, by tiles that stay in the cache.

    argmin_c |x - c|^2  =  argmax_c  x.c - |c|^2 / 2

Rows are centred, scaled by a power of two and turned on their side (a line of the tile is one
column of many rows), so that every loop runs along rows and vectorises. Four centres and four
columns meet at a time; the scores of four centres are compared at once and never leave the
cache, so that no matrix of distances is ever written. On processors with wide registers this is
faster than a matrix product followed by a search, and it needs no BLAS.

Cost: 2 n k d, one reading of the block.

References
----------
.. [1] S. P. Lloyd: Least squares quantization in PCM. IEEE Transactions on Information Theory 28,
   1982.
.. [2] K. Goto, R. A. van de Geijn: Anatomy of high-performance matrix multiplication. ACM
   Transactions on Mathematical Software 34, 2008.
"""

from __future__ import annotations

import math

import numpy as np

from learnable.core.compiler import loop

STEP = 4
"""Centres and columns that meet at a time: both are padded to a multiple of it."""
_LINE = 64
"""Bytes of a line of the cache: loads that cross from one to the next cost twice."""
MARGIN = 16
"""Numbers between the lines of a tile, so that they do not all fall on one part of the cache."""


@loop
def lines(count, width, like):
    """Lines of zeros in the kind of ``like``, each at the start of a line of the cache."""
    size = like.itemsize
    step = (width * size + _LINE - 1) // _LINE * _LINE // size
    room = np.zeros(count * step + _LINE // size, like.dtype)
    skip = (_LINE - room.ctypes.data % _LINE) % _LINE // size
    return room[skip : skip + count * step].reshape(count, step)


@loop
def fill_tile(X, rows, start, stop, origin, scale, tile):
    """Write rows on their side into the tile, centred and scaled; missing rows are 0."""
    for p in range(start, stop):
        i = rows[p]
        for j in range(X.shape[1]):
            tile[j, p - start] = (X[i, j] - origin[j]) * scale


@loop
def score_four(tile, n, centres, half, c, scores):
    """Scores of ``n`` rows against four centres."""
    c0, c1, c2, c3 = centres[c], centres[c + 1], centres[c + 2], centres[c + 3]
    s0, s1, s2, s3 = scores[0], scores[1], scores[2], scores[3]
    h0, h1, h2, h3 = half[c], half[c + 1], half[c + 2], half[c + 3]
    for i in range(n):
        s0[i] = -h0
        s1[i] = -h1
        s2[i] = -h2
        s3[i] = -h3
    for j in range(0, tile.shape[0], 4):
        x0, x1, x2, x3 = tile[j], tile[j + 1], tile[j + 2], tile[j + 3]
        a0, a1, a2, a3 = c0[j], c0[j + 1], c0[j + 2], c0[j + 3]
        b0, b1, b2, b3 = c1[j], c1[j + 1], c1[j + 2], c1[j + 3]
        d0, d1, d2, d3 = c2[j], c2[j + 1], c2[j + 2], c2[j + 3]
        e0, e1, e2, e3 = c3[j], c3[j + 1], c3[j + 2], c3[j + 3]
        for i in range(n):
            y0, y1, y2, y3 = x0[i], x1[i], x2[i], x3[i]
            s0[i] += a0 * y0 + a1 * y1 + a2 * y2 + a3 * y3
            s1[i] += b0 * y0 + b1 * y1 + b2 * y2 + b3 * y3
            s2[i] += d0 * y0 + d1 * y1 + d2 * y2 + d3 * y3
            s3[i] += e0 * y0 + e1 * y1 + e2 * y2 + e3 * y3


@loop
def take_best(scores, n, c, best, label):
    """Keep the highest score and its centre; the first of equals wins."""
    s0, s1, s2, s3 = scores[0], scores[1], scores[2], scores[3]
    for i in range(n):
        top, who = best[i], label[i]
        who = c if s0[i] > top else who
        top = s0[i] if s0[i] > top else top
        who = c + 1 if s1[i] > top else who
        top = s1[i] if s1[i] > top else top
        who = c + 2 if s2[i] > top else who
        top = s2[i] if s2[i] > top else top
        who = c + 3 if s3[i] > top else who
        top = s3[i] if s3[i] > top else top
        best[i], label[i] = top, who


@loop
def take_two(scores, n, c, best, label, second):
    """Keep the two highest scores and the centre of the first."""
    s0, s1, s2, s3 = scores[0], scores[1], scores[2], scores[3]
    for i in range(n):
        top, who, next_ = best[i], label[i], second[i]
        lost = s0[i] if s0[i] < top else top
        next_ = lost if lost > next_ else next_
        who = c if s0[i] > top else who
        top = s0[i] if s0[i] > top else top
        lost = s1[i] if s1[i] < top else top
        next_ = lost if lost > next_ else next_
        who = c + 1 if s1[i] > top else who
        top = s1[i] if s1[i] > top else top
        lost = s2[i] if s2[i] < top else top
        next_ = lost if lost > next_ else next_
        who = c + 2 if s2[i] > top else who
        top = s2[i] if s2[i] > top else top
        lost = s3[i] if s3[i] < top else top
        next_ = lost if lost > next_ else next_
        who = c + 3 if s3[i] > top else who
        top = s3[i] if s3[i] > top else top
        best[i], label[i], second[i] = top, who, next_


@loop
def square_lengths(tile, n, out):
    """Squared length of every row of a tile."""
    for i in range(n):
        out[i] = 0.0
    for j in range(tile.shape[0]):
        line = tile[j]
        for i in range(n):
            out[i] += line[i] * line[i]


@loop
def bounds_of(best, second, square, n, slack, reach, upper, lower):
    """Bounds on the distances to the nearest and to every other centre, rounding included."""
    for i in range(n):
        length = math.sqrt(square[i])
        doubt = slack * (length + reach) * (length + reach)
        upper[i] = math.sqrt(max(square[i] - 2.0 * best[i] + doubt, 0.0))
        lower[i] = math.sqrt(max(square[i] - 2.0 * second[i] - doubt, 0.0))


@loop(
    ahead=[
        (
            "const real[:, ::1]", "const int32[::1]", "const float64[::1]", "float64",
            "const real[:, ::1]", "const real[::1]", "int64",
        )
    ]
)  # fmt: skip
def nearest(X, rows, origin, scale, centres, half, width):
    """Nearest centre of some rows of a block.

    ``centres`` (padded to multiples of four both ways) and ``half`` (half their squared lengths,
    infinite for padding) are centred and scaled like the rows; a tile holds ``width`` rows.
    """
    m = rows.shape[0]
    label = np.zeros(m, np.int32)
    tile = lines(centres.shape[1], width + MARGIN, centres)
    scores, best = lines(4, width + MARGIN, centres), lines(1, width, centres)[0]
    who = lines(1, width, label)[0]
    for start in range(0, m, width):
        stop = min(start + width, m)
        fill_tile(X, rows, start, stop, origin, scale, tile)
        best[:] = -math.inf
        who[:] = 0
        for c in range(0, centres.shape[0], 4):
            score_four(tile, width, centres, half, c, scores)
            take_best(scores, width, c, best, who)
        label[start:stop] = who[: stop - start]
    return label


@loop(
    ahead=[
        (
            "const real[:, ::1]", "const int32[::1]", "const float64[::1]", "float64",
            "const real[:, ::1]", "const real[::1]", "int64", "float64", "float64",
        )
    ]
)  # fmt: skip
def nearest_with_bounds(X, rows, origin, scale, centres, half, width, slack, reach):
    """Nearest centre of some rows, and bounds on the distances to it and to all others.

    The bounds hold whatever the rounding: ``slack`` is a multiple of the rounding unit, ``reach``
    the largest length of a centre.
    """
    m = rows.shape[0]
    label, upper, lower = np.zeros(m, np.int32), np.empty(m), np.empty(m)
    tile = lines(centres.shape[1], width + MARGIN, centres)
    scores, best = lines(4, width + MARGIN, centres), lines(1, width, centres)[0]
    who = lines(1, width, label)[0]
    second, square = lines(1, width, centres)[0], lines(1, width, centres)[0]
    far, near = lines(1, width, upper)[0], lines(1, width, upper)[0]
    for start in range(0, m, width):
        stop = min(start + width, m)
        fill_tile(X, rows, start, stop, origin, scale, tile)
        square_lengths(tile, width, square)
        best[:] = -math.inf
        second[:] = -math.inf
        who[:] = 0
        for c in range(0, centres.shape[0], 4):
            score_four(tile, width, centres, half, c, scores)
            take_two(scores, width, c, best, who, second)
        bounds_of(best, second, square, width, slack, reach, far, near)
        label[start:stop] = who[: stop - start]
        upper[start:stop] = far[: stop - start]
        lower[start:stop] = near[: stop - start]
    return label, upper, lower
