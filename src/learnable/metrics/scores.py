"""Answers beside scores: checked once, as a ranking of two classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.core.loaded import is_sparse
from learnable.loops.scanning import all_finite
from learnable.metrics.answers import coded, weights
from learnable.metrics.positives import positive_label
from learnable.stats.arrays import Floats, frozen
from learnable.stats.ranking import Ranking


def ranking(y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None) -> Ranking:
    """Return the ranking of the rows of one class among all.

    Examples
    --------
    >>> from learnable.metrics.scores import ranking
    >>> ranking([0, 1, 1], [0.2, 0.1, 0.7]).area()
    0.5
    """
    classes, codes = coded(y_true)
    if len(classes) > 2 and pos_label is None:
        msg = f"multiclass format is not supported: y_true has {len(classes)} classes."
        raise DataError(msg, remedy="Name the positive class in pos_label.")
    label = positive_label(classes, pos_label)
    place = np.flatnonzero(classes == label)
    code = int(place[0]) if len(place) else -1
    return ranked(codes == code, scores(y_score, len(codes)), sample_weight)


def ranked(positive: NDArray[np.bool_], score: Floats, sample_weight: Any) -> Ranking:
    """Return the ranking of checked rows."""
    return Ranking.of(score, positive, weights(sample_weight, len(score))[0])


def scores(y_score: Any, n: int, *, columns: bool = False) -> Floats:
    """Check scores: one a row, or one a row and class."""
    made = np.asarray(y_score, dtype=np.float64)
    if made.ndim == 2 and made.shape[1] == 1:
        made = made[:, 0]
    if made.ndim != 1 and not (columns and made.ndim == 2):
        msg = f"y_score should be a 1d array, got an array of shape {made.shape} instead."
        raise DataError(msg, remedy="Give the scores of the positive class.")
    if len(made) != n:
        msg = f"y_true has {n} rows and y_score has {len(made)}."
        raise DataError(msg, remedy="Give one score for each answer.")
    if not all_finite(frozen(np.ascontiguousarray(made)).reshape(1, -1)):
        row = int(np.argwhere(~np.isfinite(made))[0][0])
        raise DataError("Input contains NaN or infinity in y_score.", row=row, remedy="Drop it.")
    return made


def indicators(y_true: Any) -> NDArray[np.bool_] | None:
    """Return the matrix of a y with several answers a row, None for any other."""
    dense = y_true.toarray() if is_sparse(y_true) else y_true
    array = dense if hasattr(dense, "ndim") else np.asarray(dense)
    if array.ndim != 2 or array.shape[1] == 1:
        return None
    array = np.asarray(array)
    if not ((array == 0) | (array == 1)).all():
        msg = "multiclass-multioutput format is not supported."
        raise DataError(msg, remedy="Several answers a row are 0 or 1.")
    return array.astype(bool)
