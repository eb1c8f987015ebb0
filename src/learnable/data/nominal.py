"""Nominal columns of text: read from arrays, frames and tables, and turned into codes.

A value is known by its text (``1``, ``1.0`` and ``"1"`` are one value, since a column of whole
numbers becomes one of floats where a cell is missing); None, NaN and NA are missing.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.core.loaded import is_sparse
from learnable.data.reading import as_frame, column_names, is_frame, native_names
from learnable.data.rows import Rows
from learnable.data.table import Table
from learnable.data.texts import MISSING, Texts, as_strings

UNSEEN = -2
"""Code of a text that is not among the categories."""


class TextColumns:
    """A table of nominal cells, column by column.

    Parameters
    ----------
    columns : list of Texts
        The cells.
    names : tuple of str, optional
        Names of the columns.
    stated : bool
        Whether the values of the columns are all there are, not only those that some cell has.

    Examples
    --------
    >>> from learnable.data.nominal import text_columns
    >>> table = text_columns([["sunny", 1], ["rain", None]])
    >>> [values.tolist() for values in table.values()]
    [['rain', 'sunny'], ['1']]
    """

    def __init__(
        self, columns: list[Texts], names: tuple[str, ...] | None, *, stated: bool = False
    ) -> None:
        self.columns, self.names, self.stated = columns, names, stated

    def values(self) -> list[NDArray[Any]]:
        """Return the different values of each column, in order."""
        each = [c.values if self.stated else c.present() for c in self.columns]
        return [as_strings(sorted(values)) for values in each]

    def codes(self, categories: list[NDArray[Any]]) -> Rows:
        """Return the place of each cell among the categories (or ``MISSING``, ``UNSEEN``)."""
        pairs = zip(self.columns, categories, strict=True)
        return self._rows([c.take(_places(c.values, known), MISSING) for c, known in pairs])

    def cell(self, i: int, j: int) -> str:
        """Return the text of one cell, which must not be missing."""
        return self.columns[j].values[self.columns[j].codes[i]]

    def hashed(self) -> Rows:
        """Return numbers that stand for the texts in any table, for comparing rows."""
        return self._rows([c.take(_hashes(c.values), MISSING) for c in self.columns], np.float64)

    def _rows(self, columns: list[Any], dtype: Any = np.int32) -> Rows:
        return Rows(columns, self.names, dtype)


def text_columns(X: Any) -> TextColumns | None:
    """Read a table that holds text; None where it is a table of numbers alone.

    Examples
    --------
    >>> from learnable.data.nominal import text_columns
    >>> text_columns([[0, 1]]) is None
    True
    """
    if isinstance(X, Table):
        return _from_table(X)
    if is_sparse(X):
        return None
    if is_frame(X):
        return _from_frame(X)
    if isinstance(X, np.ndarray) and X.dtype.kind in "biufc":
        return None
    array = X if isinstance(X, np.ndarray) else _objects(X)
    if array.ndim != 2 or not array.size or not any(isinstance(cell, str) for cell in array.flat):
        return None
    return TextColumns([Texts.of(array[:, j].tolist()) for j in range(array.shape[1])], None)


def _objects(X: Any) -> NDArray[Any]:
    try:
        return np.array(X, dtype=object)
    except ValueError as error:
        raise DataError(
            "X is no rectangular table: its rows have different lengths.",
            remedy="Give every row the same number of cells.",
        ) from error


def _from_table(table: Table) -> TextColumns:
    """Take the nominal columns of a table, with all values that its schema states."""
    rows = table.codes()
    columns = [
        Texts(codes, list(column.values))
        for codes, column in zip(rows.cells, table.schema, strict=True)
    ]
    return TextColumns(columns, rows.names, stated=True)


def _from_frame(X: Any) -> TextColumns | None:
    import narwhals.stable.v2 as nw

    frame = as_frame(X)
    names = native_names(X)
    if all(kind.is_numeric() or kind == nw.Boolean for kind in frame.schema.values()):
        return None
    columns = [Texts.of(frame[:, j].to_list()) for j in range(frame.shape[1])]
    return TextColumns(columns, column_names(names))


def _places(values: list[str], categories: NDArray[Any]) -> NDArray[np.int32]:
    known = {value: code for code, value in enumerate(categories.tolist())}
    return np.array([known.get(value, UNSEEN) for value in values], dtype=np.int32)


def _hashes(values: list[str]) -> NDArray[np.float64]:
    words = [blake2b(value.encode(), digest_size=6).digest() for value in values]
    return np.array([int.from_bytes(word, "big") for word in words], dtype=np.float64)
