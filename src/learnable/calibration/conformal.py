"""Prediction sets and intervals for any model: split conformal prediction.

Rows that the model never saw are scored by how badly it answers them (one less the probability of
the true class; the distance of the true number). A new answer is let in when its score is at most
the ``ceil((n + 1) p)``-th smallest of these. Then the truth is inside with a chance of ``p`` at
least, whatever the model and the distribution (:mod:`learnable.theory.conformal`).

Cost: one answer a calibration row, one sort.

References
----------
.. [1] V. Vovk, A. Gammerman, G. Shafer: Algorithmic Learning in a Random World. Springer 2005.
.. [2] A. N. Angelopoulos, S. Bates: Conformal prediction: a gentle introduction. Foundations and
   Trends in Machine Learning 16, 2023.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.certificate import Certificate, check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.estimator.labels import as_labels
from learnable.estimator.learner import same_length
from learnable.estimator.regressor import as_numbers
from learnable.theory.conformal import CoverageLaw, conformal_rank
from learnable.theory.statements import INDEPENDENT, at_least, percent

EXCHANGEABLE = "calibration rows and new rows are exchangeable (independent draws are)"
UNSEEN = "the model and the choice of the model never saw the calibration rows"
SURE = 0.95


class Sets(NamedTuple):
    """Prediction sets, one a row.

    Attributes
    ----------
    inside : array (n, K) of bool
        Which classes are in the set of each row.
    classes : array (K,)
        The labels.
    certificate : Certificate
        How often the truth is inside.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.calibration import Sets
    >>> Sets(np.array([[True, False, True]]), np.array(["a", "b", "c"]), None).labels()
    [['a', 'c']]
    """

    inside: NDArray[np.bool_]
    classes: NDArray[Any]
    certificate: Certificate

    def labels(self) -> list[list[Any]]:
        """Return the sets as lists of labels."""
        return [self.classes[row].tolist() for row in self.inside]


class Intervals(NamedTuple):
    """Prediction intervals, one a row.

    Attributes
    ----------
    low, high : array (n,)
        The ends; infinite where there were too few calibration rows.
    certificate : Certificate
        How often the truth is inside.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.calibration import Intervals
    >>> Intervals(np.array([1.0]), np.array([2.0]), None).high
    array([2.])
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    certificate: Certificate


@dataclass(frozen=True)
class Conformal:
    """A model with the scores of rows it never saw.

    Parameters
    ----------
    model : fitted classifier with ``predict_proba``, or fitted regressor
        Ours, or any of scikit-learn's contract.
    scores : tuple of arrays
        Rising scores: one array, or one a class.
    by_class : bool
        Whether the promise holds within every class.

    Examples
    --------
    >>> from learnable.calibration import Conformal
    >>> from learnable.datasets import load_iris
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GaussianNB().fit(X[::2], y[::2])
    >>> calibrated = Conformal.of(model, X[1::4], y[1::4])
    >>> calibrated.sets(X[3::4], 0.9).labels()[0]
    ['setosa']
    """

    model: Any
    scores: tuple[NDArray[np.float64], ...]
    by_class: bool = False

    @classmethod
    def of(cls, model: Any, X: Any, y: Any, *, by_class: bool = False) -> Conformal:
        """Score the calibration rows.

        Parameters
        ----------
        model : fitted classifier or regressor
            The model.
        X, y : arrays
            Calibration rows, which the model never saw, and their true answers.
        by_class : bool, default=False
            Score each class by itself, so that the promise holds within every class.
        """
        if hasattr(model, "predict_proba"):
            return cls(model, _class_scores(model, X, y, by_class=by_class), by_class)
        if by_class:
            msg = f"{type(model).__name__} has no classes (no predict_proba)"
            raise ParameterError(msg)
        truth = as_numbers(y, learner=type(model).__name__)
        answers = np.asarray(model.predict(X), dtype=np.float64)
        same_length(len(answers), len(truth))
        if answers.shape != truth.shape or truth.ndim != 1:
            raise DataError(f"The answers have shape {answers.shape}, the true ones {truth.shape}.")
        return cls(model, (np.sort(np.abs(truth - answers)),))

    def sets(self, X: Any, confidence: float = 0.9) -> Sets:
        """Return the set of classes of each row.

        Parameters
        ----------
        X : array
            New rows.
        confidence : float, default=0.9
            How often, at least, the truth is to be inside.
        """
        if not hasattr(self.model, "predict_proba"):
            msg = f"{type(self.model).__name__} gives no probabilities: ask for intervals"
            raise ParameterError(msg)
        limits = np.array([_limit(scores, confidence) for scores in self.scores])
        misfit = 1.0 - np.asarray(self.model.predict_proba(X), dtype=np.float64)
        return Sets(misfit <= limits, np.asarray(self.model.classes_), self.certificate(confidence))

    def intervals(self, X: Any, confidence: float = 0.9) -> Intervals:
        """Return the interval of each row.

        Parameters
        ----------
        X : array
            New rows.
        confidence : float, default=0.9
            How often, at least, the truth is to be inside.
        """
        if hasattr(self.model, "predict_proba"):
            msg = f"{type(self.model).__name__} answers with classes: ask for sets"
            raise ParameterError(msg)
        reach = _limit(self.scores[0], confidence)
        answers = np.asarray(self.model.predict(X), dtype=np.float64)
        return Intervals(answers - reach, answers + reach, self.certificate(confidence))

    def certificate(self, confidence: float = 0.9) -> Certificate:
        """Say how often the truth is inside, over calibrations and for this one."""
        laws = [CoverageLaw(len(s), conformal_rank(len(s), confidence)) for s in self.scores]
        each = 1.0 - (1.0 - SURE) / len(laws)
        law = min(laws, key=lambda one: one.low(each))
        where = " of every class" if self.by_class else ""
        text = (
            f"On average over calibrations, the truth is inside for at least {percent(confidence)} "
            f"of new rows{where}; with {percent(SURE)} confidence these calibration rows give at "
            f"least {at_least(law.low(each))}."
        )
        if law.k > law.n:
            text += f" With {law.n} calibration rows that takes sets of everything."
        return Certificate(
            kind="guaranteed",
            quantity="share of new rows whose set holds the truth",
            value=law.mean,
            low=law.low(each),
            high=1.0,
            confidence=SURE,
            method="split conformal prediction" + (", class by class" if self.by_class else ""),
            n=sum(one.n for one in laws),
            assumptions=(EXCHANGEABLE, UNSEEN, INDEPENDENT),
            text=text,
        )


def _limit(scores: NDArray[np.float64], confidence: float) -> float:
    rank = conformal_rank(len(scores), check_confidence(confidence))
    return float(scores[rank - 1]) if rank <= len(scores) else np.inf


def _class_scores(model: Any, X: Any, y: Any, *, by_class: bool) -> tuple[NDArray[np.float64], ...]:
    truth = as_labels(y, learner=type(model).__name__)
    chances = np.asarray(model.predict_proba(X), dtype=np.float64)
    same_length(len(chances), len(truth))
    classes = np.asarray(model.classes_)
    known = truth[:, None] == classes
    strange = ~known.any(axis=1)
    if strange.any():
        row = int(np.argmax(strange))
        raise DataError(
            "A calibration row has a class that the model does not know.",
            row=row,
            value=truth[row],
            remedy="Leave it out; no set can hold it.",
        )
    misfit = 1.0 - chances[known]
    if not by_class:
        return (np.sort(misfit),)
    return tuple(np.sort(misfit[of_class]) for of_class in known.T)


def predict_set(
    model: Any,
    X: Any,
    calibration: tuple[Any, Any],
    *,
    confidence: float = 0.9,
    by_class: bool = False,
) -> Sets:
    """Return the set of classes of each row that holds the truth as often as stated.

    Parameters
    ----------
    model : fitted classifier
        Any with ``predict_proba``.
    X : array
        New rows.
    calibration : tuple of X and y
        Rows that the model never saw, and their true classes.
    confidence : float, default=0.9
        How often, at least, the truth is to be inside.
    by_class : bool, default=False
        Whether that is to hold within every class.

    Examples
    --------
    >>> from learnable.calibration import predict_set
    >>> from learnable.datasets import load_iris
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GaussianNB().fit(X[::2], y[::2])
    >>> sets = predict_set(model, X[3::4], (X[1::4], y[1::4]), confidence=0.95)
    >>> round(sets.certificate.value, 3)
    0.974
    """
    return Conformal.of(model, *calibration, by_class=by_class).sets(X, confidence)


def predict_interval(
    model: Any, X: Any, calibration: tuple[Any, Any], *, confidence: float = 0.9
) -> Intervals:
    """Return the interval of each row that holds the true number as often as stated.

    Parameters
    ----------
    model : fitted regressor
        Any.
    X : array
        New rows.
    calibration : tuple of X and y
        Rows that the model never saw, and their true numbers.
    confidence : float, default=0.9
        How often, at least, the truth is to be inside.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.calibration import predict_interval
    >>> from learnable.dummy import DummyRegressor
    >>> y = np.arange(19.0)
    >>> model = DummyRegressor(strategy="constant", constant=0.0).fit(y[:, None], y)
    >>> found = predict_interval(model, [[0.0]], (y[:, None], y), confidence=0.9)
    >>> found.low.tolist(), found.high.tolist()
    ([-17.0], [17.0])
    """
    return Conformal.of(model, *calibration).intervals(X, confidence)
