"""How good predicted probabilities are.

=====================  ========================================================================
log loss               ``-mean_i log p_i(y_i)``
Brier score            ``mean_i sum_k (p_ik - [y_i = k])^2``, halved for two classes
calibration error      ``sum_b n_b / n |mean right in b - mean confidence in b|`` over bins
=====================  ========================================================================

References
----------
.. [1] G. W. Brier: Verification of forecasts expressed in terms of probability. Monthly Weather
   Review 78, 1950.
.. [2] T. Gneiting, A. E. Raftery: Strictly proper scoring rules, prediction, and estimation.
   JASA 102, 2007.
.. [3] M. P. Naeini, G. Cooper, M. Hauskrecht: Obtaining well calibrated probabilities using
   Bayesian binning. AAAI 2015.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.core.warning import warn
from learnable.estimator.labels import encode_known
from learnable.metrics.answers import coded, weights
from learnable.metrics.positives import positive_label
from learnable.stats.arrays import Floats


class _Forecasts(NamedTuple):
    """Probabilities of each class (n, K), or of the second of two (n,); codes of the answers."""

    proba: Floats
    codes: NDArray[np.int32]
    weight: Floats
    k: int

    def of_answer(self) -> Floats:
        """Return the probability that each right answer was given."""
        if self.proba.ndim == 1:
            return np.where(self.codes == 1, self.proba, 1.0 - self.proba)
        return self.proba[np.arange(len(self.codes)), self.codes]

    def log_losses(self) -> Floats:
        """Return the log loss of each row."""
        eps = float(np.finfo(self.proba.dtype).eps)
        return np.asarray(-np.log(np.clip(self.of_answer(), eps, 1.0 - eps)))

    def squares(self) -> Floats:
        """Return the squared distance of each row from what happened, over all classes."""
        full = self.proba if self.proba.ndim == 2 else np.stack([1 - self.proba, self.proba], 1)
        return np.asarray((full * full).sum(axis=1) - 2.0 * self.of_answer() + 1.0)

    def mean(self, values: Floats) -> float:
        return float(np.average(values, weights=self.weight if len(self.weight) else None))


def log_loss(
    y_true: Any,
    y_proba: Any,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
) -> float:
    """Return the log loss (cross-entropy): the mean of ``-log p`` of the right answers.

    A probability of 0 counts as the smallest difference from 1 that its kind of number knows, so
    the loss stays finite.

    Parameters
    ----------
    y_true : array (n,)
        Right labels.
    y_proba : array (n, K) or (n,)
        Probability of each class in sorted order, or of the second of two classes.
    normalize : bool, default=True
        False gives the sum instead of the mean.
    sample_weight : array (n,), optional
        Weight of each row.
    labels : sequence, optional
        All classes, where not all occur in ``y_true``.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import log_loss
    >>> round(log_loss(["no", "yes", "yes"], [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]]), 4)
    0.3406
    """
    found = _forecasts(y_true, y_proba, sample_weight, labels)
    losses = found.log_losses()
    if normalize:
        return found.mean(losses)
    return float(found.weight @ losses if len(found.weight) else losses.sum())


def brier_score_loss(
    y_true: Any,
    y_proba: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    scale_by_half: bool | str = "auto",
) -> float:
    """Return the Brier score: the mean squared distance of probabilities from what happened.

    Parameters
    ----------
    y_true : array (n,)
        Right labels.
    y_proba : array (n,) or (n, K)
        Probability of the positive class, or of each class in sorted order.
    sample_weight : array (n,), optional
        Weight of each row.
    pos_label : label, optional
        The positive class, for ``y_proba`` of one dimension.
    labels : sequence, optional
        All classes, where not all occur in ``y_true``.
    scale_by_half : bool or "auto"
        Whether to halve, so that the score lies between 0 and 1; ``"auto"`` halves for two
        classes.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import brier_score_loss
    >>> round(brier_score_loss([0, 1, 1], [0.1, 0.8, 0.5]), 4)
    0.1
    """
    proba = np.asarray(y_proba)
    if proba.ndim == 1:
        return _binary_brier(y_true, proba, sample_weight, pos_label, scale_by_half is not False)
    found = _forecasts(y_true, y_proba, sample_weight, labels)
    halve = found.k == 2 if scale_by_half == "auto" else bool(scale_by_half)
    return found.mean(found.squares()) * (0.5 if halve else 1.0)


def expected_calibration_error(
    y_true: Any,
    y_proba: Any,
    *,
    n_bins: int = 10,
    strategy: str = "uniform",
    labels: Any = None,
    sample_weight: Any = None,
) -> float:
    """Return how far confidence is from accuracy, averaged over bins of confidence.

    The confidence of a row is its largest probability; what happened is whether that class was
    right. With probabilities of one class alone, they themselves are binned.

    Parameters
    ----------
    y_true : array (n,)
        Right labels.
    y_proba : array (n, K) or (n,)
        Probability of each class in sorted order, or of the second of two classes.
    n_bins : int, default=10
        Number of bins.
    strategy : {"uniform", "quantile"}
        Bins of equal width, or of equally many rows.
    labels : sequence, optional
        All classes, where not all occur in ``y_true``.
    sample_weight : array (n,), optional
        Weight of each row.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import expected_calibration_error
    >>> round(expected_calibration_error([0, 0, 1, 1], [0.1, 0.1, 0.9, 0.9]), 4)
    0.1
    """
    found = _forecasts(y_true, y_proba, sample_weight, labels)
    if n_bins < 1 or strategy not in ("uniform", "quantile"):
        msg = f"n_bins={n_bins!r}, strategy={strategy!r}: 1 or more bins, 'uniform' or 'quantile'"
        raise ParameterError(msg)
    if found.proba.ndim == 1:
        sure, right = found.proba, found.codes == 1
    else:
        sure, right = found.proba.max(axis=1), found.proba.argmax(axis=1) == found.codes
    if strategy == "uniform":
        edges = np.linspace(0.0, 1.0, n_bins + 1)[1:-1]
    else:
        edges = np.unique(np.quantile(sure, np.linspace(0.0, 1.0, n_bins + 1)[1:-1]))
    bins = np.searchsorted(edges, sure, side="right")
    weight = found.weight if len(found.weight) else np.ones(len(sure))
    gaps = np.bincount(bins, weights=weight * (right - sure.astype(np.float64)))
    return float(np.abs(gaps).sum() / weight.sum())


def each_log_loss(y_true: Any, y_proba: Any) -> Floats:
    """Return the log loss of each row, as a column.

    Examples
    --------
    >>> from learnable.metrics.probabilities import each_log_loss
    >>> each_log_loss([0, 1], [0.5, 0.5]).round(4).ravel()
    array([0.6931, 0.6931])
    """
    return _forecasts(y_true, y_proba, None, None).log_losses().astype(np.float64)[:, None]


def each_brier(y_true: Any, y_proba: Any) -> Floats:
    """Return the Brier score of each row, as a column.

    Examples
    --------
    >>> from learnable.metrics.probabilities import each_brier
    >>> each_brier([0, 1], [0.5, 0.9]).round(4).ravel()
    array([0.25, 0.01])
    """
    found = _forecasts(y_true, y_proba, None, None)
    return found.squares().astype(np.float64)[:, None] * (0.5 if found.k == 2 else 1.0)


def _forecasts(y_true: Any, y_proba: Any, sample_weight: Any, labels: Any) -> _Forecasts:
    proba = _probabilities(y_proba)
    codes, k = _codes_of(y_true, labels)
    if len(codes) != len(proba):
        msg = f"y_true has {len(codes)} rows and y_proba has {len(proba)}."
        raise DataError(msg, remedy="Give one row of probabilities for each answer.")
    if proba.ndim == 2 and proba.shape[1] == 1:
        proba = proba[:, 0]
    wide = 2 if proba.ndim == 1 else proba.shape[1]
    if wide != k:
        msg = f"y_true and y_proba contain different number of classes: {k} vs {wide}."
        raise DataError(msg, remedy="Pass all classes through the labels argument.")
    if proba.ndim == 2:
        _warn_unless_one(proba)
    return _Forecasts(proba, codes, weights(sample_weight, len(codes))[0], k)


def _codes_of(y_true: Any, labels: Any) -> tuple[NDArray[np.int32], int]:
    if labels is None:
        classes, codes = coded(y_true)
        if len(classes) < 2:
            msg = f"y_true contains only one label ({classes[0]})."
            raise DataError(msg, remedy="Pass all classes through the labels argument.")
        return codes, len(classes)
    given = np.unique(np.asarray(labels))
    if len(given) < 2:
        msg = "The labels array needs to contain at least two labels."
        raise ParameterError(msg)
    if given.tolist() != np.asarray(labels).tolist():
        warn(f"The labels passed are not in order; columns are taken as {given.tolist()}.")
    codes = encode_known(np.asarray(y_true), given)
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        msg = "y_true contains labels that are not in labels."
        raise DataError(msg, row=row, remedy="Pass all classes through the labels argument.")
    return codes, len(given)


def _probabilities(y_proba: Any) -> Floats:
    proba = np.asarray(y_proba)
    if proba.dtype.kind != "f":
        proba = proba.astype(np.float64)
    if proba.ndim not in (1, 2):
        msg = f"y_proba has the shape {proba.shape}."
        raise DataError(msg, remedy="Give (n, K) or (n,) probabilities.")
    if not (proba.size and proba.min() >= 0.0 and proba.max() <= 1.0):
        msg = "y_proba contains values lower than 0, greater than 1, or NaN."
        raise DataError(msg, remedy="Give probabilities, not scores.")
    return proba


def _warn_unless_one(proba: Floats) -> None:
    off = np.abs(proba @ np.ones(proba.shape[1], proba.dtype) - 1.0).max()
    if off > np.sqrt(np.finfo(proba.dtype).eps):
        warn("The y_prob values do not sum to one. Make sure to pass probabilities.")


def _binary_brier(
    y_true: Any, y_proba: Any, sample_weight: Any, pos_label: Any, halve: bool
) -> float:
    proba = _probabilities(y_proba)
    classes, codes = coded(y_true)
    if len(codes) != len(proba) or len(classes) > 2:
        msg = f"{len(codes)} answers of {len(classes)} classes, {len(proba)} probabilities."
        raise DataError(msg, remedy="Give one probability a row of two classes, or (n, K).")
    positive = classes[codes] == positive_label(classes, pos_label)
    weight = weights(sample_weight, len(codes))[0]
    each = (proba - positive) ** 2
    score = float(np.average(each, weights=weight if len(weight) else None))
    return score if halve else 2.0 * score
