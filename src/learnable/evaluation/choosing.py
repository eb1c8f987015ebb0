"""Compare learners, their scores or their answers by the test that fits, and say why it fits.

References
----------
.. [1] C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52, 2003.
.. [2] J. Demsar: Statistical comparisons of classifiers over multiple data sets. Journal of
   Machine Learning Research 7, 2006.
.. [3] A. Benavoli, G. Corani, F. Mangili: Should we really use post-hoc tests based on mean-ranks?
   Journal of Machine Learning Research 17, 2016.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.data import Table
from learnable.data.texts import Texts
from learnable.evaluation.answered import compare_answers
from learnable.evaluation.comparisons import Comparisons
from learnable.evaluation.folded import compare_folds
from learnable.evaluation.inputs import table
from learnable.evaluation.over_sets import compare_over_sets
from learnable.model_selection import cross_val_score
from learnable.resampling import FoldPlan

REPEATS = 10


def compare(
    given: Any,
    X: Any = None,
    y: Any = None,
    *,
    plan: FoldPlan | None = None,
    truth: Any = None,
    scoring: Any = None,
    names: Any = None,
    task: str | None = None,
    confidence: float = 0.95,
    lower_is_better: bool = False,
) -> Comparisons:
    """Compare two or more learners by the test that fits what is given.

    ============================================  ==============================================
    given                                         tested by
    ============================================  ==============================================
    learners, ``X`` and ``y``                     corrected resampled t over the folds of a plan
    learners, a mapping name -> (X, y)            cross-validation on each, then as below
    name -> fold scores, and their ``plan``       corrected resampled t
    name -> mapping data set -> score or scores   Wilcoxon; of three or more, Friedman besides
    name -> predictions, and their ``truth``      McNemar (mid-p); of numbers, a paired t of
                                                  squared errors row by row
    ============================================  ==============================================

    Of three learners or more, all pairs are tested and their p-values adjusted by Holm.

    Parameters
    ----------
    given : mapping or sequence
        Learners, scores or predictions, by name; a sequence of learners is named by their classes.
    X, y : array, frame or Table, optional
        The rows and the answers; or, as ``X``, a mapping from data sets to pairs of them.
    plan : FoldPlan, optional
        The folds. Ten repeats of ten folds by default, classes in proportion.
    truth : array, optional
        The right answers, with predictions.
    scoring : str or callable, optional
        How to judge learners; by their own score by default.
    names : sequence of str, optional
        What to call them.
    task : {"classification", "regression"}, optional
        With predictions; by default numbers that are not all whole are regression.
    confidence : float, default=0.95
        One minus the chance of any false difference.
    lower_is_better : bool, default=False
        Whether low scores are good.

    Returns
    -------
    Comparisons
        Its ``why`` says why this test. Cost: that of the folds.

    Raises
    ------
    DataError
        Where the data cannot support any verdict, with how many would.

    References
    ----------
    C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52, 2003.
    J. Demsar: Statistical comparisons of classifiers over multiple data sets. Journal of Machine
    Learning Research 7, 2006.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.dummy import DummyClassifier
    >>> from learnable.evaluation import compare
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> found = compare([GaussianNB(), DummyClassifier()], X, y)
    >>> print(found.text)
    GaussianNB and DummyClassifier, best first; GaussianNB is told apart from DummyClassifier.
    >>> print(found.why)
    Folds share training rows, so the paired t test would see differences that are not there; the
    corrected one allows for that.
    """
    check_confidence(confidence)
    named = _named(given, names)
    options = {"confidence": confidence, "lower_is_better": lower_is_better}
    if truth is not None:
        return compare_answers(named, truth, task, confidence)
    if all(hasattr(one, "fit") for one in named.values()):
        return _compare_learners(named, X, y, plan, scoring, options)
    if X is not None:
        raise DataError("X is given, but no learners to learn from it.", remedy="Give learners.")
    return _compare_scores(named, plan, options)


def _compare_learners(
    named: dict[str, Any], X: Any, y: Any, plan: FoldPlan | None, scoring: Any, options: Any
) -> Comparisons:
    if X is None:
        raise DataError("There are no rows to learn from.", remedy="Give X and y.")
    if isinstance(X, Mapping):
        return compare_over_sets(*table(_over_sets(named, X, plan, scoring)), **options)
    plan = planned(named, X, y, plan)
    return compare_folds(_folds(named, X, y, plan, scoring), plan, **options)


def _compare_scores(named: dict[str, Any], plan: FoldPlan | None, options: Any) -> Comparisons:
    if all(isinstance(one, Mapping) for one in named.values()):
        means = {
            name: {key: float(np.mean(scores)) for key, scores in one.items()}
            for name, one in named.items()
        }
        return compare_over_sets(*table(means), **options)
    if plan is None:
        raise DataError(
            "Scores alone do not say whether they are of folds or of data sets.",
            remedy="Give the plan of the folds; or name -> {data set: score}; or, with "
            "predictions, the truth.",
        )
    return compare_folds(named, plan, **options)


def _named(given: Any, names: Any) -> dict[str, Any]:
    """Return what is given by name."""
    if isinstance(given, Mapping):
        found = {str(name): one for name, one in given.items()}
    else:
        items = list(given)
        if names is None:
            names = _class_names(items)
        if len(names) != len(items) or len(set(names)) != len(items):
            msg = f"{len(items)} are compared, but {len(set(names))} different names are given"
            raise ParameterError(msg)
        found = {str(name): one for name, one in zip(names, items, strict=True)}
    if len(found) < 2:
        raise DataError(
            f"There is nothing to compare with: {len(found)} learner(s).",
            remedy="Give two or more; a DummyClassifier or DummyRegressor is a fair baseline.",
        )
    return found


def _class_names(items: list[Any]) -> list[str]:
    """Return the names of classes, numbered where one comes twice."""
    plain = [
        type(one).__name__ if hasattr(one, "fit") else f"learner {number}"
        for number, one in enumerate(items, 1)
    ]
    return [
        f"{name} {plain[:place].count(name) + 1}" if plain.count(name) > 1 else name
        for place, name in enumerate(plain)
    ]


def planned(learners: dict[str, Any], X: Any, y: Any, plan: FoldPlan | None) -> FoldPlan:
    """Return the stated plan, or ten repeats of ten folds, fewer where a class is rare."""
    if plan is not None:
        return plan
    if y is None and isinstance(X, Table):
        y = X.target()
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    classify = all(classifies(one) for one in learners.values())
    folds = min(10, n)
    if classify and y is not None:
        codes = Texts.of(np.asarray(y).tolist()).codes
        rarest = int(np.bincount(codes[codes >= 0], minlength=1).min())
        folds = max(min(folds, rarest), 2)
    return FoldPlan("k-fold", n, folds=folds, repeats=REPEATS, classes=y if classify else None)


def classifies(learner: Any) -> bool:
    """Whether a learner answers with classes."""
    from sklearn.base import is_classifier

    return getattr(learner, "kind", None) == "classifier" or bool(is_classifier(learner))


def _folds(
    learners: dict[str, Any], X: Any, y: Any, plan: FoldPlan, scoring: Any
) -> dict[str, Any]:
    return {
        name: cross_val_score(one, X, y, cv=plan, scoring=scoring, error_score="raise")
        for name, one in learners.items()
    }


def _over_sets(
    learners: dict[str, Any], sets: Mapping[Any, Any], plan: FoldPlan | None, scoring: Any
) -> dict[str, dict[Any, float]]:
    if plan is not None:
        msg = "a plan is of one data set; of several, each gets a plan of its own"
        raise ParameterError(msg)
    found: dict[str, dict[Any, float]] = {name: {} for name in learners}
    for key, (X, y) in sets.items():
        own = planned(learners, X, y, None)
        for name, scores in _folds(learners, X, y, own, scoring).items():
            found[name][key] = float(scores.mean())
    return found
