"""The search for splits of columns of codes: rows are summed into a group for each code.

Ordered codes are cut between groups. Nominal ones become a branch for each group, or two sets of
groups: the groups are ordered by a key of the criterion (the share of a class, the mean) and cut
like ordered ones, which is optimal for two classes and for squared error; with more classes each
class gives an order of its own, and the gain of the multiway split bounds what any two sets gain.

Cost: the rows of the node, and the groups times the cost of looking at a group.

References
----------
.. [1] L. Breiman et al.: Classification and Regression Trees. Wadsworth 1984, section 4.2.
.. [2] W. D. Fisher: On grouping for maximum homogeneity. JASA 53, 1958.
"""

from __future__ import annotations

from math import log2
from typing import NamedTuple

import numpy as np

from learnable.core.compiler import loop
from learnable.loops.tree_search import (
    KNOWN,
    LEARNED,
    MULTIWAY,
    OWN,
    SUBSET,
    NodeSums,
    add_row,
    group_cost,
    one_class,
    order_key,
    orderings,
)

_FEW = 24


class Groups(NamedTuple):
    """Room for the groups of one column: statistics, weights, rows, and which codes occur."""

    stat: np.ndarray
    weight: np.ndarray
    rows: np.ndarray
    codes: np.ndarray


@loop
def sum_groups(criterion, room, codes, missing, rows, weight, start, end, y, size, centre, logs):
    """Sum the rows of a node by their codes; return how many codes occur, the missing one not."""
    count = 0
    unweighted = weight.shape[0] == 0
    for i in range(start, end):
        row = rows[i]
        code = np.int64(codes[row])
        w = 1.0 if unweighted else weight[i]
        if room.rows[code] == 0 and code != missing:
            room.codes[count] = code
            count += 1
        room.rows[code] += 1
        room.weight[code] += w
        add_row(criterion, room.stat, code * size, y, row, w, centre, logs)
    return count


@loop
def sort_codes(codes, count):
    """Sort the first codes: by insertion where they are few."""
    if count > _FEW:
        codes[:count].sort()
        return
    for i in range(1, count):
        code = codes[i]
        at = i
        while at > 0 and codes[at - 1] > code:
            codes[at] = codes[at - 1]
            at -= 1
        codes[at] = code


@loop
def forget_groups(room, count, missing, size):
    """Set what was used back to zero."""
    for g in range(count + 1):
        code = room.codes[g] if g < count else missing
        room.rows[code], room.weight[code] = 0, 0.0
        for c in range(code * size, code * size + size):
            room.stat[c] = 0.0


@loop
def order_groups(criterion, room, count, size, number):
    """Order the codes that occur by the key of the criterion, equal keys by code."""
    keys = np.empty(count)
    for g in range(count):
        code = room.codes[g]
        keys[g] = order_key(criterion, room.stat, code * size, size, room.weight[code], number)
    order = np.argsort(keys, kind="mergesort")
    codes = room.codes[:count].copy()
    for g in range(count):
        room.codes[g] = codes[order[g]]


@loop
def cut_groups(criterion, room, count, missing, size, total, n_total, sums, logs, rules, best):
    """Cut the ordered groups; ``best`` holds cost, place, side, left weight and cuts tried."""
    left, right = np.empty(size), np.empty(size)
    lost_weight, holes = room.weight[missing], room.rows[missing]
    learned = rules.missing == LEARNED and holes > 0
    lost = missing * size
    least = max(rules.min_weight, min(rules.share * total, rules.ceiling))
    for turn in range(2 if learned else 1):
        w_left, n_left = (lost_weight, holes) if turn else (0.0, 0)
        for c in range(size):
            left[c] = room.stat[lost + c] if turn else 0.0
        for g in range(count if learned and not turn else count - 1):
            code = room.codes[g]
            for c in range(size):
                left[c] += room.stat[code * size + c]
            w_left += room.weight[code]
            n_left += room.rows[code]
            if (
                n_left < rules.min_samples
                or n_total - n_left < rules.min_samples
                or w_left < least
                or total - w_left < least
            ):
                continue
            if rules.boundary and g + 1 < count:
                after = room.codes[g + 1]
                one = one_class(criterion, room.stat, code * size, size, room.weight[code])
                if one >= 0 and one == one_class(
                    criterion, room.stat, after * size, size, room.weight[after]
                ):
                    continue
            for c in range(size):
                whole = sums.stat[c] - (0.0 if learned else room.stat[lost + c])
                right[c] = whole - left[c]
            best[4] += 1.0
            cost = group_cost(criterion, left, 0, size, w_left, logs) + group_cost(
                criterion, right, 0, size, total - w_left, logs
            )
            if cost < best[0] - sums.slack:
                best[0], best[1], best[2], best[3] = cost, g, 1 - turn, w_left


@loop
def split_all_ways(criterion, room, count, size, logs, rules):
    """Return the cost of a branch a code, the sum of w log2 w, and how many branches are large."""
    cost, info, large = 0.0, 0.0, 0
    for g in range(count):
        code = room.codes[g]
        w = room.weight[code]
        cost += group_cost(criterion, room.stat, code * size, size, w, logs)
        info += w * log2(w)
        large += room.rows[code] >= rules.min_samples and w >= rules.min_weight
    return cost, info, large


@loop
def known_cost(criterion, room, missing, size, sums, total, logs):
    """Return what the rows of known cells cost together."""
    stat = np.empty(size)
    for c in range(size):
        stat[c] = sums.stat[c] - room.stat[missing * size + c]
    return group_cost(criterion, stat, 0, size, total, logs)


@loop
def mark_members(room, count, cut, mode, members):
    """Write the branch of every code that occurs: 0, 1, ... (-1 for the others)."""
    members[:] = -1
    for g in range(count):
        members[room.codes[g]] = g if mode == MULTIWAY else np.int32(g > cut)


@loop
def search_pair(
    criterion, room, mode, missing, codes, rows, weight, start, end, y, sums, logs, rules, members
):
    """Search one column of codes at one node; mark the branches of its codes if asked to."""
    size = sums.stat.shape[0]
    count = sum_groups(
        criterion, room, codes, missing, rows, weight, start, end, y, size, sums.centre, logs
    )
    sort_codes(room.codes, count)
    lost, holes = room.weight[missing], room.rows[missing]
    known = sums.weight - lost
    learned = rules.missing == LEARNED and holes > 0 and mode != MULTIWAY
    total, n_total = (sums.weight, end - start) if learned else (known, end - start - holes)
    whole, base = sums.cost, 0.0
    if holes > 0 and rules.missing == KNOWN:
        whole = known_cost(criterion, room, missing, size, sums, total, logs)
    elif holes > 0 and (rules.missing == OWN or mode == MULTIWAY):
        base = group_cost(criterion, room.stat, missing * size, size, lost, logs)
    best = np.array([np.inf, -1.0, -1.0, 0.0, 0.0])
    info, order = 0.0, 0
    if mode == MULTIWAY:
        cost, info, large = split_all_ways(criterion, room, count, size, logs, rules)
        if large >= 2:
            best[0], best[1], best[4] = cost, 0.0, 1.0
    elif mode == SUBSET:
        for number in range(orderings(criterion, size)):
            before = best[0]
            order_groups(criterion, room, count, size, number)
            cut_groups(
                criterion, room, count, missing, size, total, n_total, sums, logs, rules, best
            )
            if best[0] < before:
                order = number
            sort_codes(room.codes, count)
        order_groups(criterion, room, count, size, order)
    else:
        cut_groups(criterion, room, count, missing, size, total, n_total, sums, logs, rules, best)
    found = best[1] >= 0.0
    if members.shape[0]:
        mark_members(room, count, np.int64(best[1]), mode, members)
    gain = whole - best[0] - base if found else -np.inf
    place = np.int64(best[1])
    cut = room.codes[place] if found else -1
    after = room.codes[place + 1] if found and place + 1 < count else -1
    forget_groups(room, count, missing, size)
    side = np.int64(best[2]) if learned else -1
    return gain, cut, after, side, best[3], known, np.int64(best[4]), info, end - start - holes


@loop
def search_coded(
    criterion, codes, modes, sizes, nodes, columns, starts, ends, rows, weight, y, state, logs,
    rules, found, members, ends_of_members,
):  # fmt: skip
    """Search columns of codes; pair ``p`` is ``nodes[p]`` and ``columns[p]``.

    The branches of the codes of pair ``p`` go into ``members`` up to ``ends_of_members[p]``, if
    there is room for any.
    """
    size = state.sums.shape[1]
    most = 1
    for p in range(columns.shape[0]):
        most = max(most, sizes[columns[p]] + 1)
    room = Groups(
        np.zeros(most * size), np.zeros(most), np.zeros(most, np.int64), np.empty(most, np.int64)
    )
    begin = 0
    for p in range(nodes.shape[0]):
        k, j = nodes[p], columns[p]
        sums = NodeSums(
            state.sums[k], state.centres[k], state.weights[k], state.costs[k], state.slacks[k]
        )
        stop = ends_of_members[p] if members.shape[0] else 0
        gain, cut, after, side, left, known, tried, info, n = search_pair(
            criterion, room, modes[j], sizes[j], codes[j], rows, weight, starts[k], ends[k], y,
            sums, logs, rules, members[begin:stop],
        )  # fmt: skip
        begin = stop
        found.gain[p], found.cut[p], found.side[p] = gain, cut, side
        found.left[p], found.known[p], found.tried[p] = left, known, tried
        found.after[p], found.info[p], found.rows[p] = after, info, n
