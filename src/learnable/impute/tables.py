"""A table with its missing cells filled: the same columns, kinds and values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.data.schema import Column, Schema
from learnable.data.table import Table
from learnable.stats.arrays import frozen

Fill = tuple[int, NDArray[np.bool_], Any]


def filled_table(table: Table, fills: Iterable[Fill], marks: NDArray[np.intp] | None) -> Table:
    """Return the table with its gaps filled.

    Parameters
    ----------
    table : Table
        What came in.
    fills : iterable
        For each column that is kept its number, its gaps, and the value of each gap (or of all).
    marks : array, optional
        Numbers of the columns that get an indicator.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Table
    >>> from learnable.impute.tables import filled_table
    >>> table = Table.of({"wind": ["Weak", None, "Strong"]})
    >>> gaps = np.array([False, True, False])
    >>> filled_table(table, [(0, gaps, "Weak")], None).labels("wind").tolist()
    ['Weak', 'Weak', 'Strong']
    """
    columns, arrays = [], []
    for j, gaps, value in fills:
        column, array = _filled(table.schema.columns[j], table.arrays[j], gaps, value)
        columns.append(column)
        arrays.append(frozen(array))
    for j in [] if marks is None else marks.tolist():
        name = f"missingindicator_{table.columns[j]}"
        columns.append(Column(name, "boolean", ("False", "True"), reason="where a cell was filled"))
        arrays.append(frozen(table.missing(table.columns[j]).astype(np.int32)))
    return Table(Schema(tuple(columns)), arrays)


def _filled(
    column: Column, array: NDArray[Any], gaps: NDArray[np.bool_], value: Any
) -> tuple[Column, NDArray[Any]]:
    if not gaps.any():
        return column, array
    whole = array.copy()
    if not column.coded:
        whole[gaps] = value
        return column, whole
    given = [str(one) for one in (value if np.ndim(value) else [value])]
    new = tuple(dict.fromkeys(one for one in given if one not in column.values))
    if new and column.kind != "boolean":
        column = replace(column, values=(*column.values, *new))
    places = {one: code for code, one in enumerate(column.values)}
    codes = [places.get(one, -1) for one in given]
    whole[gaps] = codes if np.ndim(value) else codes[0]
    return column, whole
