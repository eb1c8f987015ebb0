"""Several learners on several data sets: Friedman's test, by each convention for ties.

References
----------
.. [1] M. Friedman: The use of ranks to avoid the assumption of normality implicit in the analysis
   of variance. Journal of the American Statistical Association 32, 1937.
.. [2] R. L. Iman, J. M. Davenport: Approximations of the critical region of the Friedman
   statistic. Communications in Statistics A 9, 1980.
.. [3] J. Demsar: Statistical comparisons of classifiers over multiple data sets. Journal of
   Machine Learning Research 7, 2006.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.evaluation.comparison import Comparison, chance
from learnable.evaluation.inputs import Floats, table
from learnable.evaluation.measured import measured

FORMULAS = (
    "Iman-Davenport, corrected for ties",
    "Iman-Davenport, ties averaged",
    "chi-squared, corrected for ties",
    "chi-squared, ties averaged",
)


def friedman(
    scores: Any,
    *,
    names: Any = None,
    formula: str = FORMULAS[0],
    higher_is_better: bool = True,
    confidence: float = 0.95,
) -> Comparison:
    """Test whether learners rank alike over data sets.

    With mean ranks ``R_j`` of k learners on N data sets, ties sharing the average of their ranks,

        chi2 = 12 N / (k (k + 1)) sum (R_j - (k + 1) / 2)^2        (k - 1 degrees of freedom)
        F    = (N - 1) chi2 / (N (k - 1) - chi2)                   (k - 1, (k - 1)(N - 1))

    and corrected for ties, chi2 is divided by ``1 - sum (t^3 - t) / (N (k^3 - k))`` over all
    groups of t tied scores first. Where all data sets agree, F is infinite and p is the exact
    chance of that.

    Parameters
    ----------
    scores : mapping, frame or array (N, k)
        A row a data set, a column a learner; mappings go from learners to columns, or to mappings
        from data sets to scores.
    names : sequence of str, optional
        The learners, for an array.
    formula : str
        Which of the four is the answer, ``"Iman-Davenport, corrected for ties"`` by default (also
        ``"Iman-Davenport, ties averaged"``, ``"chi-squared, corrected for ties"``,
        ``"chi-squared, ties averaged"``); the others are in ``further``.
    higher_is_better : bool, default=True
        Whether rank 1 goes to the highest score.
    confidence : float, default=0.95
        One minus the level.

    Returns
    -------
    Comparison
        Its effect is Kendall's W, from 0 (no agreement of the data sets) to 1; it has no interval.
        Cost: O(N k log k).

    References
    ----------
    J. Demsar: Statistical comparisons of classifiers over multiple data sets. Journal of Machine
    Learning Research 7, 2006.

    Examples
    --------
    >>> from learnable.evaluation import friedman
    >>> scores = {"a": [.9, .8, .7, .9, .8], "b": [.8, .7, .6, .7, .7], "c": [.7, .7, .5, .6, .6]}
    >>> found = friedman(scores)
    >>> print(found.text)
    The ranks of 3 learners on 5 data sets differ (Kendall's W 0.96; p < 0.00001).
    >>> for one in found.further:
    ...     print(one.method, round(one.statistic, 3))
    Friedman test (Iman-Davenport, ties averaged) 40.444
    Friedman test (chi-squared, corrected for ties) 9.579
    Friedman test (chi-squared, ties averaged) 9.1
    """
    if formula not in FORMULAS:
        msg = f"formula must be one of {'; '.join(FORMULAS)}, not {formula!r}"
        raise ParameterError(msg)
    check_confidence(confidence)
    _, found = table(scores, names)
    if len(found) < 2:
        raise DataError(
            "One data set has one order of the learners: there is nothing to average.",
            remedy="Give two or more data sets, or compare by cross-validation on the one.",
        )
    ranks = ranks_of(found, higher_is_better=higher_is_better)
    every = [_one(ranks, name, confidence) for name in (formula, *_without(formula))]
    return replace(every[0], further=tuple(every[1:]))


def ranks_of(scores: Floats, *, higher_is_better: bool = True) -> Floats:
    """Return the ranks within each row; the best has rank 1, ties share the average.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.evaluation.mean_ranks import ranks_of
    >>> ranks_of(np.array([[0.9, 0.7, 0.9]])).tolist()
    [[1.5, 3.0, 1.5]]
    """
    from scipy.stats import rankdata

    return np.asarray(rankdata(-scores if higher_is_better else scores, axis=1), dtype=np.float64)


def friedman_statistic(ranks: Floats, formula: str) -> tuple[float, float, tuple[float, ...]]:
    """Return statistic, p and degrees of freedom of one of the formulas.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.evaluation.mean_ranks import friedman_statistic
    >>> friedman_statistic(np.array([[1.0, 2.0], [1.0, 2.0]]), "chi-squared, ties averaged")[0]
    2.0
    """
    from scipy.special import chdtrc, fdtrc

    n, k = ranks.shape
    chi2 = 12.0 * n / (k * (k + 1)) * float(((ranks.mean(0) - (k + 1) / 2.0) ** 2).sum())
    if formula.endswith("corrected for ties"):
        untied = float(((ranks - (k + 1) / 2.0) ** 2).sum()) * 12.0 / (n * (k**3 - k))
        chi2 = chi2 / untied if untied > 0.0 else 0.0
    if formula.startswith("chi"):
        return chi2, float(chdtrc(k - 1, chi2)), (k - 1.0,)
    rest = n * (k - 1) - chi2
    df = (k - 1.0, (k - 1.0) * (n - 1.0))
    if rest <= 1e-12 * n * k:
        return math.inf, _chance_of_agreement(ranks), df
    statistic = (n - 1) * chi2 / rest
    return statistic, float(fdtrc(*df, statistic)), df


def _chance_of_agreement(ranks: Floats) -> float:
    """Return the chance that all rows have the order of the first, where F is infinite."""
    ties = np.unique(ranks[0], return_counts=True)[1]
    orders = math.factorial(ranks.shape[1]) // math.prod(math.factorial(t) for t in ties.tolist())
    return float(orders) ** (1 - len(ranks))


def _without(formula: str) -> tuple[str, ...]:
    return tuple(name for name in FORMULAS if name != formula)


def _one(ranks: Floats, formula: str, confidence: float) -> Comparison:
    n, k = ranks.shape
    statistic, p, df = friedman_statistic(ranks, formula)
    ties = formula.split(", ")[1]
    agreement = friedman_statistic(ranks, f"chi-squared, {ties}")[0] / (n * (k - 1))
    differ = "differ" if p <= 1.0 - confidence else "cannot be told from chance"
    text = (
        f"The ranks of {k} learners on {n} data sets {differ} "
        f"(Kendall's W {agreement:.2g}; {chance(p)})."
    )
    return Comparison(
        "approximate", f"Friedman test ({formula})", statistic, p, agreement, math.nan, math.nan,
        confidence, n, ("the data sets are independent",), text, df,
        notes=measured(f"Friedman test ({formula.split(', ', maxsplit=1)[0]})"),
    )  # fmt: skip
