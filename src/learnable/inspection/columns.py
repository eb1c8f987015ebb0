"""Columns of whatever holds rows: their names, their cells, and the same rows with one changed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.data import Table, is_frame, is_sparse
from learnable.stats.arrays import frozen


def as_columns(X: Any) -> Any:
    """Return rows whose columns can be changed: a dense array, a frame or a table.

    Examples
    --------
    >>> from learnable.inspection.columns import as_columns
    >>> as_columns([[1, 2]]).shape
    (1, 2)
    """
    if isinstance(X, Table):
        return X.features()
    if is_sparse(X):
        return X.toarray()
    return X if is_frame(X) else np.asarray(X)


def names_of(X: Any, model: Any = None) -> list[str]:
    """Return the names of the columns, ``x0, x1, ...`` where they have none.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.inspection.columns import names_of
    >>> names_of(np.zeros((2, 2)))
    ['x0', 'x1']
    """
    named = getattr(model, "feature_names_in_", None)
    if isinstance(X, Table) or is_frame(X):
        named = getattr(X, "column_names", None) or X.columns
    return [f"x{j}" for j in range(X.shape[1])] if named is None else [str(name) for name in named]


def place_of(column: Any, names: list[str]) -> int:
    """Return where a column stands that is named, or given by its place.

    Examples
    --------
    >>> from learnable.inspection.columns import place_of
    >>> place_of("b", ["a", "b"]), place_of(0, ["a", "b"])
    (1, 0)
    """
    if isinstance(column, str) and column in names:
        return names.index(column)
    if isinstance(column, (int, np.integer)) and -len(names) <= column < len(names):
        return int(column) % len(names)
    raise DataError("There is no such column.", column=column, remedy=f"There are {names}.")


def with_column(X: Any, j: int, change: Any) -> Any:
    """Return the rows with the cells of one column replaced by ``change(cells)``.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.inspection.columns import with_column
    >>> with_column(np.array([[1, 2], [3, 4]]), 0, lambda cells: cells[::-1])
    array([[3, 2],
           [1, 4]])
    """
    if isinstance(X, Table):
        arrays = list(X.arrays)
        arrays[j] = frozen(np.ascontiguousarray(change(arrays[j])))
        return Table(X.schema, arrays)
    if is_frame(X):
        return _with_series(X, j, change)
    made = X.copy()
    cells = np.asarray(change(X[:, j]))
    if made.dtype.kind in "iub" and cells.dtype.kind == "f":
        made = made.astype(np.float64)
    made[:, j] = cells
    return made


def _with_series(X: Any, j: int, change: Any) -> Any:
    import narwhals.stable.v2 as nw

    frame = nw.from_native(X, eager_only=True)
    name = frame.columns[j]
    series = frame[name]
    made = nw.new_series(name, change(series.to_numpy()).tolist(), backend=frame.implementation)
    kept = (
        made if made.dtype.is_float() and not series.dtype.is_float() else made.cast(series.dtype)
    )
    return frame.with_columns(kept).to_native()


def cells_of(X: Any, j: int) -> NDArray[Any]:
    """Return the cells of one column.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.inspection.columns import cells_of
    >>> cells_of(np.array([[1, 2], [3, 4]]), 1)
    array([2, 4])
    """
    if isinstance(X, Table):
        return X.arrays[j]
    if is_frame(X):
        import narwhals.stable.v2 as nw

        frame = nw.from_native(X, eager_only=True)
        return np.asarray(frame[frame.columns[j]].to_numpy())
    return np.asarray(X[:, j])
