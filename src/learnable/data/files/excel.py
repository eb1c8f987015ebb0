"""Excel workbooks (.xlsx), through openpyxl (extra ``excel``)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np

from learnable.core.errors import DataError, MissingDependencyError, ParameterError
from learnable.data.columns import Cells
from learnable.data.files.gathering import gathered, regridded
from learnable.data.files.json_lines import cells_of
from learnable.data.files.stream import unlike
from learnable.data.schema import Schema
from learnable.data.table import Table


class Sheet:
    """The reader of a sheet of a workbook (:class:`learnable.data.files.stream.Reader`).

    Parameters
    ----------
    source : path or bytes
        The workbook.
    sheet : str, optional
        Name of the sheet; the first by default.
    """

    decimal = "."
    known = None

    def __init__(self, source: Any, sheet: str | None = None) -> None:
        self.name = "<bytes>" if isinstance(source, bytes) else Path(source).name
        self._rows = list(_filled(_sheet_rows(source, sheet, self.name)))
        if not self._rows:
            raise DataError(f"{self.name}: there is nothing in it.", remedy="Give a sheet of rows.")
        self.notes: dict[str, list[str]] = {}
        self.names = self._named(self._rows.pop(0)[1])

    def _named(self, first: Sequence[Any]) -> list[str]:
        names = []
        for place, cell in enumerate(first, 1):
            names.append(f"column_{place}" if cell is None else str(cell))
            if cell is None:
                self.notes[names[-1]] = ["it had no name"]
        return unlike(names, self.name)

    def guess(self) -> set[str]:
        """Return no column: numbers are numbers by their type."""
        return set()

    def blocks(self, rows: int, numbers: set[str]) -> Iterator[list[Cells]]:
        """Yield the columns of so many rows at a time."""
        del numbers
        for held in regridded(self._whole(), rows):
            yield [_cells(column) for column in zip(*held, strict=True)]

    def _whole(self) -> Iterator[list[Any]]:
        for row, (number, cells) in enumerate(self._rows):
            wide = [cell for cell in cells[len(self.names) :] if cell is not None]
            if wide:
                raise DataError(
                    f"{self.name}, row {number}: a cell stands beside the last named column.",
                    row=row,
                    value=str(wide[0])[:80],
                    remedy="Name its column, or take it out.",
                )
            yield [*cells[: len(self.names)], *[None] * (len(self.names) - len(cells))]


def _sheet_rows(source: Any, sheet: str | None, name: str) -> Iterator[tuple[int, list[Any]]]:
    try:
        import openpyxl
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError as error:
        msg = 'Excel workbooks need openpyxl: pip install "learnable[excel]"'
        raise MissingDependencyError(msg) from error
    try:
        content = source if isinstance(source, bytes) else Path(source).read_bytes()
        with io.BytesIO(content) as file:
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            if sheet is not None and sheet not in book.sheetnames:
                msg = f"{name} has no sheet {sheet!r}, but {', '.join(book.sheetnames)}"
                raise ParameterError(msg)
            found = book[sheet] if sheet is not None else book.worksheets[0]
            for number, row in enumerate(found.iter_rows(values_only=True), 1):
                yield number, list(row)
            book.close()
    except OSError as error:
        msg = f"{name}: cannot be read ({error.strerror or error})"
        raise ParameterError(msg) from error
    except (zipfile.BadZipFile, KeyError, IndexError, SyntaxError, InvalidFileException) as error:
        raise DataError(f"{name}: is no workbook, or a damaged one ({error}).") from error


def _filled(rows: Iterator[tuple[int, list[Any]]]) -> Iterator[tuple[int, list[Any]]]:
    """Leave out empty rows, and empty cells at the end of a row."""
    for number, cells in rows:
        while cells and cells[-1] is None:
            cells.pop()
        if cells:
            yield number, cells


def _cells(column: tuple[Any, ...]) -> Cells:
    kinds = {type(cell) for cell in column} - {type(None)}
    if kinds and kinds <= {date, datetime}:
        return np.array(column, dtype="datetime64[us]")
    plain = (int, float, str, bool, type(None))
    return cells_of([cell if isinstance(cell, plain) else str(cell) for cell in column])


def read_excel(
    source: Any,
    schema: Schema | None = None,
    *,
    sheet: str | None = None,
    kinds: Mapping[str, Any] | str | None = None,
) -> Table:
    """Read a sheet of an Excel workbook (.xlsx) into memory; it does not stream.

    The first row that is not empty holds the names. Formulas count by the value that was saved
    with them. Needs openpyxl (extra ``excel``).

    Parameters
    ----------
    source : path or bytes
        The workbook.
    schema : Schema, optional
        What the columns are; found in all rows by default.
    sheet : str, optional
        Name of the sheet; the first by default.
    kinds : mapping or path, optional
        What to change in the schema that is found.

    Examples
    --------
    >>> import io, openpyxl
    >>> from learnable.data import read_excel
    >>> book, file = openpyxl.Workbook(), io.BytesIO()
    >>> for row in (["wind", "degrees"], ["Weak", 21.5], ["Strong", None]):
    ...     book.active.append(row)
    >>> book.save(file)
    >>> read_excel(file.getvalue())["degrees"]
    array([21.5,  nan])
    """
    return gathered(Sheet(source, sheet), schema, kinds)
