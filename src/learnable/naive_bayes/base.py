"""What every naive Bayes model shares: from joint log likelihoods to answers and reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.explanation import Explanation, Part
from learnable.core.warning import warn
from learnable.data import Rows
from learnable.estimator.classifier import Classifier
from learnable.estimator.learner import answering
from learnable.loops.vector_math import exp, log_softmax
from learnable.stats.arrays import Floats
from learnable.theory.statements import accuracy_on_new_rows


class NaiveBayes(Classifier):
    """Base of the naive Bayes models; a subclass gives joint log likelihoods and their parts."""

    _log_prior: Floats
    _joint: Callable[[Rows], Floats]
    _parts: Callable[[Rows, int], list[tuple[str, Any, Floats]]]

    @answering
    def predict(self, X: Any) -> Any:
        """Return the most probable class of each row."""
        best = self._decided(self._joint(self._read(X))).argmax(axis=1)
        return self.classes_[best]

    @answering
    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return ``log P(class) + log P(row | class)``, one column a class."""
        return self._joint(self._read(X))

    @answering
    def predict_log_proba(self, X: Any) -> Floats:
        """Return the log of the probability of each class."""
        return log_softmax(self._decided(self._joint(self._read(X))))

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each class, a row sums to 1."""
        return np.asarray(exp(self.predict_log_proba(X)))

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        rows = self._read(X)
        joint = self._decided(self._joint(rows))
        return [self._reasons(rows, i, joint[i]) for i in range(rows.n)]

    def _decided(self, joint: Floats) -> Floats:
        """Answer rows that no class can have by the priors, and name the first of them."""
        lost = np.flatnonzero(~np.isfinite(joint).any(axis=1))
        if not len(lost):
            return joint
        warn(
            f"{type(self).__name__}: row {lost[0]} is impossible in every class and answered by "
            f"the priors ({len(lost)} such rows). Smoothing avoids this.",
        )
        joint = joint.copy()
        joint[lost] = self._log_prior
        return joint

    def _reasons(self, rows: Rows, i: int, joint: Floats) -> Explanation:
        """Split the log odds of the best class against the next into prior and columns."""
        order = np.argsort(-joint, kind="stable")
        best, other = order[0], order[min(1, len(order) - 1)]
        names = self.classes_
        probability = float(np.exp(log_softmax(joint[None])[0, best]))
        parts = [
            Part(label, value, self._evidence(logs[best] - logs[other], names[best], names[other]),
                 _difference(logs[best], logs[other]))
            for label, value, logs in self._parts(rows, i)
        ]  # fmt: skip
        score = sum(part.weight for part in parts)
        summary = f"{names[best]} with probability {probability:.4g}"
        if best != other:
            summary += f", rather than {names[other]}: log odds {score:.4f}"
        unit = f"log odds of {names[best]} against {names[other]}"
        return Explanation(
            _plain(names[best]), "contributions", tuple(parts), score, unit, summary + "."
        )

    @staticmethod
    def _evidence(difference: float, best: Any, other: Any) -> str:
        if not difference or best == other:
            return "says nothing either way"
        return f"speaks for {best if difference > 0 else other}"

    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:
        return accuracy_on_new_rows(self, X, y, role, confidence)


def _difference(a: float, b: float) -> float:
    """Subtract logs; impossible under both says nothing."""
    return 0.0 if a == b else float(a - b)


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
