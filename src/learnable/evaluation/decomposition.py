"""Where the loss comes from: bias, variance, and nothing else, over models of many training sets.

With answers ``p`` of models drawn with the training set, and the right answer ``y`` of a row,

================  ==============================  ============================================
loss              bias                            variance
================  ==============================  ============================================
squared           ``(mean p - y)^2``              ``mean (p - mean p)^2``
0-1, Kohavi and   ``1/2 sum_c ([y = c] - P_c)^2`` ``1/2 (1 - sum_c P_c^2)``
Wolpert
0-1, Domingos     ``[m != y]``, ``m`` the most    ``P(p != m)`` where ``m = y``; less
                  frequent answer                 ``P(p = y)`` where not
================  ==============================  ============================================

where ``P_c`` is how often the answer is ``c``. In each the two parts add up to the loss exactly.
Domingos' variance can lower the loss: where the most frequent answer is wrong, straying from it
helps. What is noise in the answers themselves counts as bias, since one row has one answer.

The first two biases, estimated from few models, hold a share of the variance; by default it is
moved where it belongs, which leaves the sum as it is.

References
----------
.. [1] S. Geman, E. Bienenstock, R. Doursat: Neural networks and the bias/variance dilemma. Neural
   Computation 4, 1992.
.. [2] R. Kohavi, D. H. Wolpert: Bias plus variance decomposition for zero-one loss functions. ICML
   1996.
.. [3] P. Domingos: A unified bias-variance decomposition and its applications. ICML 2000.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.certificate import check_confidence
from learnable.core.errors import DataError, ParameterError
from learnable.core.fold import runner
from learnable.estimator.labels import as_labels, encode
from learnable.metrics.drawn import mean_intervals
from learnable.metrics.estimate import Estimate, estimate
from learnable.metrics.measured import measured
from learnable.resampling import FoldPlan, length, rows_of

Floats = NDArray[np.float64]
LOSSES = ("squared", "domingos", "kohavi-wolpert")
_RESAMPLES = 2000


class Parts(NamedTuple):
    """Loss, bias and variance of each row.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.evaluation.decomposition import Parts
    >>> Parts(np.array([0.3]), np.array([0.1]), np.array([0.2])).loss
    array([0.3])
    """

    loss: Floats
    bias: Floats
    variance: Floats


class Decomposition(NamedTuple):
    """Average loss, bias and variance, each with an interval over the rows.

    Attributes
    ----------
    loss, bias, variance : Estimate
        The averages; bias and variance add up to the loss.
    parts : Parts
        The same row by row.
    kind : {"squared", "domingos", "kohavi-wolpert"}
        Which decomposition.
    draws : int
        Models.

    Examples
    --------
    >>> from learnable.evaluation import decompose
    >>> found = decompose([[1.0, 2.0], [3.0, 2.0]], [2.0, 3.0], corrected=False)
    >>> found.loss.value, found.bias.value, found.variance.value
    (1.0, 0.5, 0.5)
    """

    loss: Estimate
    bias: Estimate
    variance: Estimate
    parts: Parts
    kind: str
    draws: int

    @property
    def text(self) -> str:
        """The finding in one sentence."""
        larger = "bias" if self.bias.value >= self.variance.value else "variance"
        remedy = {
            "bias": "a more flexible model or better columns would help more than more rows",
            "variance": "more rows, averaging or a simpler model would help more than new columns",
        }[larger]
        return (
            f"A loss of {self.loss.value:.4g} is {self.bias.value:.4g} bias and "
            f"{self.variance.value:.4g} variance ({self.kind}, {self.draws} models): {remedy}."
        )


def bias_variance(
    learner: Any,
    X: Any,
    y: Any,
    X_test: Any,
    y_test: Any,
    *,
    loss: str | None = None,
    draws: int = 100,
    generator: Callable[[np.random.Generator], tuple[Any, Any]] | None = None,
    corrected: bool = True,
    seed: int = 0,
    confidence: float = 0.95,
) -> Decomposition:
    """Learn from many training sets and decompose the loss on rows set aside.

    Parameters
    ----------
    learner : estimator
        Ours, or any of scikit-learn's contract.
    X, y : arrays
        Rows that training sets are drawn from, with replacement, and their answers; None with a
        generator.
    X_test, y_test : arrays
        Rows to judge on, which no training set holds.
    loss : {"squared", "domingos", "kohavi-wolpert"}, optional
        The decomposition; Domingos' for classifiers, else that of the squared loss.
    draws : int, default=100
        Training sets.
    generator : callable, optional
        ``generator(rng) -> (X, y)`` makes a training set; then the parts are those of new training
        sets, instead of those of redrawn ones.
    corrected : bool, default=True
        Whether the share of the variance that few models leave in the bias is moved.
    seed : int, default=0
        What the draws begin with.
    confidence : float, default=0.95
        Of the intervals over the rows.

    Returns
    -------
    Decomposition
        Cost: as many fits as draws.

    References
    ----------
    P. Domingos: A unified bias-variance decomposition and its applications. ICML 2000.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.evaluation import bias_variance
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> found = bias_variance(GaussianNB(), X[::2], y[::2], X[1::2], y[1::2], draws=20)
    >>> abs(found.loss.value - found.bias.value - found.variance.value) < 1e-12
    True
    """
    from sklearn.base import is_classifier

    if draws < 2:
        raise DataError(f"{draws} model(s) have no variance.", remedy="Ask for 2 draws or more.")
    classify = getattr(learner, "kind", None) == "classifier" or bool(is_classifier(learner))
    kind = loss or ("domingos" if classify else "squared")
    if generator is None:
        n = length(X)
        plan = FoldPlan("bootstrap", n, folds=draws, seed=seed)
        sets = [(rows_of(X, train), rows_of(np.asarray(y), train)) for train, _ in plan]
    else:
        streams = np.random.default_rng(seed).spawn(draws)
        sets = [generator(stream) for stream in streams]
    answers = list(runner()(partial(_answered, learner, X_test), sets))
    return decompose(
        np.stack(answers), y_test, loss=kind, corrected=corrected, seed=seed, confidence=confidence
    )


def decompose(
    predictions: Any,
    truth: Any,
    *,
    loss: str = "squared",
    corrected: bool = True,
    seed: int = 0,
    confidence: float = 0.95,
) -> Decomposition:
    """Decompose the loss of answers that models made elsewhere give to the same rows.

    Parameters
    ----------
    predictions : array (models, n)
        Answers, a row a model.
    truth : array (n,)
        Right answers.
    loss, corrected, seed, confidence
        As in :func:`bias_variance`.

    Returns
    -------
    Decomposition

    Examples
    --------
    >>> from learnable.evaluation import decompose
    >>> found = decompose([["a", "b"], ["a", "a"], ["b", "a"]], ["a", "b"], loss="domingos")
    >>> found.parts.bias, found.parts.variance.round(2)
    (array([0., 1.]), array([ 0.33, -0.33]))
    """
    check_confidence(confidence)
    if loss not in LOSSES:
        msg = f"loss must be one of {', '.join(LOSSES)}, not {loss!r}"
        raise ParameterError(msg)
    given = np.asarray(predictions)
    if given.ndim != 2 or len(given) < 2 or given.shape[1] != len(truth) or not len(truth):
        raise DataError(
            f"The predictions have the shape {given.shape}, the right answers are {len(truth)}.",
            remedy="Give (models, n): a row for each of two models or more.",
        )
    if loss == "squared":
        parts = _squared(_finite(given), _finite(np.asarray(truth)), corrected=corrected)
    else:
        codes, k = _codes(given, truth)
        shares = np.stack([(codes[1:] == c).mean(axis=0) for c in range(k)])
        if loss == "domingos":
            parts = _domingos(shares, codes[0])
        else:
            parts = _kohavi_wolpert(shares, codes[0], len(given), corrected=corrected)
    bounds = mean_intervals(np.column_stack(parts), confidence, _RESAMPLES, seed)
    n = len(parts.loss)
    found = [
        estimate(
            f"The {loss} {name}", value.mean(), ends, confidence=confidence, kind="approximate",
            method=f"BCa bootstrap of {_RESAMPLES} draws of the rows", n=n,
            note="Given these models.", measured=measured("mean_squared_error", "bca"),
        )
        for name, value, ends in zip(parts._fields, parts, bounds, strict=True)
    ]  # fmt: skip
    return Decomposition(*found, parts, loss, len(given))


def _answered(learner: Any, X: Any, data: tuple[Any, Any]) -> Any:
    from sklearn.base import clone

    return np.asarray(clone(learner).fit(*data).predict(X))


def _finite(values: NDArray[Any]) -> Floats:
    try:
        made = values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            "The squared loss is one of numbers.", remedy='Choose loss="domingos" for labels.'
        ) from error
    if not np.isfinite(made).all():
        place = np.argwhere(~np.isfinite(made))[0]
        raise DataError("An answer is not finite.", row=int(place[-1]), remedy="Leave the row out.")
    return made


def _codes(predictions: NDArray[Any], truth: Any) -> tuple[NDArray[np.int32], int]:
    """Code the truth and the predictions together, the truth first."""
    rows = [truth, *predictions]
    labels = [as_labels(row, learner="A decomposition") for row in rows]
    classes, codes = encode(np.concatenate(labels))
    return codes.reshape(len(rows), -1), len(classes)


def _squared(answers: Floats, truth: Floats, *, corrected: bool) -> Parts:
    middle = answers.mean(axis=0)
    bias, variance = (middle - truth) ** 2, answers.var(axis=0)
    moved = variance / (len(answers) - 1) if corrected else 0.0
    return Parts(((answers - truth) ** 2).mean(axis=0), bias - moved, variance + moved)


def _kohavi_wolpert(
    shares: Floats, truth: NDArray[np.int32], models: int, *, corrected: bool
) -> Parts:
    right = np.arange(len(shares))[:, None] == truth
    bias = 0.5 * ((right - shares) ** 2).sum(axis=0)
    variance = 0.5 * (1.0 - (shares**2).sum(axis=0))
    moved = variance / (models - 1) if corrected else 0.0
    loss = 1.0 - shares[truth, np.arange(len(truth))]
    return Parts(loss, bias - moved, variance + moved)


def _domingos(shares: Floats, truth: NDArray[np.int32]) -> Parts:
    main, rows = shares.argmax(axis=0), np.arange(len(truth))
    bias = (main != truth).astype(np.float64)
    right = shares[truth, rows]
    return Parts(1.0 - right, bias, np.where(bias > 0.0, -right, 1.0 - right))
