"""JSON lines: one object a line, its keys the columns.

A key that some lines do not have is missing there, and the schema says how often. Numbers are
numbers by their type, true and false are texts of a boolean column, null is a missing cell; lists
and objects inside an object are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import numpy as np

from learnable.core.errors import DataError
from learnable.data.columns import Cells
from learnable.data.files.gathering import gathered, regridded
from learnable.data.files.opening import File
from learnable.data.files.stream import Stream
from learnable.data.schema import Schema
from learnable.data.table import Table
from learnable.data.texts import Texts

_DIGITS = 15
"""Whole numbers of up to so many digits are exact as doubles."""


class JsonLines:
    r"""The reader of JSON lines (:class:`learnable.data.files.stream.Reader`).

    Parameters
    ----------
    file : File
        The file; a first pass finds its keys.

    Examples
    --------
    >>> from learnable.data.files.json_lines import JsonLines
    >>> from learnable.data.files.opening import File
    >>> JsonLines(File(b'{"a": 1}\n{"b": 2}\n')).names
    ['a', 'b']
    """

    decimal = "."
    known = None

    def __init__(self, file: File) -> None:
        self.file, self.name = file, file.name
        self._decoder = json.JSONDecoder(
            object_pairs_hook=_object, parse_int=_whole, parse_constant=_constant
        )
        times: dict[str, int] = {}
        rows = 0
        for _, found in self._objects():
            rows += 1
            for key in found:
                times[key] = times.get(key, 0) + 1
        if not times:
            raise DataError(
                f"{self.name}: there is nothing in it.", remedy="Give a file of objects."
            )
        self.names = list(times)
        self.notes = {
            name: [f"{rows - n:,} of {rows:,} lines do not have it; taken as missing"]
            for name, n in times.items()
            if n < rows
        }

    def guess(self) -> set[str]:
        """Return no column: numbers are numbers by their type."""
        return set()

    def _objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        with self.file.reading(), self.file.text() as text:
            row = 0
            for number, line in enumerate(text, 1):
                if line.strip(" \t\r\n"):
                    yield number, self._object(line.strip(" \t\r\n"), number, row)
                    row += 1

    def _object(self, line: str, number: int, row: int) -> dict[str, Any]:
        try:
            found = self._decoder.decode(line)
        except (ValueError, RecursionError) as error:
            self._refuse(number, f"is no JSON object ({error})", line, row)
        if not isinstance(found, dict):
            self._refuse(number, "is no JSON object", line, row)
        for key, cell in found.items():
            if isinstance(cell, (list, dict)):
                self._refuse(number, "a cell is a list or an object", str(cell), row, key)
        return found

    def _refuse(
        self, line: int, what: str, value: str, row: int, column: str | None = None
    ) -> NoReturn:
        raise DataError(
            f"{self.name}, line {line}: {what}.",
            column=column,
            row=row,
            value=value[:80],
            remedy="Write one object of numbers, texts, true, false and null a line.",
        )

    def blocks(self, rows: int, numbers: set[str]) -> Iterator[list[Cells]]:
        """Yield the columns of so many rows at a time."""
        del numbers
        found = ([item.get(name) for name in self.names] for _, item in self._objects())
        for held in regridded(found, rows):
            yield [cells_of(column) for column in zip(*held, strict=True)]


def cells_of(values: Any) -> Cells:
    """Return values as numbers, if they are numbers or None, or else as texts.

    Parameters
    ----------
    values : sequence
        Numbers, texts, truth values and None.

    Examples
    --------
    >>> from learnable.data.files.json_lines import cells_of
    >>> cells_of([1, None]), cells_of([True, "a"]).values
    (array([ 1., nan]), ['true', 'a'])
    """
    kinds = {type(value) for value in values} - {type(None)}
    if kinds and kinds <= {int, float}:
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    named = {True: "true", False: "false"}
    return Texts.of([named[value] if isinstance(value, bool) else value for value in values])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        msg = "a key stands twice"
        raise ValueError(msg)
    return found


def _whole(text: str) -> float:
    return int(text) if len(text) <= _DIGITS else float(text)


def _constant(text: str) -> NoReturn:
    msg = f"{text} is no number of JSON"
    raise ValueError(msg)


def read_jsonl(
    source: Any,
    schema: Schema | None = None,
    *,
    kinds: Mapping[str, Any] | str | None = None,
    encoding: str | None = None,
) -> Table:
    r"""Read JSON lines into memory; :func:`scan_jsonl` streams them.

    Parameters
    ----------
    source : path or bytes
        The file; gzip, bzip2, xz and zip are opened.
    schema : Schema, optional
        What the columns are; found in all rows by default.
    kinds : mapping or path, optional
        What to change in the schema that is found.
    encoding : str, optional
        How it is encoded; found by default.

    Examples
    --------
    >>> from learnable.data import read_jsonl
    >>> print(read_jsonl(b'{"n": 1.5, "w": "a"}\n{"n": null}\n').schema)
      n  numeric     1 distinct numbers in 2 rows
      w  nominal     1 distinct strings in 2 rows
                     1 of 2 lines do not have it; taken as missing
    """
    return gathered(JsonLines(File(source, encoding)), schema, kinds)


def scan_jsonl(
    source: Any,
    schema: Schema | None = None,
    *,
    kinds: Mapping[str, Any] | str | None = None,
    encoding: str | None = None,
    rows: int | None = None,
) -> Stream:
    r"""Stream JSON lines: tables of a fixed number of rows.

    Parameters
    ----------
    source : path or bytes
        The file.
    schema : Schema, optional
        What the columns are; found by a pass over the file by default.
    kinds : mapping or path, optional
        What to change in the schema that is found.
    encoding : str, optional
        How it is encoded; found by default.
    rows : int, optional
        Rows of a table.

    Examples
    --------
    >>> from learnable.data import scan_jsonl
    >>> [len(table) for table in scan_jsonl(b'{"n": 1}\n{"n": 2}\n{"n": 3}\n', rows=2)]
    [2, 1]
    """
    return Stream(JsonLines(File(source, encoding)), schema, kinds=kinds, rows=rows)
