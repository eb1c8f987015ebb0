"""Tests by Student's t: of one sample, of pairs, over resampled folds, of two samples.

References
----------
.. [1] Student: The probable error of a mean. Biometrika 6, 1908.
.. [2] B. L. Welch: The generalization of "Student's" problem when several different population
   variances are involved. Biometrika 34, 1947.
.. [3] C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52, 2003.
"""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.evaluation.comparison import Comparison, check_alternative
from learnable.evaluation.inputs import Floats, differences, sample
from learnable.evaluation.student import PAIR, Student


def spread(values: Floats, centre: float = 0.0) -> float:
    """Return the variance with n - 1, or refuse values that are all the same but not the centre.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.evaluation.t_tests import spread
    >>> spread(np.array([1.0, 2.0, 3.0]))
    1.0
    """
    variance = _variance(values)
    if variance == 0.0 and values[0] != centre:
        _refuse_no_spread(values[0] - centre)
    return variance


def _variance(values: Floats) -> float:
    return float(values.var(ddof=1)) if np.ptp(values) > 0.0 else 0.0


def _refuse_no_spread(gap: float) -> NoReturn:
    raise DataError(
        "The differences are all the same: how much they vary cannot be estimated from them.",
        value=float(gap),
        remedy="Use sign_test or wilcoxon, which need no spread, or more and larger folds.",
    )


def one_sample_t(
    values: Any, mean: float = 0.0, *, alternative: str = "two-sided", confidence: float = 0.95
) -> Comparison:
    """Test whether values have a given mean: ``t = (average - mean) / (s / sqrt(n))``.

    Parameters
    ----------
    values : array (n,)
        Independent values.
    mean : float, default=0
        The mean under the null hypothesis.
    alternative : {"two-sided", "less", "greater"}
        What to look for.
    confidence : float, default=0.95
        One minus the level; also that of the interval.

    Returns
    -------
    Comparison
        Its effect is the average minus ``mean``. Cost: O(n).

    References
    ----------
    Student: The probable error of a mean. Biometrika 6, 1908.

    Examples
    --------
    >>> from learnable.evaluation import one_sample_t
    >>> found = one_sample_t([5.1, 4.9, 5.6, 5.8, 5.2], 5.0)
    >>> round(found.statistic, 4), round(found.p, 4), [round(c, 3) for c in found.critical]
    (1.9332, 0.1254, [-2.776, 2.776])
    """
    found = sample(values, 2)
    student = Student(
        float(found.mean()), float(mean), math.sqrt(spread(found, mean) / len(found)),
        len(found) - 1.0, check_confidence(confidence), check_alternative(alternative),
    )  # fmt: skip
    assumptions = ("the values are independent", "their average is nearly normal")
    names = ("The mean", f"{mean:g}")
    return student.comparison("t test of one sample", len(found), names, assumptions, verb="is")


def paired_t(
    first: Any,
    second: Any = None,
    *,
    alternative: str = "two-sided",
    confidence: float = 0.95,
    names: tuple[str, str] = PAIR,
) -> Comparison:
    """Test whether pairs differ on average: ``t = mean(d) / (s_d / sqrt(n))``, ``n - 1`` degrees.

    Parameters
    ----------
    first, second : array (n,)
        Scores in pairs; ``first`` alone holds differences.
    alternative, confidence
        As in :func:`one_sample_t`.
    names : tuple of str
        What the sentence calls the two.

    Returns
    -------
    Comparison
        Its effect is the average difference. Cost: O(n).

    Notes
    -----
    The pairs must be independent. Scores of cross-validation are not (their training rows
    overlap), and over repeats this test then finds differences everywhere: see
    :func:`corrected_resampled_t`.

    References
    ----------
    Student: The probable error of a mean. Biometrika 6, 1908.

    Examples
    --------
    >>> from learnable.evaluation import paired_t
    >>> round(paired_t([0.9, 0.8, 0.85, 0.7], [0.8, 0.75, 0.85, 0.6]).p, 4)
    0.0796
    """
    found = differences(first, second)
    student = Student(
        float(found.mean()), 0.0, math.sqrt(spread(found) / len(found)), len(found) - 1.0,
        check_confidence(confidence), check_alternative(alternative),
    )  # fmt: skip
    assumptions = ("the pairs are independent", "their average difference is nearly normal")
    return student.comparison("paired t test", len(found), names, assumptions)


def corrected_resampled_t(
    first: Any,
    second: Any = None,
    *,
    ratio: float,
    alternative: str = "two-sided",
    confidence: float = 0.95,
    names: tuple[str, str] = PAIR,
) -> Comparison:
    """Test whether two learners differ over resampled folds, by Nadeau and Bengio.

    With ``J`` scores each and ``ratio`` the rows asked per row learned from,

        t = mean(d) / sqrt((1/J + ratio) s_d^2),    J - 1 degrees of freedom

    Parameters
    ----------
    first, second : array (J,)
        Scores on the same folds; ``first`` alone holds differences.
    ratio : float
        Rows asked by rows learned from; ``1 / (k - 1)`` for k folds, however often repeated.
    alternative, confidence
        As in :func:`one_sample_t`.
    names : tuple of str
        What the sentence calls the two.

    Returns
    -------
    Comparison
        Its effect is the average difference. Cost: O(J).

    Notes
    -----
    Training rows of different folds overlap, so scores are correlated; the term ``ratio`` stands
    for that correlation. The standard error is 1.453 times the naive one for tenfold
    cross-validation, 3.480 times for ten repeats of it.

    References
    ----------
    C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52, 2003.

    Examples
    --------
    >>> from learnable.evaluation import corrected_resampled_t, paired_t
    >>> first, second = [0.9, 0.8, 0.85, 0.7, 0.8], [0.8, 0.75, 0.85, 0.6, 0.78]
    >>> round(paired_t(first, second).p, 3)
    0.057
    >>> round(corrected_resampled_t(first, second, ratio=1 / 4).p, 3)
    0.152
    """
    if not (math.isfinite(ratio) and ratio > 0.0):
        msg = f"ratio must be positive: rows asked by rows learned from, not {ratio!r}"
        raise ParameterError(msg)
    found = differences(first, second)
    student = Student(
        float(found.mean()), 0.0, math.sqrt(spread(found) * (1.0 / len(found) + ratio)),
        len(found) - 1.0, check_confidence(confidence), check_alternative(alternative),
    )  # fmt: skip
    assumptions = (
        "both learners saw the same folds",
        "scores of two folds correlate as the share of rows asked",
        "the average difference is nearly normal",
    )
    return student.comparison("corrected resampled t test", len(found), names, assumptions)


def welch_t(
    first: Any,
    second: Any,
    *,
    alternative: str = "two-sided",
    confidence: float = 0.95,
    names: tuple[str, str] = PAIR,
) -> Comparison:
    """Test whether two independent samples have the same mean, whatever their variances.

    With ``v = s^2 / n`` of each, ``t = (mean_1 - mean_2) / sqrt(v_1 + v_2)`` and
    ``(v_1 + v_2)^2 / (v_1^2 / (n_1 - 1) + v_2^2 / (n_2 - 1))`` degrees of freedom.

    Parameters
    ----------
    first, second : array
        The samples; their lengths may differ.
    alternative, confidence
        As in :func:`one_sample_t`.
    names : tuple of str
        What the sentence calls the two.

    Returns
    -------
    Comparison
        Its effect is the difference of the averages. Cost: O(n).

    References
    ----------
    B. L. Welch: The generalization of "Student's" problem when several different population
    variances are involved. Biometrika 34, 1947.

    Examples
    --------
    >>> from learnable.evaluation import welch_t
    >>> found = welch_t([1.0, 2.0, 3.0], [4.0, 6.0, 8.0, 6.0])
    >>> round(found.statistic, 4), round(found.df[0], 3), round(found.p, 4)
    (-4.0, 4.909, 0.0107)
    """
    left, right = sample(first, 2, "first values"), sample(second, 2, "second values")
    parts = [_variance(side) / len(side) for side in (left, right)]
    if sum(parts) == 0.0 and left[0] != right[0]:
        _refuse_no_spread(left[0] - right[0])
    df = (
        sum(parts) ** 2 / (parts[0] ** 2 / (len(left) - 1) + parts[1] ** 2 / (len(right) - 1))
        if sum(parts) > 0.0
        else len(left) + len(right) - 2.0
    )
    student = Student(
        float(left.mean() - right.mean()), 0.0, math.sqrt(sum(parts)), df,
        check_confidence(confidence), check_alternative(alternative),
    )  # fmt: skip
    assumptions = ("all values are independent", "both averages are nearly normal")
    return student.comparison("Welch t test", len(left) + len(right), names, assumptions)
