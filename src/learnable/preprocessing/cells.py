"""Columns of any kind, as they came: what the encoders and imputers read.

An array keeps its kind of number or text; a data frame is read column by column; a nominal column
of a :class:`~learnable.data.Table` comes as codes with its values.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.core.loaded import loaded
from learnable.data import is_frame, is_sparse, read_rows
from learnable.data.reading import as_frame, column_names, native_names
from learnable.data.string_layout import first_and_counts, first_and_places
from learnable.data.table import Table
from learnable.data.texts import Texts
from learnable.loops.factorising import (
    count_places,
    places_of_floats,
    places_of_keys,
    places_of_words,
)
from learnable.stats.arrays import frozen

Column = NDArray[Any] | Texts
NAN = float("nan")
_SPAN = 1 << 16


class Cells(NamedTuple):
    """Columns of equal length, with their names where they have any.

    Attributes
    ----------
    columns : list of arrays or Texts
        One for each column.
    names : tuple of str or None
        Their names.
    n : int
        How many rows.
    whole : array or None
        The array whose columns they are.
    """

    columns: list[Any]
    names: tuple[str, ...] | None
    n: int
    whole: NDArray[Any] | None = None

    @property
    def d(self) -> int:
        """How many columns."""
        return len(self.columns)

    def name(self, j: int) -> Any:
        """Return what errors call a column."""
        return self.names[j] if self.names is not None else j


def read_cells(X: Any, learner: str) -> Cells:
    """Read a two-dimensional table of any kind, columns as they are.

    Examples
    --------
    >>> from learnable.preprocessing.cells import read_cells
    >>> [column.tolist() for column in read_cells([["a", 1], ["b", 2]], "this learner").columns]
    [['a', 'b'], [1, 2]]
    """
    if isinstance(X, Table):
        return _filled(_of_table(X, learner), learner)
    if is_frame(X):
        return _filled(_of_frame(X), learner)
    if is_sparse(X):
        read_rows(X, learner=learner)
    array = _array(X)
    if array.ndim != 2 or array.dtype.kind in "biufc":
        cells = read_rows(array, learner=learner).cells
        return Cells([cells[:, j] for j in range(cells.shape[1])], None, len(cells), cells)
    if array.dtype.kind == "S":
        array = np.char.decode(array, "utf-8")
    if array.dtype.kind not in "UO":
        raise DataError(
            f"A table of {array.dtype} cannot be read.", remedy="Pass numbers, text or both."
        )
    columns = [array[:, j] for j in range(array.shape[1])]
    return _filled(Cells(columns, None, len(array), array), learner)


def _array(X: Any) -> NDArray[Any]:
    if isinstance(X, np.ndarray):
        return X
    try:
        array = np.asarray(X)
        return array.astype(object) if array.dtype.kind == "O" else _listed(X, array)
    except ValueError as error:
        raise DataError(
            "X is no rectangular table: its rows have different lengths.",
            remedy="Give every row the same number of cells.",
        ) from error


def _listed(X: Any, array: NDArray[Any]) -> NDArray[Any]:
    """Return a list of texts as objects: 1 beside "a" is still a number."""
    texts = array.dtype.kind in "US" and not hasattr(X, "dtype")
    return np.array(X, dtype=object) if texts else array


def _filled(cells: Cells, learner: str) -> Cells:
    if not cells.n or not cells.d:
        read_rows(np.empty((cells.n, cells.d)), learner=learner)
    return cells


def _of_table(X: Table, learner: str) -> Cells:
    columns = []
    for column, array in zip(X.schema, X.arrays, strict=True):
        if column.kind == "date":
            raise DataError(
                f"{learner} takes numbers and names, and a column is a date.",
                column=column.name,
                remedy="Put TablePrep before it, or leave the column out.",
            )
        columns.append(Texts(array, list(column.values)) if column.coded else array)
    return Cells(columns, tuple(X.columns), len(X))


def _of_frame(X: Any) -> Cells:
    frame = as_frame(X)
    names = column_names(native_names(X))
    columns = [_series(frame[:, j]) for j in range(frame.shape[1])]
    return Cells(columns, names, len(frame))


def _series(series: Any) -> NDArray[Any]:
    array = np.asarray(series.to_numpy())
    if array.dtype.kind in "biuf":
        return array
    if array.dtype.kind in "OU" and not series.dtype.is_temporal():
        return array.astype(object)
    raise DataError(
        f"A column of kind {series.dtype} cannot be read.",
        column=series.name,
        remedy="Put TablePrep before it, or leave the column out.",
    )


def is_nothing(cell: Any) -> bool:
    """Whether a cell is None, NaN or pandas' NA.

    Examples
    --------
    >>> from learnable.preprocessing.cells import is_nothing
    >>> is_nothing(float("nan")), is_nothing(0)
    (True, False)
    """
    return (
        cell is None
        or cell is loaded("pandas", "NA")
        or (isinstance(cell, (float, np.floating)) and cell != cell)  # noqa: PLR0124
    )


def is_nan(cell: Any) -> bool:
    """Whether a cell is NaN or pandas' NA; None is a value like any other to the encoders.

    Examples
    --------
    >>> from learnable.preprocessing.cells import is_nan
    >>> is_nan(float("nan")), is_nan(None)
    (True, False)
    """
    return cell is not None and is_nothing(cell)


def factorised(column: Column) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Return the different values of a column, in no order, and the place of each cell.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.cells import factorised
    >>> factorised(np.array([2.5, 1.0, 2.5]))
    (array([2.5, 1. ]), array([0, 1, 0], dtype=int32))
    """
    if isinstance(column, Texts):
        return _of_texts(column)
    kind = column.dtype.kind
    if kind == "O":
        return _objects(column)
    if kind == "U":
        return _strings(column)
    return _whole(column) if kind in "biu" else _floats(column)


def counted(column: Column) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the different values of a column, in no order, and how many cells have each.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.cells import counted
    >>> counted(np.array(["b", "a", "b"], dtype=object))
    (array(['b', 'a'], dtype=object), array([2, 1]))
    """
    found = first_and_counts(column) if _is_objects(column) else None
    if found is None:
        values, codes = factorised(column)
        return values, count_places(frozen(codes), len(values))
    rows, times = found
    values, codes = _each_object(column[rows])
    counts = np.zeros(len(values), np.int64)
    np.add.at(counts, codes, times)
    return values, counts


def _is_objects(column: Column) -> bool:
    return not isinstance(column, Texts) and column.dtype.kind == "O"


def _hashed(make: Any, cells: list[Any]) -> Any:
    try:
        return make(cells)
    except TypeError as error:
        # scikit-learn's contract wants a TypeError where a cell is neither.
        msg = "A cell is of a kind that cannot be a value: argument must be a string or a number."
        raise TypeError(msg) from error


def _of_texts(column: Texts) -> tuple[NDArray[Any], NDArray[np.int32]]:
    missing = bool((column.codes < 0).any())
    values = np.empty(len(column.values) + missing, dtype=object)
    values[: len(column.values)] = column.values
    if missing:
        values[-1] = NAN
        return values, np.where(column.codes < 0, len(column.values), column.codes)
    return values, column.codes


def _objects(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    found = first_and_places(column)
    if found is None:
        return _each_object(column)
    rows, places = found
    values, codes = _each_object(column[rows])
    return values, codes[places]


def _each_object(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    cells = column.tolist()
    places = _hashed(dict.fromkeys, cells)
    values: list[Any] = []
    nan = None
    for cell in places:
        if is_nan(cell):
            if nan is None:
                nan = len(values)
                values.append(NAN)
            places[cell] = nan
        else:
            places[cell] = len(values)
            values.append(cell)
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found, np.fromiter(map(places.__getitem__, cells), np.int32, len(cells))


def _strings(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    flat = np.ascontiguousarray(column).astype(column.dtype.newbyteorder("="), copy=False)
    width = flat.dtype.itemsize // 4
    codes = np.empty(len(flat), np.int32)
    if not width:
        codes[:] = 0
        return flat[:1], codes
    words = frozen(flat.view(np.uint32).reshape(len(flat), width))
    return flat[places_of_words(words, codes)], codes


def _whole(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    low, high = int(column.min()), int(column.max())
    if high - low < _SPAN and column.dtype.kind != "b":
        offsets = (column - column.dtype.type(low)).astype(np.intp)
        found = np.flatnonzero(np.bincount(offsets))
        places = np.empty(high - low + 1, np.int32)
        places[found] = np.arange(len(found), dtype=np.int32)
        return (found + low).astype(column.dtype), places[offsets]
    keys = column.astype(np.uint64).view(np.int64) if column.dtype.kind == "u" else column
    codes = np.empty(len(column), np.int32)
    first = places_of_keys(frozen(np.ascontiguousarray(keys, dtype=np.int64)), codes)
    return column[first], codes


def _floats(column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    cells = column if column.dtype in (np.float64, np.float32) else column.astype(np.float64)
    codes = np.empty(len(column), np.int32)
    first = places_of_floats(frozen(cells), codes)
    return column[first] + column.dtype.type(0.0), codes  # -0.0 becomes 0.0
