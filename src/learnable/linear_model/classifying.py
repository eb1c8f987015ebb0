"""What linear classifiers share: scores of classes, and their reasons."""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError
from learnable.core.explanation import Explanation, Part
from learnable.estimator.classifier import Classifier
from learnable.estimator.learner import answering
from learnable.linear_model.base import contributions, scores
from learnable.linear_model.design import Design
from learnable.stats.arrays import Floats
from learnable.theory.statements import accuracy_on_new_rows


class LinearClassifier(Design, Classifier):
    """Base of classifiers whose scores are sums of columns times coefficients.

    Two classes share one line of coefficients: a positive score speaks for the second.
    """

    coef_: Floats
    intercept_: Floats
    takes_sparse = True
    score_unit = "score"

    def _lines(self) -> tuple[Floats, Floats]:
        coef = np.asarray(self.coef_.toarray() if hasattr(self.coef_, "toarray") else self.coef_)
        return coef, self.intercept_

    def _origin(self) -> Floats:
        """Return the point from which contributions count."""
        return np.zeros(self._lines()[0].shape[1])

    def _check_state(self) -> None:
        coef, intercept = self._lines()
        lines = 1 if len(self.classes_) == 2 else len(self.classes_)
        if coef.shape[1] != len(self._coefficient_names()):
            msg = "the coefficients are not as many as the columns"
            raise DataError(msg)
        if len(self.classes_) < 2 or len(coef) != lines or len(intercept) != lines:
            msg = "the lines of coefficients are not those of the classes"
            raise DataError(msg)
        super()._check_state()

    @answering
    def decision_function(self, X: Any) -> Floats:
        """Return the score of each class; of two classes, that of the second.

        Parameters
        ----------
        X : array (n, d), data frame, sparse matrix or Table
            Rows.
        """
        found = scores(self._read(X), *self._lines())
        return found[:, 0] if found.shape[1] == 1 else found

    @answering
    def predict(self, X: Any) -> Any:
        """Return the class with the highest score.

        Parameters
        ----------
        X : array (n, d), data frame, sparse matrix or Table
            Rows.
        """
        rows = self._read(X)
        return self.classes_[self._codes_of_scores(scores(rows, *self._lines()))]

    @staticmethod
    def _codes_of_scores(found: Floats) -> Any:
        return (found[:, 0] > 0.0).astype(int) if found.shape[1] == 1 else found.argmax(axis=1)

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        coef, intercept = self._lines()
        if len(coef) == 1:
            coef, intercept = (
                np.vstack([-coef, coef]) / 2.0,
                np.array([-1.0, 1.0]) * intercept / 2.0,
            )
            found = scores(rows, *self._lines())
            each = np.column_stack([-found[:, 0], found[:, 0]]) / 2.0
        else:
            found = each = scores(rows, coef, intercept)
        best = self._codes_of_scores(found)
        return [
            self._reasons(rows.row(i).astype(np.float64), each[i], int(best[i]), coef, intercept)
            for i in range(rows.n)
        ]

    def _reasons(
        self, row: Floats, each: Floats, best: int, coef: Floats, intercept: Floats
    ) -> Explanation:
        """Split the lead of the best class over the next one into the columns."""
        order = [k for k in np.argsort(-each, kind="stable") if k != best]
        other = int(order[0])
        line, base = coef[best] - coef[other], intercept[best] - intercept[other]
        origin = self._origin()
        parts = [Part("(start)", "", "an average row", float(base + line @ origin))]
        parts += contributions(
            self._column_names(), self._values(row), self._places(), line * (row - origin)
        )
        score = float(sum(part.weight for part in parts))
        winner, loser = self.classes_[best], self.classes_[other]
        label = winner.item() if isinstance(winner, np.generic) else winner
        summary = f"{label} rather than {loser}: {self.score_unit} {score:.4f}."
        unit = f"{self.score_unit} of {label} against {loser}"
        return Explanation(label, "contributions", tuple(parts), score, unit, summary)

    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:
        return accuracy_on_new_rows(self, X, y, role, confidence)

    def sparsify(self) -> Any:
        """Keep the coefficients as a sparse matrix."""
        from scipy.sparse import csr_matrix

        self._check_fitted()
        self.coef_ = csr_matrix(self._lines()[0])
        return self

    def densify(self) -> Any:
        """Keep the coefficients as an array."""
        self._check_fitted()
        self.coef_ = self._lines()[0]
        return self
