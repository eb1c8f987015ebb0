"""SQL: the rows of a query, from SQLite (built into Python) or PostgreSQL (extra ``sql``)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from learnable.core.errors import DataError, MissingDependencyError, ParameterError
from learnable.data.columns import Cells
from learnable.data.files.gathering import gathered, regridded
from learnable.data.files.json_lines import cells_of
from learnable.data.files.stream import Stream, unlike
from learnable.data.schema import Schema
from learnable.data.table import Table

_POSTGRES = ("postgresql://", "postgres://")
_FETCHED = 4096


class Query:
    """The reader of the rows of a query (:class:`learnable.data.files.stream.Reader`).

    Parameters
    ----------
    database : path or URL
        A file of SQLite (``sqlite:///path`` or the path), or ``postgresql://...``.
    query : str
        What to ask for; run anew for each pass.
    parameters : sequence
        What stands for the placeholders.
    """

    decimal = "."
    known = None

    def __init__(self, database: Any, query: str, parameters: Any = ()) -> None:
        self._database, self._query, self._parameters = database, query, parameters
        self.notes: dict[str, list[str]] = {}
        self.name = "query"
        with closing(self._cursor()) as found:
            self.names = unlike(next(found), self.name, "Rename one of them with AS.")

    def guess(self) -> set[str]:
        """Return no column: numbers are numbers by their type."""
        return set()

    def _cursor(self) -> Iterator[Any]:
        """Yield the names, then the rows."""
        postgres = str(self._database).startswith(_POSTGRES)
        rows = _postgres if postgres else _sqlite
        yield from rows(str(self._database), self._query, self._parameters)

    def blocks(self, rows: int, numbers: set[str]) -> Iterator[list[Cells]]:
        """Yield the columns of so many rows at a time."""
        del numbers
        with closing(self._cursor()) as found:
            next(found)
            start = 0
            for held in regridded(found, rows):
                columns = zip(self.names, zip(*held, strict=True), strict=True)
                yield [_cells(name, column, start) for name, column in columns]
                start += len(held)


def _cells(name: str, column: tuple[Any, ...], start: int) -> Cells:
    kinds = {type(cell) for cell in column} - {type(None)}
    if kinds and kinds <= {date, datetime}:
        return np.array([None if c is None else _naive(c) for c in column], dtype="datetime64[us]")
    for row, cell in enumerate(column):
        if not isinstance(cell, (int, float, str, bool, Decimal, date, type(None))):
            raise DataError(
                f"query: a cell is a {type(cell).__name__}, which is no kind of a table.",
                column=name,
                row=start + row,
                value=str(cell)[:80],
                remedy="Cast it to a number or a text in the query.",
            )
    if Decimal in kinds:
        column = tuple(float(cell) if isinstance(cell, Decimal) else cell for cell in column)
    return cells_of(column)


def _naive(cell: Any) -> Any:
    """Return a date; one with a zone as its moment in UTC."""
    if isinstance(cell, datetime) and cell.tzinfo is not None:
        return (cell - cell.utcoffset()).replace(tzinfo=None)  # type: ignore[operator]
    return cell


def _sqlite(database: str, query: str, parameters: Any) -> Iterator[Any]:
    path = Path(database.removeprefix("sqlite:///"))
    if not path.is_file():
        msg = f"{path}: there is no such file; a database is a path, sqlite:///path or postgresql://..."
        raise ParameterError(msg)
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        ) as connection:
            cursor = connection.execute(query, parameters)
            yield _names(cursor)
            while found := cursor.fetchmany(_FETCHED):
                yield from found
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise DataError(f"{path.name}: the query fails ({error}).", value=query) from error


def _postgres(database: str, query: str, parameters: Any) -> Iterator[Any]:
    try:
        import psycopg
    except ImportError as error:
        msg = 'PostgreSQL needs psycopg: pip install "learnable[sql]"'
        raise MissingDependencyError(msg) from error
    try:
        with psycopg.connect(database) as connection, connection.cursor("learnable") as cursor:
            cursor.itersize = _FETCHED
            cursor.execute(query, parameters or None)
            yield _names(cursor)
            yield from cursor
    except psycopg.Error as error:
        raise DataError(f"the query fails ({error}).", value=query) from error


def _names(cursor: Any) -> list[str]:
    if cursor.description is None:
        raise DataError("The query gives no rows.", remedy="Begin it with SELECT.")
    return [str(column[0]) for column in cursor.description]


def read_sql(
    database: Any,
    query: str,
    parameters: Any = (),
    schema: Schema | None = None,
    *,
    kinds: Mapping[str, Any] | str | None = None,
) -> Table:
    """Read the rows of a query into memory; :func:`scan_sql` streams them.

    Parameters
    ----------
    database : path or URL
        A file of SQLite (``sqlite:///path`` or the path), which is opened for reading alone, or
        ``postgresql://user@host/name`` (extra ``sql``).
    query : str
        What to ask for.
    parameters : sequence
        What stands for the placeholders of the query (``?`` in SQLite, ``%s`` in PostgreSQL).
    schema : Schema, optional
        What the columns are; found in all rows by default.
    kinds : mapping or path, optional
        What to change in the schema that is found.

    Examples
    --------
    >>> import pathlib, sqlite3, tempfile
    >>> from learnable.data import read_sql
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "days.db"
    >>> with sqlite3.connect(file) as made:
    ...     _ = made.execute("create table day (wind text, degrees real)")
    ...     _ = made.execute("insert into day values ('Weak', 21.5), ('Strong', null)")
    >>> made.close()
    >>> read_sql(file, "select * from day where wind = ?", ["Weak"])["degrees"]
    array([21.5])
    """
    return gathered(Query(database, query, parameters), schema, kinds)


def scan_sql(
    database: Any,
    query: str,
    parameters: Any = (),
    schema: Schema | None = None,
    *,
    kinds: Mapping[str, Any] | str | None = None,
    rows: int | None = None,
) -> Stream:
    """Stream the rows of a query: tables of a fixed number of rows; each pass asks anew.

    Parameters
    ----------
    database : path or URL
        A file of SQLite or a PostgreSQL server, as for :func:`read_sql`.
    query : str
        What to ask for; state an order, or passes may differ.
    parameters : sequence
        What stands for the placeholders of the query.
    schema : Schema, optional
        What the columns are; found by a first pass by default.
    kinds : mapping or path, optional
        What to change in the schema that is found.
    rows : int, optional
        Rows of a table.

    Examples
    --------
    >>> import pathlib, sqlite3, tempfile
    >>> from learnable.data import scan_sql
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "n.db"
    >>> with sqlite3.connect(file) as made:
    ...     _ = made.execute("create table t as select 1 as n union select 2 union select 3")
    >>> made.close()
    >>> [len(table) for table in scan_sql(file, "select n from t order by n", rows=2)]
    [2, 1]
    """
    return Stream(Query(database, query, parameters), schema, kinds=kinds, rows=rows)
