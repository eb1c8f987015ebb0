"""The delta method: the variance of a smooth function of a confusion table.

The cells of the table are multinomial. A measure that does not change when all cells are scaled
has, to first order, the variance

    var = sum_c n_c (df / dn_c)^2

over the cells c (the usual second term vanishes, by Euler's theorem). This holds F-beta (Takahashi
and others), kappa (Fleiss, Cohen and Everitt) and Matthews' coefficient alike. Derivatives are
taken by a complex step, which is exact to rounding.

Cost: K^2 evaluations of the measure.

References
----------
.. [1] J. L. Fleiss, J. Cohen, B. S. Everitt: Large sample standard errors of kappa and weighted
   kappa. Psychological Bulletin 72, 1969.
.. [2] K. Takahashi et al.: Confidence interval for micro-averaged F1 and macro-averaged F1 scores.
   Applied Intelligence 52, 2022.
.. [3] W. Squire, G. Trapp: Using complex variables to estimate derivatives of real functions. SIAM
   Review 40, 1998.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import ParameterError
from learnable.metrics.chance import kappa_of, matthews_of
from learnable.stats.arrays import Floats

_STEP = 1e-30


def delta_variance(function: Callable[[Any], Any], table: Floats) -> float:
    """Return the variance of a function of a table of counts.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.metrics.delta import delta_variance
    >>> share = lambda table: np.trace(table) / table.sum()
    >>> round(delta_variance(share, np.array([[3.0, 1.0], [2.0, 4.0]])), 6)
    0.021
    """
    total = 0.0
    for cell in zip(*np.nonzero(table), strict=True):
        moved = table.astype(np.complex128)
        moved[cell] += _STEP * 1j
        slope = np.imag(function(moved)) / _STEP
        total += float(table[cell] * slope * slope)
    return total


def smooth_measure(
    name: str, classes: NDArray[Any], options: dict[str, Any]
) -> Callable[[Any], Any]:
    """Return a measure as a function of the table over the given classes.

    Raises
    ------
    ParameterError
        If it is no smooth function of the table.
    """
    if name == "matthews_corrcoef":
        return matthews_of
    if name == "cohen_kappa_score":
        return partial(kappa_of, weights=options.get("weights"))
    if name == "balanced_accuracy_score":
        return _mean_recall
    if name in ("f1_score", "fbeta_score"):
        average = options.get("average", "binary")
        place = np.flatnonzero(classes == options.get("pos_label", 1))
        if average in ("macro", "weighted", "micro") or len(place):
            beta = float(options.get("beta", 1.0))
            return partial(_fbeta, beta=beta, average=average, place=place)
    msg = f"the delta method knows F-beta, kappa, Matthews and balanced accuracy, not {name}"
    raise ParameterError(msg)


def _mean_recall(table: Any) -> Any:
    actual = table.sum(axis=1)
    there = actual != 0
    return (np.diagonal(table)[there] / actual[there]).mean()


def _fbeta(table: Any, *, beta: float, average: str, place: Any) -> Any:
    right, actual, called = np.diagonal(table), table.sum(axis=1), table.sum(axis=0)
    above, below = (1.0 + beta**2) * right, beta**2 * actual + called
    if average == "micro":
        return above.sum() / below.sum()
    each = np.divide(above, below, out=np.zeros_like(above), where=below != 0)
    if average == "binary":
        return each[place[0]]
    return each.mean() if average == "macro" else (each @ actual) / actual.sum()
