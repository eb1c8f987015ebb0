"""Certificates that any classifier or regressor can give on rows it never saw."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Context
from typing import Any

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, ParameterError
from learnable.estimator.labels import as_labels
from learnable.estimator.learner import same_length
from learnable.estimator.regressor import as_numbers
from learnable.metrics.intervals import clopper_pearson
from learnable.theory.overlap import fingerprint_of, overlap_note
from learnable.theory.tolerance import tolerance_rank

INDEPENDENT = "the rows are independent draws from where the model will be used"
UNSEEN = "the model and the choice of the model never saw these rows"
_SHARE = 0.9
_TENTHS, _SLACK = 1000.0, 1e-9


def percent(share: float) -> str:
    """Write a share as a percentage.

    Examples
    --------
    >>> from learnable.theory.statements import percent
    >>> percent(0.95), percent(0.1234)
    ('95%', '12.3%')
    """
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def at_least(share: float) -> str:
    """Write a lower bound as a percentage, rounded down so that the sentence stays true.

    Examples
    --------
    >>> from learnable.theory.statements import at_least
    >>> at_least(0.8696), at_least(0.05)
    ('86.9%', '5%')
    """
    return percent(math.floor(_TENTHS * share + _SLACK) / _TENTHS)


def at_most(share: float) -> str:
    """Write an upper bound as a percentage, rounded up so that the sentence stays true.

    Examples
    --------
    >>> from learnable.theory.statements import at_most
    >>> at_most(0.0466), at_most(0.0462), at_most(0.05)
    ('4.7%', '4.7%', '5%')
    """
    return percent(math.ceil(_TENTHS * share - _SLACK) / _TENTHS)


def rounded_up(bound: float) -> str:
    """Write an upper bound with six digits, rounded up.

    Examples
    --------
    >>> from learnable.theory.statements import rounded_up
    >>> rounded_up(2 / 3), rounded_up(0.1), rounded_up(95.0)
    ('0.666667', '0.1', '95')
    """
    digits = Context(prec=6, rounding=ROUND_CEILING).create_decimal(repr(float(bound)))
    return f"{digits.normalize():g}"


def only_test(model: Any, role: str) -> None:
    """Refuse the training role, which this kind of model has no theorem for."""
    if role != "test":
        msg = (
            f"{type(model).__name__} has no bound from its training rows: its class of models is "
            "not finite and its training accuracy is optimistic. Give rows it never saw, with "
            'role="test"'
        )
        raise ParameterError(msg)


def accuracy_on_new_rows(model: Any, X: Any, y: Any, role: str, confidence: float) -> Certificate:
    """Certify a classifier: an exact interval for the share of new rows it will get right.

    Examples
    --------
    >>> from learnable.dummy import DummyClassifier
    >>> from learnable.theory.statements import accuracy_on_new_rows
    >>> model = DummyClassifier().fit([[0], [1]], ["a", "a"])
    >>> print(accuracy_on_new_rows(model, [[2], [3]], ["a", "b"], "test", 0.95).text)
    With 95% confidence, between 1.2% and 98.8% of new rows are answered right (1 of 2 here).
    """
    only_test(model, role)
    truth = as_labels(y, learner=type(model).__name__)
    answers = np.asarray(model.predict(X))
    same_length(len(answers), len(truth))
    return share_of_new_rows(
        int((answers == truth).sum()),
        len(truth),
        quantity="accuracy on new rows",
        told="are answered right",
        confidence=confidence,
        further=_per_class(model, answers, truth, confidence),
        notes=_overlap(model, X),
    )


def share_of_new_rows(
    count: int,
    n: int,
    *,
    quantity: str,
    told: str,
    confidence: float,
    further: tuple[Certificate, ...] = (),
    notes: tuple[str, ...] = (),
) -> Certificate:
    """Certify a share counted on rows that had no say in what is counted.

    Examples
    --------
    >>> from learnable.theory.statements import share_of_new_rows
    >>> print(share_of_new_rows(0, 100, quantity="q", told="are odd", confidence=0.95).text)
    With 95% confidence, between 0% and 3.7% of new rows are odd (0 of 100 here).
    """
    low, high = clopper_pearson(count, n, confidence)
    return Certificate(
        kind="guaranteed",
        quantity=quantity,
        value=count / n,
        low=low,
        high=high,
        confidence=confidence,
        method="Clopper-Pearson interval",
        n=n,
        assumptions=(INDEPENDENT, UNSEEN),
        text=(
            f"With {percent(confidence)} confidence, between {at_least(low)} and {at_most(high)} "
            f"of new rows {told} ({count} of {n} here)."
        ),
        further=further,
        notes=notes,
    )


def _overlap(model: Any, X: Any) -> tuple[str, ...]:
    fingerprint = fingerprint_of(model)
    if fingerprint is None:
        return ()
    return overlap_note(fingerprint, model._comparable(X))  # noqa: SLF001


def _per_class(model: Any, answers: Any, truth: Any, confidence: float) -> tuple[Certificate, ...]:
    """Recall of each class, all of them together at the stated confidence (union bound)."""
    classes = [label for label in model.classes_ if (truth == label).any()]
    each = 1.0 - (1.0 - confidence) / max(len(classes), 1)
    found = []
    for label in classes:
        of_class = truth == label
        n, right = int(of_class.sum()), int((answers[of_class] == label).sum())
        low, high = clopper_pearson(right, n, each)
        text = (
            f"Between {at_least(low)} and {at_most(high)} of new rows of class {label} are "
            f"recognised ({right} of {n} here); with {percent(confidence)} confidence this holds "
            "for all classes at once."
        )
        found.append(
            Certificate(
                "guaranteed",
                f"recall of class {label}",
                right / n,
                low,
                high,
                confidence,
                "Clopper-Pearson interval, union bound over the classes",
                n,
                (INDEPENDENT, UNSEEN),
                text,
            )
        )
    return tuple(found)


def error_on_new_rows(model: Any, X: Any, y: Any, role: str, confidence: float) -> Certificate:
    """Certify a regressor: a bound that nine in ten new absolute errors keep, for any distribution.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.dummy import DummyRegressor
    >>> from learnable.theory.statements import error_on_new_rows
    >>> model = DummyRegressor().fit([[0], [0]], [0.0, 0.0])
    >>> y = np.arange(100.0)
    >>> error_on_new_rows(model, y[:, None], y, "test", 0.95).high
    95.0
    """
    only_test(model, role)
    truth = as_numbers(y, learner=type(model).__name__)
    answers = np.asarray(model.predict(X), dtype=np.float64)
    same_length(len(answers), len(truth))
    if answers.shape != truth.shape:
        raise DataError(f"The answers have shape {answers.shape}, the true ones {truth.shape}.")
    return share_below(
        np.abs(answers - truth).reshape(len(truth), -1).max(axis=1),
        quantity="absolute error on new rows",
        told="new rows are answered to within",
        confidence=confidence,
        assumptions=(INDEPENDENT, UNSEEN),
        notes=_overlap(model, X),
    )


def share_below(
    values: Any,
    *,
    quantity: str,
    told: str,
    confidence: float,
    assumptions: tuple[str, ...],
    notes: tuple[str, ...] = (),
) -> Certificate:
    """State a bound that a share of .9 of new values keep, by an order statistic (Wilks).

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.theory.statements import share_below
    >>> c = share_below(np.arange(10.0), quantity="q", told="values are below", confidence=0.95,
    ...                 assumptions=("they are independent",))
    >>> c.high, c.text
    (inf, 'Nothing can be promised: 10 rows are too few to bound 90% of new values (29 would do).')
    """
    n = len(values)
    rank = tolerance_rank(n, _SHARE, confidence)
    if rank is None:
        needed = int(np.ceil(np.log(1.0 - confidence) / np.log(_SHARE)))
        high = float("inf")
        text = (
            f"Nothing can be promised: {n} rows are too few to bound {percent(_SHARE)} of new "
            f"values ({needed} would do)."
        )
    else:
        high = float(np.partition(values, rank - 1)[rank - 1])
        least = f"With {percent(confidence)} confidence, at least {percent(_SHARE)}"
        text = f"{least} of {told} {rounded_up(high)}."
    value = float(np.quantile(values, _SHARE))
    method = "Wilks tolerance bound"
    return Certificate(
        "guaranteed",
        quantity,
        value,
        0.0,
        high,
        confidence,
        method,
        n,
        assumptions,
        text,
        notes=notes,
    )
