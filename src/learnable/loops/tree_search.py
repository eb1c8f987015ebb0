"""The search for splits: for pairs of a node and a column, the best cut and what it gains.

Two strategies share the statistics and the criterion. A presorted column is walked entry by entry
(:mod:`learnable.loops.tree_order`); a column of codes (nominal, binned, of few values) is summed
into groups, one for each code, which are then walked. A criterion says what a row adds to a
statistic and what a group costs; a split gains what the node costs more than its parts.

A later cut or column must be better by more than rounding to take the place of an earlier one, so
that ties go to the first.

Cost: for each pair, the rows of the node; a criterion is looked at between different values.
"""

from __future__ import annotations

from math import log2
from typing import NamedTuple

import numpy as np

from learnable.core.compiler import loop
from learnable.core.record import generic
from learnable.loops.tree_order import ROW

_SLACK = 1e-12
LEARNED, KNOWN, OWN = 0, 1, 2
"""What becomes of missing cells: the better side, left out of the score, a branch of their own."""
ORDERED, MULTIWAY, SUBSET = 0, 1, 2
"""How the groups of a column of codes are cut."""


class SearchRules(NamedTuple):
    """What lowers from the options of a learner.

    Attributes
    ----------
    min_samples : int64
        Rows that every side of a cut holds at least.
    min_weight : float64
        Weight that it holds at least.
    missing : int64
        ``LEARNED``, ``KNOWN`` or ``OWN``.
    boundary : int64
        1 to look only between groups that are not of one and the same class.
    share : float64
        Every side of a numeric cut holds this share of the node's weight, but never needs more
        than ``ceiling`` (release 8 of C4.5).
    ceiling : float64
        See ``share``.
    """

    min_samples: int
    min_weight: float
    missing: int
    boundary: int
    share: float
    ceiling: float


class Found(NamedTuple):
    """The best cut of every pair: what it gains, where, how missing cells go, how many were tried.

    Attributes
    ----------
    gain : array (pairs,) of float64
        Cost of the node less that of its parts; -inf where there is no cut.
    cut : array (pairs,) of int64
        Entries (of a presorted column) or the last code (of one of codes) on the left.
    after : array (pairs,) of int64
        The first code on the right (of a column of codes), -1 where none is.
    side : array (pairs,) of int64
        Branch of the missing cells; -1 where none was learned.
    left : array (pairs,) of float64
        Weight on the left.
    known : array (pairs,) of float64
        Weight of the rows whose cell is known.
    rows : array (pairs,) of int64
        Number of these rows.
    tried : array (pairs,) of int64
        Cuts that were compared.
    info : array (pairs,) of float64
        Sum of w log2 w over the branches of a multiway split.
    """

    gain: np.ndarray
    cut: np.ndarray
    after: np.ndarray
    side: np.ndarray
    left: np.ndarray
    known: np.ndarray
    rows: np.ndarray
    tried: np.ndarray
    info: np.ndarray


@loop(fastmath=False)
def times_log(w, logs):
    """``w log2 w``; looked up where all weights are whole numbers."""
    if logs.shape[0]:
        return logs[np.int64(w)]
    return w * log2(w) if w > 0.0 else 0.0


@generic
def add_row(criterion, stat, at, y, row, weight, centre, logs):
    """Add a row to the statistic that begins at ``at``, but not to its running number."""


@generic
def group_cost(criterion, stat, at, size, weight, logs):
    """Cost of a group: its weight times its impurity, up to a term that a split leaves as it is."""


@generic
def move(criterion, left, right, y, row, weight, centre, logs):
    """Move a row from the right to the left; the last number of a statistic is kept running."""


@generic
def keep_running(criterion, stat, logs):
    """Set the running number of a statistic from the others."""


@generic
def running_cost(criterion, stat, weight, logs):
    """Cost of a group whose statistic was kept running."""


@generic
def one_class(criterion, stat, at, size, weight):
    """Return the only class of a group, -1 if there are several."""


@generic
def orderings(criterion, size):
    """Return in how many orders the groups of a nominal column are cut."""


@generic
def order_key(criterion, stat, at, size, weight, number):
    """Return by what the groups of a nominal column are ordered."""


@generic
def describe(criterion, rows, weight, start, end, y, stat, centre, value, logs):
    """Fill statistic, centre and answer of a node; return its weight, cost and impurity."""


@generic
def walk(criterion, entries, span, y, weight, node, logs, rules):
    """Find the best cut of presorted entries."""


class Holes(NamedTuple):
    """Which cells of presorted columns are missing: a line for each column that has any."""

    line: np.ndarray
    cells: np.ndarray


class State(NamedTuple):
    """Sums of the nodes that are searched, a line a node (:class:`NodeSums`)."""

    sums: np.ndarray
    centres: np.ndarray
    weights: np.ndarray
    costs: np.ndarray
    slacks: np.ndarray


class NodeSums(NamedTuple):
    """Sums of a node: its statistic, what its rows are centred at, weight, cost, and the slack."""

    stat: np.ndarray
    centre: np.ndarray
    weight: float
    cost: float
    slack: float


def walk_sums(criterion, entries, span, y, weight, node, logs, rules):
    """Walk entries once, or twice where cells are missing: those to the right, then to the left."""
    start, known_end, end = span
    size = node.stat.shape[0]
    left, right, lost = np.empty(size), np.empty(size), np.zeros(size)
    unweighted = weight.shape[0] == 0
    lost_weight = 0.0
    right[:] = node.stat
    for i in range(known_end, end):
        row = entries[i] & ROW
        w = 1.0 if unweighted else weight[row]
        move(criterion, lost, right, y, row, w, node.centre, logs)
        lost_weight += w
    known_sums = right.copy()
    holes = end - known_end
    learned = rules.missing == LEARNED and holes > 0
    total = node.weight if learned else node.weight - lost_weight
    base = group_cost(criterion, lost, 0, size, lost_weight, logs) if rules.missing == OWN else 0.0
    whole = node.cost
    if holes > 0 and rules.missing == KNOWN:
        whole = running_cost(criterion, known_sums, total, logs)
    least = max(rules.min_weight, min(rules.share * total, rules.ceiling))
    first, last = start + rules.min_samples - 1, known_end - rules.min_samples
    best, cut, side, best_left, tried = np.inf, -1, -1, 0.0, 0
    for turn in range(2 if learned else 1):
        left[:] = lost if turn else np.zeros(size)
        right[:] = node.stat if learned and not turn else known_sums
        w_left = lost_weight if turn else 0.0
        if learned:
            first = start + max(rules.min_samples - (holes if turn else 0), 1) - 1
            last = known_end - max(rules.min_samples - (0 if turn else holes), turn)
        for i in range(start, min(last, known_end)):
            row = entries[i] & ROW
            w = 1.0 if unweighted else weight[row]
            move(criterion, left, right, y, row, w, node.centre, logs)
            w_left += w
            if i < first or (i + 1 < known_end and entries[i + 1] >= 0):
                continue
            if w_left < least or total - w_left < least:
                continue
            tried += 1
            cost = running_cost(criterion, left, w_left, logs) + running_cost(
                criterion, right, total - w_left, logs
            )
            if cost < best - node.slack:
                best, cut, side, best_left = cost, i + 1 - start, 1 - turn, w_left
    gain = whole - best - base if cut >= 0 else -np.inf
    return gain, cut, side if learned else -1, best_left, node.weight - lost_weight, tried


@loop
def search_sorted(
    criterion, entries, holes, nodes, columns, starts, ends, y, weight, state, logs, rules, found
):
    """Search presorted columns; pair ``p`` is ``nodes[p]`` and ``columns[p]``.

    ``holes.line[j]`` is the line of a column that has missing cells, -1 for the others.
    """
    for p in range(nodes.shape[0]):
        k, j = nodes[p], columns[p]
        start, known_end, end = starts[k], ends[k], ends[k]
        line = holes.line[j]
        if line >= 0:
            while known_end > start and holes.cells[line, entries[j, known_end - 1] & ROW]:
                known_end -= 1
        sums = NodeSums(
            state.sums[k], state.centres[k], state.weights[k], state.costs[k], state.slacks[k]
        )
        gain, cut, side, left, known, tried = walk(
            criterion, entries[j], (start, known_end, end), y, weight, sums, logs, rules
        )
        found.gain[p], found.cut[p], found.side[p] = gain, cut, side
        found.left[p], found.known[p], found.tried[p] = left, known, tried
        found.rows[p] = known_end - start


@loop
def describe_nodes(criterion, rows, weight, starts, ends, y, state, values, impurities, logs):
    """Sum the rows of every node of a batch."""
    for k in range(starts.shape[0]):
        w, cost, impurity = describe(
            criterion, rows, weight, starts[k], ends[k], y, state.sums[k], state.centres[k],
            values[k], logs,
        )  # fmt: skip
        state.weights[k], state.costs[k], impurities[k] = w, cost, impurity
        state.slacks[k] = _SLACK * w * max(impurity, 0.0)
