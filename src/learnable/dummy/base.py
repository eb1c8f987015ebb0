"""What both dummies share: rows are counted and never looked at."""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.data.reading import column_names
from learnable.estimator.learner import Learner, same_length


class Dummy(Learner):
    """Base of the dummies: ``X`` may hold anything, or be None in ``fit`` and ``score``."""

    exempt = {"a_cell_that_is_no_number_is_named": "the cells are never looked at"}
    takes_sparse = True
    allows_nan = True
    takes_strings = True
    multi_output = True

    def __sklearn_is_fitted__(self) -> bool:
        """Whether ``fit`` has been called (the rows need not have columns)."""
        return "n_outputs_" in vars(self)

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: any rows will do, and no score is expected."""
        tags = super().__sklearn_tags__()
        tags.no_validation = True
        tags.input_tags.allow_nan = True
        answers = tags.classifier_tags or tags.regressor_tags
        answers.poor_score = True
        return tags

    def _look_at_columns(self, X: Any, answers: int) -> None:
        """Learn number and names of the columns, where there are any."""
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
        if answers == 0:
            raise DataError("y must not be empty.", remedy="Give at least one row.")
        if X is None:
            return
        same_length(row_count(X), answers)
        shape = shape_of(X)
        if len(shape) == 2:
            self.n_features_in_ = int(shape[1])
        names = column_names(list(X.columns)) if hasattr(X, "columns") else None
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)


def shape_of(X: Any) -> tuple[int, ...]:
    """Return the shape of rows, whatever they hold; a single number has none.

    Examples
    --------
    >>> from learnable.dummy.base import shape_of
    >>> shape_of([["one", None], ["two", 3]]), shape_of(["one", ["two"]])
    ((2, 2), (2,))
    """
    if hasattr(X, "shape"):
        return tuple(X.shape)
    if hasattr(X, "__array__"):
        return np.asarray(X).shape
    try:
        return np.shape(X)
    except ValueError:
        return (len(X),)


def row_count(X: Any) -> int:
    """Return how many rows there are, whatever they hold.

    Examples
    --------
    >>> from learnable.dummy.base import row_count
    >>> row_count(["one", "two", "three"])
    3
    """
    shape = shape_of(X)
    if not shape:
        # scikit-learn's contract wants a TypeError here.
        msg = f"Expected sequence or array-like, got {type(X).__name__}. Pass the rows."
        raise TypeError(msg)
    return int(shape[0])


def as_one_column(answers: Any) -> Any:
    """Return two-dimensional answers, one column an output."""
    return answers[:, None] if answers.ndim == 1 else answers
