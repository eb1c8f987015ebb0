"""How well two clusterings agree, and how well one separates its rows.

Agreement with known classes is a function of the contingency table ``n_ij`` alone, with rows
``a_i`` and columns ``b_j``:

====================  ================================================================
Rand index            share of pairs on which both agree; adjusted: less what is expected
mutual information    ``I = sum n_ij / n log(n n_ij / (a_i b_j))``, divided by a mean of the
                      entropies; adjusted: less what is expected
homogeneity           ``I / H(classes)``; completeness ``I / H(clusters)``; V their mean
Fowlkes-Mallows       ``sqrt(precision recall)`` of pairs
====================  ================================================================

References
----------
.. [1] L. Hubert, P. Arabie: Comparing partitions. Journal of Classification 2, 1985.
.. [2] N. X. Vinh, J. Epps, J. Bailey: Information theoretic measures for clusterings comparison.
   JMLR 11, 2010.
.. [3] A. Rosenberg, J. Hirschberg: V-measure. EMNLP-CoNLL 2007.
.. [4] E. B. Fowlkes, C. L. Mallows: A method for comparing two hierarchical clusterings. JASA 78,
   1983.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.metrics.answers import coded
from learnable.stats.arrays import Floats

_MEANS = ("arithmetic", "geometric", "min", "max")


def rand_score(labels_true: Any, labels_pred: Any) -> float:
    """Return the share of pairs of rows that both clusterings keep together or apart.

    Parameters
    ----------
    labels_true, labels_pred : array (n,)
        Two clusterings.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import rand_score
    >>> round(rand_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.8333
    """
    both, first, second, n = _pairs(contingency(labels_true, labels_pred))
    every = n * (n - 1.0) / 2.0
    return (every - first - second + 2.0 * both) / every if every else 1.0


def adjusted_rand_score(labels_true: Any, labels_pred: Any) -> float:
    """Return the Rand index adjusted for chance: 0 on average for random labels, 1 for equal ones.

    Parameters are those of :func:`rand_score`.

    Examples
    --------
    >>> from learnable.metrics import adjusted_rand_score
    >>> round(adjusted_rand_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.5714
    """
    both, first, second, n = _pairs(contingency(labels_true, labels_pred))
    if first == second == both:
        return 1.0
    expected = first * second / (n * (n - 1.0) / 2.0)
    return (both - expected) / ((first + second) / 2.0 - expected)


def fowlkes_mallows_score(labels_true: Any, labels_pred: Any) -> float:
    """Return the geometric mean of precision and recall over pairs of rows.

    Parameters are those of :func:`rand_score`.

    Examples
    --------
    >>> from learnable.metrics import fowlkes_mallows_score
    >>> round(fowlkes_mallows_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.7071
    """
    both, first, second, _ = _pairs(contingency(labels_true, labels_pred))
    return float(np.sqrt(both / first) * np.sqrt(both / second)) if both else 0.0


def mutual_info_score(labels_true: Any, labels_pred: Any) -> float:
    """Return the mutual information of two clusterings, in nats.

    Parameters are those of :func:`rand_score`.

    Examples
    --------
    >>> from learnable.metrics import mutual_info_score
    >>> round(mutual_info_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.6931
    """
    return _information(contingency(labels_true, labels_pred))


def normalized_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Return the mutual information divided by a mean of the two entropies.

    Parameters
    ----------
    labels_true, labels_pred : array (n,)
        Two clusterings.
    average_method : {"arithmetic", "geometric", "min", "max"}
        The mean.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import normalized_mutual_info_score
    >>> round(normalized_mutual_info_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.8
    """
    table = contingency(labels_true, labels_pred)
    if min(table.shape) == max(table.shape) == 1:
        return 1.0
    shared = _information(table)
    return shared / _mean_entropy(table, average_method) if shared else 0.0


def adjusted_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Return the mutual information adjusted for chance: 0 on average for random labels.

    Parameters are those of :func:`normalized_mutual_info_score`. The expectation is exact, over
    all tables with these margins.

    Examples
    --------
    >>> from learnable.metrics import adjusted_mutual_info_score
    >>> round(adjusted_mutual_info_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.5714
    """
    table = contingency(labels_true, labels_pred)
    n = table.sum()
    if table.shape in ((1, 1), (n, n)):
        return 1.0
    if min(table.shape) == 1:
        return 0.0
    expected = _expected_information(table)
    above = _information(table) - expected
    below = _mean_entropy(table, average_method) - expected
    eps = float(np.finfo(np.float64).eps)
    return above / (min(below, -eps) if below < 0.0 else max(below, eps))


def homogeneity_completeness_v_measure(
    labels_true: Any, labels_pred: Any, *, beta: float = 1.0
) -> tuple[float, float, float]:
    """Return homogeneity, completeness, and their weighted harmonic mean.

    Parameters
    ----------
    labels_true, labels_pred : array (n,)
        Classes and clusters.
    beta : float, default=1.0
        Above 1, completeness counts more.

    Returns
    -------
    tuple of float

    Examples
    --------
    >>> from learnable.metrics import homogeneity_completeness_v_measure
    >>> h, c, v = homogeneity_completeness_v_measure([0, 0, 1, 1], [0, 0, 1, 2])
    >>> round(h, 4), round(c, 4), round(v, 4)
    (1.0, 0.6667, 0.8)
    """
    table = contingency(labels_true, labels_pred)
    shared = _information(table)
    first, second = _entropy(table.sum(axis=1)), _entropy(table.sum(axis=0))
    homogeneity = min(shared / first, 1.0) if first else 1.0
    completeness = min(shared / second, 1.0) if second else 1.0
    if homogeneity + completeness == 0.0:
        return homogeneity, completeness, 0.0
    v = (1.0 + beta) * homogeneity * completeness / (beta * homogeneity + completeness)
    return homogeneity, completeness, v


def homogeneity_score(labels_true: Any, labels_pred: Any) -> float:
    """Return how far every cluster holds a single class.

    Examples
    --------
    >>> from learnable.metrics import homogeneity_score
    >>> round(homogeneity_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    1.0
    """
    return homogeneity_completeness_v_measure(labels_true, labels_pred)[0]


def completeness_score(labels_true: Any, labels_pred: Any) -> float:
    """Return how far every class lies in a single cluster.

    Examples
    --------
    >>> from learnable.metrics import completeness_score
    >>> round(completeness_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.6667
    """
    return homogeneity_completeness_v_measure(labels_true, labels_pred)[1]


def v_measure_score(labels_true: Any, labels_pred: Any, *, beta: float = 1.0) -> float:
    """Return the weighted harmonic mean of homogeneity and completeness.

    Examples
    --------
    >>> from learnable.metrics import v_measure_score
    >>> round(v_measure_score([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.8
    """
    return homogeneity_completeness_v_measure(labels_true, labels_pred, beta=beta)[2]


def contingency(labels_true: Any, labels_pred: Any) -> Floats:
    """Return how many rows have each pair of labels.

    Examples
    --------
    >>> from learnable.metrics.cluster import contingency
    >>> contingency(["a", "a", "b"], [0, 1, 1]).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    (rows, first), (columns, second) = coded(labels_true), coded(labels_pred)
    if len(first) != len(second):
        msg = f"There are {len(first)} and {len(second)} labels."
        raise DataError(msg, remedy="Give two labels a row.")
    cells = first.astype(np.int64) * len(columns) + second
    counts = np.bincount(cells, minlength=len(rows) * len(columns))
    return counts.reshape(len(rows), len(columns)).astype(np.float64)


def _pairs(table: Floats) -> tuple[float, float, float, float]:
    """Return the pairs that are together in both, in the first, in the second; and the rows."""
    both, first, second = (
        float((counts * (counts - 1.0)).sum() / 2.0)
        for counts in (table, table.sum(axis=1), table.sum(axis=0))
    )
    return both, first, second, float(table.sum())


def _entropy(counts: Floats) -> float:
    share = counts[counts > 0.0] / counts.sum()
    return float(-(share @ np.log(share))) if len(share) > 1 else 0.0


def _information(table: Floats) -> float:
    n = table.sum()
    i, j = np.nonzero(table)
    cells = table[i, j]
    logs = np.log(cells * n) - np.log(table.sum(axis=1)[i]) - np.log(table.sum(axis=0)[j])
    found = float(cells @ logs) / float(n)
    return found if found > np.finfo(np.float64).eps else 0.0


def _mean_entropy(table: Floats, how: str) -> float:
    if how not in _MEANS:
        msg = f"average_method must be one of {', '.join(_MEANS)}, not {how!r}"
        raise ParameterError(msg)
    one, other = _entropy(table.sum(axis=1)), _entropy(table.sum(axis=0))
    means = {"arithmetic": (one + other) / 2.0, "geometric": float(np.sqrt(one * other))}
    return {**means, "min": min(one, other), "max": max(one, other)}[how]


def _expected_information(table: Floats) -> float:
    """Return the mean over all tables with these margins (hypergeometric cells)."""
    from scipy.special import gammaln

    n = int(table.sum())
    logs = gammaln(np.arange(n + 2) + 1.0)
    rows, columns = (np.unique(table.sum(axis=k).astype(int), return_counts=True) for k in (1, 0))
    total = 0.0
    for a, often_a in zip(*rows, strict=True):
        for b, often_b in zip(*columns, strict=True):
            # Beyond this far from its mean a hypergeometric cell has less than e^-50 (Hoeffding).
            mean, far = a * b / n, 5.0 * np.sqrt(min(a, b))
            least, most = max(1, a + b - n, int(mean - far)), min(a, b, int(mean + far) + 1)
            m = np.arange(least, most + 1)
            chance = np.exp(
                logs[a] + logs[b] + logs[n - a] + logs[n - b]
                - logs[n] - logs[m] - logs[a - m] - logs[b - m] - logs[n - a - b + m]
            )  # fmt: skip
            terms = m / n * (np.log(float(n)) + np.log(m) - np.log(float(a)) - np.log(float(b)))
            total += float(often_a * often_b * (terms @ chance))
    return total
