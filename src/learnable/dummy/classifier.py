"""A classifier that ignores the rows: the most frequent class, or a draw, or a constant.

The share of class ``c`` among the training answers is ``P(c) = sum of its weights / sum of all``.
Always answering the most frequent class is right in the share ``max P(c)`` of such rows, drawing by
the shares in ``sum P(c)**2``, drawing evenly in ``1 / K``. A model that does no better has learned
nothing from the columns.

Cost: n to learn, n to answer, K numbers.

References
----------
.. [1] R. C. Holte: Very simple classification rules perform well on most commonly used datasets.
   Machine Learning 11, 1993, 63-90.
.. [2] I. H. Witten, E. Frank, M. A. Hall: Data Mining. Morgan Kaufmann 2011, section 4.1.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import DataError, ParameterError
from learnable.core.explanation import Explanation, Part
from learnable.core.trace import emit, listening
from learnable.dummy.base import Dummy, row_count
from learnable.estimator.classifier import Classifier
from learnable.estimator.joining import Joining, half_log
from learnable.estimator.labels import as_labels, encode
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import ArrayLike, Choice, Seed, generator
from learnable.estimator.state import (
    Count,
    Either,
    Floats,
    Integer,
    Labels,
    ListOf,
    Names,
)
from learnable.theory.statements import accuracy_on_new_rows, percent

_DRAWN = ("stratified", "uniform")
_ROUNDING = 1e-6


def class_shares(codes: Any, k: int, weight: Any) -> Any:
    """Return the share of each class among the weights.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.dummy.classifier import class_shares
    >>> class_shares(np.array([0, 0, 1]), 2, np.array([1.0, 1.0, 2.0]))
    array([0.5, 0.5])
    """
    counts = np.bincount(codes, weights=weight if len(weight) else None, minlength=k)
    return counts / counts.sum()


class DummyClassifier(Dummy, Classifier):
    """Answers without looking at the columns: the baseline every classifier has to beat.

    Parameters
    ----------
    strategy : {"prior", "most_frequent", "stratified", "uniform", "constant"}, default="prior"
        Answer the most frequent class, with the shares of the classes as probabilities ("prior") or
        with certainty ("most_frequent"); draw by the shares; draw evenly; answer a constant.
    random_state : None, int or generator
        What draws start from.
    constant : label, or array of labels, optional
        The answer of the strategy "constant", one an output.

    Attributes
    ----------
    classes_ : array (K,), or list of arrays
        The labels (of each output).
    n_classes_ : int, or list of int
        How many there are.
    class_prior_ : array (K,), or list of arrays
        Share of each class among the training answers.
    n_outputs_ : int
        Number of outputs.
    n_features_in_, feature_names_in_
        Number and names of the columns, where the rows had any.

    Notes
    -----
    ``P(c)`` is the weight of class ``c`` over the weight of all rows.

    References
    ----------
    R. C. Holte: Very simple classification rules perform well on most commonly used datasets.
    Machine Learning 11, 1993.

    Examples
    --------
    >>> from learnable.dummy import DummyClassifier
    >>> model = DummyClassifier().fit([[0], [0], [0]], ["no", "no", "yes"])
    >>> model.predict([["anything"], [None]]).tolist()
    ['no', 'no']
    >>> model.class_prior_
    array([0.66666667, 0.33333333])
    """

    joins: ClassVar[Joining] = Joining(
        "the most frequent class",
        ("classification",),
        "anything",
        cost=lambda n, _, __: 1e-3 + 1e-7 * n,
        bits=lambda model, n: half_log(len(model.classes_) - 1, n),
        baseline=True,
        readable=True,
    )
    parameters: ClassVar[dict[str, Any]] = {
        "strategy": Choice("most_frequent", "prior", "stratified", "uniform", "constant"),
        "random_state": Seed(),
        "constant": ArrayLike(scalar=True),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_outputs_": Integer(low=1),
        "classes_": Either(Labels("K"), ListOf(Labels("?"), length="outputs")),
        "class_prior_": Either(
            Floats("K", low=0.0, high=1.0),
            ListOf(Floats("?", low=0.0, high=1.0), length="outputs"),
        ),
        "n_features_in_": Count("d", low=0, optional=True),
        "feature_names_in_": Names("d", optional=True),
    }
    derived = ("n_classes_",)

    def __init__(
        self, *, strategy: str = "prior", random_state: Any = None, constant: Any = None
    ) -> None:
        self.strategy = strategy
        self.random_state = random_state
        self.constant = constant

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> DummyClassifier:
        """Learn the shares of the classes.

        Parameters
        ----------
        X : array, data frame, sparse matrix, list or None
            Counted at most.
        y : array (n,) or (n, outputs)
            Class of each row.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        outputs, single = _outputs(y, type(self).__name__)
        self._look_at_columns(X, len(outputs[0]))
        weight = self._read_weights(sample_weight, len(outputs[0]))
        found = [encode(labels) for labels in outputs]
        classes = [labels for labels, _ in found]
        shares = [class_shares(codes, len(labels), weight) for labels, codes in found]
        self.classes_, self.class_prior_ = (classes[0], shares[0]) if single else (classes, shares)
        self.n_outputs_ = len(outputs)
        self._derive()
        if listening():
            for c, share in zip(classes, shares, strict=True):
                emit("shares", classes=[str(label) for label in c], shares=share.tolist())
        return self

    def _derive(self) -> None:
        """Find the answer of each output, so that a constant that is no class is refused."""
        classes, shares = self._listed()
        if not len(classes) == len(shares) == self.n_outputs_:
            raise DataError("Classes and shares are not those of one number of outputs.")
        sizes = [len(labels) for labels in classes]
        for size, share in zip(sizes, shares, strict=True):
            if size == 0 or len(share) != size or not abs(share.sum() - 1.0) < _ROUNDING:
                raise DataError("The shares of the classes do not add up to 1.")
        self.n_classes_ = sizes if isinstance(self.classes_, list) else sizes[0]
        self._answers = [int(share.argmax()) for share in shares]
        if self.strategy == "constant":
            self._answers = self._stated(classes)

    def _listed(self) -> tuple[list[Any], list[Any]]:
        if isinstance(self.classes_, list):
            return self.classes_, self.class_prior_
        return [self.classes_], [self.class_prior_]

    def _stated(self, classes: list[Any]) -> list[int]:
        """Return the code of the constant of each output."""
        if self.constant is None:
            # scikit-learn's contract wants a TypeError here.
            msg = "Constant target value has to be specified when the constant strategy is used."
            raise TypeError(msg)
        stated = np.atleast_1d(np.asarray(self.constant, dtype=object)).ravel()
        if len(stated) != len(classes):
            msg = f"constant must hold one label an output: {len(classes)}, not {len(stated)}"
            raise ParameterError(msg)
        codes = []
        for label, known in zip(stated, classes, strict=True):
            place = np.flatnonzero(known == label)
            if len(place) == 0:
                msg = (
                    f"The constant target value must be present in the training data: {label!r} is "
                    f"none of {known.tolist()}"
                )
                raise ParameterError(msg)
            codes.append(int(place[0]))
        return codes

    def _codes(self, n: int) -> list[Any]:
        """Return the code that each row is answered with, output by output."""
        random = generator(self.random_state) if self.strategy in _DRAWN else None
        codes = []
        for answer, share in zip(self._answers, self._listed()[1], strict=True):
            if random is None:
                codes.append(np.full(n, answer))
            elif self.strategy == "uniform":
                codes.append(random.integers(len(share), size=n))
            else:
                steps = np.cumsum(share)
                codes.append(np.searchsorted(steps / steps[-1], random.random(n), side="right"))
        return codes

    @answering
    def predict(self, X: Any) -> Any:
        """Return the answer of the strategy for each row."""
        self._check_fitted()
        classes, _ = self._listed()
        answers = [c[codes] for c, codes in zip(classes, self._codes(row_count(X)), strict=True)]
        return np.column_stack(answers) if isinstance(self.classes_, list) else answers[0]

    @answering
    def predict_proba(self, X: Any) -> Any:
        """Return the probability of each class, one array an output."""
        self._check_fitted()
        n, (_, shares) = row_count(X), self._listed()
        if self.strategy == "prior":
            chances = [np.tile(share, (n, 1)) for share in shares]
        elif self.strategy == "uniform":
            chances = [np.full((n, len(share)), 1.0 / len(share)) for share in shares]
        else:
            chances = [
                np.eye(len(share))[codes]
                for share, codes in zip(shares, self._codes(n), strict=True)
            ]
        return chances if isinstance(self.classes_, list) else chances[0]

    def predict_log_proba(self, X: Any) -> Any:
        """Return the log of the probability of each class."""
        chances = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            if isinstance(chances, list):
                return [np.log(chance) for chance in chances]
            return np.log(chances)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of right answers; ``X`` may be None."""
        return super().score(np.zeros((len(y), 1)) if X is None else X, y, sample_weight)

    def _explain(self, X: Any) -> list[Explanation]:
        classes, shares = self._listed()
        codes = np.column_stack(self._codes(row_count(X)))
        return [self._reason(classes, shares, row) for row in codes]

    def _reason(self, classes: list[Any], shares: list[Any], row: Any) -> Explanation:
        parts, told, score = [], [], 0.0
        single = not isinstance(self.classes_, list)
        for output, (labels, share, code) in enumerate(zip(classes, shares, row, strict=True)):
            place = "" if single else f"output {output}, "
            told.append(("" if single else f"output {output}: ") + self._told(labels, share, code))
            parts += [
                Part(f"{place}class {label}", "", f"{percent(s)} of the weight", float(s))
                for label, s in zip(labels, share, strict=True)
            ]
            score += float(share[code])
        answers = [labels[code] for labels, code in zip(classes, row, strict=True)]
        answer = _plain(answers[0]) if single else tuple(map(_plain, answers))
        unit = "share of the weight" if single else "sum of the shares of the weight"
        return Explanation(answer, "rule", tuple(parts), score, unit, "; ".join(told) + ".")

    def _told(self, labels: Any, share: Any, code: int) -> str:
        weight, label = f"{percent(share[code])} of the weight", labels[code]
        several = f"{len(labels)} classes" if len(labels) > 1 else "1 class"
        if self.strategy == "uniform":
            return f"{label} here: drawn evenly from {several}, {weight}"
        if self.strategy == "stratified":
            return f"{label} here: drawn by the shares of {several}, {weight}"
        if self.strategy == "constant":
            return f"Always {label}: the stated constant, {weight}"
        return f"Always {label}: the most frequent of {several}, {weight}"

    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:
        return accuracy_on_new_rows(self, X, y, role, confidence)


def _outputs(y: Any, learner: str) -> tuple[list[Any], bool]:
    """Return the labels of each output, and whether there is only one."""
    array = np.asarray(y) if isinstance(y, (list, tuple)) or hasattr(y, "columns") else y
    if getattr(array, "ndim", 1) == 2 and array.shape[1] > 1:
        return [as_labels(column, learner=learner) for column in np.asarray(array).T], False
    return [as_labels(y, learner=learner)], True


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
