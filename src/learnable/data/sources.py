"""Where a table comes from: named columns of cells, numbers by their type or compact texts.

A source reads one column at a time when it is asked for it; nothing is read twice or changed.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from learnable.core.errors import DataError, SchemaError
from learnable.core.loaded import is_sparse
from learnable.data.columns import Cells
from learnable.data.inference import Facts, infer
from learnable.data.reading import is_frame
from learnable.data.schema import Column, Schema
from learnable.data.texts import Texts


class Source:
    """Named columns of cells.

    Parameters
    ----------
    names : sequence of str
        The columns.
    read : callable
        Name of a column to its cells.
    known : Schema, optional
        What the columns are, where that is known from where they come from.

    Examples
    --------
    >>> from learnable.data.sources import as_source
    >>> as_source({"a": [1, 2]}).schema()["a"].kind
    'numeric'
    """

    def __init__(
        self, names: Sequence[str], read: Callable[[str], Cells], known: Schema | None = None
    ) -> None:
        self.names, self._read, self.known = list(names), read, known
        for name in self.names if len(set(self.names)) < len(self.names) else ():
            if self.names.count(name) > 1:
                raise SchemaError("Two columns have the same name.", column=name)

    def cells(self, name: str) -> Cells:
        """Return the cells of a column."""
        return self._read(name)

    def schema(self) -> Schema:
        """Return the schema: as known, or as the cells say."""
        if self.known is not None:
            return self.known
        return Schema(tuple(described(name, self.cells(name)) for name in self.names))

    def checked(self, schema: Schema) -> Schema:
        """Return the schema if its columns are those that are there, in any order."""
        here, known = set(self.names), set(schema.names)
        missing = [name for name in schema.names if name not in here]
        if missing:
            near = difflib.get_close_matches(missing[0], self.names, 1)
            meant = f" Is it {near[0]!r}?" if near else ""
            raise SchemaError(
                f"{len(missing)} column(s) are missing: {', '.join(missing[:10])}.{meant}",
                column=missing[0],
                remedy="Give all columns that the schema names.",
            )
        roles = {} if self.known is None else {c.name: c.role for c in self.known}
        extra = [n for n in self.names if n not in known and roles.get(n, "feature") == "feature"]
        if extra:
            raise SchemaError(
                f"{len(extra)} column(s) are not in the schema: {', '.join(extra[:10])}.",
                column=extra[0],
                remedy="Leave them out.",
            )
        return schema


def described(name: str, cells: Cells) -> Column:
    """Return what a column is by its cells alone.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data.sources import described
    >>> described("old", np.array([True, False])).values
    ('False', 'True')
    """
    if isinstance(cells, Texts):
        return infer(name, Facts.of(cells))
    if cells.dtype.kind == "b":
        return Column(name, "boolean", ("False", "True"), reason="true and false by their type")
    if cells.dtype.kind == "M":
        return Column(name, "date", reason="dates by their type")
    whole = "whole numbers" if cells.dtype.kind in "iu" else "numbers"
    few = cells.dtype.kind in "iu" and len(cells) >= 50 and len(np.unique(cells)) <= 10
    notes = (f'few values; {{"{name}": "nominal"}} takes them as names',) if few else ()
    return Column(name, "numeric", reason=f"{whole} by their type", notes=notes)


def as_source(data: Any) -> Source:
    """Read a table, array, frame, sparse matrix or mapping of columns as a source.

    Examples
    --------
    >>> from learnable.data.sources import as_source
    >>> as_source([[1.0, "a"]]).names
    ['x0', 'x1']
    """
    if hasattr(data, "schema") and hasattr(data, "arrays"):
        return _of_table(data)
    if isinstance(data, Mapping):
        return _of_columns(dict(data))
    if is_sparse(data):
        columns = data.tocsc()
        return _numbered(data.shape[1], lambda j: columns[:, [j]].toarray().ravel())
    return _of_frame(data) if is_frame(data) else _of_array(data)


def _numbered(width: int, read: Callable[[int], Cells]) -> Source:
    return Source([f"x{j}" for j in range(width)], lambda name: read(int(name[1:])))


def _of_table(table: Any) -> Source:
    def read(name: str) -> Cells:
        column, array = table.schema[name], table[name]
        if column.coded:
            return Texts(array, list(column.values))
        return Texts.of(array) if array.dtype.kind == "O" else array

    return Source(table.columns, read, table.schema)


def _of_columns(columns: dict[str, Any]) -> Source:
    names = [str(name) for name in columns]
    cells = [as_cells(values) for values in columns.values()]
    lengths = {name: len(cell) for name, cell in zip(names, cells, strict=True)}
    if len(set(lengths.values())) > 1:
        raise DataError(
            f"The columns have different lengths: {lengths}.", remedy="Give every column all rows."
        )
    found = dict(zip(names, cells, strict=True))
    return Source(names, found.__getitem__)


def _of_array(data: Any) -> Source:
    array = data if isinstance(data, np.ndarray) else np.array(data, dtype=object)
    if array.ndim != 2:
        raise DataError(
            f"A table has two dimensions, rows and columns, not {array.ndim}.",
            remedy="Reshape it, or give a mapping of columns.",
        )
    return _numbered(array.shape[1], lambda j: as_cells(array[:, j]))


def as_cells(values: Any) -> Cells:
    """Return the cells of one column: an array of numbers, truths or dates, or texts.

    Examples
    --------
    >>> from learnable.data.sources import as_cells
    >>> as_cells([1, None]), as_cells(["a"]).values
    (array([ 1., nan]), ['a'])
    """
    array = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=object)
    if array.ndim != 1:
        raise DataError("A column has one dimension.", remedy="Give one cell a row.")
    if array.dtype.kind in "biufM":
        return array
    if array.dtype.kind != "O":
        return Texts.of(array.tolist())
    kinds = {type(cell) for cell in array.tolist() if cell is not None}
    if kinds and kinds <= {bool, np.bool_} and not any(cell is None for cell in array):
        return array.astype(bool)
    numbers = (int, float, np.integer, np.floating)
    if kinds and all(issubclass(kind, numbers) and kind is not bool for kind in kinds):
        return np.array([np.nan if cell is None else cell for cell in array], dtype=np.float64)
    return Texts.of(array.tolist())


def _of_frame(frame: Any) -> Source:
    import narwhals.stable.v2 as nw

    made = nw.from_native(frame, eager_only=True)
    return Source([str(name) for name in made.columns], lambda name: _series(made[name]))


def _series(series: Any) -> Cells:
    import narwhals.stable.v2 as nw

    kind = series.dtype
    nulls = series.null_count()
    if kind.is_numeric() and (kind.is_float() or not nulls):
        return np.asarray(series.to_numpy())
    if kind.is_numeric():
        return np.asarray(series.cast(nw.Float64).to_numpy())
    if kind == nw.Boolean and not nulls:
        return np.asarray(series.to_numpy(), dtype=bool)
    if kind in {nw.Datetime, nw.Date}:
        return np.array(series.to_list(), dtype="datetime64[us]")
    return Texts.of(series.to_list())
