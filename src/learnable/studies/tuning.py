"""Tuning inside a fold: the parameters that do best on inner folds of the training rows.

The tuner is the one place that decides which parameters are taken; it sees training rows only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from learnable.resampling import FoldPlan
from learnable.studies.asking import Problem
from learnable.studies.contenders import Contender

INNER_FOLDS = 3
_FEWEST = 2
Score = Callable[[Any, Any, Any], float]


class Tuned(NamedTuple):
    """A fitted learner, the parameters it took, and the inner score of each that was tried."""

    model: Any
    parameters: dict[str, Any]
    scores: tuple[float, ...]


def tuned(contender: Contender, problem: Problem, score: Score, *, seed: int) -> Tuned:
    """Choose parameters on inner folds and fit to all rows.

    Parameters
    ----------
    contender : Contender
        Who learns.
    problem : Problem
        Training rows.
    score : callable
        ``score(model, X, y)``, larger is better.
    seed : int
        What inner folds and learners begin with.

    Notes
    -----
    Ties go to the parameters that stand first. Cost: a fit for each of the parameters and inner
    folds, and one more.

    Examples
    --------
    >>> from learnable.data import Table
    >>> from learnable.datasets import load_iris
    >>> from learnable.metrics import get_scorer
    >>> from learnable.studies.asking import Wishes, ask
    >>> from learnable.studies.contenders import contenders
    >>> from learnable.studies.tuning import tuned
    >>> problem = ask(Table.of(load_iris(as_frame=True).frame), Wishes("species"))
    >>> found, _ = contenders(problem, ("CategoricalNB",))
    >>> tuned(found[-1], problem, get_scorer("accuracy"), seed=0).parameters
    {'alpha': 1.0}
    """
    choice, scores = 0, ()
    inner = inner_folds(problem, seed)
    if len(contender.tried) > 1 and inner is not None:
        splits = list(inner)
        scores = tuple(
            _mean_score(contender, parameters, problem, splits, score, seed)
            for parameters in contender.tried
        )
        choice = int(np.argmax(scores))
    parameters = contender.tried[choice]
    return Tuned(fitted(contender.make(parameters, seed), problem), parameters, scores)


def fitted(model: Any, problem: Problem) -> Any:
    """Return a learner fitted to the rows of a problem, by their weights if there are any."""
    if problem.weights is None:
        return model.fit(problem.table, problem.y)
    steps = getattr(model, "steps", None)
    name = "sample_weight" if steps is None else f"{steps[-1][0]}__sample_weight"
    return model.fit(problem.table, problem.y, **{name: problem.weights})


def inner_folds(problem: Problem, seed: int) -> FoldPlan | None:
    """Return the folds that parameters are chosen by; None where the rows are too few.

    Examples
    --------
    >>> from learnable.data import Table
    >>> from learnable.datasets import load_iris
    >>> from learnable.studies.asking import Wishes, ask
    >>> from learnable.studies.tuning import inner_folds
    >>> problem = ask(Table.of(load_iris(as_frame=True).frame), Wishes("species"))
    >>> len(inner_folds(problem, 0))
    3
    """
    classes = problem.y if problem.task == "classification" else None
    if problem.order is not None:
        return FoldPlan("ordered", problem.n, folds=INNER_FOLDS, order=problem.order, seed=seed)
    if problem.groups is not None:
        if len(np.unique(problem.groups)) < INNER_FOLDS:
            return None
    elif classes is not None and np.unique(classes, return_counts=True)[1].min() < _FEWEST:
        classes = None
    return FoldPlan(
        "k-fold", problem.n, folds=INNER_FOLDS, seed=seed, classes=classes, groups=problem.groups
    )


def _mean_score(
    contender: Contender, parameters: dict[str, Any], problem: Problem, splits: Any, score: Score,
    seed: int,
) -> float:  # fmt: skip
    found = []
    for train, test in splits:
        model = fitted(contender.make(parameters, seed), problem.take(train))
        asked = problem.take(test)
        found.append(score(model, asked.table, asked.y))
    return float(np.mean(found))
