"""Columns by name, number, slice, mask or rule, of arrays, frames and tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import ParameterError, SchemaError
from learnable.data import is_frame, is_sparse
from learnable.data.reading import as_frame, native_names
from learnable.data.table import Table


def names_of(X: Any) -> list[Any] | None:
    """Return the names of the columns, None where they have none.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.compose.choosing import names_of
    >>> names_of(np.zeros((1, 2))) is None
    True
    """
    if isinstance(X, Table):
        return X.columns
    return native_names(X) if is_frame(X) else None


def chosen(columns: Any, names: list[Any] | None, d: int, X: Any) -> list[int]:
    """Return the numbers of the columns that somebody chose.

    Parameters
    ----------
    columns : str, int, slice, list, mask or function of X
        The choice.
    names : list or None
        Names of the columns.
    d : int
        How many there are.
    X : object
        The rows, for a function.

    Examples
    --------
    >>> from learnable.compose.choosing import chosen
    >>> chosen(["b", "a"], ["a", "b"], 2, None), chosen(slice(1, None), None, 3, None)
    ([1, 0], [1, 2])
    """
    if callable(columns):
        columns = columns(X)
    if isinstance(columns, slice):
        return _of_slice(columns, names, d)
    single = isinstance(columns, (str, int, np.integer)) and not isinstance(columns, bool)
    items = [columns] if single else list(columns)
    if items and all(isinstance(item, (bool, np.bool_)) for item in items):
        if len(items) != d:
            msg = f"a mask of {len(items)} chooses among {d} columns"
            raise ParameterError(msg)
        return np.flatnonzero(items).tolist()
    return [_place(item, names, d) for item in items]


def _place(item: Any, names: list[Any] | None, d: int) -> int:
    if isinstance(item, str):
        if names is None:
            msg = "Specifying the columns using strings is only supported for dataframes."
            raise ParameterError(msg)
        if item not in names:
            raise SchemaError("A given column is not a column of the data.", column=item)
        return names.index(item)
    if not isinstance(item, (int, np.integer)):
        msg = (
            "No valid specification of the columns. Only a scalar, list or slice of all integers "
            f"or all strings, or boolean mask is allowed, not {item!r}"
        )
        raise ParameterError(msg)
    if not -d <= item < d:
        msg = f"all features must be in [0, {d - 1}] or [-{d}, 0]: column {item} is not"
        raise ParameterError(msg)
    return int(item) % d


def _of_slice(columns: slice, names: list[Any] | None, d: int) -> list[int]:
    start, stop = columns.start, columns.stop
    if isinstance(start, str) or isinstance(stop, str):
        first = 0 if start is None else _place(start, names, d)
        last = d if stop is None else _place(stop, names, d) + 1
        return list(range(first, last, columns.step or 1))
    return list(range(d))[columns]


def part_of(X: Any, places: list[int], *, single: bool = False) -> Any:
    """Return some columns in the form that they came in; ``single``: one, in one dimension.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.compose.choosing import part_of
    >>> part_of(np.array([[1, 2, 3]]), [2, 0])
    array([[3, 1]])
    """
    if isinstance(X, Table):
        return X.only([X.columns[place] for place in places])
    if is_frame(X):
        frame = as_frame(X)
        return frame[:, places[0]].to_native() if single else frame[:, places].to_native()
    if is_sparse(X):
        return X.tocsr()[:, places]
    return X[:, places[0]] if single else X[:, places]


def as_rows(X: Any) -> Any:
    """Return lists and the like as an array, in which text beside numbers stays text.

    Examples
    --------
    >>> from learnable.compose.choosing import as_rows
    >>> as_rows([[1, "a"]]).tolist()
    [[1, 'a']]
    """
    if isinstance(X, Table) or is_frame(X) or is_sparse(X) or isinstance(X, np.ndarray):
        return X
    found = np.asarray(X)
    return np.array(X, dtype=object) if found.dtype.kind in "US" else found
