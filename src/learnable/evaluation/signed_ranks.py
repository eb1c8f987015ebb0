"""Wilcoxon's signed ranks: exact whatever the ties and the zeros, with its interval.

References
----------
.. [1] F. Wilcoxon: Individual comparisons by ranking methods. Biometrics Bulletin 1, 1945.
.. [2] J. W. Pratt: Remarks on zeros and ties in the Wilcoxon signed rank procedures. Journal of
   the American Statistical Association 54, 1959.
.. [3] J. L. Hodges, E. L. Lehmann: Estimates of location based on rank tests. Annals of
   Mathematical Statistics 34, 1963.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import ParameterError
from learnable.evaluation.comparison import INFINITE, Comparison, check_alternative, sentence
from learnable.evaluation.inputs import Floats, differences
from learnable.evaluation.student import PAIR

ZERO_METHODS = ("zsplit", "wilcox", "pratt")
EXACT_UP_TO = 200


class Signs(NamedTuple):
    """Twice the ranks of what has a sign, and twice the sums of ranks on either side.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.evaluation.signed_ranks import signed
    >>> found = signed(np.array([0.0, 1.0, -2.0, 2.0]), "zsplit")
    >>> found.doubled.tolist(), found.plus, found.minus
    ([4, 7, 7], 12.0, 8.0)
    """

    doubled: Any
    plus: float
    minus: float
    split: float


def wilcoxon(
    first: Any,
    second: Any = None,
    *,
    zero_method: str = "zsplit",
    method: str = "auto",
    alternative: str = "two-sided",
    confidence: float = 0.95,
    names: tuple[str, str] = PAIR,
) -> Comparison:
    """Test whether differences are symmetric about zero, by the ranks of their sizes.

    Parameters
    ----------
    first, second : array (n,)
        Scores in pairs, such as of n data sets; ``first`` alone holds differences.
    zero_method : {"zsplit", "wilcox", "pratt"}
        What becomes of differences of zero: their ranks are split evenly (as Demsar has it), they
        are left out, or they are ranked and then left out.
    method : {"auto", "exact", "normal"}
        ``"exact"`` counts all signs of the very ranks at hand, ties included; ``"normal"`` has the
        variance corrected for ties, and no correction for continuity. ``"auto"`` is exact up to
        200 pairs.
    alternative, confidence
        As in :func:`one_sample_t`.
    names : tuple of str
        What the sentence calls the two.

    Returns
    -------
    Comparison
        Its statistic is the sum of the ranks of positive differences, its effect the median of all
        averages of two differences (Hodges and Lehmann), with the interval that inverts the test.
        Cost: O(n log n), and O(n^3) in additions of an array if exact.

    References
    ----------
    F. Wilcoxon: Individual comparisons by ranking methods. Biometrics Bulletin 1, 1945.

    Examples
    --------
    >>> from learnable.evaluation import wilcoxon
    >>> found = wilcoxon([1.1, 0.3, 0.8, -0.2, 0.9, 1.4])
    >>> found.statistic, found.p
    (20.0, 0.0625)
    """
    if zero_method not in ZERO_METHODS:
        msg = f"zero_method must be one of {', '.join(ZERO_METHODS)}, not {zero_method!r}"
        raise ParameterError(msg)
    if method not in {"auto", "exact", "normal"}:
        msg = f"method must be auto, exact or normal, not {method!r}"
        raise ParameterError(msg)
    check_confidence(confidence)
    gaps = differences(first, second, 1)
    found = signed(gaps, zero_method)
    exact = method == "exact" or (method == "auto" and len(gaps) <= EXACT_UP_TO)
    tails = _exact_tails(found) if exact else _normal_tails(found)
    p = _p(tails, check_alternative(alternative))
    effect, low, high = _location(gaps, confidence, alternative, exact=exact)
    zeros = {"zsplit": "zeros split", "wilcox": "zeros left out", "pratt": "zeros ranked, left out"}
    return Comparison(
        "guaranteed" if exact else "approximate",
        f"Wilcoxon signed-rank test ({'exact' if exact else 'normal'}, {zeros[zero_method]})",
        found.plus / 2.0, p, effect, low, high, confidence, len(gaps),
        ("the pairs are independent", "their differences lie symmetrically about their median"),
        sentence(names, effect, (low, high), p, confidence), alternative=alternative,
        notes=(f"Sums of ranks: {found.plus / 2.0:g} for, {found.minus / 2.0:g} against.",),
    )  # fmt: skip


def signed(gaps: Floats, zero_method: str) -> Signs:
    """Return the ranks of the sizes of differences, and their sums by sign.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.evaluation.signed_ranks import signed
    >>> signed(np.array([3.0, -1.0]), "wilcox").plus
    4.0
    """
    from scipy.stats import rankdata

    kept = gaps[gaps != 0.0] if zero_method == "wilcox" else gaps
    doubled = np.rint(2.0 * rankdata(np.abs(kept))).astype(np.int64)
    split = float(doubled[kept == 0.0].sum()) / 2.0 if zero_method == "zsplit" else 0.0
    plus = float(doubled[kept > 0.0].sum()) + split
    minus = float(doubled[kept < 0.0].sum()) + split
    return Signs(doubled[kept != 0.0], plus, minus, split)


def _exact_tails(found: Signs) -> tuple[float, float]:
    """Return the chances of a sum at most and at least as large, over all signs of the ranks."""
    if not len(found.doubled):
        return 1.0, 1.0
    step = int(np.gcd.reduce(found.doubled))
    chances = _distribution(found.doubled // step)
    at = round((found.plus - found.split) / step)
    return float(chances[: at + 1].sum()), float(chances[at:].sum())


def _distribution(ranks: Any) -> Floats:
    """Return the chance of every sum, each rank counting or not like a fair coin."""
    chances = np.zeros(int(ranks.sum()) + 1)
    chances[0] = 1.0
    top = 0
    for rank in np.sort(ranks):
        chances[: top + rank + 1] *= 0.5
        chances[rank : top + rank + 1] += chances[: top + 1].copy()
        top += int(rank)
    return chances


def _normal_tails(found: Signs) -> tuple[float, float]:
    from scipy.special import ndtr

    spread = math.sqrt(float((found.doubled.astype(np.float64) ** 2).sum()))
    if spread == 0.0:
        return 1.0, 1.0
    z = (found.plus - found.minus) / spread
    return float(ndtr(z)), float(ndtr(-z))


def _p(tails: tuple[float, float], alternative: str) -> float:
    below, above = tails
    if alternative == "two-sided":
        return min(2.0 * min(below, above), 1.0)
    return min(above if alternative == "greater" else below, 1.0)


def _location(
    gaps: Floats, confidence: float, alternative: str, *, exact: bool
) -> tuple[float, float, float]:
    """Return the median of all averages of two, and the order statistics around it."""
    ordered, n = np.sort(gaps), len(gaps)
    count = n * (n + 1) // 2
    tail = (1.0 - confidence) / (2.0 if alternative == "two-sided" else 1.0)
    middle = (_average(ordered, (count + 1) // 2) + _average(ordered, count // 2 + 1)) / 2.0
    left_out = _left_out(n, tail, exact=exact)
    if not left_out:
        return middle, *INFINITE
    low = -math.inf if alternative == "less" else _average(ordered, left_out)
    high = math.inf if alternative == "greater" else _average(ordered, count + 1 - left_out)
    return middle, low, high


def _left_out(n: int, tail: float, *, exact: bool) -> int:
    """Return how many averages lie outside on a side."""
    from scipy.special import ndtri

    if exact:
        return int((np.cumsum(_distribution(np.arange(1, n + 1))) <= tail).sum())
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24.0)
    return max(math.floor(n * (n + 1) / 4.0 + float(ndtri(tail)) * spread), 0)


def _average(ordered: Floats, place: int) -> float:
    """Return the average of two (or of one with itself) that is ``place``-th from below."""
    n = len(ordered)
    if n <= EXACT_UP_TO:
        rows, columns = np.triu_indices(n)
        averages = (ordered[rows] + ordered[columns]) / 2.0
        return float(np.partition(averages, place - 1)[place - 1])
    low, high = 2.0 * ordered[0], 2.0 * ordered[-1]
    own = np.arange(n)
    while True:
        middle = low + (high - low) / 2.0
        if middle in {low, high}:
            break
        # Pairs are counted twice and each with itself once, so that all of them count once.
        upto = np.searchsorted(ordered, middle - ordered, side="right")
        if (int(upto.sum()) + int((upto > own).sum())) // 2 >= place:
            high = middle
        else:
            low = middle
    return float(high / 2.0)
