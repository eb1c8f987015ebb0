"""Five repeats of twofold cross-validation: Dietterich's t and Alpaydin's F.

References
----------
.. [1] T. G. Dietterich: Approximate statistical tests for comparing supervised classification
   learning algorithms. Neural Computation 10, 1998.
.. [2] E. Alpaydin: Combined 5 x 2 cv F test for comparing supervised classification learning
   algorithms. Neural Computation 11, 1999.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError
from learnable.evaluation.comparison import Comparison, check_alternative, sentence
from learnable.evaluation.inputs import Floats, differences
from learnable.evaluation.measured import measured
from learnable.evaluation.student import PAIR, Student

_ASSUMPTIONS = (
    "five repeats of two folds were learned and asked by turns",
    "the differences of a repeat are nearly normal and independent",
)


def five_by_two_t(
    first: Any,
    second: Any = None,
    *,
    alternative: str = "two-sided",
    confidence: float = 0.95,
    names: tuple[str, str] = PAIR,
) -> Comparison:
    """Test two learners over five repeats of two folds by Dietterich's t.

    With differences ``d_i1, d_i2`` of repeat i and ``s_i^2 = (d_i1 - d_i2)^2 / 2``,
    ``t = d_11 / sqrt(sum(s_i^2) / 5)`` with 5 degrees of freedom.

    Parameters
    ----------
    first, second : array (5, 2) or (10,)
        Scores, repeat by repeat; ``first`` alone holds differences.
    alternative, confidence
        As in :func:`one_sample_t`.
    names : tuple of str
        What the sentence calls the two.

    Returns
    -------
    Comparison
        Its effect is ``d_11``, the difference in the very first fold, as the test has it: the
        order of the folds matters. :func:`five_by_two_f` uses all ten. Cost: constant.

    References
    ----------
    T. G. Dietterich: Approximate statistical tests for comparing supervised classification
    learning algorithms. Neural Computation 10, 1998.

    Examples
    --------
    >>> from learnable.evaluation import five_by_two_t
    >>> gaps = [[.04, .02], [.03, .05], [.01, .03], [.04, .06], [.02, .04]]
    >>> round(five_by_two_t(gaps).statistic, 4)
    2.8284
    """
    gaps, variance = _folds(first, second)
    student = Student(
        float(gaps[0, 0]), 0.0, math.sqrt(variance / 5.0), 5.0,
        check_confidence(confidence), check_alternative(alternative),
    )  # fmt: skip
    note = "The statistic rests on the first fold alone and changes with the order of the folds."
    return student.comparison("5 x 2 cv t test", 10, names, _ASSUMPTIONS, notes=(note,))


def five_by_two_f(
    first: Any,
    second: Any = None,
    *,
    confidence: float = 0.95,
    names: tuple[str, str] = PAIR,
) -> Comparison:
    """Test two learners over five repeats of two folds by Alpaydin's F.

    ``F = sum(d_ij^2) / (2 sum(s_i^2))`` with 10 and 5 degrees of freedom; the interval holds all
    differences that the test, made for them, would keep.

    Parameters
    ----------
    first, second : array (5, 2) or (10,)
        Scores, repeat by repeat; ``first`` alone holds differences.
    confidence : float, default=0.95
        One minus the level; also that of the interval.
    names : tuple of str
        What the sentence calls the two.

    Returns
    -------
    Comparison
        Its effect is the average of the ten differences. Cost: constant.

    References
    ----------
    E. Alpaydin: Combined 5 x 2 cv F test for comparing supervised classification learning
    algorithms. Neural Computation 11, 1999.

    Examples
    --------
    >>> from learnable.evaluation import five_by_two_f
    >>> gaps = [[.04, .02], [.03, .05], [.01, .03], [.04, .06], [.02, .04]]
    >>> found = five_by_two_f(gaps)
    >>> round(found.statistic, 4), round(found.p, 4)
    (6.8, 0.0236)
    """
    from scipy.special import fdtrc, fdtri

    gaps, variance = _folds(first, second)
    check_confidence(confidence)
    squares, mean = float((gaps**2).sum()), float(gaps.mean())
    statistic = squares / (2.0 * variance) if variance > 0.0 else 0.0
    bound = float(fdtri(10.0, 5.0, confidence))
    inside = mean**2 - (squares - 2.0 * bound * variance) / 10.0
    half = math.sqrt(inside) if inside >= 0.0 else math.nan
    p = float(fdtrc(10.0, 5.0, statistic))
    notes = ("No difference at all agrees with folds that spread so.",) if inside < 0.0 else ()
    return Comparison(
        "approximate", "5 x 2 cv F test", statistic, p, mean, mean - half, mean + half, confidence,
        10, _ASSUMPTIONS, sentence(names, mean, (mean - half, mean + half), p, confidence),
        (10.0, 5.0), critical=(-math.inf, bound),
        notes=(*notes, *measured("5 x 2 cv F test")),
    )  # fmt: skip


def _folds(first: Any, second: Any) -> tuple[Floats, float]:
    """Return differences by repeat and fold, and the sum of the variances of the repeats."""
    sides = [None if side is None else np.asarray(side) for side in (first, second)]
    for side in sides:
        if side is not None and side.shape not in {(5, 2), (10,)}:
            raise DataError(
                f"Five repeats of two folds make scores of shape (5, 2), not {side.shape}.",
                remedy='Take them by FoldPlan("k-fold", n, folds=2, repeats=5).',
            )
    gaps = differences(*(None if side is None else side.ravel() for side in sides)).reshape(5, 2)
    variance = float(((gaps[:, 0] - gaps[:, 1]) ** 2).sum()) / 2.0
    if variance == 0.0 and gaps.any():
        raise DataError(
            "The two folds of every repeat differ alike: how much they vary cannot be estimated.",
            remedy="Use sign_test, which needs no spread, or corrected_resampled_t on more folds.",
        )
    return gaps, variance
