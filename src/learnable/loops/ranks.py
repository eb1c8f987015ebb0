"""Distinct scores in rising order, with the weight of both classes at each of them.

Cost: one pass over scores that are sorted already.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop

_SCORES = "const float64[::1]"


@loop(ahead=[(_SCORES, _SCORES)])
def count_ranks(positive, negative):
    """Distinct scores of two sorted lists, and how often each occurs in either."""
    n, m = positive.shape[0], negative.shape[0]
    score = np.empty(n + m)
    ups, downs = np.empty(n + m), np.empty(n + m)
    i, j, k = 0, 0, 0
    while i < n or j < m:
        s = positive[i] if j == m or (i < n and positive[i] <= negative[j]) else negative[j]
        first, second = i, j
        while i < n and positive[i] == s:
            i += 1
        while j < m and negative[j] == s:
            j += 1
        score[k], ups[k], downs[k] = s, i - first, j - second
        k += 1
    return score[:k].copy(), ups[:k].copy(), downs[:k].copy()


@loop(ahead=[(_SCORES, "const bool_[::1]", _SCORES)])
def weigh_ranks(score, positive, weight):
    """Distinct scores of a sorted list, and the weight of both classes at each."""
    n = score.shape[0]
    found, ups, downs = np.empty(n), np.zeros(n), np.zeros(n)
    k = -1
    for i in range(n):
        if k < 0 or score[i] != found[k]:
            k += 1
            found[k] = score[i]
        if positive[i]:
            ups[k] += weight[i]
        else:
            downs[k] += weight[i]
    return found[: k + 1].copy(), ups[: k + 1].copy(), downs[: k + 1].copy()


@loop(ahead=[(_SCORES, _SCORES, _SCORES, _SCORES, _SCORES, _SCORES, "float64")])
def join_ranks(score, ups, downs, other, more_ups, more_downs, sign):
    """Distinct scores of two such lists; the second one's weights are added or taken away."""
    n, m = score.shape[0], other.shape[0]
    found, up, down = np.empty(n + m), np.empty(n + m), np.empty(n + m)
    i, j, k = 0, 0, 0
    while i < n or j < m:
        left = j == m or (i < n and score[i] <= other[j])
        right = i == n or (j < m and other[j] <= score[i])
        u, d = 0.0, 0.0
        s = score[i] if left else other[j]
        if left:
            u, d = ups[i], downs[i]
            i += 1
        if right:
            u, d = u + sign * more_ups[j], d + sign * more_downs[j]
            j += 1
        if u != 0.0 or d != 0.0:
            found[k], up[k], down[k] = s, u, d
            k += 1
    return found[:k].copy(), up[:k].copy(), down[:k].copy()


@loop(ahead=[("const float64[:, ::1]", "const float64[:, ::1]", "const int32[::1]", "int64")])
def distance_sums(A, B, codes, k):
    """Sum of the Euclidean distances of each row of A to the rows of B of each class."""
    d = A.shape[1]
    sums = np.zeros((A.shape[0], k))
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            s = 0.0
            for t in range(d):
                gap = A[i, t] - B[j, t]
                s += gap * gap
            sums[i, codes[j]] += np.sqrt(s)
    return sums


@loop(fastmath=False, ahead=[("const float64[::1]",), ("const int64[::1]",)])
def longest_run(ordered):
    """Return where the value that stands most often in an array in order begins."""
    best, most, start = 0, 0, 0
    for i in range(ordered.shape[0]):
        if ordered[i] != ordered[start]:
            start = i
        if i - start + 1 > most:
            best, most = start, i - start + 1
    return best
