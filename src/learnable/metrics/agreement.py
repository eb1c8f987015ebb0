"""How well predicted classes agree with the right ones, in one number.

Accuracy is the share of right answers. Where classes are of unequal size, balanced accuracy
averages the recalls, Cohen's kappa takes off the agreement of chance, and Matthews' coefficient
is the correlation of the two codings:

    kappa = (p_o - p_e) / (1 - p_e)
    MCC   = (c s - sum_k t_k p_k) / sqrt((s^2 - sum_k p_k^2) (s^2 - sum_k t_k^2))

with ``c`` right of ``s`` rows, ``t_k`` rows of class k and ``p_k`` predicted as k.

References
----------
.. [1] J. Cohen: A coefficient of agreement for nominal scales. Educational and Psychological
   Measurement 20, 1960.
.. [2] J. Gorodkin: Comparing two K-category assignments by a K-category correlation coefficient.
   Computational Biology and Chemistry 28, 2004.
.. [3] K. H. Brodersen et al.: The balanced accuracy and its posterior distribution. ICPR 2010.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.warning import warn
from learnable.metrics.answers import Indicators, answers, one_answer, undefined
from learnable.metrics.chance import kappa_of, matthews_of
from learnable.metrics.tables import confusion_matrix
from learnable.metrics.tallies import Tallies, tallies_of


def accuracy_score(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None
) -> float:
    """Return the share of rows that are answered right (in every label, if they have several).

    Parameters
    ----------
    y_true, y_pred : array (n,) or (n, labels)
        Right and predicted answers.
    normalize : bool, default=True
        False gives the weight of right rows instead of the share.
    sample_weight : array (n,), optional
        Weight of each row.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import accuracy_score
    >>> accuracy_score(["no", "yes", "no", "no"], ["no", "no", "no", "no"])
    0.75
    """
    found = answers(y_true, y_pred, sample_weight)
    right = found.right()
    if len(found.weight):
        total = float(found.weight @ right)
        return total / float(found.weight.sum()) if normalize else total
    return float(np.count_nonzero(right)) / (len(right) if normalize else 1)


def zero_one_loss(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None
) -> float:
    """Return the share (or weight) of rows that are answered wrong.

    Parameters are those of :func:`accuracy_score`.

    Examples
    --------
    >>> from learnable.metrics import zero_one_loss
    >>> zero_one_loss([0, 1, 1, 1], [0, 1, 1, 0])
    0.25
    """
    found = answers(y_true, y_pred, sample_weight)
    wrong = ~found.right()
    weight = found.weight if len(found.weight) else np.ones(len(wrong))
    total = float(weight @ wrong)
    return total / float(weight.sum()) if normalize else total


def hamming_loss(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the share of single labels that are wrong.

    With one label a row this is the error; with several, every label of every row counts.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.metrics import hamming_loss
    >>> hamming_loss(np.array([[0, 1], [1, 1]]), np.array([[0, 0], [1, 1]]))
    0.25
    """
    found = answers(y_true, y_pred, sample_weight)
    wrong = found.actual != found.predicted
    each = wrong.mean(axis=1) if isinstance(found, Indicators) else wrong
    return float(np.average(each, weights=found.weight if len(found.weight) else None))


def balanced_accuracy_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, adjusted: bool = False
) -> float:
    """Return the mean recall of the classes, so that every class counts the same.

    Parameters
    ----------
    y_true, y_pred : array (n,)
        Right and predicted labels.
    sample_weight : array (n,), optional
        Weight of each row.
    adjusted : bool, default=False
        Shift and scale, so that chance gives 0 and all right gives 1.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import balanced_accuracy_score
    >>> balanced_accuracy_score([0] * 9 + [1], [0] * 10)
    0.5
    """
    recall = Tallies.of_table(one_answer(y_true, y_pred, sample_weight).table()).rate("recall")
    there = ~np.isnan(recall)
    if not there.all():
        warn("y_pred contains classes not in y_true")
    score = float(recall[there].mean())
    if not adjusted:
        return score
    k = int(there.sum())
    if k == 1:
        undefined("Adjusted balanced accuracy is undefined: y_true has a single class.")
        return float("nan")
    return (score - 1.0 / k) / (1.0 - 1.0 / k)


def rebalanced_accuracy(
    y_true: Any, y_pred: Any, *, pos_label: Any = 1, sample_weight: Any = None
) -> float:
    """Return the accuracy in which a positive row counts N / P, so that both classes weigh alike.

    ``(N / P TP + TN) / (N / P P + N) = (recall + specificity) / 2``, the balanced accuracy of two
    classes. NaN, with a warning, where there is no positive or no negative row.

    Parameters
    ----------
    y_true, y_pred : array (n,)
        Right and predicted labels.
    pos_label : label, default=1
        The positive class; all others are negative.
    sample_weight : array (n,), optional
        Weight of each row.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import rebalanced_accuracy
    >>> round(rebalanced_accuracy([1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]), 4)
    0.7083
    """
    found = one_answer(y_true, y_pred, sample_weight)
    tallies = tallies_of(found.table(), found.classes, [pos_label])
    both = np.concatenate([tallies.rate("recall"), tallies.rate("specificity")])
    if np.isnan(both).any():
        side = "no row is" if np.isnan(both[0]) else "every row is"
        undefined(f"Rebalanced accuracy is undefined: {side} {pos_label}.")
    return float(both.mean())


def matthews_corrcoef(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return Matthews' coefficient: the correlation of right and predicted classes, -1 to 1.

    Where either side has a single class the correlation is undefined; that is warned of, and 0
    returned as programs expect.

    Examples
    --------
    >>> from learnable.metrics import matthews_corrcoef
    >>> round(matthews_corrcoef([1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]), 4)
    0.4082
    """
    value = float(matthews_of(one_answer(y_true, y_pred, sample_weight).table()))
    if np.isnan(value):
        undefined("Matthews' coefficient is undefined and set to 0.0: one side is constant.")
        return 0.0
    return value


def cohen_kappa_score(
    y1: Any,
    y2: Any,
    *,
    labels: Any = None,
    weights: str | None = None,
    sample_weight: Any = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Return Cohen's kappa: agreement beyond what chance would give.

    Parameters
    ----------
    y1, y2 : array (n,)
        Labels from two sides.
    labels : sequence, optional
        Which classes, in which order; rows with others are left out.
    weights : {"linear", "quadratic"}, optional
        How a disagreement grows with the distance of the classes; all the same by default.
    sample_weight : array (n,), optional
        Weight of each row.
    replace_undefined_by : float, default=nan
        Stands for a kappa without a value, which is warned of.

    Returns
    -------
    float

    Examples
    --------
    >>> from learnable.metrics import cohen_kappa_score
    >>> round(cohen_kappa_score([1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]), 4)
    0.4
    """
    if labels is None:
        table = one_answer(y1, y2, sample_weight).table()
    else:
        table = confusion_matrix(y1, y2, labels=labels, sample_weight=sample_weight)
    value = float(kappa_of(np.asarray(table, dtype=np.float64), weights))
    if np.isnan(value):
        undefined(
            "Cohen's kappa is undefined: the two sides have one label, or none, in common; it is "
            f"set to {replace_undefined_by}."
        )
        return float(replace_undefined_by)
    return value
