"""How many rows, folds or data sets it takes: power and sample size.

References
----------
.. [1] J. Cohen: Statistical power analysis for the behavioral sciences, 2nd edition, 1988.
.. [2] S. W. Duffy: Asymptotic and exact power for the McNemar test and its analogue with R controls
   per case. Biometrics 40, 1984.
"""

from __future__ import annotations

import math

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.evaluation.comparison import check_alternative

TESTS = ("paired t", "one-sample t", "two-sample t", "corrected resampled t", "mcnemar")
_MOST = 10_000_000


def power(
    test: str,
    effect: float,
    n: int,
    *,
    spread: float = 1.0,
    ratio: float = 0.0,
    alternative: str = "two-sided",
    confidence: float = 0.95,
) -> float:
    """Return the chance that a test finds a difference that is there: one minus the type II error.

    Parameters
    ----------
    test : {"paired t", "one-sample t", "two-sample t", "corrected resampled t", "mcnemar"}
        The test; ``"mcnemar"`` is the exact one.
    effect : float
        The true difference, in the unit of ``spread``; for McNemar that of the two accuracies.
    n : int
        Pairs, values, values of each sample, folds, or rows.
    spread : float, default=1
        Standard deviation of the differences (of the values, for two samples); for McNemar the
        share of rows on which one is right and the other wrong.
    ratio : float
        Rows asked by rows learned from, for the corrected test.
    alternative : {"two-sided", "less", "greater"}
        What the test looks for.
    confidence : float, default=0.95
        One minus its level (the type I error).

    Returns
    -------
    float
        The power, by the noncentral t, or of McNemar by summing over the disagreements. Cost:
        constant; O(n) of McNemar.

    References
    ----------
    J. Cohen: Statistical power analysis for the behavioral sciences, 2nd edition, 1988.

    Examples
    --------
    >>> from learnable.evaluation import power
    >>> round(power("paired t", 0.5, 34), 3), round(power("two-sample t", 0.5, 64), 3)
    (0.808, 0.801)
    """
    _check(test, effect, spread, ratio)
    check_alternative(alternative)
    check_confidence(confidence)
    if n < 2:
        raise DataError(f"A test of {n} has no power.", remedy="Give n of 2 or more.")
    if test == "mcnemar":
        return _mcnemar_power(effect, int(n), spread, alternative, confidence)
    df = 2.0 * n - 2.0 if test == "two-sample t" else n - 1.0
    parts = {"two-sample t": 2.0 / n, "corrected resampled t": 1.0 / n + ratio}
    shift = effect / (spread * math.sqrt(parts.get(test, 1.0 / n)))
    return _t_power(shift, df, alternative, confidence)


def sample_size(
    test: str,
    effect: float,
    wanted: float = 0.8,
    *,
    spread: float = 1.0,
    alternative: str = "two-sided",
    confidence: float = 0.95,
) -> int:
    """Return the smallest n with the power that is wanted.

    Parameters
    ----------
    test : {"paired t", "one-sample t", "two-sample t", "mcnemar"}
        The test. Of resampled folds there is no such number: repeating them more often cannot
        replace rows.
    effect, spread, alternative, confidence
        As in :func:`power`.
    wanted : float, default=0.8
        The power.

    Returns
    -------
    int
        The n; of McNemar, whose power is a saw, one from which on it is kept by the next 50 too.
        Cost: some dozens of :func:`power`.

    References
    ----------
    J. Cohen: Statistical power analysis for the behavioral sciences, 2nd edition, 1988.

    Examples
    --------
    >>> from learnable.evaluation import sample_size
    >>> sample_size("paired t", 0.5), sample_size("two-sample t", 0.5)
    (34, 64)
    """
    check_confidence(wanted)
    _check(test, effect, spread, 1.0)
    if test == "corrected resampled t":
        msg = "no number of folds has any power wanted: the folds share the same rows"
        raise ParameterError(msg)

    def enough(n: int) -> bool:
        return wanted <= power(
            test, effect, n, spread=spread, alternative=alternative, confidence=confidence
        )

    high = 2
    while not enough(high):
        high *= 2
        if high > _MOST:
            raise DataError(
                f"Not even {_MOST} would do to find a difference of {effect:g}.",
                remedy="Look for a larger difference, or for one in the direction it has.",
            )
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    if test == "mcnemar":
        high = _kept(high, enough)
    return high


def _kept(start: int, enough: object) -> int:
    """Return where a saw-toothed power stays up for 50 steps."""
    found, n = start, start
    while n < found + 50:
        n += 1
        if not enough(n):
            found = n + 1
    return found


def _check(test: str, effect: float, spread: float, ratio: float) -> None:
    if test not in TESTS:
        msg = f"test must be one of {', '.join(TESTS)}, not {test!r}"
        raise ParameterError(msg)
    if not (math.isfinite(effect) and math.isfinite(spread) and spread > 0.0):
        msg = f"effect must be finite and spread positive, not {effect!r} and {spread!r}"
        raise ParameterError(msg)
    if test == "corrected resampled t" and not ratio > 0.0:
        msg = "the corrected test needs ratio, the rows asked by rows learned from"
        raise ParameterError(msg)
    if test == "mcnemar" and not abs(effect) <= spread <= 1.0:
        msg = (
            f"accuracies that differ by {effect:g} disagree on {abs(effect):g} to 1 of the rows; "
            f"spread is {spread:g}"
        )
        raise ParameterError(msg)


def _t_power(shift: float, df: float, alternative: str, confidence: float) -> float:
    from scipy.special import stdtrit
    from scipy.stats import nct

    tails = 2.0 if alternative == "two-sided" else 1.0
    bound = -float(stdtrit(df, (1.0 - confidence) / tails))
    above = float(nct.sf(bound, df, shift)) if alternative != "less" else 0.0
    below = float(nct.sf(bound, df, -shift)) if alternative != "greater" else 0.0
    return min(above + below, 1.0)


def _mcnemar_power(
    effect: float, n: int, share: float, alternative: str, confidence: float
) -> float:
    """Sum over the number of disagreements m: its chance times that of an outcome that counts."""
    from scipy.special import bdtr
    from scipy.stats import binom

    tail = (1.0 - confidence) / (2.0 if alternative == "two-sided" else 1.0)
    m = np.arange(n + 1)
    reached = np.asarray(binom.ppf(tail, m, 0.5), dtype=np.int64)
    reached = np.where(bdtr(reached, m, 0.5) <= tail, reached, reached - 1)
    first = (share + effect) / (2.0 * share)
    above = binom.cdf(reached, m, 1.0 - first) if alternative != "less" else 0.0
    below = binom.cdf(reached, m, first) if alternative != "greater" else 0.0
    return float((binom.pmf(m, n, share) * (above + below)).sum())
