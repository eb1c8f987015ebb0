"""How far an estimate of the true error is off on average: by simulation.

The error of a model on its own training rows (resubstitution) is biased: the model was chosen to
make it small. The error on independent rows is not.

References
----------
.. [1] T. M. Mitchell: Machine Learning. McGraw-Hill 1997, chapter 5.
.. [2] B. Efron: Estimating the error rate of a prediction rule: improvement on cross-validation.
   JASA 78, 1983.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from learnable.core.errors import DataError
from learnable.core.fold import runner
from learnable.evaluation.comparison import Comparison
from learnable.evaluation.t_tests import one_sample_t

Generator = Callable[[np.random.Generator, int], tuple[Any, Any]]


class EstimationBias(NamedTuple):
    """What two estimates of the true error are off by, on average over training sets.

    Attributes
    ----------
    resubstitution, independent : Comparison
        Error on the training rows, and on independent rows, less the true error.
    true_error : float
        The true error, averaged over the training sets.

    Examples
    --------
    >>> from learnable.dummy import DummyClassifier
    >>> from learnable.evaluation import estimation_bias
    >>> def coin(rng, n):
    ...     return rng.normal(size=(n, 1)), rng.integers(0, 2, n)
    >>> estimation_bias(DummyClassifier(), coin, n=20, draws=40).resubstitution.effect < 0.0
    True
    """

    resubstitution: Comparison
    independent: Comparison
    true_error: float

    @property
    def text(self) -> str:
        """The finding in one sentence."""
        parts = [
            f"{name} is off by {one.effect:+.4g} on average ({one.confidence:.0%} interval "
            f"{one.low:.4g} to {one.high:.4g})"
            for name, one in (
                ("the error on training rows", self.resubstitution),
                ("that on independent rows", self.independent),
            )
        ]
        return f"The true error is {self.true_error:.4g}; {' and '.join(parts)}."


def estimation_bias(
    learner: Any,
    generator: Generator,
    *,
    n: int = 50,
    n_test: int | None = None,
    n_true: int = 2000,
    draws: int = 200,
    loss: Callable[[Any, Any], float] | None = None,
    seed: int = 0,
    confidence: float = 0.95,
) -> EstimationBias:
    """Draw training sets, and compare errors on training and independent rows with the true one.

    Parameters
    ----------
    learner : estimator
        Ours, or any of scikit-learn's contract.
    generator : callable
        ``generator(rng, n) -> (X, y)`` draws rows.
    n, n_test : int
        Training rows, and independent rows (as many by default).
    n_true : int, default=2000
        Further rows that the true error is measured on, for each training set.
    draws : int, default=200
        Training sets.
    loss : callable, optional
        ``loss(y_true, y_pred)``; the share of wrong answers by default.
    seed : int, default=0
        What the draws begin with.
    confidence : float, default=0.95
        Of the intervals.

    Returns
    -------
    EstimationBias
        Cost: as many fits as draws.

    References
    ----------
    T. M. Mitchell: Machine Learning. McGraw-Hill 1997, chapter 5.

    Examples
    --------
    >>> from learnable.evaluation import estimation_bias
    >>> from learnable.naive_bayes import GaussianNB
    >>> def rows(rng, n):
    ...     y = rng.permutation(n) % 2
    ...     return rng.normal(size=(n, 3)) + 0.5 * y[:, None], y
    >>> found = estimation_bias(GaussianNB(), rows, n=20, draws=50)
    >>> found.resubstitution.told_apart, found.independent.told_apart
    (True, False)
    """
    if draws < 2 or n < 2 or n_true < 2:
        raise DataError(
            f"{draws} draws of {n} rows against {n_true} cannot be averaged.",
            remedy="Ask for 2 or more of each.",
        )
    from sklearn.base import clone

    learner = clone(learner)
    streams = np.random.default_rng(seed).spawn(draws)
    sizes = n, n if n_test is None else n_test, n_true
    task = partial(_errors, learner, generator, sizes, loss or _wrong)
    found = np.array(list(runner()(task, streams)))
    gaps = found[:, :2] - found[:, 2:]
    tested = [_tested(gap, confidence) for gap in gaps.T]
    return EstimationBias(*tested, float(found[:, 2].mean()))


def _tested(gaps: Any, confidence: float) -> Comparison:
    if np.ptp(gaps) == 0.0:
        raise DataError("Every training set gives the same error.", remedy="Draw rows that differ.")
    return one_sample_t(gaps, confidence=confidence)


def _errors(
    learner: Any, generator: Generator, sizes: tuple[int, int, int], loss: Any, rng: Any
) -> tuple[float, ...]:
    from sklearn.base import clone

    X, y = generator(rng, sizes[0])
    model = clone(learner).fit(X, y)
    asked = [(X, y), *(generator(rng, size) for size in sizes[1:])]
    return tuple(float(loss(right, model.predict(rows))) for rows, right in asked)


def _wrong(y_true: Any, y_pred: Any) -> float:
    return float((np.asarray(y_true) != np.asarray(y_pred)).mean())
