"""ID3: multiway questions chosen by information gain, until nothing is left to gain.

    gain(S, A) = H(S) - sum_v |S_v| / |S| H(S_v)

A numeric column is cut half way between two neighbouring examples. Missing cells count as the most
common value at the node.

Cost: the rows of every node times the columns.

References
----------
.. [1] J. R. Quinlan: Induction of decision trees. Machine Learning 1, 1986.
.. [2] T. M. Mitchell: Machine Learning. McGraw-Hill 1997, chapter 3.
"""

from __future__ import annotations

from typing import Any

from learnable.estimator.learner import fitting
from learnable.estimator.params import ArrayLike, Choice, Either, Integer
from learnable.tree.classifier import TreeClassifier
from learnable.tree.criteria import Entropy
from learnable.tree.growing import Plan, Stopping
from learnable.tree.options import AnyValue, teller, thresholds_of

_NOTHING = 1e-10
"""Bits a row; less is rounding."""


class ID3Classifier(TreeClassifier):
    """ID3: the column of the most information gain, a branch for each of its values.

    Parameters
    ----------
    max_depth : int, optional
        Most questions on a path.
    categorical_features : "from_dtype", None, list or mask, default="from_dtype"
        Nominal columns: by their type in a frame or table, or by name, place or mask.
    thresholds : dict, optional
        Columns whose only cuts are the ones stated, ``{"Temperature": [72.3]}``.

    Attributes
    ----------
    classes_ : array (K,)
        The labels.
    nodes_ : Nodes
        The tree.
    schema_ : Schema or None
        What the columns are, where some are nominal.
    fingerprint_ : Fingerprint
        Which rows were learned from.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    ``gain(S, A) = H(S) - sum_v |S_v| / |S| H(S_v)``. A node becomes a leaf when no column gains
    anything. Ties go to the first column, and the trace reports them. Cost: the rows of all nodes
    times the columns.

    References
    ----------
    J. R. Quinlan: Induction of decision trees. Machine Learning 1, 1986.

    T. M. Mitchell: Machine Learning. McGraw-Hill 1997, chapter 3.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.tree import ID3Classifier
    >>> X, y = load_play_tennis(return_X_y=True)
    >>> model = ID3Classifier().fit(X, y)
    >>> model.predict([["Sunny", "Cool", "High", "Strong"]]).tolist()
    ['No']
    """

    parameters = {
        "max_depth": Integer(low=1, none=True),
        "categorical_features": Either(Choice("from_dtype", None), ArrayLike()),
        "thresholds": AnyValue(),
    }

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        categorical_features: Any = "from_dtype",
        thresholds: Any = None,
    ) -> None:
        self.max_depth = max_depth
        self.categorical_features = categorical_features
        self.thresholds = thresholds

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ID3Classifier:
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
        names = self._column_names()
        depth = 1 << 30 if self.max_depth is None else int(self.max_depth)
        plan = Plan(
            Entropy(), Stopping(max_depth=depth, least_gain=_NOTHING), missing="known",
            tell=teller(names),
        )  # fmt: skip
        self.nodes_ = self._grow(
            rows, codes[:, None], weight, plan, len(self.classes_), nominal="multiway",
            thresholds=thresholds_of(self.thresholds, names),
        )  # fmt: skip
        return self
