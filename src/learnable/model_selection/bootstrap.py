"""The true error by the bootstrap: rows that a draw left out are asked.

With the apparent error ``a`` (on the rows learned from), the error ``o`` on rows left out (averaged
first over the draws that left a row out), and the error ``g`` if answers told nothing,

    .632     e = .368 a + .632 o
    .632+    e = (1 - w) a + w min(o, g),    w = .632 / (1 - .368 R)
             R = (min(o, g) - a) / (g - a)

The first is too low for models that learn their rows by heart (``a = 0``); the second, whose rate
of overfitting ``R`` lies between 0 and 1, is not.

Cost: a fit for each draw, and one more; the pairs of answers for ``g`` are never listed.

References
----------
.. [1] B. Efron: Estimating the error rate of a prediction rule: improvement on cross-validation.
   JASA 78, 1983.
.. [2] B. Efron, R. Tibshirani: Improvements on cross-validation: the .632+ bootstrap method. JASA
   92, 1997.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.core.fold import runner
from learnable.data import Table
from learnable.estimator.labels import as_labels, encode
from learnable.estimator.regressor import as_numbers
from learnable.model_selection.validation import (
    Job,
    fitted,
    is_classifier,
    job_of,
    learns_answers,
)
from learnable.resampling import FoldPlan, length, rows_of


class BootstrapError(NamedTuple):
    """The true error by the bootstrap, and what it is made of.

    Attributes
    ----------
    error : float
        By .632+.
    plain : float
        By .632.
    apparent, left_out, no_information : float
        Error on the rows learned from, on rows left out, and if answers told nothing.
    overfitting : float
        The rate ``R``, from 0 (none) to 1 (answers of rows left out are as good as none).
    draws : int
        Draws.

    Examples
    --------
    >>> from learnable.model_selection import BootstrapError
    >>> BootstrapError(0.2, 0.19, 0.1, 0.24, 0.5, 0.35, 100).error
    0.2
    """

    error: float
    plain: float
    apparent: float
    left_out: float
    no_information: float
    overfitting: float
    draws: int


def bootstrap_error(
    estimator: Any, X: Any, y: Any = None, *, draws: int = 100, seed: int = 0, groups: Any = None
) -> BootstrapError:
    """Estimate the true error (share of wrong answers, or squared error) by .632 and .632+.

    Parameters
    ----------
    estimator : estimator
        A classifier or regressor, ours or of scikit-learn's contract.
    X, y : array, frame, sparse matrix or Table
        Rows and answers.
    draws : int, default=100
        Draws of the rows (or groups) with replacement.
    seed : int, default=0
        What the draws begin with.
    groups : array (n,), optional
        Groups that are drawn as a whole.

    Returns
    -------
    BootstrapError

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from learnable.datasets import load_iris
    >>> from learnable.model_selection import bootstrap_error
    >>> found = bootstrap_error(KNeighborsClassifier(1), *load_iris(return_X_y=True), draws=50)
    >>> found.apparent, found.plain < found.error < found.left_out
    (0.0, True)
    """
    if y is None and isinstance(X, Table) and learns_answers(estimator):
        y = X.target()
    classify, n = is_classifier(estimator), length(X)
    name = type(estimator).__name__
    truth = as_labels(y, learner=name) if classify else as_numbers(y, learner=name)
    plan = FoldPlan("bootstrap", n, folds=draws, seed=seed, groups=groups)
    job = job_of(estimator, X, truth, {}, {}, False, "raise")
    lost, asked = np.zeros(n), np.zeros(n)
    for places, loss in runner()(partial(_losses, job, classify), list(plan)):
        np.add.at(lost, places, loss)
        np.add.at(asked, places, 1.0)
    if not asked.any():
        raise DataError("No draw left a row out.", remedy="Ask for more draws.")
    whole = fitted(job, X, truth, np.arange(n))
    answers = np.asarray(whole.predict(X))
    apparent = float(_loss(truth, answers, classify=classify).mean())
    there = asked > 0.0
    return _combined(
        apparent, float((lost[there] / asked[there]).mean()),
        _without_information(truth, answers, classify=classify), draws,
    )  # fmt: skip


def _combined(apparent: float, left_out: float, none: float, draws: int) -> BootstrapError:
    share = 0.632
    plain = (1.0 - share) * apparent + share * left_out
    capped = min(left_out, none)
    rate = (capped - apparent) / (none - apparent) if capped > apparent and none > apparent else 0.0
    weight = share / (1.0 - (1.0 - share) * rate)
    error = (1.0 - weight) * apparent + weight * capped
    return BootstrapError(error, plain, apparent, left_out, none, rate, draws)


def _losses(job: Job, classify: bool, split: tuple[Any, Any]) -> tuple[Any, Any]:
    train, test = split
    if not len(test):
        return test, np.empty(0)
    model = fitted(job, rows_of(job.X, train), rows_of(job.y, train), train)
    answers = np.asarray(model.predict(rows_of(job.X, test)))
    return test, _loss(job.y[test], answers, classify=classify)


def _loss(truth: NDArray[Any], answers: NDArray[Any], *, classify: bool) -> NDArray[np.float64]:
    if classify:
        return (truth != answers).astype(np.float64)
    return np.asarray((truth - answers.astype(np.float64)) ** 2)


def _without_information(truth: NDArray[Any], answers: NDArray[Any], *, classify: bool) -> float:
    """Return the mean loss over all pairs of a right answer and an answer."""
    if not classify:
        gap = float(truth.mean() - answers.mean())
        return float(truth.var() + answers.var()) + gap * gap
    codes = encode(np.concatenate([truth, answers]))[1]
    n, k = len(truth), int(codes.max()) + 1
    right, given = (np.bincount(part, minlength=k) / n for part in (codes[:n], codes[n:]))
    return float(1.0 - right @ given)
