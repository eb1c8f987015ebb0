"""Nearest mean: every row belongs to the class whose mean is nearest.

    predict(x) = argmin_c sum_j (x_j - mean_cj)^2

The means come from :class:`~learnable.stats.Moments`, so learning is one pass.

Cost: 2 n d to learn, n K d to answer, K d numbers.

References
----------
.. [1] R. Tibshirani et al.: Diagnosis of multiple cancer types by shrunken centroids of gene
   expression. PNAS 99, 2002.
.. [2] T. Hastie, R. Tibshirani, J. Friedman: The Elements of Statistical Learning. Springer 2009,
   section 18.2.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from learnable.core import Certificate, Explanation, Part, emit, runner
from learnable.data import Block, Rows
from learnable.data.summaries import fold_moments
from learnable.estimator import Classifier, answering, fitting, register
from learnable.estimator.state import Count, Labels, Names
from learnable.estimator.statistic_state import MOMENTS
from learnable.stats import Moments
from learnable.theory.statements import accuracy_on_new_rows


def solve(moments: Moments) -> np.ndarray:
    """Turn the statistic into the model."""
    return moments.mean


def squared_distances(means: np.ndarray, block: Block) -> np.ndarray:
    """Answer for one block; a function of the module, so that a cluster can run it."""
    X = block.finite_array()
    return ((X[:, None, :] - means) ** 2).sum(axis=2)


@register
class NearestMean(Classifier):
    """The class whose mean is nearest.

    Attributes
    ----------
    classes_ : array (K,)
        The labels.
    means_ : array (K, d)
        Mean of each class.

    Examples
    --------
    >>> NearestMean().fit([[0.0], [1.0], [9.0]], ["low", "low", "high"]).predict([[2.0]]).tolist()
    ['low']
    """

    exempt = {"units_do_not_matter": "a column in other units makes other distances"}
    parameters = {}
    fitted_state = {
        "classes_": Labels("K"),
        "statistic_": MOMENTS,
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
    }
    derived = ("means_",)

    @fitting
    def fit(self, X, y, sample_weight=None):
        """Learn from rows and their classes."""
        rows = self._read(X, reset=True)
        codes = self._read_answers(y, rows)
        weight = self._read_weights(sample_weight, rows.n)
        self.statistic_ = fold_moments(rows, codes, len(self.classes_), weight)
        self._derive()
        emit("means", 0, means=self.means_.tolist())
        return self

    def _derive(self):
        self.means_ = solve(self.statistic_)

    def _distances(self, rows: Rows) -> np.ndarray:
        task = partial(squared_distances, self.means_)
        return np.concatenate(list(runner()(task, rows.blocks())))

    @answering
    def predict(self, X):
        """Return the class of the nearest mean."""
        nearest = self._distances(self._read(X)).argmin(axis=1)
        return self.classes_[nearest]

    @answering
    def _explain(self, X) -> list[Explanation]:
        rows = self._read(X)
        return [self._reasons(rows.row(i)) for i in range(rows.n)]

    def _reasons(self, x: np.ndarray) -> Explanation:
        """Split the lead of the nearest mean over the next one into the columns."""
        squares = (x - self.means_) ** 2
        order = np.argsort(squares.sum(axis=1), kind="stable")
        best, other = order[0], order[min(1, len(order) - 1)]
        lead = squares[other] - squares[best]
        evidence = [f"{np.sqrt(square):.4g} from the mean" for square in squares[best]]
        columns = zip(self._column_names(), x.tolist(), evidence, lead.tolist(), strict=True)
        label = self.classes_[best].item()
        return Explanation(
            prediction=label,
            kind="contributions",
            parts=tuple(Part(*column) for column in columns),
            score=float(lead.sum()),
            unit="squared distance by which the next mean is farther",
            summary=f"Nearest to the mean of {label}.",
        )

    def _certify(self, X, y, role, confidence) -> Certificate:
        return accuracy_on_new_rows(self, X, y, role, confidence)
