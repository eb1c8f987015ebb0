"""Confusion matrices as plain arrays: of all classes at once, or one class at a time.

References
----------
.. [1] R. Kohavi, F. Provost: Glossary of terms. Machine Learning 30, 1998.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.core.warning import warn
from learnable.metrics.answers import Indicators, answers, one_answer
from learnable.metrics.confusion import ConfusionMatrix
from learnable.metrics.tallies import Tallies, column_index, tallies_of


def confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    normalize: str | None = None,
) -> Any:
    """Return the confusion matrix as an array: rows actual, columns predicted classes.

    Parameters
    ----------
    y_true, y_pred : array (n,)
        Right and predicted labels.
    labels : sequence, optional
        Which classes, in which order; rows with others are left out.
    sample_weight : array (n,), optional
        Weight of each row.
    normalize : {"true", "pred", "all"}, optional
        Shares of the row, the column or the whole (0 for 0/0) instead of weights.

    Returns
    -------
    array (K, K)

    Examples
    --------
    >>> from learnable.metrics import confusion_matrix
    >>> confusion_matrix(["a", "b", "b"], ["b", "b", "b"])
    array([[0, 1],
           [0, 2]])
    """
    found = one_answer(y_true, y_pred, sample_weight)
    made = ConfusionMatrix(tuple(found.classes.tolist()), found.table())
    if labels is not None:
        made = made.over(_some_that_occur(labels, made))
    if len(made.labels) == 1:
        warn(
            "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have "
            "the correct shape, use the 'labels' parameter to pass all known labels."
        )
    if normalize is not None:
        return np.nan_to_num(made.normalized(normalize))
    return made.matrix.astype(np.int64) if found.whole else made.matrix


def _some_that_occur(labels: Any, made: ConfusionMatrix) -> list[Any]:
    names = np.asarray(labels).tolist()
    if not names:
        msg = "'labels' should contain at least one label."
        raise ParameterError(msg)
    actual = {label for label, row in zip(made.labels, made.matrix, strict=True) if row.any()}
    if actual.isdisjoint(names):
        msg = "At least one label specified must be in y_true"
        raise ParameterError(msg)
    return names


def multilabel_confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    labels: Any = None,
    samplewise: bool = False,
) -> Any:
    """Return a two by two table for each label: ``[[TN, FP], [FN, TP]]``.

    Parameters
    ----------
    y_true, y_pred : array (n,) or (n, labels)
        Labels, or indicators where a row has several.
    sample_weight : array (n,), optional
        Weight of each row.
    labels : sequence, optional
        Which labels (columns, for indicators) and in which order.
    samplewise : bool, default=False
        One table a row instead of a label; for indicators only.

    Returns
    -------
    array (labels, 2, 2)

    Examples
    --------
    >>> from learnable.metrics import multilabel_confusion_matrix
    >>> multilabel_confusion_matrix([0, 1, 1], [0, 0, 1])[1]
    array([[1, 0],
           [1, 1]])
    """
    found = answers(y_true, y_pred, sample_weight)
    if isinstance(found, Indicators):
        if labels is not None:
            at = column_index(labels, found.actual.shape[1])
            found = found._replace(actual=found.actual[:, at], predicted=found.predicted[:, at])
        tallies = Tallies.of_indicators(found, axis=int(samplewise))
    elif samplewise:
        msg = "Samplewise metrics are not available outside of multilabel classification."
        raise DataError(msg, remedy="Leave samplewise at False.")
    else:
        names = found.classes.tolist() if labels is None else np.asarray(labels).tolist()
        tallies = tallies_of(found.table(), found.classes, names)
    tp, fp, fn, tn = tallies
    made = np.stack([tn, fp, fn, tp], axis=1).reshape(-1, 2, 2)
    return made.astype(np.int64) if found.whole else made
