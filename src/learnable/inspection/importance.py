"""Permutation importance: what is lost when a column is shuffled.

    importance_j = mean_i [ loss(y_i, f(x_i with column j of another row)) - loss(y_i, f(x_i)) ]

A loss is counted for each row (a wrong class counts 1, a number by its squared error), so the
importance is a mean over rows, and its interval says how sure it is for new rows. Columns that
tell the same share their importance: shuffling one alone may lose nothing.

Cost: one answer of all rows for each column and repeat.

References
----------
.. [1] L. Breiman: Random forests. Machine Learning 45, 2001.
.. [2] A. Fisher, C. Rudin, F. Dominici: All models are wrong, but many are useful. JMLR 20, 2019.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.certificate import check_confidence
from learnable.core.errors import ParameterError
from learnable.core.fold import runner
from learnable.core.frames import as_frame
from learnable.data import Table
from learnable.inspection.columns import as_columns, names_of, with_column


class Importances(NamedTuple):
    """What each column is worth.

    Attributes
    ----------
    names : list of str
        The columns.
    importances : array (d, repeats)
        Score lost by each shuffling.
    importances_mean, importances_std : array (d,)
        Mean and standard deviation over the repeats.
    low, high : array (d,)
        Interval of the mean for new rows (approximate: Student's t over rows); NaN with a scorer
        that cannot be counted row by row.
    confidence : float
        Its confidence.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.inspection import permutation_importance
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> found = permutation_importance(GaussianNB().fit(X[::2], y[::2]), X[1::2], y[1::2])
    >>> found.names[found.importances_mean.argmax()]
    'x2'
    """

    names: list[str]
    importances: NDArray[np.float64]
    importances_mean: NDArray[np.float64]
    importances_std: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    confidence: float

    def to_frame(self) -> Any:
        """Return a data frame, a line a column, the most important first."""
        order = np.argsort(-self.importances_mean, kind="stable")
        columns = {"column": [self.names[j] for j in order]}
        for name in ("importances_mean", "importances_std", "low", "high"):
            columns[name.removeprefix("importances_")] = getattr(self, name)[order].tolist()
        return as_frame(columns)


def permutation_importance(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    scoring: Callable[..., float] | None = None,
    n_repeats: int = 5,
    random_state: int = 0,
    confidence: float = 0.95,
) -> Importances:
    """Shuffle each column and see what is lost.

    Parameters
    ----------
    model : fitted classifier or regressor
        Ours, or any of scikit-learn's contract.
    X : array, frame, sparse matrix or Table
        Rows that the model did not learn from.
    y : array, optional
        Their true answers; of a table, its target column by default.
    scoring : callable, optional
        ``scoring(model, X, y)``, larger is better; by default right classes, or squared errors.
    n_repeats : int, default=5
        Shufflings of each column.
    random_state : int, default=0
        What the draws begin with; each column and repeat has a stream of its own.
    confidence : float, default=0.95
        Confidence of the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.dummy import DummyRegressor
    >>> from learnable.inspection import permutation_importance
    >>> X = np.arange(20.0).reshape(10, 2)
    >>> model = DummyRegressor().fit(X, X[:, 0])
    >>> permutation_importance(model, X, X[:, 0]).importances_mean.tolist()
    [0.0, 0.0]
    """
    if n_repeats < 1:
        msg = f"n_repeats must be at least 1, not {n_repeats}"
        raise ParameterError(msg)
    check_confidence(confidence)
    truth = X.target() if y is None and isinstance(X, Table) else y
    rows = as_columns(X)
    task = partial(_lost, model, rows, np.asarray(truth), scoring, random_state)
    plain = _worth(model, rows, np.asarray(truth), scoring)
    pairs = [(j, repeat) for j in range(rows.shape[1]) for repeat in range(n_repeats)]
    found = np.array([plain - worth for worth in runner()(task, pairs)])
    by_row = found.reshape(rows.shape[1], n_repeats, -1)
    each = by_row.mean(axis=2)
    low, high = _interval(by_row.mean(axis=1), confidence)
    return Importances(
        names_of(rows, model), each, each.mean(axis=1), each.std(axis=1), low, high, confidence
    )


def _lost(
    model: Any, X: Any, y: Any, scoring: Any, seed: int, item: tuple[int, int]
) -> NDArray[np.float64]:
    """Return what the model is worth, row by row, with a column shuffled."""
    rng = np.random.default_rng([seed, *item])
    shuffled = with_column(X, item[0], lambda cells: cells[rng.permutation(len(cells))])
    return _worth(model, shuffled, y, scoring)


def _worth(model: Any, X: Any, y: Any, scoring: Any) -> NDArray[np.float64]:
    """Return the score, row by row where it can be counted so."""
    if scoring is not None:
        return np.array([float(scoring(model, X, y))])
    answers = np.asarray(model.predict(X))
    if hasattr(model, "classes_"):
        return (answers == y).astype(np.float64)
    errors = (answers.astype(np.float64) - y) ** 2
    return -errors.reshape(len(errors), -1).mean(axis=1)


def _interval(
    by_row: NDArray[np.float64], confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    from scipy.special import stdtrit

    n = by_row.shape[1]
    if n < 2:
        nothing = np.full(len(by_row), np.nan)
        return nothing, nothing
    reach = stdtrit(n - 1, (1.0 + confidence) / 2.0) * by_row.std(axis=1, ddof=1) / np.sqrt(n)
    mean = by_row.mean(axis=1)
    return mean - reach, mean + reach
