"""Reduced-error pruning: nodes become leaves where rows set aside are answered no worse.

A leaf answers the majority of its training rows. In post order every node is judged after the nodes
below it; best first, the node that wins most is cut, again and again. A tie prunes, or keeps, as
stated; a node that no row set aside reaches makes a tie. The rows before and after are the same.

Cost: a walk of the rows set aside, and the nodes (times those that are cut, best first).

References
----------
.. [1] J. R. Quinlan: Simplifying decision trees. International Journal of Man-Machine Studies 27,
   1987.
.. [2] T. M. Mitchell: Machine Learning. McGraw-Hill 1997, section 3.7.1.1.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import ParameterError
from learnable.core.trace import emit
from learnable.estimator.labels import as_labels
from learnable.estimator.learner import same_length
from learnable.stats.arrays import Floats
from learnable.tree.complexity import cut_at
from learnable.tree.structure import Nodes

ORDERS, TIES = ("post", "best first"), ("prune", "keep")


def reduced_error_pruned(
    tree: Any, X: Any, y: Any, *, order: str = "post", ties: str = "prune"
) -> Any:
    """Return a copy of a fitted tree for classes, pruned on rows set aside.

    Parameters
    ----------
    tree : fitted tree
        The model; it stays as it is.
    X, y
        Rows that it never saw, and their classes.
    order : {"post", "best first"}, default="post"
        From the leaves up, or the node that wins most first.
    ties : {"prune", "keep"}, default="prune"
        What becomes of a node that answers as many rows rightly as those below it.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.tree import DecisionTreeClassifier, reduced_error_pruned
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier().fit(X[::2], y[::2])
    >>> pruned = reduced_error_pruned(tree, X[1::2], y[1::2])
    >>> pruned.get_n_leaves() < tree.get_n_leaves()
    True
    >>> pruned.score(X[1::2], y[1::2]) >= tree.score(X[1::2], y[1::2])
    True
    """
    for value, known, what in ((order, ORDERS, "order"), (ties, TIES, "ties")):
        if value not in known:
            msg = f"{what} must be one of {', '.join(known)}, not {value!r}"
            raise ParameterError(msg)
    nodes: Nodes = tree.nodes_
    leaves = tree.apply(X)
    truth = as_labels(y, learner="reduced_error_pruned")
    same_length(len(leaves), len(truth))
    as_leaf = _right_as_leaf(nodes, leaves, truth, tree.classes_)
    cut = (
        _post_order(nodes, as_leaf, ties) if order == "post" else _best_first(nodes, as_leaf, ties)
    )
    pruned = copy.copy(tree)
    pruned.nodes_ = cut_at(nodes, cut)
    emit(
        "prune", 0, order=order, before=len(nodes.leaves), after=len(pruned.nodes_.leaves),
        cut=sorted(cut), right=float(_right_below(nodes, as_leaf)[0]), rows=len(truth),
    )  # fmt: skip
    return pruned


def _right_as_leaf(nodes: Nodes, leaves: Any, truth: Any, classes: Any) -> NDArray[np.int64]:
    """Count the rows that every node would answer rightly, were it a leaf."""
    parent, answers = nodes.parent, classes[nodes.value.argmax(axis=1)]
    right = np.zeros(nodes.count, np.int64)
    node = np.asarray(leaves)
    rows = np.arange(len(node))
    while len(rows):
        np.add.at(right, node, answers[node] == truth[rows])
        node = parent[node]
        rows, node = rows[node >= 0], node[node >= 0]
    return right


def _right_below(nodes: Nodes, as_leaf: Any) -> NDArray[np.int64]:
    """Count the rows that the leaves below every node answer rightly."""
    below = np.where(nodes.column < 0, as_leaf, 0)
    parent = nodes.parent
    for node in range(nodes.count - 1, 0, -1):
        below[parent[node]] += below[node]
    return below


def _post_order(nodes: Nodes, as_leaf: Any, ties: str) -> list[int]:
    below, parent = np.where(nodes.column < 0, as_leaf, 0), nodes.parent
    cut = []
    for node in range(nodes.count - 1, -1, -1):
        if nodes.column[node] >= 0:
            wins = as_leaf[node] - below[node]
            if wins > 0 or (wins == 0 and ties == "prune"):
                cut.append(node)
                below[node] = as_leaf[node]
        if node:
            below[parent[node]] += below[node]
    return cut


def _best_first(nodes: Nodes, as_leaf: Any, ties: str) -> list[int]:
    below, parent = _right_below(nodes, as_leaf), nodes.parent
    open_ = nodes.column >= 0
    cut: list[int] = []
    while open_.any():
        wins: Floats = np.where(open_, as_leaf - below, -np.inf)
        node = int(wins.argmax())
        if wins[node] < 0 or (wins[node] == 0 and ties == "keep"):
            break
        cut.append(node)
        above = node
        while above >= 0:
            below[above] += int(wins[node])
            above = int(parent[above])
        gone = {node}
        open_[node] = False
        for child in range(node + 1, nodes.count):
            if parent[child] not in gone:
                break
            gone.add(child)
            open_[child] = False
    return cut
