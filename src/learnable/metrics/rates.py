"""Precision, recall and their kin: of each class, or averaged.

With true and false positives and negatives of a class,

=========================  ===================================================
precision                  ``P = TP / (TP + FP)``
recall, sensitivity        ``R = TP / (TP + FN)``
specificity                ``TN / (TN + FP)``
negative predictive value  ``TN / (TN + FN)``
F-beta                     ``(1 + beta^2) P R / (beta^2 P + R)``
Jaccard                    ``TP / (TP + FP + FN)``
=========================  ===================================================

``average`` says what is returned for more than one class:

==============  ================================================================
``"binary"``    the rate of ``pos_label`` alone
``None``        an array, one rate a class
``"macro"``     the mean over the classes
``"weighted"``  their mean by the weight of the class
``"micro"``     the rate of all classes counted together
``"samples"``   the mean over rows that have several labels each
==============  ================================================================

A rate whose denominator is 0 has no value. It is then warned of and 0 taken in its place, unless
``zero_division`` chooses 0, 1 or NaN in silence; averages leave NaN out.

References
----------
.. [1] C. J. van Rijsbergen: Information Retrieval. Butterworths 1979.
.. [2] M. Sokolova, G. Lapalme: A systematic analysis of performance measures for classification
   tasks. Information Processing and Management 45, 2009.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import ParameterError
from learnable.metrics.answers import answers
from learnable.metrics.tallies import judge


def precision_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return precision: the share of right ones among the rows predicted as a class.

    Parameters
    ----------
    y_true, y_pred : array (n,) or (n, labels)
        Right and predicted answers.
    labels : sequence, optional
        Which classes, in which order; all that occur by default.
    pos_label : label, default=1
        The class in question where ``average="binary"``.
    average : {"binary", "micro", "macro", "weighted", "samples"} or None
        How classes are averaged.
    sample_weight : array (n,), optional
        Weight of each row.
    zero_division : {"warn", 0, 1, nan}
        Stands for an undefined rate; ``"warn"`` warns and takes 0.

    Returns
    -------
    float or array

    Examples
    --------
    >>> from learnable.metrics import precision_score
    >>> round(precision_score([1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]), 4)
    0.8
    """
    found = judge(answers(y_true, y_pred, sample_weight), labels, pos_label, average)
    return found.value("precision", zero_division)


def recall_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return recall (sensitivity): the share of a class that was found.

    Parameters are those of :func:`precision_score`.

    Examples
    --------
    >>> from learnable.metrics import recall_score
    >>> round(recall_score([1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]), 4)
    0.6667
    """
    found = judge(answers(y_true, y_pred, sample_weight), labels, pos_label, average)
    return found.value("recall", zero_division)


def specificity_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return specificity: the share of the other rows that were not taken for a class.

    Parameters are those of :func:`precision_score`.

    Examples
    --------
    >>> from learnable.metrics import specificity_score
    >>> round(specificity_score([1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]), 4)
    0.75
    """
    found = judge(answers(y_true, y_pred, sample_weight), labels, pos_label, average)
    return found.value("specificity", zero_division)


def negative_predictive_value(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the share of right ones among the rows not predicted as a class.

    Parameters are those of :func:`precision_score`.

    Examples
    --------
    >>> from learnable.metrics import negative_predictive_value
    >>> round(negative_predictive_value([1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]), 4)
    0.6
    """
    found = judge(answers(y_true, y_pred, sample_weight), labels, pos_label, average)
    return found.value("negative predictive value", zero_division)


def jaccard_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return Jaccard's overlap of the rows of a class and those predicted as it.

    Parameters are those of :func:`precision_score`.

    Examples
    --------
    >>> from learnable.metrics import jaccard_score
    >>> round(jaccard_score([1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]), 4)
    0.5714
    """
    found = judge(answers(y_true, y_pred, sample_weight), labels, pos_label, average)
    return found.value("jaccard", zero_division)


def f1_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return F1, the harmonic mean of precision and recall.

    Parameters are those of :func:`precision_score`.

    Examples
    --------
    >>> from learnable.metrics import f1_score
    >>> round(f1_score([1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0]), 4)
    0.7273
    """
    found = judge(answers(y_true, y_pred, sample_weight), labels, pos_label, average)
    return found.value("f-score", zero_division)


def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return F-beta, in which recall counts ``beta`` times as much as precision.

    ``(1 + beta^2) P R / (beta^2 P + R)``; 0 gives precision, infinity recall. The other
    parameters are those of :func:`precision_score`.

    Examples
    --------
    >>> from learnable.metrics import fbeta_score
    >>> round(fbeta_score([1] * 6 + [0] * 4, [1, 1, 1, 1, 0, 0, 1, 0, 0, 0], beta=2.0), 4)
    0.6897
    """
    found = judge(answers(y_true, y_pred, sample_weight), labels, pos_label, average)
    return found.value("f-score", zero_division, _checked(beta))


def precision_recall_fscore_support(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float = 1.0,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = None,
    warn_for: tuple[str, ...] = ("precision", "recall", "f-score"),
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Return precision, recall, F-beta and support (None where averaged) in one pass.

    Parameters are those of :func:`precision_score`; ``warn_for`` names the rates that are warned
    of where they are undefined.

    Examples
    --------
    >>> from learnable.metrics import precision_recall_fscore_support
    >>> p, r, f, n = precision_recall_fscore_support(["a", "b", "b"], ["b", "b", "b"],
    ...                                              zero_division=0)
    >>> p.round(3).tolist(), r.tolist(), n.tolist()
    ([0.0, 0.667], [0.0, 1.0], [1, 2])
    """
    answered = answers(y_true, y_pred, sample_weight)
    found = judge(answered, labels, pos_label, average)
    made = [
        found.value(name, zero_division, _checked(beta), warn=name in warn_for)
        for name in ("precision", "recall", "f-score")
    ]
    support = found.tallies.actual
    if average is not None:
        return made[0], made[1], made[2], None
    return made[0], made[1], made[2], support.astype(np.int64) if answered.whole else support


def _checked(beta: float) -> float:
    if not beta >= 0.0:
        msg = f"beta must be 0 or more, not {beta!r}"
        raise ParameterError(msg)
    return float(beta)
