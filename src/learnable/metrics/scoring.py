"""Scorers: measures that ask a fitted model themselves, greater always better.

A scorer is called with a model, rows and right answers, and fetches what its measure needs:
predictions, probabilities or scores. Searches (ours and scikit-learn's) take them, or their names.

References
----------
.. [1] L. Buitinck et al.: API design for machine learning software: experiences from the
   scikit-learn project. ECML PKDD Workshop on Languages for Data Mining and Machine Learning 2013.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import ParameterError
from learnable.metrics import agreement, cluster, probabilities, ranking, rates, regression

_METHODS = ("predict", "predict_proba", "decision_function")
_SCORES = ("decision_function", "predict_proba")


class Scorer:
    """A measure that asks a model itself; made by :func:`make_scorer`.

    Examples
    --------
    >>> from learnable.metrics import get_scorer
    >>> get_scorer("neg_mean_squared_error")
    make_scorer(mean_squared_error, greater_is_better=False, response_method='predict')
    """

    def __init__(
        self,
        score_func: Callable[..., Any],
        sign: int,
        response_method: str | tuple[str, ...],
        kwargs: dict[str, Any],
    ) -> None:
        self._score_func, self._sign = score_func, sign
        self._response_method, self._kwargs = response_method, kwargs

    def __call__(
        self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None, **kwargs: Any
    ) -> float:
        """Score a fitted model on rows with known answers."""
        options = {**self._kwargs, **kwargs}
        if sample_weight is not None:
            options["sample_weight"] = sample_weight
        method = self._method(estimator)
        response = np.asarray(getattr(estimator, method)(X))
        if method != "predict":
            response, options = self._for_measure(estimator, method, response, options)
        return self._sign * float(self._score_func(y_true, response, **options))

    def __repr__(self) -> str:
        name = getattr(self._score_func, "__name__", repr(self._score_func))
        better = "" if self._sign > 0 else ", greater_is_better=False"
        more = "".join(f", {key}={value!r}" for key, value in self._kwargs.items())
        return f"make_scorer({name}{better}, response_method={self._response_method!r}{more})"

    def _method(self, estimator: Any) -> str:
        wanted = self._response_method
        asked = (wanted,) if isinstance(wanted, str) else wanted
        for method in asked:
            if hasattr(estimator, method):
                return method
        msg = f"{type(estimator).__name__} has none of these methods: {', '.join(asked)}."
        raise AttributeError(msg)

    def _for_measure(
        self, estimator: Any, method: str, response: NDArray[Any], options: dict[str, Any]
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Return the scores in the form the measure takes, with the classes it may need."""
        classes = getattr(estimator, "classes_", None)
        if classes is None or isinstance(classes, list):
            return response, options
        takes_labels = "labels" in inspect.signature(self._score_func).parameters
        two = len(classes) == 2
        if self._response_method == "predict_proba" and takes_labels:
            return response, {"labels": classes, **options}
        if not two:
            return response, {"labels": classes, **options} if takes_labels else options
        positive = options.get("pos_label", classes[1])
        last = bool(positive == classes[1])
        if method == "predict_proba":
            return response[:, int(last)], options
        return (response if last else -response), options


def make_scorer(
    score_func: Callable[..., Any],
    *,
    response_method: str | Sequence[str] = "predict",
    greater_is_better: bool = True,
    **kwargs: Any,
) -> Scorer:
    """Make a scorer of a measure.

    Parameters
    ----------
    score_func : callable
        A measure ``score_func(y_true, y_pred, **kwargs)``.
    response_method : str or sequence of str, default="predict"
        What to ask the model: ``"predict"``, ``"predict_proba"``, ``"decision_function"``, or the
        first of several that it has.
    greater_is_better : bool, default=True
        False turns the sign, for losses.
    **kwargs
        Parameters of the measure.

    Returns
    -------
    Scorer

    Examples
    --------
    >>> from learnable.dummy import DummyClassifier
    >>> from learnable.metrics import fbeta_score, make_scorer
    >>> scorer = make_scorer(fbeta_score, beta=2.0)
    >>> model = DummyClassifier().fit([[0], [0], [0]], [0, 1, 1])
    >>> round(scorer(model, [[0], [0]], [0, 1]), 4)
    0.8333
    """
    asked = (response_method,) if isinstance(response_method, str) else tuple(response_method)
    if not asked or any(method not in _METHODS for method in asked):
        msg = f"response_method must be among {', '.join(_METHODS)}, not {response_method!r}"
        raise ParameterError(msg)
    wanted = response_method if isinstance(response_method, str) else asked
    return Scorer(score_func, 1 if greater_is_better else -1, wanted, kwargs)


def get_scorer(scoring: Any) -> Any:
    """Return a scorer by its name; a callable is returned as it is.

    Parameters
    ----------
    scoring : str or callable
        One of :func:`get_scorer_names`.

    Returns
    -------
    callable

    Examples
    --------
    >>> from learnable.dummy import DummyClassifier
    >>> from learnable.metrics import get_scorer
    >>> model = DummyClassifier().fit([[0], [0], [0]], [0, 1, 1])
    >>> get_scorer("accuracy")(model, [[0], [0]], [0, 1])
    0.5
    """
    if callable(scoring):
        return scoring
    if scoring not in _SCORERS:
        msg = f"{scoring!r} is not a valid scoring value; there are {', '.join(get_scorer_names())}"
        raise ParameterError(msg)
    return _SCORERS[scoring]()


def get_scorer_names() -> list[str]:
    """Return the names of the scorers, in order.

    Examples
    --------
    >>> from learnable.metrics import get_scorer_names
    >>> get_scorer_names()[:2]
    ['accuracy', 'adjusted_mutual_info_score']
    """
    return sorted(_SCORERS)


def _scorers() -> dict[str, Callable[[], Scorer]]:
    made: dict[str, Callable[[], Scorer]] = {
        "accuracy": partial(make_scorer, agreement.accuracy_score),
        "balanced_accuracy": partial(make_scorer, agreement.balanced_accuracy_score),
        "matthews_corrcoef": partial(make_scorer, agreement.matthews_corrcoef),
        "r2": partial(make_scorer, regression.r2_score),
        "explained_variance": partial(make_scorer, regression.explained_variance_score),
        "average_precision": partial(
            make_scorer, ranking.average_precision_score, response_method=_SCORES
        ),
        "roc_auc": partial(make_scorer, ranking.roc_auc_score, response_method=_SCORES),
    }
    for how in ("ovr", "ovo"):
        for average, end in (("macro", ""), ("weighted", "_weighted")):
            made[f"roc_auc_{how}{end}"] = partial(
                make_scorer, ranking.roc_auc_score, response_method="predict_proba",
                multi_class=how, average=average,
            )  # fmt: skip
    for name in ("precision", "recall", "f1", "jaccard"):
        rate = getattr(rates, f"{name}_score")
        made[name] = partial(make_scorer, rate, average="binary")
        for average in ("macro", "micro", "samples", "weighted"):
            made[f"{name}_{average}"] = partial(make_scorer, rate, average=average)
    for name in (
        "mean_absolute_error", "mean_squared_error", "root_mean_squared_error", "max_error",
        "median_absolute_error", "mean_absolute_percentage_error",
    ):  # fmt: skip
        loss = getattr(regression, name)
        made[f"neg_{name}"] = partial(make_scorer, loss, greater_is_better=False)
    for name, end in (("log_loss", ""), ("brier_score", "_loss")):
        loss = getattr(probabilities, name + end)
        made[f"neg_{name}"] = partial(
            make_scorer, loss, greater_is_better=False, response_method="predict_proba"
        )
    for name in (
        "adjusted_mutual_info_score", "adjusted_rand_score", "completeness_score",
        "fowlkes_mallows_score", "homogeneity_score", "mutual_info_score",
        "normalized_mutual_info_score", "rand_score", "v_measure_score",
    ):  # fmt: skip
        made[name] = partial(make_scorer, getattr(cluster, name))
    return made


_SCORERS = _scorers()
