"""How the score changes with the number of rows, or with a parameter.

A learning curve is extrapolated by a power law, ``1 - score = a + b n^-c`` with ``a, b >= 0``: the
exponent is searched on a grid, ``a`` and ``b`` are least squares. It is a guess beyond the data,
and says so; where the error that remains, ``a``, is larger than what is wished for, no number of
rows is named.

References
----------
.. [1] C. Cortes et al.: Learning curves: asymptotic values and rate of convergence. NIPS 1993.
.. [2] T. Viering, M. Loog: The shape of learning curves: a review. IEEE Transactions on Pattern
   Analysis and Machine Intelligence 45, 2023.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.core.fold import runner
from learnable.data import Table
from learnable.model_selection.validation import (
    Job,
    fitted,
    is_classifier,
    job_of,
    learns_answers,
    scorer_of,
)
from learnable.resampling import plan_of, rows_of

_EXPONENTS = np.linspace(0.05, 2.0, 40)
Scores = NDArray[np.float64]


class PowerLaw(NamedTuple):
    """``1 - score = left + height * n ** -exponent``, and how far off it is.

    Examples
    --------
    >>> from learnable.model_selection import PowerLaw
    >>> law = PowerLaw(0.1, 1.0, 0.5, 0.0)
    >>> law.score(100), law.rows_for(0.85), law.rows_for(0.95)
    (0.8, 400, None)
    """

    left: float
    height: float
    exponent: float
    residual: float

    def score(self, n: float) -> float:
        """Return the score with ``n`` rows."""
        return 1.0 - self.left - self.height * n**-self.exponent

    def rows_for(self, score: float) -> int | None:
        """Return how many rows the score takes, None where no number of them is enough."""
        spare = 1.0 - score - self.left
        if spare <= 0.0:
            return None
        return math.ceil((self.height / spare) ** (1.0 / self.exponent) * (1.0 - 1e-9))


class LearningCurve(NamedTuple):
    """Scores by number of rows.

    Attributes
    ----------
    train_sizes : array (m,)
        Rows learned from.
    train_scores, test_scores : array (m, folds)
        Score on the rows learned from, and on those set aside.
    test_rows : int
        Rows that a fold asks, on average.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.model_selection import learning_curve
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = learning_curve(GaussianNB(), X, y, train_sizes=[30, 60, 120])
    >>> curve.test_scores.shape
    (3, 5)
    """

    train_sizes: NDArray[np.int64]
    train_scores: Scores
    test_scores: Scores
    test_rows: int = 0

    def band(self, confidence: float = 0.95, *, train: bool = False) -> tuple[Any, Any]:
        """Return the interval of the mean score at each size, by the corrected resampled t.

        Approximate: folds share rows, which the correction (rows asked by rows learned from)
        allows for.
        """
        from scipy.special import stdtrit

        scores = self.train_scores if train else self.test_scores
        folds = scores.shape[1]
        if folds < 2:
            raise DataError("One fold has no spread.", remedy="Give two folds or more.")
        asked = self.test_rows or int(self.train_sizes.max()) / (folds - 1)
        spread = scores.var(axis=1, ddof=1) * (1.0 / folds + asked / self.train_sizes)
        half = float(stdtrit(folds - 1.0, 0.5 + confidence / 2.0)) * np.sqrt(spread)
        mean = scores.mean(axis=1)
        return mean - half, mean + half

    def power_law(self) -> PowerLaw:
        """Return the power law that fits the mean test scores best (they must be at most 1)."""
        mean = self.test_scores.mean(axis=1)
        if len(mean) < 3 or not (mean <= 1.0).all():
            raise DataError(
                "A power law needs three sizes or more, and scores of at most 1.",
                remedy="Give more train_sizes, or a score that is 1 when all is right.",
            )
        return min((_fit(self.train_sizes, 1.0 - mean, c) for c in _EXPONENTS), key=_badness)

    def more_rows(self, score: float) -> str:
        """Say how many rows a score would take, as far as the curve can tell."""
        law, most = self.power_law(), int(self.train_sizes.max())
        needed = law.rows_for(score)
        if needed is None:
            return (
                f"By the power law through this curve no number of rows reaches {score:g}: "
                f"it levels off at {1.0 - law.left:.4g}."
            )
        if needed <= most:
            return f"{score:g} is reached with {needed:,} rows, fewer than the {most:,} tried."
        return (
            f"By the power law through this curve {score:g} takes about {needed:,} rows, "
            f"{needed / most:.1f} times the {most:,} tried. That is a guess beyond the data."
        )


def _badness(law: PowerLaw) -> float:
    return law.residual


def _fit(sizes: NDArray[Any], errors: Scores, exponent: float) -> PowerLaw:
    """Return the least squares for one exponent, with neither part below zero."""
    x = sizes.astype(np.float64) ** -exponent
    height = float(np.cov(x, errors, ddof=0)[0, 1] / max(x.var(), 1e-300))
    left = float(errors.mean() - height * x.mean())
    if height < 0.0:
        left, height = float(errors.mean()), 0.0
    elif left < 0.0:
        left, height = 0.0, float((x @ errors) / (x @ x))
    residual = float(np.sqrt(((left + height * x - errors) ** 2).mean()))
    return PowerLaw(left, height, float(exponent), residual)


def learning_curve(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    train_sizes: Sequence[float] = (0.1, 0.325, 0.55, 0.775, 1.0),
    groups: Any = None,
    cv: Any = None,
    scoring: Any = None,
    random_state: int = 0,
) -> LearningCurve:
    """Learn from more and more of the rows of each fold.

    Parameters
    ----------
    estimator : estimator
        Ours, or any of scikit-learn's contract.
    X, y, groups, cv, scoring
        As in :func:`cross_validate`.
    train_sizes : sequence of float or int
        Shares of the rows to learn from (at most 1), or numbers of them.
    random_state : int, default=0
        In which order rows are added; larger sets hold the smaller ones.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.model_selection import learning_curve
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> learning_curve(GaussianNB(), X, y).train_sizes.tolist()
    [12, 39, 66, 93, 120]
    """
    if y is None and isinstance(X, Table) and learns_answers(estimator):
        y = X.target()
    splits = [
        (np.asarray(train), np.asarray(test))
        for train, test in plan_of(cv, X, y, groups, classify=is_classifier(estimator))
    ]
    sizes = _sizes(train_sizes, min(len(train) for train, _ in splits))
    job = job_of(estimator, X, y, {"score": scorer_of(scoring)}, {}, True, "raise")
    tasks = []
    for fold, (train, test) in enumerate(splits):
        order = np.random.default_rng([random_state, fold]).permutation(train)
        tasks += [(np.sort(order[:size]), test) for size in sizes]
    found = np.array(list(runner()(partial(_both_scores, job), tasks)))
    scores = found.reshape(len(splits), len(sizes), 2).transpose(2, 1, 0)
    asked = round(float(np.mean([len(test) for _, test in splits])))
    return LearningCurve(sizes, *scores, asked)


def _sizes(stated: Sequence[float], most: int) -> NDArray[np.int64]:
    given = np.asarray(stated)
    sizes = given if given.dtype.kind in "iu" else np.ceil(given * most - 1e-9)
    if not len(sizes) or sizes.min() < 1 or sizes.max() > most:
        msg = f"train_sizes must lie between 1 and {most} rows, or be shares up to 1"
        raise ParameterError(msg)
    return np.unique(sizes.astype(np.int64))


def _both_scores(job: Job, split: tuple[Any, Any]) -> tuple[float, float]:
    train, test = split
    X, y, score = rows_of(job.X, train), rows_of(job.y, train), job.scorers["score"]
    model = fitted(job, X, y, train)
    return score(model, X, y), score(model, rows_of(job.X, test), rows_of(job.y, test))


class ValidationCurve(NamedTuple):
    """Scores by the value of a parameter: ``(values, folds)`` each.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.model_selection import ValidationCurve
    >>> ValidationCurve("alpha", [0.1, 1.0], np.ones((2, 5)), np.ones((2, 5))).param_name
    'alpha'
    """

    param_name: str
    param_range: list[Any]
    train_scores: Scores
    test_scores: Scores


def validation_curve(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    param_name: str,
    param_range: Sequence[Any],
    groups: Any = None,
    cv: Any = None,
    scoring: Any = None,
) -> ValidationCurve:
    """Learn with one value of a parameter after the other, on the same folds.

    Parameters
    ----------
    estimator : estimator
        Ours, or any of scikit-learn's contract.
    X, y, groups, cv, scoring
        As in :func:`cross_validate`.
    param_name : str
        The parameter (``step__name`` reaches into a pipeline).
    param_range : sequence
        Its values.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.model_selection import validation_curve
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = validation_curve(
    ...     GaussianNB(), X, y, param_name="var_smoothing", param_range=[1e-9, 1.0]
    ... )
    >>> curve.test_scores.shape
    (2, 5)
    """
    from sklearn.base import clone

    if y is None and isinstance(X, Table) and learns_answers(estimator):
        y = X.target()
    splits = list(plan_of(cv, X, y, groups, classify=is_classifier(estimator)))
    rows = []
    for value in param_range:
        changed = clone(estimator).set_params(**{param_name: value})
        job = job_of(changed, X, y, {"score": scorer_of(scoring)}, {}, True, "raise")
        rows.append(list(runner()(partial(_both_scores, job), splits)))
    scores = np.array(rows).transpose(2, 0, 1)
    return ValidationCurve(param_name, list(param_range), *scores)
