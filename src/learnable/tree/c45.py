"""C4.5, release 8: gain ratio, rows divided by weight where cells are missing, pessimistic pruning.

    ratio = gain on known cells * share of known cells / split information

(:mod:`learnable.tree.quinlan` grows, :mod:`learnable.tree.pessimistic` judges what is pruned.)

Cost: the rows of every node times the columns, with a sort at every node.

References
----------
.. [1] J. R. Quinlan: C4.5, Programs for Machine Learning. Morgan Kaufmann 1993.
.. [2] J. R. Quinlan: Improved use of continuous attributes in C4.5. JAIR 4, 1996.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from learnable.core.explanation import Explanation
from learnable.core.fold import runner
from learnable.core.trace import emit, listening
from learnable.data import Block, Rows
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import ArrayLike, Choice, Either, Flag, Number
from learnable.loops.tree_walk import mixed_values
from learnable.stats.arrays import Floats, frozen
from learnable.tree.base import checked_cells
from learnable.tree.classifier import TreeClassifier
from learnable.tree.columns import Columns, typed_columns
from learnable.tree.quinlan import Node, Quinlan
from learnable.tree.reading import sizes_of
from learnable.tree.structure import Nodes


class C45Classifier(TreeClassifier):
    """C4.5 of release 8.

    Parameters
    ----------
    confidence_factor : float, default=0.25
        Smaller ones prune more.
    min_weight : float, default=2
        Two branches of a split hold this weight at least.
    prune : bool, default=True
        Whether to prune by expected errors.
    subtree_raising : bool, default=True
        Whether a subtree may be replaced by its largest branch.
    mdl_correction : bool, default=True
        Whether thresholds pay for the number that was tried.
    categorical_features : "from_dtype", None, list or mask, default="from_dtype"
        Nominal columns: by their type in a frame or table, or by name, place or mask.

    Attributes
    ----------
    classes_ : array (K,)
        The labels.
    nodes_ : Nodes
        The tree; every value of a nominal column has a branch.
    schema_ : Schema or None
        What the columns are, where some are nominal.
    fingerprint_ : Fingerprint
        Which rows were learned from.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    A row whose cell is missing goes into all branches, by weight, when learning and when answering:
    the classes of all leaves that it reaches add up. A threshold is the largest training value that
    is not above the middle. Cost: the rows of all nodes times the columns.

    References
    ----------
    J. R. Quinlan: C4.5, Programs for Machine Learning. Morgan Kaufmann 1993.

    J. R. Quinlan: Improved use of continuous attributes in C4.5. JAIR 4, 1996.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.tree import C45Classifier, export_text
    >>> X, y = load_iris(return_X_y=True)
    >>> model = C45Classifier().fit(X, y)
    >>> model.get_n_leaves(), model.nodes_.count
    (5, 9)
    """

    parameters = {
        "confidence_factor": Number(low=0.0, high=0.5, open=True),
        "min_weight": Number(low=0.0, open=True),
        "prune": Flag(),
        "subtree_raising": Flag(),
        "mdl_correction": Flag(),
        "categorical_features": Either(Choice("from_dtype", None), ArrayLike()),
    }

    def __init__(
        self,
        *,
        confidence_factor: float = 0.25,
        min_weight: float = 2.0,
        prune: bool = True,
        subtree_raising: bool = True,
        mdl_correction: bool = True,
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.confidence_factor = confidence_factor
        self.min_weight = min_weight
        self.prune = prune
        self.subtree_raising = subtree_raising
        self.mdl_correction = mdl_correction
        self.categorical_features = categorical_features

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> C45Classifier:
        """Learn from rows and their classes.

        Parameters
        ----------
        X : array (n, d), data frame or Table
            Numbers, and names of values where the columns say so; NaN is missing.
        y : array (n,)
            Class of each row.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        rows = self._read_training(X, self.categorical_features)
        codes = self._read_answers(y, rows)
        weight = self._read_weights(sample_weight, rows.n)
        sizes = sizes_of(self.schema_, rows.d)
        columns = typed_columns(rows, sizes, weight, coded=True)
        table = Quinlan(
            columns, codes, len(self.classes_), float(self.min_weight), penalty=self.mdl_correction
        )
        own = weight[columns.rows] if len(weight) else np.ones(len(columns.rows))
        root = table.grown(columns.rows, own)
        before = _count(root)
        if self.prune:
            table.collapse(root)
            table.prune(root, float(self.confidence_factor), raising=self.subtree_raising)
        self.nodes_ = flattened(root, columns)
        if listening():
            self._tell(before)
        return self

    def _tell(self, before: int) -> None:
        nodes, names = self.nodes_, self._column_names()
        for node in range(nodes.count):
            column = int(nodes.column[node])
            emit(
                "leaf" if column < 0 else "split", node, weight=float(nodes.weight[node]),
                counts=(nodes.value[node] * nodes.weight[node]).tolist(),
                column=None if column < 0 else names[column],
            )  # fmt: skip
        emit("prune", 0, before=before, after=nodes.count)

    def _mixed(self, rows: Rows) -> Floats:
        return np.concatenate(list(runner()(partial(_block_mixed, self.nodes_), rows.blocks())))

    @answering
    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, over all leaves that a row reaches."""
        return self._mixed(self._read(X))

    @answering
    def predict(self, X: Any) -> Any:
        """Return the most probable class of each row, the first of equals."""
        best = self._mixed(self._read(X)).argmax(axis=1)
        return self.classes_[best]

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        """Say the heaviest path of every row; the answer is that of all paths together."""
        rows = self._read(X)
        shares = self._mixed(rows)
        told = [self._reasons(rows.row(i)) for i in range(rows.n)]
        return [
            replace(one, prediction=self._answer_of(share), score=float(share.max()))
            for one, share in zip(told, shares, strict=True)
        ]


def _block_mixed(nodes: Nodes, block: Block) -> Floats:
    X = checked_cells(block)
    mixed = np.zeros((len(X), nodes.value.shape[1]))
    mixed_values(X, nodes.flat(), frozen(nodes.weight), frozen(nodes.value), mixed)
    return mixed / mixed.sum(axis=1, keepdims=True)


def _count(node: Node) -> int:
    return 1 + sum(map(_count, node.sons))


def flattened(root: Node, columns: Columns) -> Nodes:
    """Return a tree of nodes as flat arrays; a branch without rows answers as the node above."""
    order: list[Node] = []
    values: list[Floats] = []
    links: list[list[int]] = []
    waiting = [(root, -1, root.counts)]
    while waiting:
        node, parent, above = waiting.pop()
        place = len(order)
        if parent >= 0:
            links[parent].append(place)
        total = node.counts.sum()
        value = node.counts / total if total > 0.0 else above
        order.append(node)
        values.append(value)
        links.append([])
        waiting.extend((son, place, value) for son in reversed(node.sons))
    nominal = [not n.is_leaf and columns.values[-1 - columns.slot[n.column]] is None for n in order]
    widths = [len(n.sons) if is_one else 0 for n, is_one in zip(order, nominal, strict=True)]
    codes = np.concatenate([np.empty(0, np.int64), *(np.arange(width) for width in widths)])
    weight = np.array([node.counts.sum() for node in order])
    largest = [int(np.argmax([s.counts.sum() for s in n.sons])) if n.sons else -1 for n in order]
    return Nodes(
        column=np.array([node.column for node in order], np.int32),
        threshold=np.array([0.0 if n.is_leaf else n.threshold for n in order]),
        nominal=np.array(nominal, np.uint8),
        missing=np.array(largest, np.int32),
        first=np.concatenate([[0], np.cumsum([len(below) for below in links])]).astype(np.int32),
        children=np.array([child for below in links for child in below], np.int32),
        table=np.concatenate([[0], np.cumsum(widths)]).astype(np.int32),
        codes=codes.astype(np.int32),
        branches=codes.astype(np.int32),
        impurity=np.array([_entropy(value) for value in values]),
        rows=np.array([len(node.rows) for node in order], np.int64),
        weight=weight,
        value=np.array(values),
    )


def _entropy(shares: Floats) -> float:
    known = shares[shares > 0.0]
    return max(float(-(known * np.log2(known)).sum()), 0.0)
