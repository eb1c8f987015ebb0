"""How probable the right numbers were: the negative log predictive probability.

``NLPP = -sum_i log p(y_i | x_i)``. For a Gaussian prediction of d outputs with mean ``m`` and
covariance ``S`` a row adds

    1/2 (y - m)' S^-1 (y - m) + 1/2 log |S| + d/2 log(2 pi)

References
----------
.. [1] C. E. Rasmussen, C. K. I. Williams: Gaussian Processes for Machine Learning, section 2.5.
   MIT Press 2006.
.. [2] T. Gneiting, A. E. Raftery: Strictly proper scoring rules, prediction, and estimation.
   JASA 102, 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.metrics.answers import weights
from learnable.metrics.numbers import numbers
from learnable.stats.arrays import Floats

_HALF_LOG_TWO_PI = 0.5 * float(np.log(2.0 * np.pi))


def negative_log_predictive_probability(
    probability: Any, *, normalize: bool = False, sample_weight: Any = None
) -> float:
    """Return the negative log probability (or density) that was given to what happened.

    Parameters
    ----------
    probability : array (n,)
        Predicted probability, or density, of each right answer.
    normalize : bool, default=False
        The mean instead of the sum.
    sample_weight : array (n,), optional
        Weight of each row.

    Returns
    -------
    float
        Infinity where something happened that was held impossible.

    Examples
    --------
    >>> from learnable.metrics import negative_log_predictive_probability
    >>> round(negative_log_predictive_probability([0.5, 0.25]), 4)
    2.0794
    """
    given = np.asarray(probability, dtype=np.float64)
    if given.ndim != 1 or not (given >= 0.0).all():
        msg = "Probabilities are one number of 0 or more a row."
        raise DataError(msg, remedy="Give the probability of each right answer.")
    with np.errstate(divide="ignore"):
        return _total(-np.log(given), normalize=normalize, sample_weight=sample_weight)


def gaussian_negative_log_predictive_probability(
    y_true: Any,
    mean: Any,
    variance: Any,
    *,
    normalize: bool = False,
    sample_weight: Any = None,
) -> float:
    """Return the negative log density that Gaussian predictions gave to the right numbers.

    Parameters
    ----------
    y_true, mean : array (n,) or (n, d)
        Right numbers and predicted means.
    variance : float, array (n,), (d,), (n, d), (d, d) or (n, d, d)
        One variance for all, one a row, or for several outputs: the diagonal of the covariance
        or the whole of it, the same for all rows or one a row.
    normalize : bool, default=False
        The mean instead of the sum.
    sample_weight : array (n,), optional
        Weight of each row.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import gaussian_negative_log_predictive_probability
    >>> round(gaussian_negative_log_predictive_probability([0.0, 1.0], [0.0, 0.0], 1.0), 4)
    2.3379
    """
    found = numbers(y_true, mean)
    residual = found.true - found.predicted
    n, d = residual.shape
    spread = np.asarray(variance, dtype=np.float64)
    if spread.shape == (n, d, d) or (spread.shape == (d, d) and d > 1 and (n, d) != (d, d)):
        squares, logs = _full(residual, np.broadcast_to(spread, (n, d, d)))
    else:
        squares, logs = _diagonal(residual, spread)
    each = 0.5 * squares + 0.5 * logs + d * _HALF_LOG_TWO_PI
    return _total(each, normalize=normalize, sample_weight=sample_weight)


def _full(residual: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    try:
        root = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        msg = "A covariance is not positive definite."
        raise DataError(msg, remedy="Add noise to its diagonal.") from None
    scaled = np.linalg.solve(root, residual[..., None])[..., 0]
    diagonal = np.diagonal(root, axis1=1, axis2=2)
    return (scaled**2).sum(axis=1), 2.0 * np.log(diagonal).sum(axis=1)


def _diagonal(residual: Floats, variance: Floats) -> tuple[Floats, Floats]:
    n, d = residual.shape
    if variance.shape == (n,) and (d == 1 or n != d):
        variance = variance[:, None]
    try:
        full = np.broadcast_to(variance, (n, d))
    except ValueError:
        msg = f"variance has the shape {variance.shape} for {n} rows of {d} outputs."
        raise DataError(
            msg, remedy="Give a number, (n,), (d,), (n, d), (d, d) or (n, d, d)."
        ) from None
    if not (full > 0.0).all():
        raise DataError("A variance is not positive.", remedy="Give variances above 0.")
    return (residual**2 / full).sum(axis=1), np.log(full).sum(axis=1)


def _total(each: Floats, *, normalize: bool, sample_weight: Any) -> float:
    weight = weights(sample_weight, len(each))[0]
    if normalize:
        return float(np.average(each, weights=weight if len(weight) else None))
    return float(weight @ each if len(weight) else each.sum())
