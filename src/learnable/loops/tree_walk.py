"""Where rows end: down the flat arrays of a tree, leaf by leaf.

Cost: the depth of the tree for each row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learnable.core.compiler import loop


class FlatTree(NamedTuple):
    """What answers need of a tree; a line a node, the root first.

    Attributes
    ----------
    column : array of int32
        The column that is asked; -1 at a leaf.
    threshold : array of float64
        A numeric cell up to this goes to the first branch.
    nominal : array of uint8
        1 where the cell is a code that is looked up.
    missing : array of int32
        Branch of a cell that is missing or was never seen at this node; -1 for the node itself.
    first : array of int32, one more than nodes
        Where the branches of a node begin in ``children``.
    children : array of int32
        Nodes.
    table : array of int32, one more than nodes
        Where the codes of a nominal node begin in ``codes`` and ``branches``.
    codes, branches : array of int32
        Rising codes of each nominal node, and the branch of each.
    """

    column: np.ndarray
    threshold: np.ndarray
    nominal: np.ndarray
    missing: np.ndarray
    first: np.ndarray
    children: np.ndarray
    table: np.ndarray
    codes: np.ndarray
    branches: np.ndarray


@loop(fastmath=False, inline=True)
def _branch_of_code(tree, node, code):
    low, high = tree.table[node], tree.table[node + 1]
    end = high
    while low < high:
        middle = (low + high) >> 1
        if tree.codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return tree.branches[low] if low < end and tree.codes[low] == code else -1


@loop(fastmath=False, inline=True)
def branch_of(tree, node, x):
    """Return the branch that a cell takes, -1 if it ends here."""
    if x != x:
        return tree.missing[node]
    if tree.nominal[node]:
        branch = _branch_of_code(tree, node, np.int32(x))
        return branch if branch >= 0 else tree.missing[node]
    return 0 if x <= tree.threshold[node] else 1


@loop(fastmath=False)
def leaves_of(X, tree, leaves):
    """Write the node at which every row ends."""
    column, threshold, nominal = tree.column, tree.threshold, tree.nominal
    first, children = tree.first, tree.children
    for i in range(X.shape[0]):
        node = np.int64(0)
        while column[node] >= 0:
            x = X[i, column[node]]
            if x == x and not nominal[node]:
                node = np.int64(children[first[node] + (x > threshold[node])])
                continue
            branch = branch_of(tree, node, x)
            if branch < 0:
                break
            node = np.int64(children[first[node] + branch])
        leaves[i] = node


@loop(fastmath=False)
def path_lengths(X, tree, lengths):
    """Write how many nodes every row passes."""
    for i in range(X.shape[0]):
        node, length = np.int32(0), 1
        while tree.column[node] >= 0:
            branch = branch_of(tree, node, X[i, tree.column[node]])
            if branch < 0:
                break
            node = tree.children[tree.first[node] + branch]
            length += 1
        lengths[i] = length


@loop(fastmath=False)
def paths_of(X, tree, starts, nodes):
    """Write the nodes that every row passes, one row after the other."""
    for i in range(X.shape[0]):
        node, at = np.int32(0), starts[i]
        nodes[at] = node
        while tree.column[node] >= 0:
            branch = branch_of(tree, node, X[i, tree.column[node]])
            if branch < 0:
                break
            node = tree.children[tree.first[node] + branch]
            at += 1
            nodes[at] = node


@loop(fastmath=False)
def mixed_values(X, tree, weights, values, mixed):
    """Add up the values of all leaves that a row reaches; a missing cell goes all ways.

    A branch takes the share of its training weight. A node has at most as many branches waiting as
    the tree has nodes.
    """
    nodes, shares = np.empty(weights.shape[0], np.int32), np.empty(weights.shape[0])
    for i in range(X.shape[0]):
        nodes[0], shares[0], top = 0, 1.0, 1
        while top > 0:
            top -= 1
            node, share = nodes[top], shares[top]
            column = tree.column[node]
            if column < 0:
                for c in range(values.shape[1]):
                    mixed[i, c] += share * values[node, c]
                continue
            first, last = tree.first[node], tree.first[node + 1]
            x = X[i, column]
            if x == x:
                branch = branch_of(tree, node, x)
                nodes[top], shares[top] = tree.children[first + branch], share
                top += 1
                continue
            total = 0.0
            for b in range(first, last):
                total += weights[tree.children[b]]
            for b in range(last - 1, first - 1, -1):
                weight = weights[tree.children[b]]
                if weight > 0.0:
                    nodes[top], shares[top] = tree.children[b], share * weight / total
                    top += 1
