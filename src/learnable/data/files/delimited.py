"""Delimited text: CSV, TSV and their kin, read in blocks.

Small files, and files with something odd in them, go through the reference parser of
:mod:`learnable.data.files.layout`; large ones through pyarrow's block reader where it is
installed, which stops at whatever it does not take, so that the reference parser says what it is.
Both give the same cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from learnable.core.errors import DataError, ParameterError
from learnable.data.columns import Cells
from learnable.data.files.fast_delimited import Odd, fast_blocks, is_fast
from learnable.data.files.gathering import gathered, regridded
from learnable.data.files.layout import Layout, Record, records
from learnable.data.files.opening import File
from learnable.data.files.sniffing import SAMPLE, sniffed
from learnable.data.files.stream import Stream, unlike
from learnable.data.files.survey import pointed
from learnable.data.inference import Facts
from learnable.data.schema import Schema
from learnable.data.table import Table
from learnable.data.texts import Texts

FAST_BYTES = 1 << 17
"""Files from this size on are worth the faster reader."""


class Delimited:
    r"""The reader of delimited text (:class:`learnable.data.files.stream.Reader`).

    Parameters
    ----------
    file : File
        The file.
    names : sequence of str, optional
        Names of the columns, in place of the header's.
    fast : bool, optional
        Whether pyarrow reads it; found by default.
    **stated : object
        Fields of :class:`Layout`; None for what is to be found.

    Examples
    --------
    >>> from learnable.data.files.delimited import Delimited
    >>> from learnable.data.files.opening import File
    >>> Delimited(File(b"a,b\n1,2\n")).names
    ['a', 'b']
    """

    known = None

    def __init__(
        self,
        file: File,
        names: Sequence[str] | None = None,
        *,
        fast: bool | None = None,
        **stated: Any,
    ) -> None:
        self.file, self.name = file, file.name
        self._taken: list[str] = []
        with file.reading(), file.text() as text:
            sample = text.read(SAMPLE)
            whole = not text.read(1)
        if not sample.strip("\r\n"):
            raise DataError(f"{self.name}: there is nothing in it.", remedy="Give a file of rows.")
        cut = sample if whole else sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1]
        self.layout: Layout = sniffed(cut or sample, stated, self.name)
        self.decimal = self.layout.decimal
        with file.reading(), file.text() as text:
            first = list(islice(records(self._taking(text), self.layout, self.name), 1))
            if not self.layout.header:
                self._taken = []
        self.names = self._named(first[0], names)
        self.notes = self._noticed(first[0], stated)
        wanted = file.size() >= FAST_BYTES if fast is None else fast
        self._fast = wanted and is_fast(self.layout)
        self._guess: set[str] | None = None

    def _taking(self, lines: Any) -> Iterator[str]:
        for line in lines:
            self._taken.append(line)
            yield line

    def _named(self, first: Record, names: Sequence[str] | None) -> list[str]:
        if names is not None:
            if len(names) != len(first.cells):
                width = len(first.cells)
                msg = f"{self.name} has {width} columns, but {len(names)} names were stated"
                raise ParameterError(msg)
            found = list(map(str, names))
        elif self.layout.header:
            found = [cell or f"column_{j}" for j, cell in enumerate(first.cells, 1)]
        else:
            found = [f"column_{j}" for j in range(1, len(first.cells) + 1)]
        return unlike(found, self.name, "Rename one of them, or state names=[...].")

    def _noticed(self, first: Record, stated: Mapping[str, Any]) -> dict[str, list[str]]:
        notes: dict[str, list[str]] = {}
        head = notes.setdefault(self.names[0], [])
        if self.file.note:
            head.append(self.file.note)
        if not self.layout.header and stated.get("header") is None:
            head.append("no names in the first row, so columns are numbered; or say header=True")
        if self.decimal == "," and stated.get("decimal") is None:
            head.append('numbers are written with a decimal comma; or say decimal="."')
        if self.layout.header:
            for name, cell in zip(self.names, first.cells, strict=True):
                if not cell and name.startswith("column_"):
                    notes.setdefault(name, []).append("it had no name")
        return notes

    def guess(self) -> set[str]:
        """Return the columns whose first cells are numbers, for the fast reader."""
        if not self._fast:
            return set()
        if self._guess is None:
            rows = list(islice(self._rows(), 500))
            columns = [Facts.of(self._plain(cells)) for cells in zip(*rows, strict=True)]
            self._guess = {
                name
                for name, facts in zip(self.names, columns, strict=False)
                if facts.numeric and not facts.padded and facts.known
            }
        return self._guess

    def _plain(self, cells: Sequence[str | None]) -> Texts:
        texts = Texts.of(cells)
        return pointed(texts) if self.decimal == "," else texts

    def blocks(self, rows: int, numbers: set[str]) -> Iterator[list[Cells]]:
        """Yield the columns of so many rows at a time; ``numbers`` are read as numbers at once."""
        done = 0
        if self._fast:
            try:
                skipped = len("".join(self._taken).encode("utf-8"))
                blocks = fast_blocks(self.file, skipped, self.names, self.layout, rows, numbers)
                for block in blocks:
                    yield block
                    done += 1
            except Odd:
                pass
            else:
                return
        for place, held in enumerate(regridded(self._rows(), rows)):
            if place >= done:
                yield [Texts.of(cells) for cells in zip(*held, strict=True)]

    def _rows(self) -> Iterator[list[str | None]]:
        """Yield the cells of each row, None where one is missing."""
        width, layout = len(self.names), self.layout
        missing = set(layout.missing)
        with self.file.reading(), self.file.text() as text:
            found = records(text, layout, self.name)
            if layout.header:
                next(found, None)
            for row, record in enumerate(found):
                if len(record.cells) != width:
                    self._refuse(record, row)
                cells: list[str | None] = [None if c in missing else c for c in record.cells]
                if record.quoted and not layout.quoted_missing:
                    for place in record.quoted:
                        cells[place] = record.cells[place]
                yield cells

    def _refuse(self, record: Record, row: int) -> None:
        many = len(record.cells)
        raise DataError(
            f"{self.name}, line {record.line}: a row has {many} cells, but there are"
            f" {len(self.names)} columns.",
            row=row,
            column=self.names[many] if many < len(self.names) else None,
            value=self.layout.delimiter.join(record.cells)[:80],
            remedy=f"Correct it, or state another delimiter than {self.layout.delimiter!r}.",
        )


def read_csv(
    source: Any,
    schema: Schema | None = None,
    *,
    kinds: Mapping[str, Any] | str | None = None,
    names: Sequence[str] | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    missing: Sequence[str] | None = None,
) -> Table:
    r"""Read a file of delimited text (CSV, TSV) into memory; :func:`scan_csv` streams it.

    Empty lines are no rows. A row with more or fewer cells than there are columns is refused, by
    its line. A column of numbers that holds something else further down becomes a wider kind, and
    its notes say where that was.

    Parameters
    ----------
    source : path or bytes
        The file; gzip, bzip2, xz and zip are opened.
    schema : Schema, optional
        What the columns are; found in all rows by default.
    kinds : mapping or path, optional
        What to change in the schema that is found.
    names : sequence of str, optional
        Names of the columns, in place of the header's.
    encoding, delimiter, quote, escape, decimal : str, optional
        How it is written; found by default (no escape character).
    header : bool, optional
        Whether the first row holds names; found by default.
    missing : sequence of str, optional
        What cells that are missing hold, unless they are quoted; ``""``, ``?``, ``NA``, ``NaN``,
        ``null`` and their kin by default.

    Returns
    -------
    Table
        The rows. Numbers are the nearest doubles.

    Examples
    --------
    >>> from learnable.data import read_csv
    >>> days = read_csv(b"wind;degrees\nWeak;21,5\nStrong;?\n")
    >>> days["degrees"]
    array([21.5,  nan])
    """
    stated = _stated(delimiter, quote, escape, decimal, header, missing)
    return gathered(Delimited(File(source, encoding), names, **stated), schema, kinds)


def scan_csv(
    source: Any,
    schema: Schema | None = None,
    *,
    kinds: Mapping[str, Any] | str | None = None,
    names: Sequence[str] | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    missing: Sequence[str] | None = None,
    rows: int | None = None,
) -> Stream:
    r"""Stream a file of delimited text (CSV, TSV): tables of a fixed number of rows.

    Parameters
    ----------
    source : path or bytes
        The file; gzip, bzip2, xz and zip are opened.
    schema : Schema, optional
        What the columns are; found by a first pass by default.
    kinds : mapping or path, optional
        What to change in the schema that is found.
    names : sequence of str, optional
        Names of the columns, in place of the header's.
    encoding, delimiter, quote, escape, decimal : str, optional
        How it is written, as for :func:`read_csv`.
    header : bool, optional
        Whether the first row holds names; found by default.
    missing : sequence of str, optional
        What cells that are missing hold, as for :func:`read_csv`.
    rows : int, optional
        Rows of a table.

    Examples
    --------
    >>> from learnable.data import scan_csv
    >>> [len(table) for table in scan_csv(b"a\n1\n2\n3\n", rows=2)]
    [2, 1]
    """
    stated = _stated(delimiter, quote, escape, decimal, header, missing)
    reader = Delimited(File(source, encoding), names, **stated)
    return Stream(reader, schema, kinds=kinds, rows=rows)


def _stated(
    delimiter: str | None,
    quote: str | None,
    escape: str | None,
    decimal: str | None,
    header: bool | None,
    missing: Sequence[str] | None,
) -> dict[str, Any]:
    return {
        "delimiter": delimiter,
        "quote": quote,
        "escape": escape,
        "decimal": decimal,
        "header": header,
        "missing": None if missing is None else tuple(missing),
    }
