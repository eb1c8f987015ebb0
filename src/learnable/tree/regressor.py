"""Decision trees for numbers: questions about one column at a time, the mean at every leaf.

    split = argmax over columns and cuts of  w I(node) - sum_b w_b I(branch b)

with the impurity ``I`` the mean squared distance to the mean, the mean distance to the median, or
half the Poisson deviance (:mod:`learnable.tree.criteria`).

Cost: the rows of every node times the columns to learn, after a sort of each column (times log n
for the absolute error); the depth for each row to answer.

References
----------
.. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone: Classification and Regression Trees.
   Wadsworth 1984, chapter 8.
.. [2] W. D. Fisher: On grouping for maximum homogeneity. JASA 53, 1958.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, ParameterError
from learnable.estimator.joining import Joining, half_log
from learnable.estimator.learner import answering, fitting
from learnable.estimator.regressor import Regressor
from learnable.estimator.schema_state import Columns
from learnable.estimator.state import Count, Integer, Names
from learnable.estimator.statistic_state import FINGERPRINT
from learnable.stats.arrays import Floats
from learnable.theory.statements import error_on_new_rows
from learnable.tree.base import TreeLearner
from learnable.tree.complexity import path_of
from learnable.tree.criteria import REGRESSION, AbsoluteError, Poisson
from learnable.tree.growing import Plan
from learnable.tree.length import description_length
from learnable.tree.options import (
    COMMON,
    POLICY,
    CriterionRule,
    column_count,
    drawing_of,
    stopping_of,
    teller,
    thresholds_of,
)
from learnable.tree.reading import sizes_of
from learnable.tree.state import nodes_state


class TreeRegressor(TreeLearner, Regressor):
    """Base of the trees that answer numbers."""

    multi_output = True
    fitted_state = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "n_outputs_": Count("m", low=1),
        "schema_": Columns("d", optional=True),
        "nodes_": nodes_state("m", shares=False),
        "fingerprint_": FINGERPRINT,
    }

    @answering
    def predict(self, X: Any) -> Any:
        """Return the value of the leaf of each row."""
        leaves = self._leaves(self._read(X))
        found = self.nodes_.value[leaves]
        return found[:, 0] if self.n_outputs_ == 1 else found

    # ------------------------------------------------------------------------------------- reasons

    def _target_of(self, value: Floats) -> Any:  # noqa: ARG002
        return lambda values: values[0]

    def _answer_of(self, value: Floats) -> Any:
        return float(value[0]) if self.n_outputs_ == 1 else value.tolist()

    def _unit(self, value: Floats) -> str:  # noqa: ARG002
        return "answer"

    def _leaf_text(self, node: int) -> str:
        value = ", ".join(f"{number:.6g}" for number in self.nodes_.value[node])
        return f"{value} ({self.nodes_.weight[node]:.6g} rows)"

    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:
        return error_on_new_rows(self, X, y, role, confidence)


class DecisionTreeRegressor(TreeRegressor):
    """A tree of questions that ends in numbers.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson"} or record, default="squared_error"
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
        Columns whose only cuts are the ones stated.

    Attributes
    ----------
    n_outputs_, max_features_ : int
        Numbers that a row is answered by, and how many columns a node looked at.
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
    Answers are summed about the mean of their node, so that answers of 1e8 + .1 lose no digits.
    Ties go to the first cut of the first column. Cost: the rows of all nodes times the columns.

    References
    ----------
    L. Breiman et al.: Classification and Regression Trees. Wadsworth 1984, chapter 8.

    Examples
    --------
    >>> from learnable.tree import DecisionTreeRegressor
    >>> model = DecisionTreeRegressor(max_depth=1).fit([[0], [1], [2], [3]], [1.0, 1.0, 5.0, 7.0])
    >>> model.predict([[0.2], [2.9]]).tolist()
    [1.0, 6.0]
    """

    joins = Joining(
        "a regression tree",
        ("regression",),
        "numbers",
        cost=lambda n, d, k: 5e-3 + 1e-7 * n * d + 0.0 * k,
        bits=lambda model, n: (
            description_length(model.nodes_, model.schema_, model.n_features_in_, 1)
            + half_log(len(model.nodes_.leaves), n)
        ),
        space={"max_leaf_nodes": (8, 4, 16, 64)},
        readable=True,
    )
    parameters = {**COMMON, "criterion": CriterionRule(REGRESSION)}
    fitted_state = {**TreeRegressor.fitted_state, "max_features_": Integer(low=1)}

    def __init__(
        self,
        *,
        criterion: Any = "squared_error",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,  # noqa: PYI041 (1 and 1.0 mean different things)
        min_samples_leaf: int | float = 1,  # noqa: PYI041
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
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
        self.ccp_alpha = ccp_alpha
        self.categorical_features = categorical_features
        self.nominal = nominal
        self.max_bins = max_bins
        self.missing = missing
        self.thresholds = thresholds

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> DecisionTreeRegressor:
        """Learn from rows and their answers.

        Parameters
        ----------
        X : array (n, d), data frame or Table
            Numbers, and names of values where the columns say so; NaN is missing.
        y : array (n,) or (n, m)
            Answers of each row.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        rows = self._read_training(X, self.categorical_features)
        answers = self._read_answers(y, rows)
        self.n_outputs_ = 1 if answers.ndim == 1 else answers.shape[1]
        answers = np.ascontiguousarray(answers.reshape(rows.n, -1))
        weight = self._read_weights(sample_weight, rows.n)
        nodes = self._grow_for(rows, answers, weight)
        self.nodes_ = self._prune(nodes, float(self.ccp_alpha))
        return self

    def _grow_for(self, rows: Any, answers: Floats, weight: Floats) -> Any:
        self.max_features_ = column_count(self.max_features, rows.d)
        names = self._column_names()
        stated = self.criterion
        cls = REGRESSION[stated] if isinstance(stated, str) else type(stated)
        if cls is Poisson:
            _refuse_negative(answers)
        if cls is AbsoluteError and (
            self.missing != "learned" or sizes_of(self.schema_, rows.d).any()
        ):
            msg = (
                'criterion="absolute_error" takes numeric columns and missing="learned"; choose '
                '"squared_error" for nominal columns'
            )
            raise ParameterError(msg)
        plan = Plan(
            cls(outputs=self.n_outputs_),
            stopping_of(self, rows.n, weight),
            missing=POLICY[self.missing],
            drawing=drawing_of(self, rows.d),
            tell=teller(names),
        )
        return self._grow(
            rows, answers, weight, plan, self.n_outputs_, nominal=self.nominal,
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


def _refuse_negative(answers: Floats) -> None:
    if (answers < 0.0).any():
        row = int(np.argwhere(answers < 0.0)[0][0])
        raise DataError(
            "The Poisson criterion takes answers that are not negative.",
            row=row,
            value=float(answers[row].min()),
            remedy='Choose "squared_error".',
        )
    if not (answers.sum(axis=0) > 0.0).all():
        raise DataError(
            "The Poisson criterion takes answers of a positive sum.",
            remedy='Choose "squared_error".',
        )
