"""Streams: a file as tables of a fixed number of rows each, read again whenever it is asked for.

Every reader of files yields its cells on a grid that depends on the columns alone, however the
file is cut while it is read; what is folded over a stream therefore has the same bits every time,
in constant memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from learnable.core.errors import DataError, SchemaError
from learnable.data.columns import Cells, typed
from learnable.data.files.survey import SWAPPED, Survey, adapted
from learnable.data.rows import block_rows
from learnable.data.schema import Schema, read_changes
from learnable.data.sources import Source
from learnable.data.table import Table


class Contradiction(Exception):  # noqa: N818 (no error: reading starts again)
    """A column that was read as numbers holds something else."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Reader(Protocol):
    """What the reader of a kind of file offers; tables and streams are made of it.

    Attributes
    ----------
    name : str
        What the file is called.
    names : list of str
        The columns.
    known : Schema or None
        What the file itself says of its columns.
    decimal : str
        The decimal mark of numbers.
    notes : dict
        What was noticed when the file was opened, by column.
    """

    name: str
    names: list[str]
    known: Schema | None
    decimal: str
    notes: dict[str, list[str]]

    def blocks(self, rows: int, numbers: set[str]) -> Iterator[list[Cells]]:
        """Yield the columns of so many rows at a time, the last time of those that are left.

        Columns in ``numbers`` may be read as numbers at once; raises :class:`Contradiction`.
        """
        ...

    def guess(self) -> set[str]:
        """Return the columns that look like numbers."""
        ...


class Stream:
    r"""A file as tables of a fixed number of rows each.

    Parameters
    ----------
    reader : Reader
        The file.
    schema : Schema, optional
        What the columns are; found by a first pass over all rows by default.
    kinds : mapping or path, optional
        What to change in the schema that is found.
    rows : int, optional
        Rows of a table; a power of two that depends on the number of columns by default.

    Examples
    --------
    >>> import operator
    >>> from learnable.core import fold
    >>> from learnable.data import scan
    >>> stream = scan(b"size,wind\n1,Weak\n2,Strong\n4,Weak\n", rows=2)
    >>> print(stream.schema)
      size  numeric     3 distinct whole numbers in 3 rows
      wind  nominal     2 distinct strings in 3 rows
    >>> [len(table) for table in stream]
    [2, 1]
    >>> fold(lambda table: table["size"].sum(), operator.add, stream)
    np.float64(7.0)
    """

    def __init__(
        self,
        reader: Reader,
        schema: Schema | None = None,
        *,
        kinds: Mapping[str, Any] | str | None = None,
        rows: int | None = None,
    ) -> None:
        self._reader, self._kinds = reader, kinds
        self.rows = block_rows(len(reader.names)) if rows is None else rows
        self._schema: Schema | None = None
        self._numbers: set[str] = set()
        self._doubtful: set[str] = set()
        self.stated = reader.known if schema is None else _checked(reader, schema)
        if self.stated is not None:
            if kinds is not None:
                self.stated = self.stated.changed(kinds)
            self._numbers = {c.name for c in self.stated if c.kind == "numeric"}
            if all(c.values or not c.coded or c in (reader.known or ()) for c in self.stated):
                self._schema = self.stated

    def __repr__(self) -> str:
        return f"<Stream: {self._reader.name}, {len(self._reader.names)} columns>"

    @property
    def settled(self) -> bool:
        """Whether the schema is known without a pass."""
        return self._schema is not None

    @property
    def schema(self) -> Schema:
        """What the columns are; where it was not stated, a first pass over the file finds it."""
        if self._schema is None:
            self._look()
        return self._schema  # type: ignore[return-value]

    def _look(self) -> None:
        survey = surveyed(self._reader, self.rows, self.stated, self._kinds)
        self._schema, self._numbers = survey.schema(self.stated, self._kinds), survey.numbers
        self._doubtful = survey.doubtful

    def __iter__(self) -> Iterator[Table]:
        schema, done = self.schema, 0
        while True:
            try:
                blocks = self._reader.blocks(self.rows, self._numbers)
                for place, block in enumerate(blocks):
                    if place == done:
                        yield self._table(schema, block, done * self.rows)
                        done += 1
            except Contradiction as found:
                self._numbers = self._numbers - {found.name}
            else:
                return

    def _table(self, schema: Schema, block: list[Cells], start: int) -> Table:
        cells = dict(zip(self._reader.names, block, strict=True))
        return table_of(self._reader, schema, cells, start, self._doubtful)


def unlike(names: list[str], file: str, remedy: str = "Rename one of them.") -> list[str]:
    """Return names of columns after a check that none of them stands twice.

    Parameters
    ----------
    names : list of str
        The names.
    file : str
        What the file is called.
    remedy : str
        What to do about it.

    Examples
    --------
    >>> from learnable.data.files.stream import unlike
    >>> unlike(["a", "b"], "days.csv")
    ['a', 'b']
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise SchemaError(
                f"{file}: two columns have the same name.", column=name, remedy=remedy
            )
        seen.add(name)
    return names


def _checked(reader: Reader, schema: Schema) -> Schema:
    """Return the schema, if the file has its columns and no other features."""
    return Source(reader.names, dict[str, Cells]().__getitem__).checked(schema)


def table_of(
    reader: Reader, schema: Schema, cells: Mapping[str, Cells], start: int, doubtful: set[str]
) -> Table:
    """Make the table of some rows; a cell that does not fit is named with the file.

    Parameters
    ----------
    reader : Reader
        The file.
    schema : Schema
        What the columns are.
    cells : mapping
        Name of a column to its cells.
    start : int
        Number of the first row.
    doubtful : set of str
        Columns in which dashes and the like are missing cells.
    """
    arrays = []
    for column in schema:
        found = adapted(cells[column.name], column, reader.decimal, column.name in doubtful)
        try:
            arrays.append(typed(found, column, start=start))
        except DataError as error:
            error.message = f"{reader.name}: {error.message}"
            if reader.decimal == "," and column.kind == "numeric":
                error.value = str(error.value).translate(SWAPPED)
            raise
    return Table(schema, arrays)


def surveyed(
    reader: Reader,
    rows: int,
    stated: Schema | None,
    kinds: Mapping[str, Any] | str | None,
    keep: Any = None,
) -> Survey:
    """Look at all rows; start again, with a column as text, where it holds more than numbers.

    Parameters
    ----------
    reader : Reader
        The file.
    rows : int
        Rows of a block.
    stated : Schema or None
        What is known of the columns.
    kinds : mapping, path or None
        What will be changed.
    keep : object, optional
        Takes every block (``add``) and forgets them when reading starts again (``clear``).
    """
    numbers = numbers_among(reader, stated, kinds)
    coded = {c.name for c in stated or () if c.coded and not c.values} | set(_changes(kinds))
    while True:
        survey = Survey(reader, numbers, coded)
        try:
            for block in reader.blocks(rows, numbers):
                survey.add(block)
                if keep is not None:
                    keep.add(block)
        except Contradiction as found:
            numbers = numbers - {found.name}
            if keep is not None:
                keep.clear()
        else:
            return survey


def numbers_among(
    reader: Reader, stated: Schema | None, kinds: Mapping[str, Any] | str | None
) -> set[str]:
    """Return the columns that are worth reading as numbers at once.

    Parameters
    ----------
    reader : Reader
        The file.
    stated : Schema or None
        What is known of the columns.
    kinds : mapping, path or None
        What will be changed.
    """
    if stated is not None:
        return {column.name for column in stated if column.kind == "numeric"}
    if kinds is None:
        return reader.guess()
    changes = _changes(kinds)
    unknown = [name for name in changes if name not in reader.names]
    if unknown:
        raise SchemaError(
            f"{reader.name}: a kind is stated for a column that is not there.",
            column=unknown[0],
            remedy=f"There are {', '.join(reader.names[:20])}.",
        )
    return reader.guess() - set(changes)


def _changes(kinds: Mapping[str, Any] | str | None) -> Mapping[str, Any]:
    if kinds is None or isinstance(kinds, Mapping):
        return kinds or {}
    return read_changes(kinds)
