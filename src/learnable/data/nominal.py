"""Nominal columns of text: read from arrays and frames, and turned into codes.

A value is known by its text (``1``, ``1.0`` and ``"1"`` are one value, since a column of whole
numbers becomes one of floats where a cell is missing); None, NaN and NA are missing.
"""

from __future__ import annotations

import sys
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.data.reading import as_frame, column_names, is_frame, is_sparse, native_names
from learnable.data.rows import Rows

Column = NDArray[Any]
MISSING, UNSEEN = -1, -2
"""Codes of cells that are missing, and of text that is not among the categories."""


class TextColumns:
    """A table of nominal cells, column by column.

    Examples
    --------
    >>> from learnable.data.nominal import text_columns
    >>> table = text_columns([["sunny", 1], ["rain", None]])
    >>> [values.tolist() for values in table.values()]
    [['rain', 'sunny'], ['1']]
    """

    def __init__(self, columns: list[Column], names: tuple[str, ...] | None) -> None:
        self.names = names
        self.known = [_known(column) for column in columns]
        self.columns = [
            np.array([_text(cell) for cell in column[known]], dtype=np.str_)
            for column, known in zip(columns, self.known, strict=True)
        ]

    def values(self) -> list[Column]:
        """Return the different values of each column, in order."""
        return [np.unique(column) for column in self.columns]

    def codes(self, categories: list[Column]) -> Rows:
        """Return the place of each cell among the categories (or ``MISSING``, ``UNSEEN``)."""
        return self._rows([_places(*pair) for pair in zip(self.columns, categories, strict=True)])

    def cell(self, i: int, j: int) -> str:
        """Return the text of one cell, which must not be missing."""
        return str(self.columns[j][np.count_nonzero(self.known[j][:i])])

    def hashed(self) -> Rows:
        """Return numbers that stand for the texts in any table, for comparing rows."""
        return self._rows([_hashes(column) for column in self.columns], np.float64)

    def _rows(self, found: list[Any], dtype: Any = np.int32) -> Rows:
        columns = []
        for known, cells in zip(self.known, found, strict=True):
            column = np.full(len(known), MISSING, dtype)
            column[known] = cells
            columns.append(column)
        return Rows(columns, self.names, dtype)


def text_columns(X: Any) -> TextColumns | None:
    """Read a table that holds text; None where it is a table of numbers alone.

    Examples
    --------
    >>> from learnable.data.nominal import text_columns
    >>> text_columns([[0, 1]]) is None
    True
    """
    if is_sparse(X):
        return None
    if is_frame(X):
        return _from_frame(X)
    if isinstance(X, np.ndarray) and X.dtype.kind in "biufc":
        return None
    array = X if isinstance(X, np.ndarray) else _objects(X)
    if array.ndim != 2 or not array.size or not any(isinstance(cell, str) for cell in array.flat):
        return None
    return TextColumns([array[:, j] for j in range(array.shape[1])], None)


def _objects(X: Any) -> NDArray[Any]:
    try:
        return np.array(X, dtype=object)
    except ValueError as error:
        raise DataError(
            "X is no rectangular table: its rows have different lengths.",
            remedy="Give every row the same number of cells.",
        ) from error


def _from_frame(X: Any) -> TextColumns | None:
    import narwhals.stable.v2 as nw

    frame = as_frame(X)
    names = native_names(X)
    if all(kind.is_numeric() or kind == nw.Boolean for kind in frame.schema.values()):
        return None
    columns = [np.array(frame[:, j].to_list(), dtype=object) for j in range(frame.shape[1])]
    return TextColumns(columns, column_names(names))


def _known(column: Column) -> NDArray[np.bool_]:
    pandas = sys.modules.get("pandas")
    nothing = None if pandas is None else pandas.NA
    return np.array(
        [cell is not None and cell is not nothing and cell == cell for cell in column],  # noqa: PLR0124
        dtype=bool,
    )


def _text(cell: Any) -> str:
    whole = isinstance(cell, (float, np.floating)) and float(cell).is_integer()
    return str(int(cell)) if whole else str(cell)


def _places(column: Column, categories: Column) -> NDArray[np.int32]:
    if not len(categories):
        return np.full(len(column), UNSEEN, np.int32)
    place = np.minimum(np.searchsorted(categories, column), len(categories) - 1)
    return np.where(categories[place] == column, place, UNSEEN).astype(np.int32)


def _hashes(column: Column) -> NDArray[np.float64]:
    values, place = np.unique(column, return_inverse=True)
    words = [blake2b(value.encode(), digest_size=6).digest() for value in values.tolist()]
    return np.array([int.from_bytes(word, "big") for word in words], dtype=np.float64)[place]
