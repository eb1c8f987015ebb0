"""Means and medians of the answers of a node, and the search that the absolute error needs.

The sum of distances to the median does not follow from sums of few numbers. The rows of a node are
ranked by their answers; two Fenwick trees over the ranks hold weight and weighted answers of the
rows on the left and on the right, so that a row moves, and a median is found, in log n steps.

Cost: n log n for each column and output of a node.

References
----------
.. [1] P. M. Fenwick: A new data structure for cumulative frequency tables. Software: Practice and
   Experience 24, 1994.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop
from learnable.loops.tree_order import ROW
from learnable.loops.tree_search import LEARNED


@loop(fastmath=False)
def means(rows, weight, start, end, y, value):
    """Fill the means, taken about the first row to lose no digits; return the total weight."""
    value[:] = 0.0
    total = 0.0
    for i in range(start, end):
        w = weight[i] if weight.shape[0] else 1.0
        total += w
        for o in range(y.shape[1]):
            value[o] += w * (y[rows[i], o] - y[rows[start], o])
    for o in range(y.shape[1]):
        value[o] = y[rows[start], o] + value[o] / total
    return total


@loop(fastmath=False)
def weighted_median(values, weights):
    """Median of sorted values: the middle of two where half the weight lies on either side."""
    half = 0.5 * weights.sum()
    below = 0.0
    for i in range(values.shape[0]):
        below += weights[i]
        if below > half:
            return values[i]
        if below == half and i + 1 < values.shape[0]:
            return values[i] + 0.5 * (values[i + 1] - values[i])
    return values[-1]


@loop(fastmath=False)
def _add(sums, weights, rank, value, weight):
    i = rank + 1
    while i < sums.shape[0]:
        weights[i] += weight
        sums[i] += weight * value
        i += i & -i


@loop(fastmath=False)
def _distance_sum(values, sums, weights, top, total, total_sum):
    """Sum of the weighted distances to the median; ``top`` is the largest power of two inside."""
    at, below, below_sum, step = 0, 0.0, 0.0, top
    while step > 0:
        after = at + step
        if after < sums.shape[0] and below + weights[after] < 0.5 * total:
            at, below, below_sum = after, below + weights[after], below_sum + sums[after]
        step >>= 1
    if at >= values.shape[0]:
        return 0.0
    median = values[at]
    return (median * below - below_sum) + ((total_sum - below_sum) - median * (total - below))


def describe_median(criterion, rows, weight, start, end, y, stat, centre, value, logs):  # noqa: ARG001
    """Fill the medians of a node; its cost is the sum of the distances to them."""
    n = end - start
    w, answers = np.ones(n), np.empty(n)
    for i in range(n):
        if weight.shape[0]:
            w[i] = weight[start + i]
    total, cost = w.sum(), 0.0
    for o in range(y.shape[1]):
        for i in range(n):
            answers[i] = y[rows[start + i], o]
        order = np.argsort(answers, kind="mergesort")
        value[o] = centre[o] = weighted_median(answers[order], w[order])
        for i in range(n):
            cost += w[i] * abs(answers[i] - value[o])
    stat[:] = 0.0
    return total, cost, cost / (total * criterion.outputs)


def walk_medians(criterion, entries, span, y, weight, node, logs, rules):  # noqa: ARG001
    """Walk the entries once for each way that missing cells go."""
    start, known_end, end = span
    n, known, holes = end - start, known_end - start, end - known_end
    learned = rules.missing == LEARNED and holes > 0
    best, cut, side, best_left, tried = np.inf, -1, -1, 0.0, 0
    w, lost_weight = np.ones(n), 0.0
    for i in range(n):
        if weight.shape[0]:
            w[i] = weight[entries[start + i] & ROW]
        if i >= known:
            lost_weight += w[i]
    total = node.weight if learned else node.weight - lost_weight
    for turn in range(2 if learned else 1):
        m = n if learned else known
        costs = np.zeros(known)
        left_weight = np.zeros(known)
        for o in range(y.shape[1]):
            _walk_one(entries, start, known, m, y, o, w, node.centre[o], turn, costs, left_weight)
        for i in range(known if learned and not turn else known - 1):
            n_left = i + 1 + (holes if turn else 0)
            if (
                (i + 1 < known and entries[start + i + 1] >= 0)
                or n_left < rules.min_samples
                or m - n_left < rules.min_samples
                or left_weight[i] < rules.min_weight
                or total - left_weight[i] < rules.min_weight
            ):
                continue
            tried += 1
            if costs[i] < best - node.slack:
                best, cut, side, best_left = costs[i], i + 1, 1 - turn, left_weight[i]
    gain = node.cost - best if cut >= 0 else -np.inf
    return gain, cut, side if learned else -1, best_left, node.weight - lost_weight, tried


@loop(fastmath=False)
def _walk_one(entries, start, known, m, y, o, w, centre, turn, costs, left_weight):
    """Add the cost of every cut for one output; ``m`` rows take part, the missing ones last."""
    answers = np.empty(m)
    for i in range(m):
        answers[i] = y[entries[start + i] & ROW, o] - centre
    order = np.argsort(answers, kind="mergesort")
    values, rank = answers[order], np.empty(m, np.int64)
    for i in range(m):
        rank[order[i]] = i
    sums, weights = np.zeros((2, m + 1)), np.zeros((2, m + 1))
    totals, total_sums = np.zeros(2), np.zeros(2)
    top = 1
    while 2 * top <= m:
        top *= 2
    for i in range(m):
        to = 0 if turn and i >= known else 1
        _add(sums[to], weights[to], rank[i], answers[i], w[i])
        totals[to] += w[i]
        total_sums[to] += w[i] * answers[i]
    for i in range(known):
        _add(sums[1], weights[1], rank[i], answers[i], -w[i])
        _add(sums[0], weights[0], rank[i], answers[i], w[i])
        totals[0] += w[i]
        totals[1] -= w[i]
        total_sums[0] += w[i] * answers[i]
        total_sums[1] -= w[i] * answers[i]
        left_weight[i] = totals[0]
        last = i + 1 == m or entries[start + i + 1] >= 0
        if i + 1 < known and last:
            continue
        for side in range(2):
            costs[i] += _distance_sum(
                values, sums[side], weights[side], top, totals[side], total_sums[side]
            )
