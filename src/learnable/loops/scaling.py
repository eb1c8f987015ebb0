"""Columns and rows to a common scale: affine maps, norms, moments that skip missing cells.

Each loop that reads cells also says whether one of them was infinite, which costs no pass of its
own. Sums of squares that would leave the range of floats are taken in a power of two.

Cost: one pass over what is read and what is written.
"""

from __future__ import annotations

import math

import numpy as np

from learnable.core.compiler import loop
from learnable.loops.moments import unit_of

LEAST, MOST = 2.0**-900, 2.0**900
"""Sums of squares between these have lost nothing to the ends of the range of floats."""
L1, L2, LARGEST = 0, 1, 2

_VECTORS = ("const float64[::1]",) * 4


@loop(ahead=[("const real[:, ::1]", *_VECTORS, "real[:, ::1]")])
def map_columns(X, origin, width, new_width, new_origin, out):
    """Write ``(x - origin) / width * new_width + new_origin``; whether a cell was infinite."""
    n, d = X.shape
    infinite = 0
    for i in range(n):
        for j in range(d):
            x = np.float64(X[i, j])
            infinite += abs(x) == math.inf
            out[i, j] = (x - origin[j]) / width[j] * new_width[j] + new_origin[j]
    return infinite > 0


@loop(ahead=[("real[:, ::1]", "float64", "float64")])
def clip_cells(out, low, high):
    """Move every cell into ``[low, high]``; a missing one stays missing."""
    n, d = out.shape
    for i in range(n):
        for j in range(d):
            x = out[i, j]
            if x < low:
                out[i, j] = low
            elif x > high:
                out[i, j] = high


@loop(ahead=[("const real[::1]", "int64")])
def norm_of(x, kind):
    """Sum of the sizes, root of the sum of squares, or largest size."""
    s, top = 0.0, 0.0
    if kind == L2:
        for v in x:
            s += np.float64(v) * np.float64(v)
        if LEAST < s < MOST or s != s:
            return math.sqrt(s)
    if kind == L1:
        for v in x:
            s += abs(np.float64(v))
        return s
    for v in x:
        size = abs(np.float64(v))
        top = size if size > top or size != size else top
    if kind == LARGEST or not 0.0 < top < math.inf:
        return top
    unit = math.ldexp(1.0, math.frexp(top)[1] - 1)
    s = 0.0
    for v in x:
        s += (np.float64(v) / unit) * (np.float64(v) / unit)
    return math.sqrt(s) * unit


@loop(ahead=[("const real[:, ::1]", "int64", "real[:, ::1]")])
def normalise_rows(X, kind, out):
    """Write each row over its norm (a row of zeros as it is); whether all norms were finite."""
    finite = True
    n, d = X.shape
    for i in range(n):
        s = 0.0
        for j in range(d):
            s += np.float64(X[i, j]) * np.float64(X[i, j])
        plain = kind == L2 and LEAST < s < MOST
        norm = math.sqrt(s) if plain else norm_of(X[i], kind)
        finite = finite and norm < math.inf
        divisor = norm if norm > 0.0 else 1.0
        for j in range(d):
            out[i, j] = X[i, j] / divisor
    return finite


@loop(ahead=[("const real[::1]", "const int64[::1]", "int64", "real[::1]")])
def normalise_stored(data, starts, kind, out):
    """Do the same for the stored cells of compressed rows, which begin at ``starts``."""
    finite = True
    for i in range(starts.shape[0] - 1):
        norm = norm_of(data[starts[i] : starts[i + 1]], kind)
        finite = finite and norm < math.inf
        divisor = norm if norm > 0.0 else 1.0
        for p in range(starts[i], starts[i + 1]):
            out[p] = data[p] / divisor
    return finite


_STORED = ("const real[::1]", "const int64[::1]", "const float64[::1]")


@loop(ahead=[(*_STORED, "const float64[::1]", "real[::1]")])
def map_stored(data, columns, width, new_width, out):
    """Write ``x / width * new_width`` for stored cells; whether a cell was infinite."""
    infinite = 0
    for p in range(data.shape[0]):
        x = np.float64(data[p])
        infinite += abs(x) == math.inf
        out[p] = x / width[columns[p]] * new_width[columns[p]]
    return infinite > 0


@loop(ahead=[(*_STORED, "int64")])
def stored_means(data, columns, weight, d):
    """Weight and mean of the stored cells of each column, from deviations from the first one."""
    total, origin, mean = np.zeros(d), np.zeros(d), np.zeros(d)
    for p in range(data.shape[0]):
        v, j, w = np.float64(data[p]), columns[p], weight[p]
        if total[j] == 0.0:
            origin[j] = v
        total[j] += w
        mean[j] += w * (v - origin[j])
    for j in range(d):
        if total[j] != 0.0:
            mean[j] = origin[j] + mean[j] / total[j]
    return total, mean


@loop(ahead=[(*_STORED, "const float64[::1]", "const float64[::1]")])
def stored_scatter(data, columns, weight, total, mean):
    """Scatter of the stored cells of each column in squares of its unit, and the units."""
    d = mean.shape[0]
    largest, drift, scatter, unit = np.zeros(d), np.zeros(d), np.zeros(d), np.zeros(d)
    for p in range(data.shape[0]):
        j = columns[p]
        largest[j] = max(largest[j], abs(np.float64(data[p]) - mean[j]))
    for j in range(d):
        unit[j] = unit_of(largest[j])
    for p in range(data.shape[0]):
        j = columns[p]
        v = (np.float64(data[p]) - mean[j]) / (unit[j] if unit[j] != 0.0 else 1.0)
        drift[j] += weight[p] * v
        scatter[j] += weight[p] * v * v
    for j in range(d):
        if total[j] != 0.0:
            scatter[j] = max(scatter[j] - drift[j] * drift[j] / total[j], 0.0)
    return scatter, unit


@loop
def _first_known(X, weight):
    """Return the first known cell of each column in a row of some weight, 0 where there is none."""
    n, d = X.shape
    first = np.zeros(d)
    for j in range(d):
        for i in range(n):
            if X[i, j] == X[i, j] and (weight.shape[0] == 0 or weight[i] != 0.0):
                first[j] = X[i, j]
                break
    return first


@loop(ahead=[("const real[:, ::1]", "const float64[::1]")])
def gapped_means(X, weight):
    """Weight and mean of the known cells of each column, from deviations from the first one."""
    n, d = X.shape
    origin, total, mean = _first_known(X, weight), np.zeros(d), np.zeros(d)
    for i in range(n):
        w = weight[i] if weight.shape[0] > 0 else 1.0
        for j in range(d):
            known = w if X[i, j] == X[i, j] else 0.0
            total[j] += known
            mean[j] += known * (X[i, j] - origin[j]) if known != 0.0 else 0.0
    for j in range(d):
        mean[j] = origin[j] + mean[j] / total[j] if total[j] != 0.0 else 0.0
    return total, mean


@loop(ahead=[("const real[:, ::1]", "const float64[::1]", *2 * ("const float64[::1]",))])
def gapped_scatter(X, weight, total, mean):
    """Scatter of the known cells of each column in squares of its unit, and the units."""
    n, d = X.shape
    largest, drift, scatter, unit = np.zeros(d), np.zeros(d), np.zeros(d), np.zeros(d)
    for i in range(n):
        if weight.shape[0] == 0 or weight[i] != 0.0:
            for j in range(d):
                size = abs(X[i, j] - mean[j])
                largest[j] = size if size > largest[j] else largest[j]
    for j in range(d):
        unit[j] = unit_of(largest[j])
    divisor = np.where(unit > 0.0, unit, 1.0)
    for i in range(n):
        w = weight[i] if weight.shape[0] > 0 else 1.0
        for j in range(d):
            known = w if X[i, j] == X[i, j] else 0.0
            v = (X[i, j] - mean[j]) / divisor[j] if known != 0.0 else 0.0
            drift[j] += known * v
            scatter[j] += known * v * v
    for j in range(d):
        if total[j] != 0.0:
            scatter[j] = max(scatter[j] - drift[j] * drift[j] / total[j], 0.0)
    return scatter, unit


@loop(ahead=[8 * ("float64[::1]",)])
def merge_columns(a_weight, a_mean, a_scatter, a_unit, b_weight, b_mean, b_scatter, b_unit):
    """Chan's merge with a weight of its own for each column."""
    d = a_mean.shape[0]
    weight, mean, scatter, unit = a_weight + b_weight, np.empty(d), np.empty(d), np.empty(d)
    for j in range(d):
        both = a_weight[j] != 0.0 and b_weight[j] != 0.0
        delta = b_mean[j] - a_mean[j] if both else 0.0
        unit[j] = max(a_unit[j], b_unit[j], unit_of(abs(delta)))
        u = unit[j] if unit[j] != 0.0 else 1.0
        share = b_weight[j] / weight[j] if both else 0.0
        mean[j] = a_mean[j] + delta * share if a_weight[j] != 0.0 else b_mean[j]
        scatter[j] = (
            a_scatter[j] * (a_unit[j] / u) ** 2
            + b_scatter[j] * (b_unit[j] / u) ** 2
            + (delta / u) * (delta / u) * a_weight[j] * share
        )
    return weight, mean, scatter, unit
