"""What every classifier shares: labels in and out, probabilities, the score."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.data import Rows
from learnable.estimator.labels import as_labels, encode, encode_known, refuse_no_classes
from learnable.estimator.learner import Learner, same_length


class Classifier(Learner):
    """Base of classifiers.

    Examples
    --------
    >>> from learnable.dummy import DummyClassifier
    >>> DummyClassifier().fit([[0], [0], [0]], [1, 1, 2]).score([[0]], [1])
    1.0
    """

    kind = "classifier"

    def _read_answers(self, y: Any, rows: Rows, classes: Any = None) -> NDArray[np.int32]:
        """Learn ``classes_`` (or take the stated ones) and return the code of each row."""
        labels = as_labels(y, learner=type(self).__name__)
        same_length(rows.n, len(labels))
        if classes is None:
            self.classes_, codes = encode(labels)
            return codes
        self.classes_ = _stated(classes)
        return self._codes_of(labels)

    def _first_or_known(
        self, y: Any, rows: Rows, classes: Any, *, first: bool
    ) -> NDArray[np.int32]:
        """Return the codes of one part of the rows: the first part states all classes."""
        if first:
            if classes is None:
                msg = "classes must be passed on the first call to partial_fit."
                raise ParameterError(msg)
            return self._read_answers(y, rows, classes)
        if classes is not None and not np.array_equal(_stated(classes), self.classes_):
            msg = (
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: "
                f"{self.classes_!r}"
            )
            raise ParameterError(msg)
        labels = as_labels(y, learner=type(self).__name__)
        same_length(rows.n, len(labels))
        return self._codes_of(labels)

    def _codes_of(self, labels: NDArray[Any]) -> NDArray[np.int32]:
        """Return the codes of labels that must be known classes."""
        refuse_no_classes(labels)
        codes = encode_known(labels, self.classes_)
        if (codes < 0).any():
            row = int(np.flatnonzero(codes < 0)[0])
            raise DataError(
                f"The target label(s) {labels[row : row + 1].tolist()} in y do not exist in the "
                f"initial classes {self.classes_.tolist()}.",
                row=row,
                remedy="State all classes in the first call of partial_fit.",
            )
        return codes

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of right answers (weighted, if weights are given)."""
        truth = as_labels(y, learner=type(self).__name__)
        answers = np.asarray(self.predict(X))  # type: ignore[attr-defined]
        same_length(len(answers), len(truth))
        weight = self._read_weights(sample_weight, len(truth))
        return float(np.average(answers == truth, weights=weight if len(weight) else None))


def _stated(classes: Any) -> NDArray[Any]:
    """Return the different classes that a caller of ``partial_fit`` states, in order."""
    try:
        labels = as_labels(classes, learner="partial_fit")
        if not len(labels):
            msg = "classes of partial_fit must hold at least one label"
            raise ParameterError(msg)
        return encode(labels)[0]
    except DataError as error:
        msg = f"classes of partial_fit cannot be labels: {error}"
        raise ParameterError(msg) from error
