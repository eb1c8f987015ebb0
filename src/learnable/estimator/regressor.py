"""What every regressor shares: numbers in and out, the score."""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.data import Rows
from learnable.estimator.learner import Learner, same_length
from learnable.stats.arrays import Floats


class Regressor(Learner):
    """Base of regressors.

    Examples
    --------
    >>> from learnable.dummy import DummyRegressor
    >>> DummyRegressor().fit([[0], [0]], [1.0, 3.0]).score([[0], [0]], [1.0, 3.0])
    0.0
    """

    kind = "regressor"

    def _read_answers(self, y: Any, rows: Rows) -> Floats:
        """Return the answers as floats, one column an output."""
        values = as_numbers(y, learner=type(self).__name__)
        same_length(rows.n, len(values))
        return values

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R2, the share of the variance explained (1 or 0 where there is none)."""
        truth = as_numbers(y, learner=type(self).__name__)
        answer = np.asarray(self.predict(X), dtype=float)  # type: ignore[attr-defined]
        same_length(len(answer), len(truth))
        if answer.size != truth.size:
            raise DataError(f"The answers have shape {answer.shape}, the true ones {truth.shape}.")
        answer = answer.reshape(truth.shape)
        given = self._read_weights(sample_weight, len(truth))
        weights = given if len(given) else None
        error = np.average((truth - answer) ** 2, axis=0, weights=weights)
        centred = truth - truth[0]  # exactly 0 where the answers are constant
        centred -= np.average(centred, axis=0, weights=weights)
        spread = np.average(centred**2, axis=0, weights=weights)
        constant = np.where(error == 0.0, 1.0, 0.0)
        return float(
            np.mean(
                np.where(spread > 0.0, 1.0 - error / np.where(spread > 0.0, spread, 1.0), constant)
            )
        )


def as_numbers(y: Any, *, learner: str) -> Floats:
    """Turn what a person passes as ``y`` into finite floats of one or two dimensions."""
    if y is None:
        raise DataError(
            f"{learner} requires y to be passed, but the target y is None.",
            remedy="Pass the answers as the second argument of fit.",
        )
    try:
        array = np.asarray(y.astype(float).filled(np.nan) if np.ma.is_masked(y) else y)
        values = array.astype(np.float64, copy=False) if array.dtype.kind != "c" else None
    except (TypeError, ValueError) as error:
        raise DataError(
            "y holds text where a number is expected.", remedy="Use a classifier."
        ) from error
    if values is None:
        raise DataError("Complex data not supported.", remedy="Give real answers.")
    if values.ndim not in {1, 2}:
        raise DataError(f"y should be a 1d or 2d array, got shape {values.shape} instead.")
    if not np.isfinite(values).all():
        row = int(np.argwhere(~np.isfinite(values))[0][0])
        what = "NaN" if np.isnan(values[row]).any() else "infinity"
        raise DataError(
            f"Input y contains {what}.", row=row, remedy="Drop the rows without an answer."
        )
    return values
