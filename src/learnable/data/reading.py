"""From what people pass as ``X`` to :class:`~learnable.data.rows.Rows`, with errors that help."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from learnable.core.errors import DataError, SchemaError
from learnable.core.loaded import is_sparse, loaded
from learnable.data.rows import Rows


def is_frame(X: Any) -> bool:
    """Whether ``X`` looks like a data frame of some library.

    Examples
    --------
    >>> from learnable.data import is_frame
    >>> is_frame([[1.0]])
    False
    """
    marks = ("columns", "column_names", "__dataframe__", "__narwhals_dataframe__")
    return (
        not isinstance(X, np.ndarray)
        and not hasattr(X, "__learnable_table__")
        and any(hasattr(type(X), mark) for mark in marks)
    )


def read_rows(X: Any, *, sparse: bool = False, learner: str = "this learner") -> Rows:
    """Turn an array, frame or sparse matrix of numbers into rows.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix
        Two-dimensional and numeric.
    sparse : bool
        Whether the learner takes sparse input.
    learner : str
        Its name, for the message.

    Examples
    --------
    >>> from learnable.data import read_rows
    >>> read_rows([[1, 2], [3, 4]]).d
    2
    """
    if is_sparse(X):
        rows = _sparse_rows(X, allowed=sparse, learner=learner)
    elif is_frame(X):
        rows = _frame_rows(X)
    else:
        rows = _array_rows(X)
    _refuse_empty(rows, learner)
    return rows


def _refuse_empty(rows: Rows, learner: str) -> None:
    for count, what in ((rows.n, "sample"), (rows.d, "feature")):
        if count == 0:
            raise DataError(
                f"Found array with 0 {what}(s) (shape=({rows.n}, {rows.d})) while a minimum of 1 "
                f"is required by {learner}.",
                remedy="Give at least one row and one column.",
            )


def _kind(dtype: Any) -> np.dtype[Any]:
    """float32 stays, float16 is widened to it, everything else is computed in float64."""
    return np.dtype(np.float32 if dtype in (np.float32, np.float16) else np.float64)


def _array_rows(X: Any) -> Rows:
    array = X if isinstance(X, np.ndarray) else _as_array(X)
    if array.ndim == 0 and array.dtype.kind == "O":
        raise DataError(
            f"Expected 2D array, got {type(X).__name__} instead.",
            remedy="Pass an array, a list of rows, a data frame or a sparse matrix.",
        )
    if array.ndim != 2:
        shape = "scalar" if array.ndim == 0 else f"{array.ndim}D"
        raise DataError(
            f"Expected 2D array, got {shape} array instead"
            + (f": shape={array.shape}." if array.ndim else "."),
            remedy="Reshape your data either using array.reshape(-1, 1) if your data has a single "
            "feature or array.reshape(1, -1) if it contains a single sample.",
        )
    array = _numeric(array)
    return Rows(np.asarray(array), None, _kind(array.dtype))


def _as_array(X: Any) -> Any:
    try:
        return np.asarray(X)
    except ValueError as error:
        raise DataError(
            "X is no rectangular table of numbers: its rows have different lengths.",
            remedy="Give every row the same number of cells.",
        ) from error


def _numeric(array: Any) -> Any:
    kind = array.dtype.kind
    if isinstance(array, np.ma.MaskedArray) and kind in "biuf" and np.ma.is_masked(array):
        return array.astype(_kind(array.dtype)).filled(np.nan)
    if kind in "biuf":
        return array
    if kind == "c":
        raise DataError("Complex data not supported.", remedy="Split it into two real columns.")
    if kind == "O":
        return _from_objects(array)
    raise DataError(
        f"dtype='numeric' is not compatible with arrays of kind {array.dtype}.",
        remedy="Encode text and dates as numbers first.",
    )


def _from_objects(array: Any) -> Any:
    """Convert cell by cell; a missing cell is NaN, and one that is no number is named."""
    if any(isinstance(cell, complex) for cell in array.flat):
        raise DataError("Complex data not supported.", remedy="Split it into two real columns.")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        out = np.empty(array.shape)
        for place, cell in np.ndenumerate(array):
            out[place] = _number(cell, *place)
        return out


def _number(cell: Any, row: int, column: Any) -> float:
    if cell is None or cell is loaded("pandas", "NA"):
        return float("nan")
    try:
        return float(cell)
    except TypeError as wrong:
        # scikit-learn's contract wants a TypeError where a cell is no number at all.
        msg = (
            f"X holds {cell!r} (row {row}, column {column!r}): argument must be a string or a "
            "number. Encode it as a number first."
        )
        raise TypeError(msg) from wrong
    except (ValueError, OverflowError) as wrong:
        large = isinstance(wrong, OverflowError)
        raise DataError(
            f"X holds {'a number too large' if large else 'text where a number is expected'}.",
            column=column,
            row=row,
            value=None if large else cell,
            remedy="Rescale it." if large else "Encode it as a number first.",
        ) from wrong


def _sparse_rows(X: Any, *, allowed: bool, learner: str) -> Rows:
    if not allowed:
        # scikit-learn's contract wants a TypeError here.
        msg = (
            f"Sparse data was passed for X, but dense data is required by {learner}. Use "
            "'.toarray()' to convert to a dense numpy array."
        )
        raise TypeError(msg)
    if X.dtype.kind == "c":
        raise DataError("Complex data not supported.", remedy="Split it into two real columns.")
    if X.ndim != 2:
        raise DataError(
            f"Expected 2D array, got {X.ndim}D sparse array instead: shape={X.shape}.",
            remedy="Reshape your data using X.reshape(1, -1) if it contains a single sample.",
        )
    csr = X.tocsr()
    if not csr.has_canonical_format:
        csr = csr.copy() if csr is X else csr
        csr.sum_duplicates()
    return Rows(csr, None, _kind(csr.dtype))


def column_names(names: list[Any]) -> tuple[str, ...] | None:
    """Return the names if all of them are strings, None if none is.

    Examples
    --------
    >>> from learnable.data.reading import column_names
    >>> column_names(["a", "b"]), column_names([0, 1])
    (('a', 'b'), None)
    """
    strings = [isinstance(name, str) for name in names]
    if names and all(strings):
        return tuple(names)
    if any(strings):
        # scikit-learn's contract wants a TypeError here.
        kinds = sorted({type(name).__name__ for name in names})
        msg = (
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types. Convert the names to strings."
        )
        raise TypeError(msg)
    return None


def _frame_rows(X: Any) -> Rows:
    frame = as_frame(X)
    native = native_names(X)
    names = column_names(native)
    columns = [_frame_column(frame[:, j], str(native[j])) for j in range(len(native))]
    if not columns:
        return Rows(np.empty((len(frame), 0)), names)
    kinds = {_kind(column.dtype) for column in columns}
    return Rows(columns, names, kinds.pop() if len(kinds) == 1 else np.float64)


def native_names(X: Any) -> list[Any]:
    """Return the names of the columns of a data frame, of whatever kind they are.

    Examples
    --------
    >>> import pandas as pd
    >>> from learnable.data.reading import native_names
    >>> native_names(pd.DataFrame({"a": [1], "b": [2]}))
    ['a', 'b']
    """
    named = X.column_names if hasattr(type(X), "column_names") else X.columns
    return list(named)


def as_frame(X: Any) -> Any:
    """Return a data frame of any library behind one interface.

    Examples
    --------
    >>> import pandas as pd
    >>> from learnable.data.reading import as_frame
    >>> as_frame(pd.DataFrame({"a": [1]})).columns
    ['a']
    """
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        return nw.from_native(X, eager_only=True)
    except DuplicateError as error:
        counts = Counter(native_names(X))
        raise SchemaError(
            "Two columns have the same name.",
            column=next(name for name, count in counts.items() if count > 1),
            remedy="Rename or drop one of them.",
        ) from error
    except TypeError as error:
        raise DataError(
            f"A {type(X).__module__.split('.')[0]} {type(X).__name__} cannot be read.",
            remedy="Collect it into a pandas or polars DataFrame or a pyarrow Table first.",
        ) from error


def _frame_column(series: Any, name: str) -> Any:
    """Return one column as a one-dimensional array of numbers, a missing cell as NaN."""
    kind = series.dtype
    if kind.is_temporal() or kind.is_nested():
        raise DataError(
            f"A column of kind {kind} cannot be read as numbers.",
            column=name,
            remedy="Encode it as a number first, or leave it out.",
        )
    array = series.to_numpy()
    if array.dtype.kind in "biuf":
        return array
    if array.dtype.kind == "c":
        raise DataError(
            "Complex data not supported.", column=name, remedy="Split it into two real columns."
        )
    return _objects_of_column(np.asarray(array, dtype=object), name, kind)


def _objects_of_column(cells: Any, name: str, kind: Any) -> Any:
    try:
        return cells.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        out = np.empty(len(cells))
    for row, cell in enumerate(cells):
        try:
            out[row] = _number(cell, row, name)
        except (TypeError, DataError) as error:
            raise DataError(
                f"A column of kind {kind} cannot be read as numbers.",
                column=name,
                row=row,
                value=cell,
                remedy="Encode it as a number first, or leave it out.",
            ) from error
    return out
