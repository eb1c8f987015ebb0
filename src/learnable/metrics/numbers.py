"""Right and predicted numbers side by side: checked once, as columns of outputs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.loops.scanning import all_finite
from learnable.metrics.answers import weights
from learnable.stats.arrays import Floats, frozen
from learnable.stats.residuals import Residuals


class Numbers(NamedTuple):
    """Right and predicted numbers, (n, outputs), and weights."""

    true: Floats
    predicted: Floats
    weight: Floats


def numbers(y_true: Any, y_pred: Any, sample_weight: Any = None) -> Numbers:
    """Check right and predicted numbers.

    Examples
    --------
    >>> from learnable.metrics.numbers import numbers
    >>> numbers([1, 2], [1.5, 2]).predicted.ravel()
    array([1.5, 2. ])
    """
    found = _side_by_side(y_true, y_pred, sample_weight)
    _refuse_gaps(found.true, "y_true")
    _refuse_gaps(found.predicted, "y_pred")
    return found


def residuals(y_true: Any, y_pred: Any, sample_weight: Any = None) -> Residuals:
    """Check right and predicted numbers and return their statistic, reading them once.

    Sums over numbers that are not finite are not finite either, so only then each is looked at.

    Examples
    --------
    >>> from learnable.metrics.numbers import residuals
    >>> residuals([1, 2], [1.5, 2]).absolute
    array([0.5])
    """
    given = _side_by_side(y_true, y_pred, sample_weight)
    found = Residuals.of(*given)
    if len(given.weight) or not all(np.isfinite(part).all() for part in found[2:10]):
        _refuse_gaps(given.true, "y_true")
        _refuse_gaps(given.predicted, "y_pred")
    return found


def _side_by_side(y_true: Any, y_pred: Any, sample_weight: Any) -> Numbers:
    true, predicted = _column(y_true, "y_true"), _column(y_pred, "y_pred")
    if true.shape != predicted.shape:
        what = "rows" if len(true) != len(predicted) else "outputs"
        msg = f"y_true and y_pred have a different number of {what}."
        raise DataError(msg, remedy="Give one prediction for each answer.")
    if not len(true):
        raise DataError("There are no rows to judge.", remedy="Give one row or more.")
    return Numbers(true, predicted, weights(sample_weight, len(true))[0])


def matrix(X: Any) -> Floats:
    """Check rows of numbers, (n, d).

    Examples
    --------
    >>> from learnable.metrics.numbers import matrix
    >>> matrix([[1, 2]]).dtype
    dtype('float64')
    """
    made = _column(X, "X")
    if np.ndim(X) != 2:
        msg = f"X has {np.ndim(X)} dimensions."
        raise DataError(msg, remedy="Give (n, d) numbers.")
    _refuse_gaps(made, "X")
    return made


def combined(each: Floats, multioutput: Any, variances: Floats | None = None) -> Any:
    """Return one number for all outputs, or one for each.

    ``"raw_values"``, ``"uniform_average"``, an array of weights, and, where variances are given,
    ``"variance_weighted"``.
    """
    if isinstance(multioutput, str):
        if multioutput == "raw_values":
            return each
        if multioutput == "uniform_average":
            return float(each.mean())
        if multioutput == "variance_weighted" and variances is not None:
            return float(np.average(each, weights=variances) if variances.any() else each.mean())
        msg = f"multioutput must be 'raw_values', 'uniform_average' or weights, not {multioutput!r}"
        raise ParameterError(msg)
    share = np.asarray(multioutput, dtype=np.float64)
    if share.shape != each.shape:
        msg = f"there are {len(each)} outputs and {share.size} custom weights"
        raise ParameterError(msg)
    return float(np.average(each, weights=share))


def _column(y: Any, name: str) -> Floats:
    array = np.asarray(y)
    if array.dtype.kind not in "iufb":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            msg = f"{name} holds what is no number."
            raise DataError(msg, remedy="Use measures of classification for labels.") from None
    if array.ndim not in (1, 2):
        msg = f"{name} has the shape {array.shape}."
        raise DataError(msg, remedy="Give (n,) or (n, outputs).")
    made = array.astype(np.float64, copy=False)
    return made[:, None] if made.ndim == 1 else made


def _refuse_gaps(made: Floats, name: str) -> None:
    if not all_finite(frozen(np.ascontiguousarray(made)).reshape(1, -1)):
        row = int(np.argwhere(~np.isfinite(made))[0][0])
        msg = f"Input contains NaN or infinity in {name}."
        raise DataError(msg, row=row, remedy="Drop the rows without an answer.")
