"""How well scores order things: labels of a row, answers of a query, grades.

=========================  ==========================================================
DCG                        ``sum_i gain_i / log_b(rank_i + 1)``; NDCG divides by the best
label ranking precision    mean share of right labels among those ranked as high
ranking loss               share of pairs of a right and a wrong label in wrong order
coverage                   how far down one must go to meet every right label
top-k accuracy             share of rows whose class is among the k highest
Kendall's tau-b            ``(agreeing - disagreeing pairs) / sqrt(pairs without ties ...)``
=========================  ==========================================================

Equal scores share their gain (DCG) or count as the worst order (the others), as in scikit-learn.

References
----------
.. [1] K. Jarvelin, J. Kekalainen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20,
   2002.
.. [2] G. Tsoumakas, I. Katakis, I. Vlahavas: Mining multi-label data. Springer 2010.
.. [3] M. G. Kendall: The treatment of ties in ranking problems. Biometrika 33, 1945.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.estimator.labels import encode_known
from learnable.metrics.answers import coded, undefined, weights
from learnable.metrics.numbers import matrix, numbers
from learnable.metrics.scores import indicators, scores
from learnable.stats.arrays import Floats


def dcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    log_base: float = 2.0,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """Return the discounted cumulative gain, averaged over rows.

    Parameters
    ----------
    y_true : array (n, m)
        The gain of each item.
    y_score : array (n, m)
        The scores that rank them.
    k : int, optional
        Only the ``k`` highest count.
    log_base : float, default=2
        Base of the discount.
    sample_weight : array (n,), optional
        Weight of each row.
    ignore_ties : bool, default=False
        Whether to take ties in their order instead of averaging over orders.

    Examples
    --------
    >>> from learnable.metrics import dcg_score
    >>> round(dcg_score([[3, 2, 0]], [[0.9, 0.1, 0.5]]), 4)
    4.0
    """
    gain, score = _tables(y_true, y_score)
    each = _gains(gain, score, _discount(gain.shape[1], k, log_base), ties=not ignore_ties)
    return _mean(each, sample_weight)


def ndcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """Return the cumulative gain over that of the best order; parameters as :func:`dcg_score`.

    Examples
    --------
    >>> from learnable.metrics import ndcg_score
    >>> round(ndcg_score([[3, 2, 0]], [[0.9, 0.1, 0.5]]), 4)
    0.9386
    """
    gain, score = _tables(y_true, y_score)
    if gain.min() < 0.0:
        raise DataError("ndcg_score should not be used on negative y_true values.")
    if gain.shape[1] <= 1:
        raise DataError("Computing NDCG is only meaningful when there is more than 1 document.")
    discount = _discount(gain.shape[1], k, 2.0)
    each = _gains(gain, score, discount, ties=not ignore_ties)
    best = _gains(gain, gain, discount, ties=False)
    return _mean(np.divide(each, best, out=np.zeros_like(each), where=best > 0.0), sample_weight)


def top_k_accuracy_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
) -> float:
    """Return the share of rows whose class is among the ``k`` highest scores.

    Parameters
    ----------
    y_true : array (n,)
        Right labels.
    y_score : array (n, K) or (n,)
        A score of each class in sorted order; of the second of two.
    k : int, default=2
        How many may be named.
    normalize : bool, default=True
        False gives the weight instead of the share.
    sample_weight : array (n,), optional
        Weight of each row.
    labels : sequence, optional
        All classes in order, where not all occur in ``y_true``.

    Examples
    --------
    >>> from learnable.metrics import top_k_accuracy_score
    >>> top_k_accuracy_score([0, 1], [[0.2, 0.5, 0.3], [0.4, 0.35, 0.25]], labels=[0, 1, 2])
    0.5
    """
    classes, codes = coded(y_true)
    score = scores(y_score, len(codes), columns=True)
    if labels is not None:
        classes = np.asarray(labels)
        codes = encode_known(np.asarray(y_true), classes)
        if (codes < 0).any():
            raise DataError("'y_true' contains labels not in parameter 'labels'.")
    if score.ndim == 1:
        called = score > (0.5 if _shares(score) else 0.0)
        score = np.stack([~called, called], axis=1).astype(np.float64)
    if len(classes) != score.shape[1]:
        raise DataError(
            f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of classes in "
            f"'y_score' ({score.shape[1]}).",
            remedy="Name all classes in labels.",
        )
    if k < 1:
        msg = f"k must be 1 or more, not {k!r}"
        raise ParameterError(msg)
    if k >= score.shape[1]:
        undefined(f"'k' ({k}) greater than or equal to 'n_classes' ({score.shape[1]}): always 1.")
    highest = np.argsort(score, axis=1, kind="stable")[:, ::-1][:, :k]
    hit = (highest == codes[:, None]).any(axis=1).astype(np.float64)
    if normalize:
        return _mean(hit, sample_weight)
    weight = weights(sample_weight, len(hit))[0]
    return float(hit @ weight if len(weight) else hit.sum())


def label_ranking_average_precision_score(
    y_true: Any, y_score: Any, *, sample_weight: Any = None
) -> float:
    """Return, of each right label, the share of right ones among those ranked as high, averaged.

    Parameters
    ----------
    y_true : array (n, labels) of 0 and 1
        Right labels of each row.
    y_score : array (n, labels)
        Scores.
    sample_weight : array (n,), optional
        Weight of each row.

    Examples
    --------
    >>> from learnable.metrics import label_ranking_average_precision_score
    >>> round(label_ranking_average_precision_score([[1, 0, 0]], [[0.5, 1.0, 0.2]]), 2)
    0.5
    """
    right, score = _labels(y_true, y_score)
    found = np.ones(len(right))
    for i in np.flatnonzero(right.any(axis=1) & ~right.all(axis=1)):
        mine = score[i, right[i]]
        above = (score[i][None, :] >= mine[:, None]).sum(axis=1)
        found[i] = ((mine[None, :] >= mine[:, None]).sum(axis=1) / above).mean()
    return _mean(found, sample_weight)


def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the share of pairs of a right and a wrong label in wrong order (or tied).

    Parameters are those of :func:`label_ranking_average_precision_score`.

    Examples
    --------
    >>> from learnable.metrics import label_ranking_loss
    >>> label_ranking_loss([[1, 0, 0]], [[0.5, 1.0, 0.2]])
    0.5
    """
    right, score = _labels(y_true, y_score)
    found = np.zeros(len(right))
    for i in np.flatnonzero(right.any(axis=1) & ~right.all(axis=1)):
        pairs = score[i, right[i]][:, None] <= score[i, ~right[i]][None, :]
        found[i] = pairs.mean()
    return _mean(found, sample_weight)


def coverage_error(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return how many labels, from the highest score down, it takes to meet every right one.

    Parameters are those of :func:`label_ranking_average_precision_score`.

    Examples
    --------
    >>> from learnable.metrics import coverage_error
    >>> coverage_error([[1, 0, 0]], [[0.5, 1.0, 0.2]])
    2.0
    """
    right, score = _labels(y_true, y_score)
    lowest = np.where(right, score, np.inf).min(axis=1)
    found = (score >= lowest[:, None]).sum(axis=1).astype(np.float64)
    return _mean(found, sample_weight)


def spearman(y_true: Any, y_pred: Any) -> float:
    """Return Spearman's correlation: Pearson's of the ranks, ties averaged.

    NaN, with a warning, where one side does not vary.

    Examples
    --------
    >>> from learnable.metrics import spearman
    >>> round(spearman([1, 2, 3, 4], [1, 4, 9, 16]), 12)
    1.0
    """
    from scipy.stats import rankdata

    from learnable.metrics.regression import pearson

    true, predicted = _one_column(y_true, y_pred)
    return pearson(rankdata(true), rankdata(predicted))


def kendall_tau(y_true: Any, y_pred: Any) -> float:
    """Return Kendall's tau-b: agreeing less disagreeing pairs, over those that are not tied.

    NaN, with a warning, where one side does not vary.

    Examples
    --------
    >>> from learnable.metrics import kendall_tau
    >>> round(kendall_tau([1, 2, 3, 4], [1, 3, 2, 4]), 4)
    0.6667
    """
    from scipy.stats import kendalltau

    true, predicted = _one_column(y_true, y_pred)
    if np.ptp(true) == 0.0 or np.ptp(predicted) == 0.0:
        undefined("The correlation of ranks is undefined: one side does not vary.")
        return float("nan")
    return float(kendalltau(true, predicted).statistic)


def _one_column(y_true: Any, y_pred: Any) -> tuple[Floats, Floats]:
    found = numbers(y_true, y_pred)
    if found.true.shape[1] != 1:
        raise DataError("There are several outputs.", remedy="Judge one output at a time.")
    return found.true[:, 0], found.predicted[:, 0]


def _tables(y_true: Any, y_score: Any) -> tuple[Floats, Floats]:
    gain, score = matrix(y_true), matrix(y_score)
    if gain.shape != score.shape:
        raise DataError(f"y_true has the shape {gain.shape}, y_score {score.shape}.")
    _refuse_no_rows(gain)
    return gain, score


def _labels(y_true: Any, y_score: Any) -> tuple[NDArray[np.bool_], Floats]:
    right = indicators(y_true)
    if right is None:
        raise DataError("y_true has one answer a row.", remedy="Give (n, labels) of 0 and 1.")
    score = scores(y_score, len(right), columns=True)
    if score.shape != right.shape:
        raise DataError(f"y_true has the shape {right.shape}, y_score {score.shape}.")
    _refuse_no_rows(right)
    return right, score


def _refuse_no_rows(array: NDArray[Any]) -> None:
    if not len(array):
        raise DataError("There are no rows to judge.", remedy="Give one row or more.")


def _discount(m: int, k: int | None, base: float) -> Floats:
    if k is not None and k < 1:
        msg = f"k must be 1 or more, not {k!r}"
        raise ParameterError(msg)
    found = np.log(base) / np.log(np.arange(m) + 2.0)
    found[m if k is None else k :] = 0.0
    return found


def _gains(gain: Floats, score: Floats, discount: Floats, *, ties: bool) -> Floats:
    order = np.argsort(score, axis=1, kind="stable")[:, ::-1]
    if not ties:
        return np.take_along_axis(gain, order, axis=1) @ discount
    total = np.append(0.0, np.cumsum(discount))
    found = np.empty(len(gain))
    for i, places in enumerate(order):
        ranked = score[i, places]
        starts = np.flatnonzero(np.append(True, np.diff(ranked) != 0.0))
        ends = np.append(starts[1:], len(ranked))
        shared = np.add.reduceat(gain[i, places], starts) / (ends - starts)
        found[i] = shared @ (total[ends] - total[starts])
    return found


def _shares(score: Floats) -> bool:
    return bool(score.min() >= 0.0 and score.max() <= 1.0)


def _mean(each: Floats, sample_weight: Any) -> float:
    weight = weights(sample_weight, len(each))[0]
    return float(np.average(each, weights=weight if len(weight) else None))
