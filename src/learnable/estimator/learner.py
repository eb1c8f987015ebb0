"""The base of every learner: check once at the door, then work on typed values.

A public method is decorated by :func:`fitting` or :func:`answering`: BLAS is held at one thread,
the trace knows who works, and ``fit`` checks the parameters. ``_read`` turns ``X`` into rows once;
nothing below validates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from learnable.core.blas import one_blas_thread
from learnable.core.errors import DataError, SchemaError, not_fitted
from learnable.core.trace import learner_at_work
from learnable.core.warning import warn
from learnable.data import Rows, Table, read_rows
from learnable.estimator.contract import Contract, has_callbacks, telling_callbacks
from learnable.estimator.params import Parameters
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen

Method = TypeVar("Method", bound=Callable[..., Any])


def answering(method: Method) -> Method:
    """Decorate a public method that uses a fitted model (see :func:`fitting`).

    Examples
    --------
    >>> from learnable.estimator import answering
    >>> answering(lambda model, X: len(X))(None, [[1.0]])
    1
    """

    @wraps(method)
    def run(self: Any, X: Any, *args: Any, **options: Any) -> Any:
        with one_blas_thread():
            return method(self, features_of(self, X), *args, **options)

    return run  # type: ignore[return-value]


def fitting(method: Method) -> Method:
    """Decorate a public method that learns; where it fails, the learner stays as it was.

    Examples
    --------
    >>> from learnable.estimator import Learner, answering, fitting
    >>> class Width(Learner):
    ...     "Learns how many columns there are."
    ...     @fitting
    ...     def fit(self, X, y=None):
    ...         self._read(X, reset=True)
    ...         return self
    ...     @answering
    ...     def predict(self, X):
    ...         return [self._read(X).d] * len(X)
    >>> Width().fit([[1.0, 2.0]]).predict([[3.0, 4.0]])
    [2]
    """

    @wraps(method)
    def run(self: Any, X: Any, y: Any = None, *args: Any, **options: Any) -> Any:
        self._check_params()
        with ExitStack() as stack:
            stack.enter_context(_unchanged_by_failure(self))
            stack.enter_context(one_blas_thread())
            stack.enter_context(learner_at_work(type(self).__name__))
            if has_callbacks(self):
                stack.enter_context(telling_callbacks(self, X, y))
            if isinstance(X, Table):
                y = X.target() if y is None and self.kind in {"classifier", "regressor"} else y
                X = X.features() if method.__name__ == "fit" else features_of(self, X)
            return method(self, X, y, *args, **options)

    return run  # type: ignore[return-value]


def features_of(learner: Any, X: Any) -> Any:
    """Return what a learner learns from: of a table, its own columns in their order."""
    if not isinstance(X, Table):
        return X
    learned = vars(learner).get("feature_names_in_")
    return X.features() if learned is None else X.features_as(list(learned))


@contextmanager
def _unchanged_by_failure(learner: Any) -> Iterator[None]:
    before = dict(vars(learner))
    try:
        yield
    except BaseException:
        vars(learner).clear()
        vars(learner).update(before)
        raise


class Learner(Parameters, Contract):
    """What every learner shares: parameters, the door, the four questions.

    A subclass states ``parameters`` (what they may be) and ``fitted_state`` (what ``fit`` leaves,
    with shapes and ranges, for model files; ``derived`` names the rest), stores its parameters in
    ``__init__`` and nothing else, and writes ``fit``, its answers and the hooks ``_explain`` and
    ``_certify``.

    Examples
    --------
    >>> from learnable.naive_bayes import GaussianNB
    >>> GaussianNB(var_smoothing=1e-6)
    GaussianNB(var_smoothing=1e-06)
    """

    fitted_state: dict[str, Any] = {}
    derived: tuple[str, ...] = ()
    """Fitted attributes that :meth:`_derive` computes from the others; files leave them out."""

    exempt: dict[str, str] = {}
    """Laws of :mod:`learnable.checks` that cannot hold for this class, with the reason."""

    def __sklearn_is_fitted__(self) -> bool:
        """Whether ``fit`` has been called."""
        return "n_features_in_" in vars(self)

    def _derive(self) -> None:
        """Compute what answers need from the fitted state."""

    def _check_state(self) -> None:
        """Refuse fitted state whose parts contradict each other (a model file may hold any)."""
        self._derive()

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise not_fitted(self)

    def _read(self, X: Any, *, reset: bool = False) -> Rows:
        """Turn ``X`` into rows; ``reset`` learns number and names of the columns, else compares."""
        if not reset:
            self._check_fitted()
        return self._accept(self._rows_of(X), reset=reset)

    def _rows_of(self, X: Any) -> Rows:
        """Turn ``X`` into rows of numbers, as they are."""
        if isinstance(X, Table):
            return X.numbers(type(self).__name__)
        return read_rows(X, sparse=self.takes_sparse, learner=type(self).__name__)

    def _accept(self, rows: Rows, *, reset: bool = False) -> Rows:
        """Learn the number and names of the columns, or compare them with those learned."""
        if reset:
            self.n_features_in_ = rows.d
            vars(self).pop("feature_names_in_", None)
            if rows.names is not None:
                self.feature_names_in_ = np.array(rows.names, dtype=object)
        else:
            self._compare_columns(rows.names, rows.d)
        if rows.names is None and "feature_names_in_" in vars(self):
            rows.names = tuple(self.feature_names_in_)
        return rows

    def _comparable(self, X: Any) -> Rows:
        """Return the rows as they were when the fingerprint was taken."""
        return self._rows_of(features_of(self, X))

    def _compare_columns(self, names: tuple[str, ...] | None, d: int) -> None:
        learned = vars(self).get("feature_names_in_")
        who = type(self).__name__
        if names is not None and learned is None:
            warn(f"X has feature names, but {who} was fitted without feature names")
        if names is None and learned is not None:
            warn(
                f"X does not have valid feature names, but {who} was fitted with feature names",
            )
        if names is not None and learned is not None and list(names) != list(learned):
            raise SchemaError(_different_names(names, learned))
        if d != self.n_features_in_:
            raise SchemaError(
                f"X has {d} features, but {who} is expecting {self.n_features_in_} features as "
                "input.",
                remedy="Pass the columns that the model learned from, in their order.",
            )

    def _read_weights(self, sample_weight: Any, n: int, dtype: Any = np.float64) -> Floats:
        """Return checked weights, or the empty array that stands for 1 each."""
        if sample_weight is None:
            return NO_WEIGHTS
        try:
            weight = np.asarray(sample_weight)
            weight = weight.astype(dtype, casting="safe" if weight.dtype.kind == "c" else "unsafe")
        except (TypeError, ValueError) as error:
            raise DataError(
                "sample_weight holds what are no numbers.", remedy="Give a number a row."
            ) from error
        if weight.ndim == 0:
            weight = np.full(n, weight, dtype=dtype)
        if weight.ndim != 1:
            raise DataError(
                "Sample weights must be 1D array or scalar.", remedy="Give one weight a row."
            )
        if len(weight) != n:
            raise DataError(f"sample_weight.shape == {weight.shape}, expected ({n},)!")
        for wrong, what in (
            (~np.isfinite(weight), "a weight that is not finite"),
            (weight < 0, "a negative weight"),
        ):
            if wrong.any():
                row = int(np.flatnonzero(wrong)[0])
                raise DataError(f"sample_weight holds {what}.", row=row, value=float(weight[row]))
        with np.errstate(over="ignore"):
            endless = not np.isfinite(weight.sum())
        if endless:
            raise DataError(
                "The sum of the weights leaves the range of floats.",
                remedy="Divide them by the largest.",
            )
        if not weight.any():
            raise DataError(
                "Every weight is zero: no row is left to learn from.",
                remedy="Give a positive weight.",
            )
        return frozen(np.ascontiguousarray(weight))

    def _column_names(self) -> list[str]:
        """Return the names of the columns, ``x0, x1, ...`` where they had none."""
        if "feature_names_in_" in vars(self):
            return [str(name) for name in self.feature_names_in_]
        return [f"x{j}" for j in range(self.n_features_in_)]


def _different_names(names: tuple[str, ...], learned: Any) -> str:
    """Say which columns are new, which are missing, or that only the order differs."""
    lines = ["The feature names should match those that were passed during fit."]
    unseen, missing = sorted(set(names) - set(learned)), sorted(set(learned) - set(names))
    for title, found in (
        ("unseen at fit time", unseen),
        ("seen at fit time, yet now missing", missing),
    ):
        if found:
            lines += [f"Feature names {title}:", *[f"- {name}" for name in found[:5]]]
            lines += ["- ..."] if len(found) > 5 else []
    if not unseen and not missing:
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join([*lines, ""])


def same_length(n: int, m: int) -> None:
    """Refuse rows and answers of different number."""
    if n != m:
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: [{n}, {m}]",
            remedy="Give one answer a row.",
        )
