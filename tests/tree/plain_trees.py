"""Plain trees, slow and obvious: what every split gains, by looking at all of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def gini(y, w):
    p = np.bincount(y, w) / w.sum()
    return float((p * (1.0 - p)).sum())


def entropy(y, w):
    p = np.bincount(y, w) / w.sum()
    p = p[p > 0.0]
    return float(-(p * np.log2(p)).sum())


def dkm(y, w):
    p = np.bincount(y, w) / w.sum()
    return float(np.sqrt(np.maximum(p * (1.0 - p), 0.0)).sum())


def squared_error(y, w):
    return float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))


def absolute_error(y, w):
    candidates = [np.average(np.abs(y - m), weights=w) for m in y]
    return float(min(candidates))


def poisson(y, w):
    mean = np.average(y, weights=w)
    if mean <= 0.0:
        return np.inf
    logs = np.log(np.where(y > 0.0, y, 1.0) / mean)
    return float(np.average(np.where(y > 0.0, y * logs, 0.0), weights=w))


IMPURITY = {
    "gini": gini,
    "entropy": entropy,
    "dkm": dkm,
    "squared_error": squared_error,
    "absolute_error": absolute_error,
    "poisson": poisson,
}


def cost(name, parts, y, w):
    """Weighted impurity of a division of rows; infinite where a part has none."""
    return sum(w[part].sum() * IMPURITY[name](y[part], w[part]) for part in parts if part.any())


def divisions(x, nominal, policy, way):
    """Every division of the rows by one column: lists of masks, and whether they are candidates."""
    lost = np.isnan(x)
    known = ~lost
    values = np.unique(x[known])
    if nominal and way == "multiway":
        parts = [known & (x == v) for v in values]
        if len(parts) > 1:
            yield parts + ([lost] if lost.any() and policy != "majority" else [])
        return
    if nominal:
        sets = [s for r in range(1, len(values)) for s in combinations(values, r)]
        left = [known & np.isin(x, s) for s in sets]
        whole = [known]
    else:
        left = [known & (x <= v) for v in values[:-1]]
        whole = [known]
    for mask in left:
        other = known & ~mask
        if not lost.any() or policy == "majority":
            yield [mask, other]
        elif policy == "own":
            yield [mask, other, lost]
        else:
            yield [mask | lost, other]
            yield [mask, other | lost]
    if policy == "learned" and lost.any() and whole[0].any():
        yield [known, lost]


def best_gain(name, X, nominal, y, w, policy, way, min_leaf=1):
    """The most that any split of any column gains."""
    best = -np.inf
    for j in range(X.shape[1]):
        x = X[:, j]
        base = ~np.isnan(x) if policy == "majority" else np.ones(len(x), bool)
        if not base.any():
            continue
        whole = cost(name, [base], y, w)
        for parts in divisions(x, nominal[j], policy, way):
            sizes = [int(part.sum()) for part in parts]
            if way != "multiway" and policy != "own" and min(sizes) < min_leaf:
                continue
            best = max(best, whole - cost(name, parts, y, w))
    return best
