"""A tree as scikit-learn's tools know it: parallel arrays, two branches a node."""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import ParameterError
from learnable.stats.arrays import Floats
from learnable.tree.structure import UNDEFINED, Nodes, leaf_numbers


class TreeView:
    """The arrays of a binary tree under scikit-learn's names.

    Attributes
    ----------
    node_count, max_depth, n_leaves, n_features, n_outputs : int
        Sizes.
    children_left, children_right : array of int64
        Nodes; -1 at a leaf.
    feature : array of int64
        Column that is asked; -2 at a leaf.
    threshold : array of float64
        A cell up to this goes to the left; -2 at a leaf.
    impurity, weighted_n_node_samples : array of float64
        By the criterion, and weight of the training rows.
    n_node_samples : array of int64
        Training rows.
    value : array (nodes, outputs, width) of float64
        Shares of the classes, or means.
    missing_go_to_left : array of uint8
        Whether a missing cell goes to the left.

    Examples
    --------
    >>> from learnable.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0.0], [1.0]], ["no", "yes"]).tree_
    >>> tree.children_left.tolist(), tree.threshold.tolist()
    ([1, -1, -1], [0.5, -2.0, -2.0])
    """

    def __init__(self, nodes: Nodes, d: int, outputs: int) -> None:
        sizes = np.diff(nodes.first)
        if sizes.max(initial=0) > 2 or nodes.nominal.any():
            msg = (
                "this tree has nominal columns or nodes of more than two branches, which "
                "scikit-learn's arrays cannot hold; use nodes_, rules, or export_text"
            )
            raise ParameterError(msg)
        inner = nodes.column >= 0
        self.nodes, self.n_features, self.n_outputs = nodes, d, outputs
        self.node_count = self.capacity = nodes.count
        self.children_left, self.children_right = np.full((2, nodes.count), -1)
        self.children_left[inner] = nodes.children[0::2]
        self.children_right[inner] = nodes.children[1::2]
        self.feature = np.where(inner, nodes.column, UNDEFINED).astype(np.int64)
        self.threshold = np.where(inner, nodes.threshold, float(UNDEFINED))
        self.impurity, self.n_node_samples = nodes.impurity, nodes.rows
        self.weighted_n_node_samples = nodes.weight
        self.value = nodes.value.reshape(nodes.count, outputs, -1)
        self.missing_go_to_left = (inner & (nodes.missing == 0)).astype(np.uint8)
        self.max_depth = int(nodes.depth.max())
        self.n_leaves = int((~inner).sum())
        self.max_n_classes = self.value.shape[2]
        self.n_classes = np.full(outputs, self.max_n_classes)

    def apply(self, X: Any) -> Any:
        """Return the leaf of every row."""
        return leaf_numbers(self.nodes, np.ascontiguousarray(X, np.float64)).astype(np.int64)

    def predict(self, X: Any) -> Any:
        """Return the values of the leaf of every row."""
        return self.value[self.apply(X)]

    def compute_feature_importances(self, normalize: bool = True) -> Floats:
        """Return what each column gained, as shares of all gains if normalised."""
        return importances(self.nodes, self.n_features, normalize=normalize)


def importances(nodes: Nodes, d: int, *, normalize: bool = True) -> Floats:
    """Return the weighted decrease of impurity that the nodes of each column bring."""
    owner = np.repeat(np.arange(nodes.count), np.diff(nodes.first))
    below = np.zeros(nodes.count)
    np.add.at(below, owner, nodes.weight[nodes.children] * nodes.impurity[nodes.children])
    inner = nodes.column >= 0
    gain = (nodes.weight * nodes.impurity - below)[inner] / nodes.weight[0]
    total = np.bincount(nodes.column[inner], gain, minlength=d)
    whole = total.sum()
    return total / whole if normalize and whole > 0.0 else total
