"""Right and predicted answers side by side: checked once, as codes or as indicators.

Labels of both sides are coded together, in order; several answers a row (a matrix of zeros and
ones, dense or sparse) become a matrix of truth values.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.core.loaded import is_sparse
from learnable.core.warning import warn
from learnable.estimator.labels import as_labels, encode, refuse_no_classes
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen
from learnable.stats.confusion import Confusion

_EXACT = 2.0**53


class Answers(NamedTuple):
    """One answer a row: codes of the labels in ``classes``."""

    classes: NDArray[Any]
    actual: NDArray[np.int32]
    predicted: NDArray[np.int32]
    weight: Floats
    whole: bool

    def table(self) -> Floats:
        """Return the weight of each pair of labels."""
        return Confusion.of(self.actual, self.predicted, len(self.classes), self.weight).table

    def right(self) -> NDArray[np.bool_]:
        """Return which rows are answered right."""
        return self.actual == self.predicted


class Indicators(NamedTuple):
    """Several answers a row: which labels it has and which were predicted, (n, labels)."""

    actual: NDArray[np.bool_]
    predicted: NDArray[np.bool_]
    weight: Floats
    whole: bool

    def right(self) -> NDArray[np.bool_]:
        """Return which rows are right in every label."""
        return np.asarray((self.actual == self.predicted).all(axis=1))


def answers(y_true: Any, y_pred: Any, sample_weight: Any = None) -> Answers | Indicators:
    """Check right and predicted answers and bring them into one form.

    Examples
    --------
    >>> from learnable.metrics.answers import answers
    >>> found = answers(["a", "b"], ["b", "b"])
    >>> found.classes.tolist(), found.actual.tolist(), found.predicted.tolist()
    (['a', 'b'], [0, 1], [1, 1])
    """
    sides = [_plain(y_true), _plain(y_pred)]
    if len(sides[0]) != len(sides[1]):
        msg = f"y_true has {len(sides[0])} rows and y_pred has {len(sides[1])}."
        raise DataError(msg, remedy="Give one prediction for each answer.")
    if not len(sides[0]):
        raise DataError("There are no rows to judge.", remedy="Give one row or more.")
    weight, whole = weights(sample_weight, len(sides[0]))
    several = [side.ndim == 2 for side in sides]
    if all(several):
        return _indicators(sides[0], sides[1], weight, whole)
    if any(several):
        msg = "One side has one answer a row, the other several."
        raise DataError(msg, remedy="Give both sides in the same form.")
    _same_kind(sides[0], sides[1])
    classes, codes = _encode(np.concatenate(sides))
    n = len(sides[0])
    return Answers(classes, codes[:n], codes[n:], weight, whole)


def one_answer(y_true: Any, y_pred: Any, sample_weight: Any = None) -> Answers:
    """Check answers where only one a row makes sense."""
    found = answers(y_true, y_pred, sample_weight)
    if isinstance(found, Indicators):
        msg = "multilabel-indicator is not supported: this measure takes one answer a row."
        raise DataError(msg, remedy="Judge one label at a time.")
    return found


def coded(y: Any) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Return the labels in order and the code of each row."""
    labels = _plain(y)
    if labels.ndim != 1:
        raise DataError("y has several answers a row.", remedy="Give one answer a row.")
    if not len(labels):
        raise DataError("There are no rows to judge.", remedy="Give one row or more.")
    return _encode(labels)


def weights(sample_weight: Any, n: int) -> tuple[Floats, bool]:
    """Return checked weights (none when all are 1) and whether they are whole by type."""
    if sample_weight is None:
        return NO_WEIGHTS, True
    given = np.asarray(sample_weight)
    if given.ndim == 0:
        given = np.full(n, given)
    if given.shape != (n,):
        msg = f"sample_weight has the shape {given.shape}, the rows are {n}."
        raise DataError(msg, remedy="Give one weight a row.")
    made = np.ascontiguousarray(given, dtype=np.float64)
    bad = ~(np.isfinite(made) & (made >= 0.0))
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        msg = "A weight is negative, NaN or infinite."
        raise DataError(msg, row=row, value=float(made[row]), remedy="Give weights of 0 or more.")
    if not made.any():
        raise DataError(
            "Every weight is zero: no row is left to judge.", remedy="Give a positive weight."
        )
    return frozen(made), given.dtype.kind in "iub"


def undefined(message: str) -> None:
    """Warn that a measure has no value, with the class of warning that programs filter on."""
    from sklearn.exceptions import UndefinedMetricWarning

    warn(message, UndefinedMetricWarning)


def _plain(y: Any) -> NDArray[Any]:
    """Return labels (n,) or indicators (n, labels)."""
    if is_sparse(y):
        return np.asarray(y.toarray())
    shape = np.shape(y) if hasattr(y, "shape") else ()
    array = np.asarray(y) if len(shape) == 2 or _nested(y) else as_labels(y, learner="A measure")
    if array.ndim == 2 and array.shape[1] == 1:
        return as_labels(array[:, 0], learner="A measure")
    return array


def _nested(y: Any) -> bool:
    return isinstance(y, (list, tuple)) and len(y) > 0 and np.ndim(y[0]) == 1


def _indicators(
    actual: NDArray[Any], predicted: NDArray[Any], weight: Floats, whole: bool
) -> Indicators:
    if actual.shape != predicted.shape:
        msg = f"y_true has the shape {actual.shape}, y_pred {predicted.shape}."
        raise DataError(msg, remedy="Give as many labels on both sides.")
    for side in (actual, predicted):
        if side.dtype.kind not in "iubf" or not ((side == 0) | (side == 1)).all():
            msg = "multiclass-multioutput is not supported: several answers a row are 0 or 1."
            raise DataError(msg, remedy="Judge one column at a time.")
    return Indicators(actual.astype(bool), predicted.astype(bool), weight, whole)


def _same_kind(actual: NDArray[Any], predicted: NDArray[Any]) -> None:
    """Refuse numbers beside text, which NumPy would turn into text without a word."""
    text = [side.dtype.kind == "U" or _holds_text(side) for side in (actual, predicted)]
    if text[0] != text[1]:
        names = ["text" if one else "numbers" for one in text]
        msg = f"Labels are a mix of kinds: y_true holds {names[0]}, y_pred {names[1]}."
        raise DataError(msg, remedy="Give labels of one kind.")


def _holds_text(side: NDArray[Any]) -> bool:
    return side.dtype.kind == "O" and len(side) > 0 and isinstance(side[0], str)


def _encode(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Code labels; whole numbers kept as floats take the short way of integers."""
    if labels.dtype.kind == "f":
        refuse_no_classes(labels)
        if np.abs(labels).max() < _EXACT:
            classes, codes = encode(labels.astype(np.int64))
            return classes.astype(labels.dtype), codes
    return encode(labels)
