"""Table: typed columns with a schema, whatever they came from.

Numbers, names, orders, truths, dates and texts stand side by side, each column compact and of its
own kind (:mod:`learnable.data.columns`), missing cells first-class. Loops use the arrays without
copies; a table of part of the rows shares them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, SchemaError
from learnable.core.frames import as_frame
from learnable.core.warning import warn
from learnable.data.columns import as_texts, typed
from learnable.data.rows import Rows
from learnable.data.schema import Column, Schema
from learnable.data.sources import Source, as_source
from learnable.data.texts import MISSING, as_strings


class Table:
    """A table of typed columns.

    Parameters
    ----------
    schema : Schema
        What the columns are.
    arrays : sequence of arrays
        The columns, as their kinds keep them; :meth:`Table.of` makes them from anything.

    Examples
    --------
    >>> from learnable.data import Table
    >>> days = Table.of({"wind": ["Weak", "Strong", None], "degrees": [21.5, None, 18.0]})
    >>> print(days.schema)
      wind     nominal     2 distinct strings in 3 rows
      degrees  numeric     numbers by their type
    >>> days["wind"], days["degrees"]
    (array([ 1,  0, -1], dtype=int32), array([21.5,  nan, 18. ]))
    """

    __learnable_table__ = True

    def __init__(self, schema: Schema, arrays: Sequence[NDArray[Any]]) -> None:
        self.schema, self.arrays = schema, tuple(arrays)
        lengths = {len(array) for array in self.arrays}
        if len(self.arrays) != len(schema) or len(lengths) > 1:
            raise DataError(f"{len(schema)} columns were named, but there are {len(self.arrays)}.")
        self.n = lengths.pop() if lengths else 0

    @classmethod
    def of(
        cls,
        data: Any,
        schema: Schema | None = None,
        *,
        kinds: Mapping[str, Any] | str | None = None,
    ) -> Table:
        """Make a table from an array, a frame, a sparse matrix or a mapping of columns.

        Parameters
        ----------
        data : Table, array, data frame, sparse matrix or mapping
            The cells.
        schema : Schema, optional
            What the columns are; inferred by default, with reasons.
        kinds : mapping or path, optional
            What to change in the inferred schema (:meth:`Schema.changed`).
        """
        if isinstance(data, Table) and schema is None and kinds is None:
            return data
        source = as_source(data)
        stated = source.schema() if schema is None else source.checked(schema)
        if kinds is not None:
            stated = stated.changed(kinds)
        return cls.read(source, stated)

    @classmethod
    def read(cls, source: Source, schema: Schema) -> Table:
        """Make a table of a source whose columns are those of the schema."""
        cells = [source.cells(column.name) for column in schema]
        settled = Schema(tuple(map(_settled, schema, cells)))
        return cls(
            settled, [typed(cell, column) for cell, column in zip(cells, settled, strict=True)]
        )

    @classmethod
    def conforming(cls, data: Any, schema: Schema) -> Table:
        """Read data as a fitted model knows them: its columns, in its order, by its codes.

        A missing column, a superfluous one and a cell of another kind are refused; values that the
        model never saw become missing, with one warning.
        """
        source = as_source(data)
        strange: dict[str, dict[str, int]] = {}
        arrays = [
            typed(source.cells(c.name), c, unseen=strange.setdefault(c.name, {}))
            for c in source.checked(schema)
        ]
        _warn_of(strange)
        return cls(schema, arrays)

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, key: Any) -> Any:
        """Return a column by its name, columns by a list of names, or rows by their places."""
        if isinstance(key, str):
            return self.arrays[self.schema.place(key)]
        if isinstance(key, slice):
            return Table(self.schema, [array[key] for array in self.arrays])
        if isinstance(key, tuple) and len(key) == 2 and key[1] is Ellipsis:
            key = key[0]  # scikit-learn's way to ask for rows
        if isinstance(key, list) and key and all(isinstance(name, str) for name in key):
            return self.only(key)
        return self.take(np.asarray(key))

    def __repr__(self) -> str:
        return f"<Table: {self.n} rows, {len(self.schema)} columns>"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.n, len(self.schema)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self.schema.names

    def only(self, names: Sequence[str]) -> Table:
        """Return a table of some of the columns; nothing is copied."""
        return Table(self.schema.only(names), [self[name] for name in names])

    def features(self) -> Table:
        """Return a table of the columns to learn from."""
        return self.only(self.schema.of_role("feature"))

    def features_as(self, learned: Sequence[str]) -> Table:
        """Return the columns that a model learned from, in its order; others are refused."""
        found = self.features()
        as_source(found).checked(Schema(tuple(Column(name, "numeric") for name in learned)))
        return found.only(learned)

    def target(self) -> NDArray[Any]:
        """Return the cells of the one target column: numbers, or labels by their text."""
        names = self.schema.of_role("target")
        if len(names) != 1:
            raise SchemaError(
                f"The table has {len(names)} target columns.",
                remedy='State one: table.changed({"name": {"role": "target"}}).',
            )
        return self[names[0]] if self.schema[names[0]].kind == "numeric" else self.labels(names[0])

    def labels(self, name: str) -> NDArray[Any]:
        """Return the cells of a coded column by their values, None where one is missing."""
        column = self.schema[name]
        if not column.coded:
            return self[name]
        if (self[name] == MISSING).any():
            values = np.array([*column.values, None], dtype=object)
        else:
            values = as_strings(column.values or [""])
        return np.asarray(values[self[name]])

    def cell(self, i: int, j: int) -> Any:
        """Return one cell as a plain value: a number, a label, a date, a text, or None."""
        column, value = self.schema.columns[j], self.arrays[j][i]
        if column.coded:
            return None if value == MISSING else column.values[value]
        return value.item() if isinstance(value, np.generic) else value

    def rows(self, start: int, stop: int) -> Table:
        """Return neighbouring rows; nothing is copied."""
        return Table(self.schema, [array[start:stop] for array in self.arrays])

    def take(self, places: Any) -> Table:
        """Return the rows at some places, in that order."""
        return Table(self.schema, [array[places] for array in self.arrays])

    def changed(self, changes: Mapping[str, Any] | str) -> Table:
        """Return the table with some columns of another kind or role (:meth:`Schema.changed`)."""
        schema = self.schema.changed(changes)
        return Table.read(as_source(self), schema)

    def missing(self, name: str) -> NDArray[np.bool_]:
        """Return which cells of a column are missing."""
        return _missing(self.schema[name], self[name])

    def numbers(self, learner: str = "this learner") -> Rows:
        """Return the columns as rows of numbers, for a learner that takes nothing else."""
        for column in self.schema:
            if column.kind not in {"numeric", "boolean"}:
                raise DataError(
                    f"{learner} takes numbers, and a column is {column.kind}.",
                    column=column.name,
                    remedy="Put TablePrep before it, or leave the column out.",
                )
        columns = [_as_numbers(c, a) for c, a in zip(self.schema, self.arrays, strict=True)]
        kinds = {column.dtype for column in columns}
        dtype = kinds.pop() if len(kinds) == 1 else np.float64
        return Rows(columns, tuple(self.columns), dtype)

    def codes(self, learner: str = "this learner") -> Rows:
        """Return the columns as rows of codes, for a learner that takes nothing else."""
        for column in self.schema:
            if not column.coded:
                raise DataError(
                    f"{learner} takes nominal columns, and a column is {column.kind}.",
                    column=column.name,
                    remedy=f'Say {{"{column.name}": "nominal"}}, or leave the column out.',
                )
        return Rows(list(self.arrays), tuple(self.columns), np.int32)

    def to_frame(self) -> Any:
        """Return a data frame (pandas, polars or pyarrow, the first that is installed)."""
        return as_frame({name: self.labels(name).tolist() for name in self.columns})

    def equals(self, other: Table) -> bool:
        """Whether schema and every cell are the same, missing cells included."""
        pairs = zip(self.arrays, other.arrays, strict=True) if self.shape == other.shape else ()
        return (
            self.schema == other.schema
            and self.shape == other.shape
            and all(_same(one, two) for one, two in pairs)
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)


def _settled(column: Column, cells: Any) -> Column:
    """Fill in the values of a coded column that does not state them."""
    if not column.coded or column.values:
        return column
    return replace(column, values=tuple(sorted(as_texts(cells).present())))


def _missing(column: Column, array: NDArray[Any]) -> NDArray[np.bool_]:
    if column.coded:
        return np.asarray(array == MISSING)
    if column.kind == "numeric":
        return np.isnan(array)
    if column.kind == "date":
        return np.isnat(array)
    return np.array([cell is None for cell in array], dtype=bool)


def _as_numbers(column: Column, array: NDArray[Any]) -> NDArray[Any]:
    if not column.coded:
        return array
    return np.where(array == MISSING, np.nan, array.astype(np.float64))


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    kind = one.dtype.kind
    return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=kind in "fM")


def _warn_of(strange: dict[str, dict[str, int]]) -> None:
    """Say once which values were never seen, and how many cells they are."""
    found = [(name, text, n) for name, texts in strange.items() for text, n in texts.items()]
    if not found:
        return
    name, text, _ = found[0]
    total = sum(n for _, _, n in found)
    cells = "1 cell" if total == 1 else f"{total} cells"
    warn(f"The value {text!r} of column {name!r} was never seen; {cells} are treated as missing.")
