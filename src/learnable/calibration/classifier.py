"""Probabilities that mean what they say: any classifier with a map from its scores, cross-fitted.

A classifier's scores on its own training rows are too sure of themselves, so maps are learned from
rows that the classifier did not see: fold by fold, either with one classifier and one map a fold,
whose probabilities are averaged (``ensemble=True``), or with one map for one classifier that
learned from all rows. The maps are in :mod:`learnable.calibration.maps`.

Cost: that of the classifier for each fold, and one answer a row.

References
----------
.. [1] J. Platt: Probabilistic outputs for support vector machines. Advances in Large Margin
   Classifiers 1999.
.. [2] A. Niculescu-Mizil, R. Caruana: Predicting good probabilities with supervised learning.
   ICML 2005.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np

from learnable.calibration.maps import Isotonic, Sigmoid, Temperature
from learnable.calibration.members import (
    Job,
    Member,
    cut_weights,
    fitted,
    like,
    maps_of,
    member_of_fold,
    probabilities,
    scores_of,
    with_maps,
)
from learnable.core.certificate import Certificate
from learnable.core.errors import DataError
from learnable.core.explanation import Explanation, Part
from learnable.core.fold import runner
from learnable.core.trace import emit, listening
from learnable.data import Rows, Table, read_rows
from learnable.data.summaries import fold_fingerprint
from learnable.estimator.classifier import Classifier
from learnable.estimator.labels import as_labels, encode
from learnable.estimator.learner import answering, fitting, same_length
from learnable.estimator.params import Choice, Integer
from learnable.estimator.state import (
    Count,
    Either,
    Floats,
    Labels,
    ListOf,
    Names,
    Number,
    Statistic,
)
from learnable.estimator.state import Learner as Inner
from learnable.estimator.statistic_state import FINGERPRINT
from learnable.resampling import length, plan_of
from learnable.stats import Fingerprint
from learnable.stats.arrays import Floats as Numbers
from learnable.theory.statements import accuracy_on_new_rows

METHODS = ("sigmoid", "isotonic", "temperature")
_FOLDS = 5


class Classifying:
    """None, or anything that fits and answers with scores or probabilities."""

    def accepts(self, value: Any) -> bool:
        """Whether it is one."""
        return value is None or (hasattr(value, "fit") and not isinstance(value, type))

    def __str__(self) -> str:
        return "None or a classifier"


class Folds:
    """What a ``cv`` argument may be."""

    def accepts(self, value: Any) -> bool:
        """Whether it is one."""
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            return value >= 2
        iterable = hasattr(value, "__iter__") and not isinstance(value, str)
        return value is None or hasattr(value, "split") or iterable

    def __str__(self) -> str:
        return "None, a number of folds (2 or more), a splitter or an iterable of splits"


class CalibratedClassifierCV(Classifier):
    """A classifier whose scores are turned into probabilities, by cross-fitting.

    Parameters
    ----------
    estimator : classifier, optional
        Ours, or any of scikit-learn's contract, with ``decision_function`` or ``predict_proba``;
        Gaussian naive Bayes by default.
    method : {"sigmoid", "isotonic", "temperature"}, default="sigmoid"
        The map. Isotonic needs about a thousand rows; temperature changes no answer of a single
        member.
    cv : int, FoldPlan, splitter or iterable of splits, optional
        Which folds; 5 of a plan with seed 0 by default, classes in proportion (fewer where the
        rarest class has fewer rows).
    n_jobs : int, optional
        Kept for scikit-learn's sake; folds run through the pool.
    ensemble : bool or "auto", default="auto"
        One classifier and map a fold, averaged; or one map for a classifier that learned from all
        rows. ``"auto"`` averages, unless the estimator is a ``FrozenEstimator``.

    Attributes
    ----------
    classes_ : array (K,)
        The labels.
    calibrated_classifiers_ : list of Member
        The classifiers with their maps.
    fingerprint_ : Fingerprint or None
        Which rows were learned from, where they are numbers.
    n_features_in_, feature_names_in_
        Number and names of the columns, where the classifier tells them.

    Notes
    -----
    Probabilities of several classes, judged one against the rest, are divided by their sum.

    References
    ----------
    J. Platt: Probabilistic outputs for support vector machines. 1999.
    A. Niculescu-Mizil, R. Caruana: Predicting good probabilities with supervised learning. ICML
    2005.

    Examples
    --------
    >>> from learnable.calibration import CalibratedClassifierCV
    >>> from learnable.datasets import load_iris
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CalibratedClassifierCV(GaussianNB(), method="isotonic").fit(X, y)
    >>> model.predict_proba(X[:1]).round(2).tolist()
    [[1.0, 0.0, 0.0]]
    """

    exempt: ClassVar[dict[str, str]] = {
        "weight_two_is_the_row_twice": "folds are dealt by row",
        "a_cell_that_is_no_number_is_named": "the classifier inside judges the cells",
    }
    parameters: ClassVar[dict[str, Any]] = {
        "estimator": Classifying(),
        "method": Choice(*METHODS),
        "cv": Folds(),
        "n_jobs": Integer(none=True),
        "ensemble": Choice("auto", True, False),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "classes_": Labels("K"),
        "calibrated_classifiers_": ListOf(
            Statistic(
                Member,
                {
                    "estimator": Inner(),
                    "calibrators": ListOf(
                        Either(
                            Statistic(Sigmoid, {"slope": Number(), "offset": Number()}),
                            Statistic(
                                Isotonic,
                                {"at": Floats("?"), "value": Floats("?", low=0.0, high=1.0)},
                            ),
                            Statistic(Temperature, {"inverse": Number(low=0.0)}),
                        )
                    ),
                },
            )
        ),
        "fingerprint_": Statistic(
            Fingerprint, FINGERPRINT.fields, check=FINGERPRINT.check, optional=True
        ),
        "n_features_in_": Count("d", low=1, optional=True),
        "feature_names_in_": Names("d", optional=True),
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        method: str = "sigmoid",
        cv: Any = None,
        n_jobs: int | None = None,
        ensemble: Any = "auto",
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.n_jobs = n_jobs
        self.ensemble = ensemble

    def __sklearn_is_fitted__(self) -> bool:
        """Whether ``fit`` has been called."""
        return "calibrated_classifiers_" in vars(self)

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: what it takes is what the classifier inside takes."""
        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._inner()).input_tags
        return tags

    def _rows_of(self, X: Any) -> Rows:
        if isinstance(X, Table):
            return X.numbers(type(self).__name__)
        return read_rows(X, sparse=True, learner=type(self).__name__)

    def _inner(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        from learnable.naive_bayes.gaussian import GaussianNB

        return GaussianNB()

    @fitting
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any
    ) -> CalibratedClassifierCV:
        """Learn the classifiers and their maps.

        Parameters
        ----------
        X : array (n, d), data frame, sparse matrix or Table
            Rows, as the classifier takes them.
        y : array (n,)
            Class of each row.
        sample_weight : array (n,), optional
            For the maps, and for the classifier where it takes weights.
        **fit_params
            Passed to the ``fit`` of the classifier; arrays with one entry a row are cut.
        """
        inner = self._inner()
        labels = as_labels(y, learner=type(self).__name__)
        X = _rows_to_cut(X)
        same_length(length(X), len(labels))
        weight = self._read_weights(sample_weight, len(labels))
        self.classes_, codes = encode(labels)
        splits = self._splits(X, labels, codes)
        params = cut_weights(inner, sample_weight, fit_params)
        task = partial(member_of_fold, Job(like(inner), X, labels, codes, weight, params))
        if self._averages(inner):
            self.calibrated_classifiers_ = list(
                runner()(partial(with_maps, task, self.method, self.classes_), splits)
            )
        else:
            self.calibrated_classifiers_ = [self._of_all(task, splits)]
        self.fingerprint_ = _fingerprint(self, X)
        self._name_columns()
        if listening():
            self._tell()
        return self

    def _averages(self, inner: Any) -> bool:
        if self.ensemble != "auto":
            return bool(self.ensemble)
        return type(inner).__name__ != "FrozenEstimator"

    def _splits(self, X: Any, y: Any, codes: Any) -> list[Any]:
        counts = np.bincount(codes)
        if len(counts) < 2:
            raise DataError(
                f"y has one class only, {self.classes_[0]!r}: there is nothing to be unsure of.",
                remedy="Give rows of two classes or more.",
            )
        cv = min(_FOLDS, max(int(counts.min()), 2)) if self.cv is None else self.cv
        folds = cv if isinstance(cv, (int, np.integer)) else getattr(cv, "n_splits", 0)
        if counts.min() < folds:
            rare = self.classes_[int(counts.argmin())]
            raise DataError(
                f"Requesting {folds}-fold cross-validation but provided less than {folds} examples "
                f"for at least one class: {counts.min()} of {rare!r}.",
                remedy="Ask for fewer folds, or leave out the rare class.",
            )
        return [
            (np.asarray(train), np.asarray(test))
            for train, test in plan_of(cv, X, y, classify=True)
        ]

    def _of_all(self, task: Any, splits: list[Any]) -> Member:
        """Learn one map from the answers of all folds, for a classifier that saw all rows."""
        job = task.args[0]
        found = list(runner()(task, splits))
        asked = np.concatenate([test for _, test in splits])
        if len(np.unique(asked)) != len(asked):
            raise DataError("A row is asked in two folds: cross_val_predict needs a partition.")
        scores = np.concatenate([one.scores for one in found])
        probable = found[0].probable
        model = fitted(job, np.arange(len(job.y)))
        maps = maps_of(
            self.method, self.classes_, model, scores, probable, job.codes[asked],
            job.weight[asked] if len(job.weight) else np.ones(len(asked)),
        )  # fmt: skip
        return Member(model, maps)

    def _name_columns(self) -> None:
        first = self.calibrated_classifiers_[0].estimator
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
            if hasattr(first, name):
                setattr(self, name, getattr(first, name))

    def _tell(self) -> None:
        for number, member in enumerate(self.calibrated_classifiers_):
            for place, one in enumerate(member.calibrators):
                found = {name: np.asarray(v).tolist() for name, v in one._asdict().items()}
                emit("map", number, method=self.method, place=place, **found)

    def _check_state(self) -> None:
        k = len(self.classes_)
        single = k == 2 or self.method == "temperature"
        for member in self.calibrated_classifiers_:
            if not getattr(member.estimator, "__sklearn_is_fitted__", lambda: True)():
                raise DataError("A member was not fitted.")
            mine = getattr(member.estimator, "classes_", self.classes_)
            wanted = 1 if single else len(mine)
            if len(member.calibrators) != wanted or not np.isin(mine, self.classes_).all():
                raise DataError("The maps are not those of the classes.")
            if any(_METHOD_OF[type(one)] != self.method for one in member.calibrators):
                raise DataError("The maps are not of the method that is stated.")
            for one in member.calibrators:
                if isinstance(one, Isotonic) and not _rises(one):
                    raise DataError("The steps of a map do not rise.")
        if not self.calibrated_classifiers_ or k < 2:
            raise DataError("There is nothing that answers.")
        super()._check_state()

    @answering
    def predict_proba(self, X: Any) -> Numbers:
        """Return the probability of each class, averaged over the members."""
        return self._by_member(X).mean(axis=0)

    @answering
    def predict(self, X: Any) -> Any:
        """Return the most probable class of each row."""
        best = self._by_member(X).mean(axis=0).argmax(axis=1)
        return self.classes_[best]

    def _by_member(self, X: Any) -> Numbers:
        self._check_fitted()
        return np.stack(
            [
                probabilities(member, self.method, self.classes_, X)
                for member in self.calibrated_classifiers_
            ]
        )

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        found = self._by_member(X)
        raw = [scores_of(member.estimator, X)[0] for member in self.calibrated_classifiers_]
        return [self._reason(found[:, i], [one[i] for one in raw]) for i in range(found.shape[1])]

    def _reason(self, chances: Numbers, raw: list[Any]) -> Explanation:
        best = int(chances.mean(axis=0).argmax())
        label, count = self.classes_[best], len(chances)
        parts = tuple(
            Part(
                f"member {number}",
                np.round(score, 4).tolist(),
                f"{self.method} of its score gives {chance:.4g}",
                float(chance) / count,
            )
            for number, (chance, score) in enumerate(zip(chances[:, best], raw, strict=True), 1)
        )
        total = float(sum(part.weight for part in parts))
        name = label.item() if isinstance(label, np.generic) else label
        told = f"{name} with probability {total:.4g}, the mean of {count} calibrated classifier(s)."
        return Explanation(name, "contributions", parts, total, f"probability of {name}", told)

    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:
        return accuracy_on_new_rows(self, X, y, role, confidence)


_METHOD_OF = {Sigmoid: "sigmoid", Isotonic: "isotonic", Temperature: "temperature"}


def _rises(one: Isotonic) -> bool:
    same = len(one.at) == len(one.value) > 0
    return same and bool((np.diff(one.at) > 0.0).all() and (np.diff(one.value) >= 0.0).all())


def _fingerprint(model: CalibratedClassifierCV, X: Any) -> Fingerprint | None:
    """Return which rows were learned from; None of documents and other rows that are no numbers."""
    try:
        return fold_fingerprint(model._rows_of(X))  # noqa: SLF001 (a method of this file)
    except (DataError, TypeError):
        return None


def _rows_to_cut(X: Any) -> Any:
    """Return rows that can be cut: what has no shape becomes an array; no rows are refused."""
    made = X if hasattr(X, "shape") else np.asarray(X)
    if len(made.shape) == 2 and not all(made.shape):
        read_rows(np.empty(made.shape), learner="CalibratedClassifierCV")
    return made
