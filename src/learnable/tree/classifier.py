"""Decision trees for classes: questions about one column at a time, chosen greedily.

    split = argmax over columns and cuts of  w I(node) - sum_b w_b I(branch b)

with an impurity ``I`` (:mod:`learnable.tree.criteria`). Numeric columns are cut at thresholds,
nominal ones into a branch for each value or into two sets of values, missing cells go to the side
that gains more.

Cost: the rows of every node times the columns to learn, after a sort of each column; the depth for
each row to answer.

References
----------
.. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone: Classification and Regression Trees.
   Wadsworth 1984.
.. [2] J. R. Quinlan: C4.5, Programs for Machine Learning. Morgan Kaufmann 1993.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.certificate import Certificate
from learnable.core.errors import ParameterError
from learnable.estimator.classifier import Classifier
from learnable.estimator.joining import Joining
from learnable.estimator.labels import as_labels
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import Choice, Either
from learnable.estimator.schema_state import Columns
from learnable.estimator.state import Count, Integer, Labels, Names
from learnable.estimator.statistic_state import FINGERPRINT
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen
from learnable.theory.occam import error_by_length
from learnable.theory.statements import accuracy_on_new_rows
from learnable.tree.base import TreeLearner
from learnable.tree.complexity import path_of
from learnable.tree.criteria import CLASSIFICATION
from learnable.tree.growing import Plan
from learnable.tree.length import description_length
from learnable.tree.options import (
    COMMON,
    POLICY,
    ClassWeights,
    CriterionRule,
    column_count,
    drawing_of,
    stopping_of,
    teller,
    thresholds_of,
)
from learnable.tree.selection import by_ratio
from learnable.tree.state import nodes_state


class TreeClassifier(TreeLearner, Classifier):
    """Base of the trees that answer classes."""

    fitted_state = {
        "classes_": Labels("K"),
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "schema_": Columns("d", optional=True),
        "nodes_": nodes_state("K", shares=True),
        "fingerprint_": FINGERPRINT,
    }

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    @answering
    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class: its share at the leaf."""
        leaves = self._leaves(self._read(X))
        return self.nodes_.value[leaves]

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the log of the probability of each class."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    @answering
    def predict(self, X: Any) -> Any:
        """Return the most frequent class at the leaf of each row, the first of equals."""
        leaves = self._leaves(self._read(X))
        return self.classes_[self.nodes_.value.argmax(axis=1)[leaves]]

    def _weights(self, sample_weight: Any, codes: NDArray[np.int32], class_weight: Any) -> Floats:
        """Return the weight of every row: its own times that of its class."""
        weight = self._read_weights(sample_weight, len(codes))
        if class_weight is None:
            return weight
        of_class = self._class_weights(class_weight, codes)[codes]
        return frozen(of_class * weight if len(weight) else of_class)

    def _class_weights(self, stated: Any, codes: NDArray[np.int32]) -> Floats:
        k = len(self.classes_)
        if isinstance(stated, str):
            return len(codes) / (k * np.bincount(codes, minlength=k))
        labels = self.classes_.tolist()
        if unknown := [label for label in stated if label not in labels]:
            msg = f"class_weight names {unknown[0]!r}, which is no class; there are {labels}"
            raise ParameterError(msg)
        found = np.array([float(stated.get(label, 1.0)) for label in labels])
        if not (np.isfinite(found).all() and (found >= 0.0).all() and found[codes].any()):
            msg = f"class_weight must hold finite weights, not all of them 0, not {stated!r}"
            raise ParameterError(msg)
        return found

    # ------------------------------------------------------------------------------------- reasons

    def _target_of(self, value: Floats) -> Any:
        best = int(value.argmax())
        return lambda shares: shares[best]

    def _answer_of(self, value: Floats) -> Any:
        label = self.classes_[int(value.argmax())]
        return label.item() if isinstance(label, np.generic) else label

    def _unit(self, value: Floats) -> str:
        return f"share of {self._answer_of(value)}"

    def _leaf_text(self, node: int) -> str:
        value, weight = self.nodes_.value[node], self.nodes_.weight[node]
        best = int(value.argmax())
        return f"{self.classes_[best]} ({weight * value[best]:.6g} of {weight:.6g})"

    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:
        if role == "test":
            return accuracy_on_new_rows(self, X, y, role, confidence)
        truth = as_labels(y, learner=type(self).__name__)
        wrong = int((np.asarray(self.predict(X)) != truth).sum())
        bits = description_length(
            self.nodes_, self.schema_, self.n_features_in_, len(self.classes_)
        )
        return error_by_length(wrong, len(truth), bits, confidence)


class DecisionTreeClassifier(TreeClassifier):
    """A tree of questions that ends in classes.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "gain_ratio", "dkm"} or record, default="gini"
        What a split is judged by.
    splitter : {"best"}
        Every cut is looked at.
    max_depth : int, optional
        Most questions on a path.
    min_samples_split, min_samples_leaf : int or float
        Rows that a node must hold to be divided, and that every branch must hold; a float is a
        share of all rows.
    min_weight_fraction_leaf : float, default=0
        Share of the weight that every branch must hold.
    max_features : int, float, "sqrt" or "log2", optional
        Columns that a node looks at, drawn anew for each; all by default.
    random_state : int, optional
        Seed of this draw; without one nothing is random.
    max_leaf_nodes : int, optional
        Leaves; the node that gains most is divided first.
    min_impurity_decrease : float, default=0
        Least decrease of impurity, weighed by the share of the rows.
    class_weight : dict or "balanced", optional
        Weights of the classes.
    ccp_alpha : float, default=0
        Prune to the smallest subtree of least cost and ``ccp_alpha`` a leaf.
    categorical_features : "from_dtype", None, list or mask, default="from_dtype"
        Nominal columns: by their type in a frame or table, or by name, place or mask.
    nominal : {"multiway", "subset"}, default="subset"
        A branch for each value, or two sets of values.
    max_bins : int, optional
        Look at quantiles alone; exact by default.
    missing : {"learned", "own", "majority"}, default="learned"
        Missing cells go to the side that gains more, have a branch of their own, or are left out
        of the score and go to the larger side.
    thresholds : dict, optional
        Columns whose only cuts are the ones stated, ``{"Temperature": [72.3]}``.

    Attributes
    ----------
    classes_ : array (K,)
        The labels.
    n_classes_, n_outputs_, max_features_ : int
        Their number, 1, and how many columns a node looked at.
    nodes_ : Nodes
        The tree.
    tree_ : TreeView
        The same under scikit-learn's names.
    feature_importances_ : array (d,)
        Share of each column in the decrease of impurity.
    schema_ : Schema or None
        What the columns are, where some are nominal.
    fingerprint_ : Fingerprint
        Which rows were learned from.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    Ties go to the first cut of the first column, and the trace reports them; nothing is random but
    ``max_features``. Cells are compared as float64, so that 16777216 and 16777217 are two values. A
    threshold lies half way between two values of the node. Cost: the rows of all nodes times the
    columns.

    References
    ----------
    L. Breiman et al.: Classification and Regression Trees. Wadsworth 1984.

    J. R. Quinlan: C4.5, Programs for Machine Learning. Morgan Kaufmann 1993.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.tree import DecisionTreeClassifier, export_text
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    >>> model.predict(X[[0, 60, 120]]).tolist()
    ['setosa', 'versicolor', 'virginica']
    >>> model.get_n_leaves()
    3
    """

    joins = Joining(
        "a decision tree",
        ("classification",),
        "numbers",
        cost=lambda n, d, k: 5e-3 + 1e-7 * n * d + 1e-9 * n * k,
        bits=lambda model, n: description_length(  # noqa: ARG005 (the length is that of the tree)
            model.nodes_, model.schema_, model.n_features_in_, len(model.classes_)
        ),
        space={"max_leaf_nodes": (8, 4, 16, 64)},
        readable=True,
    )
    parameters = {
        **COMMON,
        "criterion": CriterionRule(CLASSIFICATION),
        "class_weight": Either(Choice(None, "balanced"), ClassWeights()),
    }
    fitted_state = {**TreeClassifier.fitted_state, "max_features_": Integer(low=1)}
    n_outputs_ = 1

    def __init__(
        self,
        *,
        criterion: Any = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,  # noqa: PYI041 (1 and 1.0 mean different things)
        min_samples_leaf: int | float = 1,  # noqa: PYI041
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        categorical_features: Any = "from_dtype",
        nominal: str = "subset",
        max_bins: int | None = None,
        missing: str = "learned",
        thresholds: Any = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.categorical_features = categorical_features
        self.nominal = nominal
        self.max_bins = max_bins
        self.missing = missing
        self.thresholds = thresholds

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> DecisionTreeClassifier:
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
        nodes = self._grown(X, y, sample_weight)
        self.nodes_ = self._prune(nodes, float(self.ccp_alpha))
        return self

    def _grown(self, X: Any, y: Any, sample_weight: Any) -> Any:
        rows = self._read_training(X, self.categorical_features)
        codes = self._read_answers(y, rows)
        weight = self._weights(sample_weight, codes, self.class_weight)
        self.max_features_ = column_count(self.max_features, rows.d)
        names = self._column_names()
        criterion = CLASSIFICATION.get(self.criterion) if isinstance(self.criterion, str) else None
        plan = Plan(
            self.criterion if criterion is None else criterion(),
            stopping_of(self, rows.n, weight if len(weight) else NO_WEIGHTS),
            missing=POLICY[self.missing],
            rank=by_ratio if self.criterion == "gain_ratio" else None,
            drawing=drawing_of(self, rows.d),
            tell=teller(names),
        )
        return self._grow(
            rows, codes[:, None], weight, plan, len(self.classes_), nominal=self.nominal,
            max_bins=self.max_bins, thresholds=thresholds_of(self.thresholds, names),
        )  # fmt: skip

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Return every ``ccp_alpha`` at which the tree changes, and the impurity of its leaves.

        Parameters
        ----------
        X, y, sample_weight
            As in :meth:`fit`.
        """
        from sklearn.utils import Bunch

        model = type(self)(**{**self.get_params(deep=False), "ccp_alpha": 0.0})
        return Bunch(**path_of(model.fit(X, y, sample_weight).nodes_))
