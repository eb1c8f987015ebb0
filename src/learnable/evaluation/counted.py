"""Tests that count: who is right where the other is wrong, and who is ahead how often.

References
----------
.. [1] Q. McNemar: Note on the sampling error of the difference between correlated proportions or
   percentages. Psychometrika 12, 1947.
.. [2] M. W. Fagerland, S. Lydersen, P. Laake: The McNemar test for binary matched-pairs data:
   mid-p and asymptotic are better than exact conditional. BMC Medical Research Methodology 13,
   2013.
.. [3] D. G. Bonett, R. M. Price: Adjusted Wald confidence interval for a difference of binomial
   proportions based on paired data. Journal of Educational and Behavioral Statistics 37, 2012.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.evaluation.comparison import (
    INFINITE,
    Comparison,
    chance,
    check_alternative,
    interval_text,
    sentence,
)
from learnable.evaluation.inputs import Floats, differences
from learnable.evaluation.measured import measured
from learnable.evaluation.student import PAIR
from learnable.metrics.intervals import clopper_pearson

MCNEMAR = ("mid-p", "exact", "corrected", "uncorrected")


def mcnemar(
    b: int,
    c: int,
    n: int | None = None,
    *,
    method: str = "mid-p",
    alternative: str = "two-sided",
    confidence: float = 0.95,
    names: tuple[str, str] = PAIR,
) -> Comparison:
    """Test two classifiers on the same rows: ``b`` only the first got right, ``c`` the second.

    Under the null hypothesis ``b`` is binomial of ``b + c`` with one half.

    Parameters
    ----------
    b, c : int
        Rows that only the first, only the second got right.
    n : int, optional
        All rows. With it the effect is the difference of the accuracies, with Bonett and Price's
        interval; without it the share ``b / (b + c)``, with Clopper and Pearson's.
    method : {"mid-p", "exact", "corrected", "uncorrected"}
        ``"exact"`` is never above its level and often far below it; ``"mid-p"`` counts the
        outcome itself by half and stays near its level; ``"corrected"`` is
        ``(|b - c| - 1)^2 / (b + c)`` and ``"uncorrected"`` ``(b - c)^2 / (b + c)``, against
        chi-squared with one degree of freedom.
    alternative, confidence
        As in :func:`one_sample_t`; chi-squared has no one-sided form.
    names : tuple of str
        What the sentence calls the two.

    Returns
    -------
    Comparison
        Its statistic is ``b``, or chi-squared. Cost: constant.

    References
    ----------
    M. W. Fagerland, S. Lydersen, P. Laake: The McNemar test for binary matched-pairs data: mid-p
    and asymptotic are better than exact conditional. BMC Medical Research Methodology 13, 2013.

    Examples
    --------
    >>> from learnable.evaluation import mcnemar
    >>> for method in ("mid-p", "exact", "corrected"):
    ...     print(method, round(mcnemar(25, 15, method=method).p, 5))
    mid-p 0.11728
    exact 0.15386
    corrected 0.15473
    """
    b, c = _disagreements(b, c, n)
    _check_mcnemar(method, alternative)
    check_confidence(confidence)
    if method.endswith("corrected"):
        statistic, p = _chi_squared(b, c, 1.0 if method == "corrected" else 0.0)
    else:
        statistic, p = float(b), binomial_p(b, b + c, alternative, half=method == "mid-p")
    kind = "guaranteed" if method == "exact" else "approximate"
    assumptions = ("the rows are independent", "both models were made without them")
    if n is None:
        low, high = clopper_pearson(b, b + c, confidence)
        effect = b / (b + c) if b + c else 0.5
        told = sentence_of_share(names, b, b + c, (low, high), p, confidence)
    else:
        low, high = _bonett_price(b, c, n, confidence, alternative)
        effect, told = (b - c) / n, sentence(names, (b - c) / n, (low, high), p, confidence)
    return Comparison(
        kind, f"McNemar test ({method})", statistic, p, effect, low, high, confidence,
        n or b + c, assumptions, told, alternative=alternative,
        notes=(*_by(n), *measured(f"McNemar test ({method})")),
    )  # fmt: skip


def _disagreements(b: int, c: int, n: int | None) -> tuple[int, int]:
    b, c = _count(b, "b"), _count(c, "c")
    if n is not None and _count(n, "n") < max(b + c, 1):
        raise DataError(f"{b} and {c} rows disagree, out of {n}.", remedy="Count all rows in n.")
    return b, c


def _check_mcnemar(method: str, alternative: str) -> None:
    if method not in MCNEMAR:
        msg = f"method must be one of {', '.join(MCNEMAR)}, not {method!r}"
        raise ParameterError(msg)
    if check_alternative(alternative) != "two-sided" and method.endswith("corrected"):
        msg = f"the {method} test is two-sided; take the mid-p or the exact one"
        raise ParameterError(msg)


def sign_test(
    first: Any,
    second: Any = None,
    *,
    alternative: str = "two-sided",
    confidence: float = 0.95,
    names: tuple[str, str] = PAIR,
) -> Comparison:
    """Test whether the first is ahead as often as the second: exact, whatever the distribution.

    The number of positive differences is binomial with one half; differences of zero are left
    out.

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
        Its statistic is the number of positive differences, its effect the median difference,
        with the interval between order statistics, which holds whatever the distribution. Cost:
        O(n log n).

    References
    ----------
    W. J. Conover: Practical nonparametric statistics, 3rd edition, 1999, section 3.4.

    Examples
    --------
    >>> from learnable.evaluation import sign_test
    >>> found = sign_test([3, 4, 5, 2, 6, 7, 1, 8], [1, 2, 2, 1, 5, 9, 0, 4])
    >>> found.statistic, round(found.p, 4)
    (7.0, 0.0703)
    """
    gaps = differences(first, second, 1)
    check_confidence(confidence)
    plus, minus = int((gaps > 0.0).sum()), int((gaps < 0.0).sum())
    p = binomial_p(plus, plus + minus, check_alternative(alternative))
    effect = float(np.median(gaps))
    low, high = _order_bounds(np.sort(gaps), confidence, alternative)
    rest = f"median difference {effect:.4g}, {interval_text(low, high, confidence)}; {chance(p)}"
    count = f"{names[0]} is ahead {plus} times, {names[1]} {minus} times"
    apart = "" if p <= 1.0 - confidence else ", which does not tell them apart"
    return Comparison(
        "guaranteed", "sign test (zeros left out)", float(plus), p, effect, low, high, confidence,
        len(gaps), ("the pairs are independent",), f"{count}{apart} ({rest}).",
        alternative=alternative,
    )  # fmt: skip


def binomial_p(x: int, n: int, alternative: str, *, half: bool = False) -> float:
    """Return the p-value of ``x`` of ``n`` against one half; ``half`` for the mid-p.

    Examples
    --------
    >>> from learnable.evaluation.counted import binomial_p
    >>> round(binomial_p(11, 12, "two-sided"), 7)
    0.0063477
    >>> round(binomial_p(11, 12, "two-sided", half=True), 7)
    0.003418
    """
    from scipy.special import bdtr, gammaln

    point = math.exp(gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1) - n * math.log(2.0))
    shift = 0.5 * point if half else 0.0
    below, above = float(bdtr(x, n, 0.5)) - shift, float(bdtr(n - x, n, 0.5)) - shift
    if alternative == "two-sided":
        return min(2.0 * min(below, above), 1.0)
    return max(above if alternative == "greater" else below, 0.0)


def sentence_of_share(
    names: tuple[str, str], b: int, n: int, bounds: tuple[float, float], p: float, confidence: float
) -> str:
    """Return the sentence of ``b`` disagreements of ``n`` that speak for the first.

    Examples
    --------
    >>> from learnable.evaluation.counted import sentence_of_share
    >>> sentence_of_share(("a", "b"), 3, 4, (0.194, 0.994), 0.62, 0.95)
    'a is right in 3 of 4 disagreements with b, which does not tell them apart (95% interval of
    the share 0.194 to 0.994; p = 0.62).'
    """
    apart = "" if p <= 1.0 - confidence else ", which does not tell them apart"
    rest = interval_text(*bounds, confidence).replace("interval", "interval of the share")
    return (
        f"{names[0]} is right in {b} of {n} disagreements with {names[1]}{apart} "
        f"({rest}; {chance(p)})."
    )


def _by(n: int | None) -> tuple[str, ...]:
    return () if n is None else ("The interval is approximate, by Bonett and Price.",)


def _count(value: Any, name: str) -> int:
    if isinstance(value, (bool, np.bool_)) or value != int(value) or value < 0:
        raise DataError(f"{name} is no number of rows.", value=value, remedy="Give a count.")
    return int(value)


def _chi_squared(b: int, c: int, correction: float) -> tuple[float, float]:
    from scipy.special import chdtrc

    if b + c == 0:
        return 0.0, 1.0
    statistic = max(abs(b - c) - correction, 0.0) ** 2 / (b + c)
    return statistic, float(chdtrc(1.0, statistic))


def _bonett_price(
    b: int, c: int, n: int, confidence: float, alternative: str
) -> tuple[float, float]:
    from scipy.special import ndtri

    tail = (1.0 - confidence) / (2.0 if alternative == "two-sided" else 1.0)
    first, second = (b + 1) / (n + 2), (c + 1) / (n + 2)
    centre = first - second
    half = -float(ndtri(tail)) * math.sqrt((first + second - centre**2) / (n + 2))
    low = -math.inf if alternative == "less" else max(centre - half, -1.0)
    high = math.inf if alternative == "greater" else min(centre + half, 1.0)
    return low, high


def _order_bounds(ordered: Floats, confidence: float, alternative: str) -> tuple[float, float]:
    """Return the order statistics between which the median lies."""
    from scipy.special import bdtr

    n = len(ordered)
    tail = (1.0 - confidence) / (2.0 if alternative == "two-sided" else 1.0)
    left_out = int((bdtr(np.arange(n), n, 0.5) <= tail).sum())
    if not left_out:
        return INFINITE
    low = -math.inf if alternative == "less" else float(ordered[left_out - 1])
    high = math.inf if alternative == "greater" else float(ordered[n - left_out])
    return low, high
