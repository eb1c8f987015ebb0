"""A regressor that ignores the rows: the mean, a quantile, or a constant.

The mean has the least squared error of all constants, the median the least absolute error, the
quantile ``q`` the least pinball loss ``max(q (y - c), (q - 1)(y - c))``.

Cost: n to learn (n log n for quantiles), n to answer, one number an output.

References
----------
.. [1] R. Koenker, G. Bassett: Regression quantiles. Econometrica 46, 1978, 33-50.
.. [2] R. J. Hyndman, Y. Fan: Sample quantiles in statistical packages. The American Statistician
   50, 1996, 361-365.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from learnable.core.certificate import Certificate
from learnable.core.errors import ParameterError
from learnable.core.explanation import Explanation, Part
from learnable.core.trace import emit
from learnable.data import Rows
from learnable.data.summaries import fold_moments
from learnable.dummy.base import Dummy, as_one_column, row_count
from learnable.estimator.joining import Joining, half_log
from learnable.estimator.learner import answering, fitting
from learnable.estimator.params import ArrayLike, Choice, Number
from learnable.estimator.regressor import Regressor, as_numbers
from learnable.estimator.state import Count, Floats, Integer, Names
from learnable.stats.arrays import Floats as FloatArray
from learnable.theory.statements import error_on_new_rows


def quantile(y: FloatArray, share: float, weight: FloatArray) -> FloatArray:
    """Return the value of each column that a share of the weight does not exceed.

    Without weights it is interpolated between neighbours, as NumPy does; with weights it is the
    smallest value at or below which at least the share lies (the inverted distribution function).

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.dummy.regressor import quantile
    >>> y = np.array([[1.0], [2.0], [4.0]])
    >>> quantile(y, 0.75, np.array([])), quantile(y, 0.5, np.array([1.0, 1.0, 3.0]))
    (array([3.]), array([4.]))
    """
    if not len(weight):
        return np.quantile(y, share, axis=0)
    y, weight = y[weight > 0.0], weight[weight > 0.0]
    order = np.argsort(y, axis=0, kind="stable")
    below = np.cumsum(weight[order], axis=0)
    place = (below < share * below[-1]).sum(axis=0)
    columns = np.arange(y.shape[1])
    return y[order[np.minimum(place, len(y) - 1), columns], columns]


class DummyRegressor(Dummy, Regressor):
    """Answers one number to every row: the baseline every regressor has to beat.

    Parameters
    ----------
    strategy : {"mean", "median", "quantile", "constant"}, default="mean"
        Which number.
    constant : number or array (outputs,), optional
        The answer of the strategy "constant".
    quantile : float, optional
        The share, 0 to 1, of the strategy "quantile".

    Attributes
    ----------
    constant_ : array (1, outputs)
        The answer.
    n_outputs_ : int
        Number of outputs.
    n_features_in_, feature_names_in_
        Number and names of the columns, where the rows had any.

    Notes
    -----
    The mean minimises ``sum w (y - c)**2``, the median ``sum w |y - c|``.

    References
    ----------
    R. Koenker, G. Bassett: Regression quantiles. Econometrica 46, 1978.

    Examples
    --------
    >>> from learnable.dummy import DummyRegressor
    >>> model = DummyRegressor(strategy="median").fit([[0], [0], [0]], [1.0, 2.0, 9.0])
    >>> model.predict([["anything"]])
    array([2.])
    """

    joins: ClassVar[Joining] = Joining(
        "the mean",
        ("regression",),
        "anything",
        cost=lambda n, _, __: 1e-3 + 1e-7 * n,
        bits=lambda _, n: half_log(1, n),
        baseline=True,
        readable=True,
    )
    parameters: ClassVar[dict[str, Any]] = {
        "strategy": Choice("mean", "median", "quantile", "constant"),
        "constant": ArrayLike(scalar=True),
        "quantile": Number(low=0.0, high=1.0, none=True),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_outputs_": Integer(low=1),
        "constant_": Floats(1, "outputs"),
        "n_features_in_": Count("d", low=0, optional=True),
        "feature_names_in_": Names("d", optional=True),
    }

    def __init__(
        self, *, strategy: str = "mean", constant: Any = None, quantile: float | None = None
    ) -> None:
        self.strategy = strategy
        self.constant = constant
        self.quantile = quantile

    @fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> DummyRegressor:
        """Learn the number.

        Parameters
        ----------
        X : array, data frame, sparse matrix, list or None
            Counted at most.
        y : array (n,) or (n, outputs)
            The answer to each row.
        sample_weight : array (n,), optional
            A weight of 2 is the row twice.
        """
        answers = as_one_column(as_numbers(y, learner=type(self).__name__))
        self._look_at_columns(X, len(answers))
        weight = self._read_weights(sample_weight, len(answers))
        self.constant_ = np.asarray(self._number(answers, weight), dtype=float).reshape(1, -1)
        self.n_outputs_ = answers.shape[1]
        emit("number", strategy=self.strategy, number=self.constant_[0].tolist())
        return self

    def _number(self, y: FloatArray, weight: FloatArray) -> FloatArray:
        if self.strategy == "mean":
            return fold_moments(Rows(y), weight=weight).mean
        if self.strategy == "median":
            return quantile(y, 0.5, weight)
        if self.strategy == "quantile":
            if self.quantile is None:
                msg = 'the strategy "quantile" needs a quantile between 0 and 1'
                raise ParameterError(msg)
            return quantile(y, self.quantile, weight)
        return self._stated(y.shape[1])

    def _stated(self, outputs: int) -> FloatArray:
        if self.constant is None:
            # scikit-learn's contract wants a TypeError here.
            msg = "Constant target value has to be specified when the constant strategy is used."
            raise TypeError(msg)
        stated = np.ravel(as_numbers(np.atleast_1d(self.constant), learner=type(self).__name__))
        if len(stated) != outputs:
            msg = f"Constant target value should have shape ({outputs}, 1), not {stated.shape}."
            raise ParameterError(msg)
        return stated

    def _check_state(self) -> None:
        if self.constant_.shape[1] != self.n_outputs_:
            msg = (
                f"constant_ has {self.constant_.shape[1]} outputs, n_outputs_ is {self.n_outputs_}"
            )
            raise ParameterError(msg)

    @answering
    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Return the number for each row; with ``return_std`` also zeros."""
        self._check_fitted()
        answer = np.repeat(self.constant_, row_count(X), axis=0)
        answer = answer[:, 0] if self.n_outputs_ == 1 else answer
        return (answer, np.zeros_like(answer)) if return_std else answer

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R2; ``X`` may be None."""
        return super().score(np.zeros((len(y), 1)) if X is None else X, y, sample_weight)

    def _explain(self, X: Any) -> list[Explanation]:
        found = {"mean": "mean", "median": "median", "constant": "stated constant"}
        what = found.get(self.strategy, f"quantile {self.quantile}")
        numbers = self.constant_[0].tolist()
        single = len(numbers) == 1
        parts = tuple(
            Part(
                what if single else f"{what}, output {j}", number, "of all training answers", number
            )
            for j, number in enumerate(numbers)
        )
        shown = ", ".join(f"{number:.6g}" for number in numbers)
        whose = "of all" if single else "of each output"
        explanation = Explanation(
            numbers[0] if single else tuple(numbers),
            "rule",
            parts,
            sum(numbers),
            "answer" if single else "sum of the answers",
            f"Always {shown}: the {what} {whose}.",
        )
        return [explanation] * row_count(X)

    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:
        return error_on_new_rows(self, X, y, role, confidence)
