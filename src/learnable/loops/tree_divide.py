"""Dividing the rows of nodes among their branches, in place and in order.

Presorted entries are divided stably. The sign of an entry says that its value is new; in a branch
it must be set if the value is new to the branch, which is so if any entry was new since the last
one of the branch. So the order and the signs need no look at the values.

Cost: the rows of the node for each column.
"""

from __future__ import annotations

import numpy as np

from learnable.core.compiler import loop
from learnable.loops.tree_order import NEW, ROW

_ENTRIES = "int32[:, ::1]"
_PLACES = "const int64[::1]"


@loop(ahead=[("const int32[:, ::1]", _PLACES, _PLACES, _PLACES, _PLACES, _PLACES,
              "const int64[::1]", "int32[::1]")])  # fmt: skip
def branch_by_entries(entries, columns, starts, ends, cuts, sides, known, branch):
    """Write the branch of every row of nodes that are cut at a presorted column."""
    for k in range(columns.shape[0]):
        line = entries[columns[k]]
        for i in range(starts[k], ends[k]):
            row = line[i] & ROW
            if i - starts[k] >= known[k]:
                branch[row] = sides[k]
            else:
                branch[row] = 0 if i - starts[k] < cuts[k] else 1


@loop
def branch_by_cut(codes, sizes, columns, starts, ends, rows, cuts, sides, branch):
    """Write the branch of every row of nodes that are cut between ordered codes."""
    for k in range(columns.shape[0]):
        line, missing = codes[columns[k]], sizes[columns[k]]
        for i in range(starts[k], ends[k]):
            row = rows[i]
            code = np.int64(line[row])
            branch[row] = sides[k] if code == missing else np.int32(code > cuts[k])


@loop
def branch_by_members(codes, sizes, columns, starts, ends, rows, members, last, sides, branch):
    """Write the branch of every row of nodes that are divided by their nominal codes."""
    begin = 0
    for k in range(columns.shape[0]):
        line, missing = codes[columns[k]], sizes[columns[k]]
        for i in range(starts[k], ends[k]):
            row = rows[i]
            code = np.int64(line[row])
            branch[row] = sides[k] if code == missing else members[begin + code]
        begin = last[k]


@loop(ahead=[(_PLACES, _PLACES, "const int32[::1]", "const int32[::1]", "const int64[::1]",
              "int64[::1]")])  # fmt: skip
def count_branches(starts, ends, rows, branch, firsts, sizes):
    """Count the rows of every branch; those of node ``k`` begin at ``firsts[k]``."""
    for k in range(starts.shape[0]):
        for i in range(starts[k], ends[k]):
            sizes[firsts[k] + branch[rows[i]]] += 1


@loop(ahead=[(_ENTRIES, "int64", "int64", _PLACES, _PLACES, _PLACES, "const int64[::1]",
              "const int32[::1]")])  # fmt: skip
def divide_entries(entries, first, last, starts, ends, firsts, sizes, branch):
    """Divide the entries of some columns; a branch begins where the one before it ends."""
    longest = 0
    for k in range(starts.shape[0]):
        longest = max(longest, ends[k] - starts[k])
    spare = np.empty(longest, np.int32)
    for j in range(first, last):
        line = entries[j]
        for k in range(starts.shape[0]):
            if firsts[k + 1] - firsts[k] == 2:
                _divide_in_two(line, starts[k], ends[k], branch, spare)
            else:
                _divide(line, starts[k], ends[k], sizes[firsts[k] : firsts[k + 1]], branch, spare)


@loop
def _divide_in_two(line, start, end, branch, spare):
    left, right = start, 0  # places in the line, and in the spare one
    new_left, new_right = 0, 0
    for i in range(start, end):
        entry = line[i]
        sign, row = entry & NEW, entry & ROW
        new_left |= sign
        new_right |= sign
        goes = branch[row]
        # Both are written and one place moves on, so that nothing has to be guessed.
        line[left] = row | new_left
        spare[right] = row | new_right
        left += 1 - goes
        right += goes
        new_left = new_left if goes else 0
        new_right = 0 if goes else new_right
    for i in range(right):
        line[left + i] = spare[i]


@loop
def _divide(line, start, end, sizes, branch, spare):
    parts = sizes.shape[0]
    place, fresh = np.zeros(parts, np.int64), np.zeros(parts, np.int64)
    for b in range(1, parts):
        place[b] = place[b - 1] + sizes[b - 1]
    changes = 0
    for i in range(start, end):
        entry = line[i]
        row = entry & ROW
        changes += entry < 0
        goes = branch[row]
        spare[place[goes]] = row | NEW if fresh[goes] < changes else row
        fresh[goes] = changes
        place[goes] += 1
    for i in range(end - start):
        line[start + i] = spare[i]


@loop(ahead=[("int32[::1]", "float64[::1]", _PLACES, _PLACES, _PLACES, "const int64[::1]",
              "const int32[::1]")])  # fmt: skip
def divide_rows(rows, weight, starts, ends, firsts, sizes, branch):
    """Divide the rows of nodes and, where there are any, the weights that stand beside them."""
    for k in range(starts.shape[0]):
        start, n = starts[k], ends[k] - starts[k]
        own = sizes[firsts[k] : firsts[k + 1]]
        place = np.zeros(own.shape[0], np.int64)
        for b in range(1, own.shape[0]):
            place[b] = place[b - 1] + own[b - 1]
        old = rows[start : start + n].copy()
        beside = weight[start : start + n].copy() if weight.shape[0] else weight
        for i in range(n):
            goes = branch[old[i]]
            to = start + place[goes]
            place[goes] += 1
            rows[to] = old[i]
            if weight.shape[0]:
                weight[to] = beside[i]
