"""A measure of some rows as a value that can be asked for its interval."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.metrics.estimate import Estimate
from learnable.metrics.interval import interval, named


@dataclass(frozen=True)
class Metric:
    """A measure of some rows.

    Attributes
    ----------
    name : str
        The measure.
    value : float
        What it is on these rows.

    Examples
    --------
    >>> from learnable.metrics import metric
    >>> found = metric("recall_score", [1] * 20 + [0] * 20, [1] * 18 + [0] * 22)
    >>> found.value, round(found.interval(0.9).low, 3)
    (0.9, 0.717)
    """

    name: str
    value: float
    _given: tuple[Any, Any, Any, dict[str, Any]] = field(repr=False, compare=False)

    def interval(self, confidence: float = 0.95, **how: Any) -> Estimate:
        """Return the measure with an interval for its true value.

        Parameters
        ----------
        confidence : float, default=0.95
            How often such intervals hold the truth.
        **how
            ``method``, ``n_resamples``, ``groups``, ``random_state`` of
            :func:`learnable.metrics.interval`.
        """
        function, y_true, y_pred, options = self._given
        return interval(function, y_true, y_pred, confidence, **how, **options)

    def __float__(self) -> float:
        return self.value


def metric(function: Any, y_true: Any, y_pred: Any, **options: Any) -> Metric:
    """Measure rows, so that the interval can be asked for afterwards.

    Parameters
    ----------
    function : function or str
        A measure of this module, its name, or any function of ``y_true`` and ``y_pred``.
    y_true, y_pred : array (n,)
        What the measure takes.
    **options
        Parameters of the measure.

    Returns
    -------
    Metric

    Examples
    --------
    >>> from learnable.metrics import f1_score, metric
    >>> found = metric(f1_score, [0, 1, 1, 0, 1], [0, 1, 0, 0, 1])
    >>> float(found), found.interval(0.9).method
    (0.8, 'delta method')
    """
    measure, name = named(function)
    value = measure(y_true, y_pred, **options)
    if np.ndim(value):
        raise DataError(
            f"{name} is not one number with these options.", remedy="Ask for one average or class."
        )
    return Metric(name, float(value), (measure, y_true, y_pred, options))
