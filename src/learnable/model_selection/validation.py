"""Cross-validation: fit on some rows, ask the others, fold by fold, through the pool.

scikit-learn's parameters and results, for its estimators and ours. What differs: folds come from
a :class:`~learnable.resampling.FoldPlan` unless stated otherwise, so that two calls on the same
rows are paired; folds run in threads; and with a checkpoint a run that was cut off goes on where it
ended.

References
----------
.. [1] M. Stone: Cross-validatory choice and assessment of statistical predictions. Journal of the
   Royal Statistical Society B 36, 1974.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.core.fold import runner
from learnable.core.warning import warn
from learnable.data import Table
from learnable.metrics import get_scorer
from learnable.model_selection.checkpoint import Checkpoint
from learnable.resampling import length, plan_of, rows_of

Scorer = Callable[..., float]


class Job(NamedTuple):
    """What all folds of a cross-validation have in common."""

    estimator: Any
    X: Any
    y: Any
    scorers: dict[str, Scorer]
    fit_params: dict[str, Any]
    train_score: bool
    error_score: Any


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    params: dict[str, Any] | None = None,
    return_train_score: bool = False,
    return_estimator: bool = False,
    return_indices: bool = False,
    error_score: Any = math.nan,
    checkpoint: Any = None,
) -> dict[str, Any]:
    """Fit and ask an estimator fold by fold.

    Parameters
    ----------
    estimator : estimator
        Ours, or any of scikit-learn's contract.
    X : array, frame, sparse matrix or Table
        The rows.
    y : array, optional
        The answers; of a table, its target column by default.
    groups : array (n,), optional
        Groups that must not be torn apart.
    scoring : str, callable, or a list or mapping of these, optional
        How to judge; the estimator's own score by default.
    cv : int, FoldPlan, splitter or iterable of splits, optional
        Which folds; by default 5 of a plan with seed 0, classes in proportion for a classifier.
    params : dict, optional
        Passed to ``fit``; arrays with one entry a row are cut into folds.
    return_train_score, return_estimator, return_indices : bool
        What to return besides.
    error_score : "raise" or number
        What a fold counts whose fit fails, with a warning.
    checkpoint : path, optional
        A file in which finished folds are kept.

    Returns
    -------
    dict
        ``test_score`` (or ``test_<name>``), ``fit_time``, ``score_time``, and what was asked for.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.model_selection import cross_validate
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> bool(cross_validate(GaussianNB(), X, y)["test_score"].mean() > 0.9)
    True
    """
    if y is None and isinstance(X, Table) and learns_answers(estimator):
        y = X.target()
    splits = list(plan_of(cv, X, y, groups, classify=is_classifier(estimator)))
    scorers = _scorers(scoring)
    job = job_of(estimator, X, y, scorers, params or {}, return_train_score, error_score)
    kept = None if checkpoint is None else Checkpoint(checkpoint, _key(estimator, scoring, splits))
    if kept is not None and return_estimator:
        msg = "a checkpoint keeps scores, not fitted estimators"
        raise ParameterError(msg)
    found, models = _run(job, kept, splits)
    results: dict[str, Any] = {
        name: np.array([found[k][name] for k in range(len(splits))]) for name in found[0]
    }
    if return_estimator:
        results["estimator"] = [models[k] for k in range(len(splits))]
    if return_indices:
        train, test = zip(*splits, strict=True)
        results["indices"] = {"train": train, "test": test}
    return results


def job_of(estimator: Any, *rest: Any) -> Job:
    """Return the job of an estimator like this one; what threads share is imported before them."""
    from sklearn.base import clone

    return Job(clone(estimator), *rest)


def _run(
    job: Job, kept: Checkpoint | None, splits: list[tuple[Any, Any]]
) -> tuple[dict[int, Any], dict[int, Any]]:
    """Run the folds that no checkpoint has; return results and models by number."""
    todo = [k for k in range(len(splits)) if kept is None or k not in kept.finished]
    found: dict[int, Any] = {} if kept is None else dict(kept.finished)
    models: dict[int, Any] = {}
    task = partial(_one_fold, job, kept)
    for number, result, model in runner()(task, [(k, *splits[k]) for k in todo]):
        found[number], models[number] = result, model
    return found, models


def cross_val_score(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    params: dict[str, Any] | None = None,
    error_score: Any = math.nan,
    checkpoint: Any = None,
) -> NDArray[np.float64]:
    """Return the score of each fold; parameters are those of :func:`cross_validate`.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.model_selection import cross_val_score
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> len(cross_val_score(GaussianNB(), X, y, cv=3))
    3
    """
    found = cross_validate(
        estimator, X, y, groups=groups, scoring=scoring, cv=cv, params=params,
        error_score=error_score, checkpoint=checkpoint,
    )  # fmt: skip
    return np.asarray(found["test_score"])


def cross_val_predict(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    cv: Any = None,
    params: dict[str, Any] | None = None,
    method: str = "predict",
) -> NDArray[Any]:
    """Return the answer to each row by the model that did not learn from it.

    Parameters
    ----------
    estimator, X, y, groups, cv, params
        As in :func:`cross_validate`; the folds must ask every row exactly once.
    method : str, default="predict"
        Which answers: ``"predict_proba"``, ``"decision_function"``, ...

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.model_selection import cross_val_predict
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> cross_val_predict(GaussianNB(), X, y).shape
    (150,)
    """
    if y is None and isinstance(X, Table) and learns_answers(estimator):
        y = X.target()
    splits = list(plan_of(cv, X, y, groups, classify=is_classifier(estimator)))
    asked = np.concatenate([test for _, test in splits])
    if not np.array_equal(np.sort(asked), np.arange(length(X))):
        raise DataError("The folds do not ask every row exactly once.")
    job = job_of(estimator, X, y, {}, params or {}, False, "raise")
    answers = list(runner()(partial(_answered, job, method), splits))
    return np.concatenate(answers)[np.argsort(asked, kind="stable")]


def _one_fold(
    job: Job, kept: Checkpoint | None, item: tuple[int, Any, Any]
) -> tuple[int, dict[str, float], Any]:
    number, train, test = item
    X, y = rows_of(job.X, train), rows_of(job.y, train)
    begin = perf_counter()
    try:
        model = fitted(job, X, y, train)
    except Exception as error:
        if isinstance(job.error_score, str):
            raise
        warn(f"Fold {number} counts {job.error_score}: its fit failed ({error}).")
        scores = {f"test_{name}": float(job.error_score) for name in job.scorers}
        return number, {**scores, "fit_time": perf_counter() - begin, "score_time": 0.0}, None
    middle = perf_counter()
    asked = rows_of(job.X, test), rows_of(job.y, test)
    result = {f"test_{name}": float(score(model, *asked)) for name, score in job.scorers.items()}
    if job.train_score:
        result |= {
            f"train_{name}": float(score(model, X, y)) for name, score in job.scorers.items()
        }
    result |= {"fit_time": middle - begin, "score_time": perf_counter() - middle}
    if kept is not None:
        kept.keep(number, result)
    return number, result, model


def fitted(job: Job, X: Any, y: Any, train: NDArray[Any]) -> Any:
    """Return a clone fitted to some of the rows, given by their places too."""
    from sklearn.base import clone

    n = length(job.X)
    params = {
        name: rows_of(value, train) if _of_rows(value, n) else value
        for name, value in job.fit_params.items()
    }
    given = (X,) if y is None else (X, y)
    return clone(job.estimator).fit(*given, **params)


def _of_rows(value: Any, n: int) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str) and len(value) == n


def _answered(job: Job, method: str, split: tuple[Any, Any]) -> Any:
    train, test = split
    model = fitted(job, rows_of(job.X, train), rows_of(job.y, train), train)
    return np.asarray(getattr(model, method)(rows_of(job.X, test)))


def _own_score(model: Any, X: Any, y: Any = None) -> float:
    return float(model.score(X) if y is None else model.score(X, y))


def _scorers(scoring: Any) -> dict[str, Scorer]:
    if scoring is None or isinstance(scoring, str) or callable(scoring):
        return {"score": scorer_of(scoring)}
    if isinstance(scoring, dict):
        return {name: scorer_of(one) for name, one in scoring.items()}
    return {name: scorer_of(name) for name in scoring}


def scorer_of(scoring: Any) -> Scorer:
    """Return the function ``(model, X, y) -> score`` that a ``scoring`` argument names."""
    if scoring is None:
        return _own_score
    if callable(scoring):
        return scoring  # type: ignore[no-any-return]
    return get_scorer(scoring)  # type: ignore[no-any-return]


def learns_answers(estimator: Any) -> bool:
    """Whether an estimator learns answers, so that a table's target is wanted."""
    return _kind(estimator) in {"classifier", "regressor"}


def is_classifier(estimator: Any) -> bool:
    """Whether an estimator answers with classes, which folds then hold in proportion."""
    return _kind(estimator) == "classifier"


def _kind(estimator: Any) -> Any:
    known = getattr(estimator, "kind", None)
    if known is not None or not hasattr(estimator, "__sklearn_tags__"):
        return known
    return estimator.__sklearn_tags__().estimator_type


def _key(estimator: Any, scoring: Any, splits: list[tuple[Any, Any]]) -> str:
    digest = sha256(f"{estimator!r} {scoring!r}".encode())
    for train, test in splits:
        digest.update(np.asarray(train).tobytes() + b"|" + np.asarray(test).tobytes())
    return digest.hexdigest()
