"""One member of a calibrated classifier: learned from some rows, its maps from others."""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.calibration.maps import Isotonic, Sigmoid, Temperature, logits_of
from learnable.core.errors import DataError, ParameterError
from learnable.core.warning import warn
from learnable.resampling import rows_of
from learnable.stats.arrays import Floats as Numbers


class Member(NamedTuple):
    """A fitted classifier and its maps: one a class, one for two classes or for all.

    Attributes
    ----------
    estimator : object
        The classifier.
    calibrators : list
        Its maps.
    """

    estimator: Any
    calibrators: list[Any]


class Job(NamedTuple):
    """What all folds have in common."""

    estimator: Any
    X: Any
    y: NDArray[Any]
    codes: NDArray[np.int32]
    weight: Numbers
    params: dict[str, Any]


class Asked(NamedTuple):
    """A fitted classifier, its scores of the rows it did not see, their codes and weights."""

    model: Any
    scores: Numbers
    probable: bool
    codes: NDArray[np.int32]
    weight: Numbers


def cut_weights(inner: Any, sample_weight: Any, fit_params: dict[str, Any]) -> dict[str, Any]:
    """Return what goes to the classifier's ``fit``; say where it takes no weights."""
    if sample_weight is None:
        return fit_params
    if "sample_weight" in inspect.signature(inner.fit).parameters:
        return {**fit_params, "sample_weight": np.asarray(sample_weight)}
    warn(
        f"{type(inner).__name__} does not appear to accept sample_weight, so weights are used for "
        "the calibration alone."
    )
    return fit_params


def like(inner: Any) -> Any:
    """Return a copy that is not fitted; what threads share is imported before them."""
    from sklearn.base import clone

    return clone(inner)


def fitted(job: Job, train: NDArray[Any]) -> Any:
    """Return the classifier fitted to some of the rows."""
    params = {
        name: rows_of(value, train) if np.shape(value)[:1] == (len(job.y),) else value
        for name, value in job.params.items()
    }
    return like(job.estimator).fit(rows_of(job.X, train), job.y[train], **params)


def member_of_fold(job: Job, split: tuple[Any, Any]) -> Asked:
    """Learn from one part of the rows and score the other."""
    train, test = split
    model = fitted(job, train)
    scores, probable = scores_of(model, rows_of(job.X, test))
    weight = job.weight[test] if len(job.weight) else np.ones(len(test))
    return Asked(model, scores, probable, job.codes[test], weight)


def with_maps(task: Any, method: str, classes: Any, split: tuple[Any, Any]) -> Member:
    """Learn from one part of the rows, and the maps from the other."""
    found = task(split)
    return Member(found.model, maps_of(method, classes, *found))


def scores_of(model: Any, X: Any) -> tuple[Numbers, bool]:
    """Return scores, of the second of two classes or of all, and whether they are probabilities."""
    probable = not hasattr(model, "decision_function")
    if probable and not hasattr(model, "predict_proba"):
        msg = f"{type(model).__name__} has neither decision_function nor predict_proba"
        raise ParameterError(msg)
    answer = model.predict_proba(X) if probable else model.decision_function(X)
    scores = np.asarray(answer, dtype=np.float64)
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if probable and scores.ndim == 2 and scores.shape[1] == 2:
        scores = scores[:, 1]
    if not np.isfinite(scores).all():
        row = int(np.argwhere(~np.isfinite(scores))[0][0])
        raise DataError(
            f"{type(model).__name__} answers with a score that is not finite.",
            row=row, remedy="Look at the row; scale or clip its columns.",
        )  # fmt: skip
    return scores, probable


def maps_of(
    method: str, classes: Any, model: Any, scores: Numbers, probable: bool, codes: Any, weight: Any
) -> list[Any]:
    """Return the maps of a classifier, from scores that it did not learn from."""
    mine = np.searchsorted(classes, model.classes_)
    if method == "temperature":
        if len(mine) != len(classes):
            raise DataError(
                "A fold was learned without one of the classes.",
                remedy="Give folds that hold every class.",
            )
        return [Temperature.of(logits_of(scores, probable=probable), codes, weight)]
    kind = Sigmoid if method == "sigmoid" else Isotonic
    if len(classes) == 2:
        return [kind.of(np.ascontiguousarray(_second(scores, mine)), codes == 1, weight)]
    columns = scores.T if scores.ndim == 2 else np.stack([-scores, scores])
    return [
        kind.of(np.ascontiguousarray(column), codes == c, weight)
        for c, column in zip(mine, columns, strict=True)
    ]


def _second(scores: Numbers, mine: NDArray[Any]) -> Numbers:
    """Return the score of the second class, whichever classes a fold has seen."""
    if len(mine) == 2:
        return scores
    return scores if mine[0] == 1 else 1.0 - scores


def probabilities(member: Member, method: str, classes: Any, X: Any) -> Numbers:
    """Return the probabilities that a member gives rows."""
    scores, probable = scores_of(member.estimator, X)
    if method == "temperature":
        found = member.calibrators[0].answer(logits_of(scores, probable=probable))
        return np.asarray(found)
    mine = np.searchsorted(classes, member.estimator.classes_)
    if len(classes) == 2:
        second = member.calibrators[0].answer(_second(scores, mine))
        return np.stack([1.0 - second, second], axis=1)
    columns = scores.T if scores.ndim == 2 else np.stack([-scores, scores])
    found = np.zeros((len(scores), len(classes)))
    for c, column, one in zip(mine, columns, member.calibrators, strict=True):
        found[:, c] = one.answer(column)
    total = found.sum(axis=1, keepdims=True)
    even = np.full_like(found, 1.0 / len(classes))
    return np.divide(found, total, out=even, where=total > 0.0)
