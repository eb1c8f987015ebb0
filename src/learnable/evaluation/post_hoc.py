"""After Friedman: which of several learners differ over data sets.

References
----------
.. [1] P. B. Nemenyi: Distribution-free multiple comparisons. Thesis, Princeton, 1963.
.. [2] O. J. Dunn: Multiple comparisons among means. Journal of the American Statistical
   Association 56, 1961.
.. [3] S. Holm: A simple sequentially rejective multiple test procedure. Scandinavian Journal of
   Statistics 6, 1979.
.. [4] J. Demsar: Statistical comparisons of classifiers over multiple data sets. Journal of
   Machine Learning Research 7, 2006.
.. [5] A. Benavoli, G. Corani, F. Mangili: Should we really use post-hoc tests based on mean-ranks?
   Journal of Machine Learning Research 17, 2016.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.evaluation.comparison import Comparison, sentence
from learnable.evaluation.comparisons import Comparisons, by_holm, pairs_of
from learnable.evaluation.inputs import Floats, table
from learnable.evaluation.mean_ranks import friedman, ranks_of
from learnable.evaluation.measured import measured
from learnable.evaluation.signed_ranks import wilcoxon

_ASSUMPTIONS = ("the data sets are independent",)


def nemenyi(
    scores: Any, *, names: Any = None, higher_is_better: bool = True, confidence: float = 0.95
) -> Comparisons:
    """Compare all learners with all by mean ranks, with one critical difference.

    Two of k learners on N data sets are told apart from ``CD = q sqrt(k (k + 1) / (6 N))`` on,
    where ``q`` is the quantile of the studentised range of k over ``sqrt(2)``.

    Parameters
    ----------
    scores, names, higher_is_better, confidence
        As in :func:`friedman`.

    Returns
    -------
    Comparisons
        The effect of a pair is by how much the first ranks better. Cost: O(N k log k + k^2).

    References
    ----------
    J. Demsar: Statistical comparisons of classifiers over multiple data sets. Journal of Machine
    Learning Research 7, 2006.

    Examples
    --------
    >>> from learnable.evaluation import nemenyi
    >>> scores = {"a": [.9, .8, .7, .9, .8], "b": [.8, .7, .6, .7, .7], "c": [.7, .6, .5, .6, .6]}
    >>> round(nemenyi(scores).critical_difference, 3)
    1.482
    """
    from scipy.stats import studentized_range

    check_confidence(confidence)
    names, found = table(scores, names)
    ranks = ranks_of(found, higher_is_better=higher_is_better)
    error, k = _rank_error(ranks), len(names)
    root = math.sqrt(2.0)
    quantile = float(studentized_range.ppf(confidence, k, math.inf)) / root
    places = pairs_of(names, None)
    gaps = [float(ranks[:, j].mean() - ranks[:, i].mean()) for i, j in places]
    p = [float(studentized_range.sf(abs(gap) / error * root, k, math.inf)) for gap in gaps]
    return _by_ranks(
        "Nemenyi test", names, (found, ranks), places, gaps, p, (quantile, confidence),
        higher_is_better=higher_is_better,
    )  # fmt: skip


def bonferroni_dunn(
    scores: Any,
    control: str,
    *,
    names: Any = None,
    higher_is_better: bool = True,
    confidence: float = 0.95,
) -> Comparisons:
    """Compare a control with each other learner by mean ranks, with one critical difference.

    As :func:`nemenyi`, with ``q`` the normal quantile at ``alpha / (2 (k - 1))``: fewer pairs
    than all with all, hence a smaller difference will do.

    Parameters
    ----------
    scores, names, higher_is_better, confidence
        As in :func:`friedman`.
    control : str
        The learner to compare with.

    Returns
    -------
    Comparisons
        The effect of a pair is by how much the control ranks better. Cost: O(N k log k).

    References
    ----------
    J. Demsar: Statistical comparisons of classifiers over multiple data sets. Journal of Machine
    Learning Research 7, 2006.

    Examples
    --------
    >>> from learnable.evaluation import bonferroni_dunn
    >>> scores = {"a": [.9, .8, .7, .9, .8], "b": [.8, .7, .6, .7, .7], "c": [.7, .6, .5, .6, .6]}
    >>> round(bonferroni_dunn(scores, "a").critical_difference, 3)
    1.418
    """
    from scipy.special import ndtr, ndtri

    check_confidence(confidence)
    names, found = table(scores, names)
    ranks = ranks_of(found, higher_is_better=higher_is_better)
    places = pairs_of(names, control)
    quantile = -float(ndtri((1.0 - confidence) / (2.0 * len(places))))
    gaps = [float(ranks[:, j].mean() - ranks[:, i].mean()) for i, j in places]
    error = _rank_error(ranks)
    p = [min(2.0 * len(places) * float(ndtr(-abs(gap) / error)), 1.0) for gap in gaps]
    return _by_ranks(
        "Bonferroni-Dunn test", names, (found, ranks), places, gaps, p, (quantile, confidence),
        higher_is_better=higher_is_better, control=control,
    )  # fmt: skip


def holm(
    scores: Any,
    control: str | None = None,
    *,
    names: Any = None,
    test: str = "wilcoxon",
    higher_is_better: bool = True,
    confidence: float = 0.95,
) -> Comparisons:
    """Compare learners over data sets pair by pair, with p-values adjusted by Holm.

    Parameters
    ----------
    scores, names, higher_is_better, confidence
        As in :func:`friedman`.
    control : str, optional
        The learner to compare with; by default all are compared with all.
    test : {"wilcoxon", "ranks"}
        How a pair is tested: by its own signed ranks, or by mean ranks among all learners, which
        change when a third one comes or goes.

    Returns
    -------
    Comparisons
        The effect of a pair is how much better the first scores (or ranks). Cost: that of the
        tests of the pairs.

    References
    ----------
    A. Benavoli, G. Corani, F. Mangili: Should we really use post-hoc tests based on mean-ranks?
    Journal of Machine Learning Research 17, 2016.

    Examples
    --------
    >>> from learnable.evaluation import holm
    >>> scores = {"a": [.9, .8, .7, .9, .8], "b": [.8, .7, .6, .7, .7], "c": [.7, .6, .5, .6, .6]}
    >>> [round(pair.p, 4) for pair in holm(scores, test="ranks").pairs]
    [0.2277, 0.0047, 0.2277]
    """
    from scipy.special import ndtr, ndtri

    check_confidence(confidence)
    names, found = table(scores, names)
    ranks = ranks_of(found, higher_is_better=higher_is_better)
    places = pairs_of(names, control)
    error = _rank_error(ranks)

    def by_ranks(i: int, j: int, each: float) -> Comparison:
        gap = float(ranks[:, j].mean() - ranks[:, i].mean())
        p = 2.0 * float(ndtr(-abs(gap) / error))
        half = -float(ndtri((1.0 - each) / 2.0)) * error
        return _pair("rank test", (names[i], names[j]), gap, error, half, p, each, len(ranks))

    def by_wilcoxon(i: int, j: int, each: float) -> Comparison:
        return wilcoxon(found[:, i], found[:, j], confidence=each, names=(names[i], names[j]))

    tests = {"wilcoxon": by_wilcoxon, "ranks": by_ranks}
    if test not in tests:
        msg = f"test must be wilcoxon or ranks, not {test!r}"
        raise ParameterError(msg)
    verb = "ranks" if test == "ranks" else "scores"
    pairs = by_holm(tests[test], names, places, confidence, verb)
    return Comparisons(
        f"{pairs[0].method} of each pair, adjusted by Holm",
        "Holm's adjustment holds whatever the dependence between the pairs.",
        names, tuple(ranks.mean(0).tolist()), "mean rank", places, pairs, confidence, len(found),
        _overall(found, names, higher_is_better=higher_is_better, confidence=confidence),
        control=control, lower_is_better=True,
    )  # fmt: skip


def _rank_error(ranks: Floats) -> float:
    """Return the standard error of a difference of mean ranks."""
    n, k = ranks.shape
    if n < 2:
        raise DataError(
            "One data set has one order of the learners: there is nothing to average.",
            remedy="Give two or more data sets, or compare by cross-validation on the one.",
        )
    return math.sqrt(k * (k + 1) / (6.0 * n))


def _overall(
    found: Floats, names: tuple[str, ...], *, higher_is_better: bool, confidence: float
) -> Comparison | None:
    if len(names) == 2:
        return None
    return friedman(found, names=names, higher_is_better=higher_is_better, confidence=confidence)


def _pair(
    method: str,
    names: tuple[str, str],
    gap: float,
    error: float,
    half: float,
    p: float,
    confidence: float,
    n: int,
) -> Comparison:
    low, high = gap - half, gap + half
    text = sentence(names, gap, (low, high), p, confidence, "ranks")
    return Comparison(
        "approximate", method, gap / error, p, gap, low, high, confidence, n, _ASSUMPTIONS, text,
        critical=(-half / error, half / error),
    )  # fmt: skip


def _by_ranks(
    method: str,
    names: tuple[str, ...],
    tables: tuple[Floats, Floats],
    places: tuple[tuple[int, int], ...],
    gaps: list[float],
    p: list[float],
    limits: tuple[float, float],
    *,
    higher_is_better: bool,
    control: str | None = None,
) -> Comparisons:
    (found, ranks), (quantile, confidence) = tables, limits
    error, n = _rank_error(ranks), len(ranks)
    difference = quantile * error
    pairs = tuple(
        _pair(method, (names[i], names[j]), gap, error, difference, one, confidence, n)
        for (i, j), gap, one in zip(places, gaps, p, strict=True)
    )
    return Comparisons(
        method, f"One critical difference of mean ranks, {difference:.4g}, for all pairs.",
        names, tuple(np.mean(ranks, axis=0).tolist()), "mean rank", places, pairs, confidence, n,
        _overall(found, names, higher_is_better=higher_is_better, confidence=confidence),
        difference, control, lower_is_better=True, notes=measured(method),
    )  # fmt: skip
