"""Partial dependence: the answer on average over the rows, as a function of one or two columns.

    f_S(v) = mean_i f(x_i with the columns S set to v)

It shows what the model does, not what the world does: rows that cannot exist are asked too.

Cost: one answer of all rows for each point of the grid.

References
----------
.. [1] J. H. Friedman: Greedy function approximation: a gradient boosting machine. Annals of
   Statistics 29, 2001.
.. [2] A. Goldstein et al.: Peeking inside the black box. Journal of Computational and Graphical
   Statistics 24, 2015.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import ParameterError
from learnable.core.fold import runner
from learnable.data import Table
from learnable.data.texts import MISSING
from learnable.inspection.columns import as_columns, cells_of, names_of, place_of, with_column


class Dependence(NamedTuple):
    """The answer along one or two columns.

    Attributes
    ----------
    names : tuple of str
        The columns.
    grid_values : list of arrays
        The points along each of them (labels where a column is nominal).
    average : array (outputs, points, ...)
        The answer on average: one output for a regressor, one a class for a classifier.
    individual : array (outputs, n, points, ...) or None
        The answer for each row, if asked for.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.inspection import partial_dependence
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> found = partial_dependence(GaussianNB().fit(X, y), X, 2, grid_resolution=4)
    >>> found.average.shape, [str(value) for value in found.average[0].round(2)]
    ((3, 4), ['0.33', '0.0', '0.0', '0.0'])
    """

    names: tuple[str, ...]
    grid_values: list[NDArray[Any]]
    average: NDArray[np.float64]
    individual: NDArray[np.float64] | None


def partial_dependence(
    model: Any,
    X: Any,
    features: Any,
    *,
    grid_resolution: int = 50,
    percentiles: tuple[float, float] = (0.05, 0.95),
    kind: str = "average",
) -> Dependence:
    """Return the answer on average as a function of one or two columns.

    Parameters
    ----------
    model : fitted classifier or regressor
        Ours, or any of scikit-learn's contract.
    X : array, frame, sparse matrix or Table
        Rows to average over.
    features : str, int, or a pair of these
        The columns.
    grid_resolution : int, default=50
        Points along a column; one of fewer different values takes these, a nominal one all of them.
    percentiles : pair of float
        Where the grid of a numeric column begins and ends.
    kind : {"average", "individual", "both"}
        Whether the answers for each row are returned too.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.dummy import DummyRegressor
    >>> from learnable.inspection import partial_dependence
    >>> X = np.arange(20.0).reshape(10, 2)
    >>> model = DummyRegressor().fit(X, X[:, 0])
    >>> partial_dependence(model, X, 0, grid_resolution=3).average
    array([[9., 9., 9.]])
    """
    if kind not in {"average", "individual", "both"} or grid_resolution < 2:
        msg = "kind is 'average', 'individual' or 'both', and a grid has at least 2 points"
        raise ParameterError(msg)
    rows = as_columns(X)
    names = names_of(rows, model)
    wanted = [features] if isinstance(features, (str, int, np.integer)) else list(features)
    places = [place_of(feature, names) for feature in wanted]
    grids = [_grid(rows, j, grid_resolution, percentiles) for j in places]
    task = partial(_asked, model, rows, places)
    answers = np.array(list(runner()(task, list(product(*grids)))))
    each = np.moveaxis(answers, 0, -1)
    each = each.reshape(*each.shape[:-1], *map(len, grids))
    labels = [_labels(rows, j, grid) for j, grid in zip(places, grids, strict=True)]
    return Dependence(
        tuple(names[j] for j in places),
        labels,
        each.mean(axis=1),
        None if kind == "average" else each,
    )


def _grid(X: Any, j: int, points: int, percentiles: tuple[float, float]) -> NDArray[Any]:
    cells = cells_of(X, j)
    if isinstance(X, Table) and X.schema.columns[j].coded:
        return np.unique(cells[cells != MISSING])
    if cells.dtype.kind not in "iufb":
        return np.unique(cells.astype(np.str_)).astype(object)
    values = np.unique(cells[np.isfinite(cells)])
    if len(values) <= points:
        return values
    low, high = np.quantile(cells[np.isfinite(cells)], percentiles)
    return np.linspace(low, high, points)


def _labels(X: Any, j: int, grid: NDArray[Any]) -> NDArray[Any]:
    column = X.schema.columns[j] if isinstance(X, Table) else None
    if column is not None and column.coded:
        return np.array([column.values[code] for code in grid])
    return grid


def _asked(model: Any, X: Any, places: Sequence[int], point: tuple[Any, ...]) -> Any:
    """Return the answers for all rows with the columns set to a point, (outputs, n)."""
    for j, value in zip(places, point, strict=True):
        X = with_column(X, j, _setter(value))
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X), dtype=np.float64).T
    answers = np.asarray(model.predict(X), dtype=np.float64)
    return answers.reshape(len(answers), -1).T


def _setter(value: Any) -> Any:
    return lambda cells: np.full(len(cells), value, dtype=np.asarray(value).dtype)
