"""How far predicted numbers are from the right ones.

With residuals ``e_i = y_i - p_i`` of N rows and the mean ``m`` of the answers,

=======================  ============================================================
mean absolute error      ``mean |e|``
mean squared error       ``MSE = mean e^2``; its root is the RMSE
normalised MSE           ``MSE / s^2`` with the sample variance ``s^2`` by N - 1
R^2                      ``1 - sum e^2 / sum (y - m)^2``
explained variance       ``1 - var(e) / var(y)``
=======================  ============================================================

Since ``s^2`` divides by N - 1 and R^2 by N, ``1 - NMSE`` is R^2 only in the limit:
``NMSE = (1 - R^2) (N - 1) / N``.

Several outputs are judged each and averaged, as ``multioutput`` says: ``"uniform_average"``,
``"raw_values"`` (an array), weights, or ``"variance_weighted"`` where that is defined.

References
----------
.. [1] C. J. Willmott, K. Matsuura: Advantages of the mean absolute error over the root mean square
   error. Climate Research 30, 2005.
.. [2] C. E. Rasmussen, C. K. I. Williams: Gaussian Processes for Machine Learning, section 2.5.
   MIT Press 2006.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.metrics.answers import undefined
from learnable.metrics.numbers import combined, numbers, residuals
from learnable.stats.arrays import Floats


def mean_absolute_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the mean absolute error.

    Parameters
    ----------
    y_true, y_pred : array (n,) or (n, outputs)
        Right and predicted numbers.
    sample_weight : array (n,), optional
        Weight of each row.
    multioutput : {"uniform_average", "raw_values"} or array
        How outputs are averaged.

    Returns
    -------
    float or array

    Examples
    --------
    >>> from learnable.metrics import mean_absolute_error
    >>> mean_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.5
    """
    found = residuals(y_true, y_pred, sample_weight)
    return combined(found.absolute / found.weight, multioutput)


def mean_squared_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the mean squared error. Parameters are those of :func:`mean_absolute_error`.

    Examples
    --------
    >>> from learnable.metrics import mean_squared_error
    >>> mean_squared_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.375
    """
    return combined(residuals(y_true, y_pred, sample_weight).squared(), multioutput)


def root_mean_squared_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the root of the mean squared error, of each output, then averaged.

    Parameters are those of :func:`mean_absolute_error`.

    Examples
    --------
    >>> from learnable.metrics import root_mean_squared_error
    >>> root_mean_squared_error([0, 0], [3, -3])
    3.0
    """
    squared = residuals(y_true, y_pred, sample_weight).squared()
    return combined(np.sqrt(squared), multioutput)


def normalized_mean_squared_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the mean squared error divided by the sample variance (by N - 1) of the answers.

    Predicting the mean gives ``(N - 1) / N``; ``NMSE = (1 - R^2) (N - 1) / N``. Weights count as
    repeated rows. NaN, with a warning, where the answers do not vary. Parameters are those of
    :func:`mean_absolute_error`.

    Examples
    --------
    >>> from learnable.metrics import normalized_mean_squared_error
    >>> normalized_mean_squared_error([1, 2, 3, 4, 5], [3, 3, 3, 3, 3])
    0.8
    """
    found = residuals(y_true, y_pred, sample_weight)
    variance = found.scatter_true / (found.weight - 1.0) if found.weight > 1.0 else np.zeros(1)
    if not (variance > 0.0).all():
        undefined("The normalised mean squared error is undefined: the answers do not vary.")
    with np.errstate(divide="ignore", invalid="ignore"):
        return combined(np.where(variance > 0.0, found.squared() / variance, np.nan), multioutput)


def r2_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> Any:
    """Return R^2, the share of the squared deviations from the mean that is predicted.

    Parameters
    ----------
    y_true, y_pred : array (n,) or (n, outputs)
        Right and predicted numbers.
    sample_weight : array (n,), optional
        Weight of each row.
    multioutput : {"uniform_average", "raw_values", "variance_weighted"} or array
        How outputs are averaged.
    force_finite : bool, default=True
        Answers that do not vary give 1 where they are met and 0 where not, instead of NaN and
        minus infinity.

    Returns
    -------
    float or array

    Examples
    --------
    >>> from learnable.metrics import r2_score
    >>> round(r2_score([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]), 4)
    0.9486
    """
    found = residuals(y_true, y_pred, sample_weight)
    if found.n < 2:
        undefined("R^2 score is not well-defined with less than two samples.")
        return float("nan")
    return _explained(
        found.squared() * found.weight, found.scatter_true, multioutput, finite=force_finite
    )


def explained_variance_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> Any:
    """Return the explained share of the variance: R^2 but for a constant shift of predictions.

    Parameters are those of :func:`r2_score`.

    Examples
    --------
    >>> from learnable.metrics import explained_variance_score
    >>> explained_variance_score([1, 2, 3], [11, 12, 13])
    1.0
    """
    found = residuals(y_true, y_pred, sample_weight)
    return _explained(found.scatter_residual, found.scatter_true, multioutput, finite=force_finite)


def pearson(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return Pearson's correlation of right and predicted numbers.

    NaN, with a warning, where one side does not vary.

    Examples
    --------
    >>> from learnable.metrics import pearson
    >>> round(pearson([1, 2, 3, 4], [2, 4, 6, 9]), 4)
    0.9944
    """
    found = residuals(y_true, y_pred, sample_weight)
    if len(found.mean_true) != 1:
        msg = "There are several outputs."
        raise DataError(msg, remedy="Correlate one output at a time.")
    if not (found.scatter_true[0] > 0.0 and found.scatter_pred[0] > 0.0):
        undefined("The correlation is undefined: one side does not vary.")
        return float("nan")
    spread = np.sqrt(found.scatter_true[0]) * np.sqrt(found.scatter_pred[0])
    return float(np.clip(found.product[0] / spread, -1.0, 1.0))


def max_error(y_true: Any, y_pred: Any) -> float:
    """Return the largest absolute error.

    Examples
    --------
    >>> from learnable.metrics import max_error
    >>> max_error([3, 2, 7, 1], [4, 2, 7, 1])
    1.0
    """
    found = residuals(y_true, y_pred)
    if len(found.largest) != 1:
        msg = "Multioutput not supported in max_error."
        raise DataError(msg, remedy="Judge one output at a time.")
    return float(found.largest[0])


def median_absolute_error(
    y_true: Any, y_pred: Any, *, multioutput: Any = "uniform_average", sample_weight: Any = None
) -> Any:
    """Return the median absolute error: half of the weight is closer, half is farther.

    Parameters are those of :func:`mean_absolute_error`.

    Examples
    --------
    >>> from learnable.metrics import median_absolute_error
    >>> median_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.5
    """
    found = numbers(y_true, y_pred, sample_weight)
    size = np.abs(found.true - found.predicted)
    if not len(found.weight):
        return combined(np.median(size, axis=0), multioutput)
    each = np.array([_weighted_median(column, found.weight) for column in size.T])
    return combined(each, multioutput)


def mean_absolute_percentage_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the mean of the absolute error divided by the absolute answer, as a share.

    An answer of 0 divides by the smallest difference from 1 that floats know, so it gives a huge
    number. Parameters are those of :func:`mean_absolute_error`.

    Examples
    --------
    >>> from learnable.metrics import mean_absolute_percentage_error
    >>> mean_absolute_percentage_error([1, 10], [1.5, 5])
    0.5
    """
    found = residuals(y_true, y_pred, sample_weight)
    return combined(found.relative / found.weight, multioutput)


def _explained(above: Floats, below: Floats, multioutput: Any, *, finite: bool) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        each = 1.0 - above / below
    if finite:
        each = np.where(below == 0.0, np.where(above == 0.0, 1.0, 0.0), each)
    return combined(each, multioutput, below)


def _weighted_median(values: Floats, weight: Floats) -> float:
    there = weight > 0.0
    order = np.argsort(values[there])
    values, share = values[there][order], np.cumsum(weight[there][order])
    half = share[-1] / 2.0
    at = int(np.searchsorted(share, half))
    exact = share[at] == half and at + 1 < len(values)
    return float((values[at] + values[at + 1]) / 2.0 if exact else values[at])
