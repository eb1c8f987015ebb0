"""Trees as flat arrays: what growing leaves, answers use, files keep.

Nodes are numbered from the root down, each subtree in one run, the first branch first. A node asks
one column and has two branches or more; a numeric cell up to the threshold goes to the first one,
a nominal cell is looked up among the codes of the node.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.loops.tree_walk import FlatTree, leaves_of, path_lengths, paths_of
from learnable.stats.arrays import frozen

LEAF = -1
UNDEFINED = -2
"""What scikit-learn writes for the column and the threshold of a leaf."""

Ints = NDArray[np.int32]
Reals = NDArray[np.float64]


class Nodes(NamedTuple):
    """The nodes of a tree, a line each.

    Attributes
    ----------
    column : array of int32
        The column that is asked; -1 at a leaf.
    threshold : array of float64
        A numeric cell up to this goes to the first branch; 0 elsewhere.
    nominal : array of uint8
        1 where the cell is a code that is looked up.
    missing : array of int32
        Branch of a missing cell; -1 for the node itself.
    first : array of int32, one more than nodes
        Where the branches of a node begin in ``children``.
    children : array of int32
        Nodes.
    table : array of int32, one more than nodes
        Where the codes of a nominal node begin in ``codes`` and ``branches``.
    codes, branches : array of int32
        Rising codes of each nominal node, and the branch of each.
    impurity : array of float64
        By the criterion.
    rows : array of int64
        Training rows.
    weight : array of float64
        Their weight.
    value : array (nodes, width) of float64
        Shares of the classes, or means of the answers.

    Examples
    --------
    >>> from learnable.tree import DecisionTreeClassifier
    >>> nodes = DecisionTreeClassifier().fit([[0.0], [1.0]], ["no", "yes"]).nodes_
    >>> nodes.column.tolist(), nodes.children_of(0).tolist()
    ([0, -1, -1], [1, 2])
    """

    column: Ints
    threshold: Reals
    nominal: NDArray[np.uint8]
    missing: Ints
    first: Ints
    children: Ints
    table: Ints
    codes: Ints
    branches: Ints
    impurity: Reals
    rows: NDArray[np.int64]
    weight: Reals
    value: Reals

    @property
    def count(self) -> int:
        """How many nodes."""
        return len(self.column)

    @property
    def leaves(self) -> NDArray[np.int64]:
        """The nodes that ask nothing."""
        return np.flatnonzero(self.column < 0)

    @property
    def depth(self) -> NDArray[np.int64]:
        """How many questions lead to each node."""
        depth = np.zeros(self.count, np.int64)
        for node in range(self.count):
            depth[self.children_of(node)] = depth[node] + 1
        return depth

    @property
    def parent(self) -> NDArray[np.int64]:
        """The node above each, -1 above the root."""
        parent = np.full(self.count, -1)
        parent[self.children] = np.repeat(np.arange(self.count), np.diff(self.first))
        return parent

    def children_of(self, node: int) -> Ints:
        """Return the nodes below, in the order of the branches."""
        return self.children[self.first[node] : self.first[node + 1]]

    def codes_of(self, node: int, branch: int) -> list[int]:
        """Return the codes that a nominal node sends into a branch."""
        part = slice(self.table[node], self.table[node + 1])
        return [int(code) for code in self.codes[part][self.branches[part] == branch]]

    def flat(self) -> FlatTree:
        """Return what answers need, as the loops take it."""
        return FlatTree(*(frozen(array) for array in self[: len(FlatTree._fields)]))


def check_nodes(nodes: Nodes, d: int) -> None:
    """Refuse arrays that are no tree of ``d`` columns (a model file may hold any)."""
    count, sizes = nodes.count, np.diff(nodes.first)
    inner = nodes.column >= 0
    sound = (
        count >= 1
        and len(nodes.first) == len(nodes.table) == count + 1
        and nodes.first[0] == nodes.table[0] == 0
        and nodes.first[-1] == len(nodes.children) == count - 1
        and nodes.table[-1] == len(nodes.codes) == len(nodes.branches)
        and bool((sizes[inner] >= 2).all() and (sizes[~inner] == 0).all())
        and bool((np.diff(nodes.table) >= 0).all() and (nodes.column < d).all())
        and np.array_equal(np.sort(nodes.children), np.arange(1, count))
        and bool((nodes.missing < np.maximum(sizes, 1)).all() and (nodes.missing >= -1).all())
    )
    if not sound or (nodes.children <= np.repeat(np.arange(count), sizes)).any():
        raise DataError("The arrays of the tree contradict each other.")
    owner = np.repeat(np.arange(count), np.diff(nodes.table))
    if (
        ((np.diff(nodes.table) > 0) != (nodes.nominal == 1)).any()
        or (nodes.nominal > 1).any()
        or (nodes.nominal[~inner] == 1).any()
    ):
        raise DataError("The arrays of the tree contradict each other.")
    rising = (np.diff(nodes.codes) > 0) | (np.diff(owner) > 0)
    if (
        not rising.all()
        or (nodes.branches < 0).any()
        or (nodes.branches >= sizes[owner]).any()
        or (nodes.codes < 0).any()
        or (sizes[nodes.nominal == 0] > 3).any()
    ):
        raise DataError("The codes of a nominal node contradict each other.")


def leaf_numbers(nodes: Nodes, X: Any) -> NDArray[np.int32]:
    """Return the node at which every row of a C array ends."""
    leaves = np.empty(len(X), np.int32)
    leaves_of(X, nodes.flat(), leaves)
    return leaves


def path_arrays(nodes: Nodes, X: Any) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the nodes that every row passes, and where each row's begin."""
    lengths = np.empty(len(X), np.int64)
    path_lengths(X, nodes.flat(), lengths)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    passed = np.empty(starts[-1], np.int32)
    paths_of(X, nodes.flat(), frozen(starts), passed)
    return starts, passed
