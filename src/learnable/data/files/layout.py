"""The layout of a delimited file, and its records: the reference parser, cell by cell.

Cells are separated by a delimiter and may be quoted; a quote inside a quoted cell stands twice
(or behind the escape character). A quoted cell may hold delimiters and ends of lines, and is never
taken as missing where unquoted cells can be. Text behind a closing quote, a quote that is never
closed, and rows with more or fewer cells than there are names are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from learnable.core.errors import DataError

TOKENS = ("", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NAN", "null", "NULL", "<NA>")
"""What unquoted cells are missing by default."""


@dataclass(frozen=True)
class Layout:
    """How the cells of a delimited file are written.

    Attributes
    ----------
    delimiter, quote, escape : str
        One character each; no escape character if it is empty.
    decimal : {".", ","}
        The decimal mark of numbers.
    header : bool
        Whether the first record holds the names of the columns.
    missing : tuple of str
        The texts of cells that are missing.
    quoted_missing : bool
        Whether quoted cells with such a text are missing too, as where all cells are quoted.

    Examples
    --------
    >>> from learnable.data.files.layout import Layout
    >>> Layout(delimiter=";").quote
    '"'
    """

    delimiter: str = ","
    quote: str = '"'
    escape: str = ""
    decimal: str = "."
    header: bool = True
    missing: tuple[str, ...] = TOKENS
    quoted_missing: bool = False


class Record(NamedTuple):
    """One record: the line it begins in, its cells, which of them were quoted."""

    line: int
    cells: list[str]
    quoted: list[int] | None


def records(lines: Iterable[str], layout: Layout, name: str = "") -> Iterator[Record]:
    r"""Yield the records of lines; empty lines are none.

    Parameters
    ----------
    lines : iterable of str
        Lines with their ends.
    layout : Layout
        How cells are written.
    name : str
        What the file is called in messages.

    Examples
    --------
    >>> from learnable.data.files.layout import Layout, records
    >>> [record.cells for record in records(['a,"b\n', 'c"\n'], Layout())]
    [['a', 'b\nc']]
    """
    numbered = enumerate(lines, 1)
    for number, line in numbered:
        text = line.rstrip("\r\n")
        if layout.quote and layout.quote in text:
            yield _Scanner(number, line, numbered, layout, name).record()
        elif text:
            yield Record(number, text.split(layout.delimiter), None)


class _Scanner:
    """Reads one record with quotes in it, over as many lines as it takes."""

    def __init__(
        self,
        number: int,
        line: str,
        more: Iterator[tuple[int, str]],
        layout: Layout,
        name: str,
    ) -> None:
        self.number, self.line, self.at = number, line, 0
        self.more, self.layout, self.name = more, layout, name

    def record(self) -> Record:
        begin, cells, quoted = self.number, [], []
        while True:
            if self.line.startswith(self.layout.quote, self.at):
                quoted.append(len(cells))
                cells.append(self._quoted())
            else:
                cells.append(self._plain())
            if self.at >= len(self.line) or self.line[self.at] in "\r\n":
                return Record(begin, cells, quoted)
            self.at += 1

    def _plain(self) -> str:
        end = self.line.find(self.layout.delimiter, self.at)
        found = self.line[self.at :].rstrip("\r\n") if end < 0 else self.line[self.at : end]
        self.at += len(found)
        return found

    def _quoted(self) -> str:
        begin, parts = self.number, []
        self.at += 1
        while True:
            end = self._end(parts)
            if end >= 0:
                break
            following = next(self.more, None)
            if following is None:
                self._refuse(begin, "a quote is opened and never closed")
            (self.number, self.line), self.at = following, 0
        self.at = end + 1
        if self.at < len(self.line) and self.line[self.at] not in self.layout.delimiter + "\r\n":
            self._refuse(self.number, "text stands behind a closing quote")
        return "".join(parts)

    def _end(self, parts: list[str]) -> int:
        """Collect the text of a quoted cell in this line; -1 if it goes on in the next one."""
        line, quote, escape = self.line, self.layout.quote, self.layout.escape
        while True:
            end = line.find(quote, self.at)
            if escape and (back := line.find(escape, self.at, None if end < 0 else end)) >= 0:
                parts += [line[self.at : back], line[back + 1 : back + 2]]
                self.at = back + 2
            elif end < 0:
                parts.append(line[self.at :])
                return -1
            elif line.startswith(quote, end + 1):
                parts.append(line[self.at : end + 1])
                self.at = end + 2
            else:
                parts.append(line[self.at : end])
                return end

    def _refuse(self, line: int, what: str) -> None:
        raise DataError(
            f"{self.name}, line {line}: {what}.",
            remedy='Write a quote inside a quoted cell twice, or state quote="".',
        )
