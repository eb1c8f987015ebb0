"""Over- and underfit: what is wrong with a model, and by how much one can say so.

``h`` overfits if some other ``h2`` errs more on the training rows and less on new ones [1]_.
Training errors are counted; which of two true errors is smaller is a question for a test.

References
----------
.. [1] T. M. Mitchell: Machine Learning. McGraw-Hill 1997, section 3.7.
.. [2] C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52, 2003.
"""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from learnable.core.errors import DataError
from learnable.evaluation.choosing import classifies, planned
from learnable.evaluation.comparison import Comparison
from learnable.evaluation.counted import mcnemar
from learnable.evaluation.inputs import Floats
from learnable.evaluation.t_tests import corrected_resampled_t, paired_t
from learnable.model_selection.validation import cross_validate
from learnable.resampling import FoldPlan

_MATTERS = 0.01


class Overfitting(NamedTuple):
    """Whether one model overfits beside another.

    Attributes
    ----------
    verdict : bool
        Whether it errs less in training and, at the confidence, more on new rows.
    train_errors : (float, float)
        Errors of both on the training rows.
    comparison : Comparison
        Of the errors on new rows.
    text : str
        The finding in one sentence.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.dummy import DummyClassifier
    >>> from learnable.evaluation import overfits
    >>> rows, y = np.zeros((40, 1)), np.arange(40) % 4 == 0
    >>> one, two = DummyClassifier().fit(rows, y), DummyClassifier().fit(rows, ~y)
    >>> overfits(one, two, (rows, y), (rows, ~y)).verdict
    True
    """

    verdict: bool
    train_errors: tuple[float, float]
    comparison: Comparison
    text: str


def overfits(
    h: Any,
    h2: Any,
    train: tuple[Any, Any],
    test: tuple[Any, Any],
    *,
    confidence: float = 0.95,
    names: tuple[str, str] = ("h", "h2"),
) -> Overfitting:
    """Say whether ``h`` overfits beside ``h2``: fewer errors in training, more on new rows.

    Parameters
    ----------
    h, h2 : fitted models
        Two classifiers, or two regressors.
    train, test : tuples of X and y
        The rows that both learned from, and rows that neither saw.
    confidence : float, default=0.95
        One minus the chance of calling it so where the true errors are equal.
    names : tuple of str
        What the sentence calls the two.

    Returns
    -------
    Overfitting
        By the exact one-sided McNemar test (guaranteed); of numbers by a paired t of the squared
        errors (approximate). Cost: two answers a row.

    References
    ----------
    T. M. Mitchell: Machine Learning. McGraw-Hill 1997, section 3.7.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import numpy as np
    >>> from learnable.evaluation import overfits
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(600, 3)), rng.random(600)
    >>> y = y < np.where(X[:, 0] > 0, 0.8, 0.2)
    >>> deep, stump = (DecisionTreeClassifier(max_depth=d, random_state=0) for d in (None, 1))
    >>> both = [tree.fit(X[:200], y[:200]) for tree in (deep, stump)]
    >>> overfits(*both, (X[:200], y[:200]), (X[200:], y[200:]), names=("tree", "stump")).verdict
    True
    """
    losses = [[_losses(model, *rows) for model in (h, h2)] for rows in (train, test)]
    first, second = (float(each.mean()) for each in losses[0])
    if classifies(h):
        only_h = int(((losses[1][0] == 0) & (losses[1][1] == 1)).sum())
        only_h2 = int(((losses[1][0] == 1) & (losses[1][1] == 0)).sum())
        found = mcnemar(
            only_h, only_h2, len(losses[1][0]), method="exact", alternative="less",
            confidence=confidence, names=names,
        )  # fmt: skip
    else:
        found = paired_t(*losses[1], alternative="greater", confidence=confidence, names=names)
    verdict = first < second and found.told_apart
    told = "overfits" if verdict else "is not shown to overfit"
    errors = [float(each.mean()) for each in losses[1]]
    text = (
        f"{names[0]} {told} beside {names[1]}: errors {first:.4g} against {second:.4g} on the "
        f"training rows, {errors[0]:.4g} against {errors[1]:.4g} on new ones (one-sided p = "
        f"{found.p:.2g})."
    )
    return Overfitting(verdict, (first, second), found, text)


def _losses(model: Any, X: Any, y: Any) -> Floats:
    answers, truth = np.asarray(model.predict(X)), np.asarray(y)
    if len(answers) != len(truth) or not len(truth):
        raise DataError(f"There are {len(truth)} right answers and {len(answers)} predictions.")
    if classifies(model):
        return (answers != truth).astype(np.float64)
    return np.asarray((answers.astype(np.float64) - truth) ** 2)


class Diagnosis(NamedTuple):
    """What is wrong with a learner on some rows.

    Attributes
    ----------
    verdict : {"not converged", "overfits", "underfits", "learns nothing", "nothing found"}
        The finding.
    train, test, baseline : float
        Mean scores over the folds: on the rows learned from, on those asked, and of a baseline.
    gap, lead : Comparison
        Training less test score, and test score less the baseline's, each with an interval.
    text : str
        The finding in one sentence.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.evaluation import diagnose
    >>> from learnable.naive_bayes import GaussianNB
    >>> diagnose(GaussianNB(), *load_iris(return_X_y=True)).verdict
    'nothing found'
    """

    verdict: str
    train: float
    test: float
    baseline: float
    gap: Comparison
    lead: Comparison
    text: str


def diagnose(
    learner: Any,
    X: Any,
    y: Any = None,
    *,
    reachable: float | None = None,
    matters: float = _MATTERS,
    plan: FoldPlan | None = None,
    scoring: Any = None,
    confidence: float = 0.95,
) -> Diagnosis:
    """Say whether a learner over- or underfits, or did not converge.

    An optimiser that stopped early looks like too weak a model; it is told apart by what the fits
    themselves say (a warning of convergence, ``converged_``, ``n_iter_`` at its limit).

    Parameters
    ----------
    learner : estimator
        Ours, or any of scikit-learn's contract.
    X, y : array, frame or Table
        Rows and answers.
    reachable : float, optional
        A score that is known to be reachable: a training score below it is an underfit.
    matters : float, default=0.01
        Smaller differences of scores do not count.
    plan : FoldPlan, optional
        The folds; ten repeats of ten by default.
    scoring : str or callable, optional
        How to judge; the learner's own score by default.
    confidence : float, default=0.95
        Of the intervals, by the corrected resampled t (approximate).

    Returns
    -------
    Diagnosis
        Cost: that of the folds, twice.

    References
    ----------
    T. M. Mitchell: Machine Learning. McGraw-Hill 1997, section 3.7.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import numpy as np
    >>> from learnable.evaluation import diagnose
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3))
    >>> y = rng.random(200) < np.where(X[:, 0] > 0, 0.8, 0.2)
    >>> diagnose(DecisionTreeClassifier(random_state=0), X, y).verdict
    'overfits'
    """
    plan = planned({"learner": learner}, X, y, plan)
    found, stopped = _scored(learner, X, y, plan, scoring)
    plain, _ = _scored(_baseline(learner), X, y, plan, scoring)
    ratio = float(np.mean([len(test) / len(train) for train, test in plan]))
    train, test, base = found["train_score"], found["test_score"], plain["test_score"]
    gap = _compared(train, test, ratio, confidence, ("The training score", "the test score"))
    lead = _compared(test, base, ratio, confidence, ("The test score", "the baseline's"))
    verdict, told = _verdict(stopped, gap, lead, float(train.mean()), reachable, matters)
    text = (
        f"{type(learner).__name__} {told}: it scores {train.mean():.4g} on the rows it learned "
        f"from, {test.mean():.4g} on others; the baseline {base.mean():.4g}."
    )
    means = (float(one.mean()) for one in (train, test, base))
    return Diagnosis(verdict, *means, gap, lead, text)


def _scored(
    learner: Any, X: Any, y: Any, plan: FoldPlan, scoring: Any
) -> tuple[dict[str, Any], int]:
    """Return the scores of the folds, and in how many the optimiser stopped early."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = cross_validate(
            learner, X, y, cv=plan, scoring=scoring, return_train_score=True,
            return_estimator=True, error_score="raise",
        )  # fmt: skip
    warned = sum("Convergence" in one.category.__name__ for one in caught)
    return found, max(warned, sum(_stopped(model) for model in found["estimator"]))


def _stopped(model: Any) -> bool:
    """Whether a fitted model says that its optimiser stopped before the end."""
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    converged = getattr(last, "converged_", None)
    if converged is not None:
        return not converged
    turns, most = getattr(last, "n_iter_", None), getattr(last, "max_iter", None)
    if turns is None or not most or most < 0:
        return False
    return bool(np.max(turns) >= most)


def _baseline(learner: Any) -> Any:
    from learnable.dummy import DummyClassifier, DummyRegressor

    return DummyClassifier() if classifies(learner) else DummyRegressor()


def _compared(
    first: Floats, second: Floats, ratio: float, confidence: float, names: tuple[str, str]
) -> Comparison:
    gaps = first - second
    if np.ptp(gaps) == 0.0 and gaps[0] != 0.0:
        # Constant differences have no spread to test; half a unit in the last place gives them one.
        gaps = gaps + np.where(np.arange(len(gaps)) % 2, 1e-9, -1e-9)
    return corrected_resampled_t(gaps, ratio=ratio, confidence=confidence, names=names)


def _verdict(
    stopped: int,
    gap: Comparison,
    lead: Comparison,
    train: float,
    reachable: float | None,
    matters: float,
) -> tuple[str, str]:
    if stopped:
        return "not converged", f"stopped before its optimum in {stopped} fit(s); let it run first"
    if gap.told_apart and gap.low > matters:
        return "overfits", f"overfits by {gap.effect:.4g} ({gap.low:.4g} at least)"
    if reachable is not None and train < reachable - matters:
        short = reachable - train
        return "underfits", f"underfits: it falls {short:.4g} short even where it learned"
    if not (lead.told_apart and lead.effect > 0.0 and not math.isnan(lead.effect)):
        return "learns nothing", "is not told apart from a baseline that looks at no column"
    return "nothing found", "shows neither over- nor underfit that matters"
