"""Parquet, through pyarrow: read row group by row group, written with its schema inside."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from learnable.core.errors import DataError, MissingDependencyError, ParameterError
from learnable.data.columns import Cells
from learnable.data.files.fast_delimited import texts_of
from learnable.data.files.gathering import gathered
from learnable.data.files.stream import Stream, unlike
from learnable.data.schema import Schema
from learnable.data.table import Table
from learnable.data.texts import MISSING, Texts

KEY = b"learnable"
"""Under this key of a file's metadata the schema stands."""


def _arrow() -> Any:
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        msg = 'Parquet needs pyarrow: pip install "learnable[study]"'
        raise MissingDependencyError(msg) from error
    return pa


class Parquet:
    """The reader of Parquet files (:class:`learnable.data.files.stream.Reader`).

    Parameters
    ----------
    source : path or bytes
        The file.
    """

    decimal = "."

    def __init__(self, source: Any) -> None:
        pa = _arrow()
        self.name = "<bytes>" if isinstance(source, bytes) else Path(source).name
        self._source = source
        self.notes: dict[str, list[str]] = {}
        with self._reading(pa), self._opened(pa) as file:
            found = file.schema_arrow
        self.names = unlike(list(found.names), self.name)
        self.known = self._kept(found)
        for field in found:
            _check(pa, field, self.name)

    def _opened(self, pa: Any) -> Any:
        source = pa.BufferReader(self._source) if isinstance(self._source, bytes) else self._source
        return pa.parquet.ParquetFile(source)

    @contextmanager
    def _reading(self, pa: Any) -> Iterator[None]:
        try:
            yield
        except pa.ArrowException as error:
            raise DataError(
                f"{self.name}: is no Parquet file, or a damaged one ({error}).",
                remedy="Get the file again.",
            ) from error
        except OSError as error:
            if error.errno is None:
                raise DataError(f"{self.name}: is damaged ({error}).") from error
            msg = f"{self.name}: cannot be read ({error.strerror or error})"
            raise ParameterError(msg) from error

    def _kept(self, found: Any) -> Schema | None:
        """Return the schema that was written with the table, if it fits its columns."""
        kept = (found.metadata or {}).get(KEY)
        if kept is None:
            return None
        try:
            schema = Schema.of_list(json.loads(kept))
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f"{self.name}: its schema is damaged ({error}).") from error
        return schema if schema.names == self.names else None

    def guess(self) -> set[str]:
        """Return no column: numbers are numbers by their type."""
        return set()

    def blocks(self, rows: int, numbers: set[str]) -> Iterator[list[Cells]]:
        """Yield the columns of so many rows at a time."""
        del numbers
        pa = _arrow()
        with self._reading(pa), self._opened(pa) as file:
            held, count = [], 0
            for batch in file.iter_batches(batch_size=rows):
                held.append(batch)
                count += batch.num_rows
                while count >= rows:
                    table = pa.Table.from_batches(held)
                    yield self._cells(pa, table.slice(0, rows))
                    held, count = table.slice(rows).to_batches(), count - rows
            if count:
                yield self._cells(pa, pa.Table.from_batches(held))

    def _cells(self, pa: Any, table: Any) -> list[Cells]:
        return [_of_arrow(pa, table.column(place)) for place in range(len(self.names))]


def _check(pa: Any, field: Any, name: str) -> None:
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    nested, wide = pa.types.is_nested(kind), pa.types.is_binary(kind)
    if nested or wide or pa.types.is_time(kind) or pa.types.is_duration(kind):
        raise DataError(
            f"{name}: a column is of the type {field.type}, which is no kind of a table.",
            column=field.name,
            remedy="Turn it into columns of numbers or texts before.",
        )


def _of_arrow(pa: Any, column: Any) -> Cells:
    kind = column.type
    if pa.types.is_dictionary(kind):
        value = kind.value_type
        if pa.types.is_string(value) or pa.types.is_large_string(value):
            return texts_of(column)
        column, kind = column.cast(value), value
    if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        wanted = pa.float32() if pa.types.is_float32(kind) else pa.float64()
        return np.asarray(column.cast(wanted, safe=False).to_numpy())
    if pa.types.is_temporal(kind):
        stamps = column.cast(pa.timestamp("us"), safe=False)
        return np.asarray(stamps.to_numpy().astype("datetime64[us]"))
    if pa.types.is_boolean(kind):
        return Texts.of(
            ["True" if v else None if v is None else "False" for v in column.to_pylist()]
        )
    if pa.types.is_null(kind):
        return Texts(np.full(len(column), MISSING, dtype=np.int32), [])
    return texts_of(column.cast(pa.string()).dictionary_encode())


def read_parquet(
    source: Any,
    schema: Schema | None = None,
    *,
    kinds: Mapping[str, Any] | str | None = None,
) -> Table:
    """Read a Parquet file into memory; :func:`scan_parquet` streams it.

    Parameters
    ----------
    source : path or bytes
        The file.
    schema : Schema, optional
        What the columns are; by default the one it was written with, or else what types and
        texts speak for.
    kinds : mapping or path, optional
        What to change in that schema.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learnable.data import Table, read_parquet, write_parquet
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "winds.parquet"
    >>> table = Table.of({"wind": ["Weak", None], "n": [1.5, 2.0]})
    >>> write_parquet(table, file)
    >>> read_parquet(file).equals(table)
    True
    """
    return gathered(Parquet(source), schema, kinds)


def scan_parquet(
    source: Any,
    schema: Schema | None = None,
    *,
    kinds: Mapping[str, Any] | str | None = None,
    rows: int | None = None,
) -> Stream:
    """Stream a Parquet file: tables of a fixed number of rows.

    Parameters
    ----------
    source : path or bytes
        The file.
    schema : Schema, optional
        What the columns are, as for :func:`read_parquet`.
    kinds : mapping or path, optional
        What to change in that schema.
    rows : int, optional
        Rows of a table.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learnable.data import Table, scan_parquet, write_parquet
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "n.parquet"
    >>> write_parquet(Table.of({"n": [1.0, 2.0, 3.0]}), file)
    >>> [len(table) for table in scan_parquet(file, rows=2)]
    [2, 1]
    """
    return Stream(Parquet(source), schema, kinds=kinds, rows=rows)


def write_parquet(table: Any, path: str | Path) -> None:
    """Write a table as Parquet, its schema with it: reading gives the same table.

    Parameters
    ----------
    table : Table or whatever makes one
        The rows.
    path : path
        Where to.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learnable.data import Table, write_parquet
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "n.parquet"
    >>> write_parquet(Table.of({"n": [1.0]}), file)
    >>> file.read_bytes()[:4]
    b'PAR1'
    """
    pa = _arrow()
    made = Table.of(table)
    columns = [
        _to_arrow(pa, column, array) for column, array in zip(made.schema, made.arrays, strict=True)
    ]
    kept = json.dumps(made.schema.to_list()).encode("ascii")
    try:
        whole = pa.Table.from_arrays(columns, names=made.columns).replace_schema_metadata(
            {KEY: kept}
        )
        pa.parquet.write_table(whole, path)
    except UnicodeEncodeError as error:
        raise DataError("A name holds half of a surrogate pair.", remedy="Rename it.") from error
    except OSError as error:
        msg = f"{path}: cannot be written ({error.strerror or error})"
        raise ParameterError(msg) from error


def _to_arrow(pa: Any, column: Any, array: Any) -> Any:
    if column.kind == "numeric":
        return pa.array(array, mask=np.isnan(array))
    if column.kind == "date":
        return pa.array(array, type=pa.timestamp("us"))
    if not column.coded:
        return pa.array(array.tolist(), type=pa.string())
    codes = pa.array(array, mask=array == MISSING)
    return pa.DictionaryArray.from_arrays(codes, pa.array(list(column.values), type=pa.string()))
