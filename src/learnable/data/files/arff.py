"""ARFF, the format of Weka: attributes are declared, then rows follow, dense or sparse.

Cells are separated by commas (or by blanks where a row has none); ``?`` is a missing cell unless
it is quoted; quotes are ``'`` or ``"``, with the backslash as escape; ``%`` begins a comment. In a
sparse row, ``{1 x, 3 y}``, cells that are not named are 0: the number, or the first value of a
nominal attribute.

References
----------
Hall, M., et al. (2009). The WEKA data mining software: an update. SIGKDD Explorations 11(1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NoReturn

from learnable.core.errors import DataError
from learnable.data.columns import Cells
from learnable.data.files.arff_text import (
    BLANK,
    CELL,
    FIELD,
    FIELDS,
    ISO,
    NAME,
    NUMERIC,
    SPARSE,
    plain,
    strptime,
    uncommented,
)
from learnable.data.files.gathering import gathered, regridded
from learnable.data.files.opening import File
from learnable.data.files.stream import Stream, unlike
from learnable.data.schema import Column, Schema
from learnable.data.table import Table
from learnable.data.texts import Texts


class Arff:
    r"""The reader of ARFF files (:class:`learnable.data.files.stream.Reader`).

    Parameters
    ----------
    file : File
        The file.

    Examples
    --------
    >>> from learnable.data.files.arff import Arff
    >>> from learnable.data.files.opening import File
    >>> Arff(File(b"@relation r\n@attribute w {a, 'b c'}\n@data\n")).known["w"].values
    ('a', 'b c')
    """

    decimal = "."

    def __init__(self, file: File) -> None:
        self.file, self.name = file, file.name
        self.notes: dict[str, list[str]] = {}
        self._formats: dict[int, str] = {}
        self._columns: list[Column] = []
        with file.reading(), file.text() as text:
            self._header(enumerate(text, 1))
        if not self._columns:
            raise DataError(
                f"{self.name}: no attribute is declared.", remedy="Add @attribute lines."
            )
        unlike([column.name for column in self._columns], self.name)
        self.known: Schema | None = Schema(tuple(self._columns))
        self.names = self.known.names
        self._absent = [_absent(column) for column in self._columns]

    def guess(self) -> set[str]:
        """Return no column: the kinds are declared."""
        return set()

    def _header(self, lines: Iterator[tuple[int, str]]) -> None:
        for number, line in lines:
            text = line.strip()
            word = text.split(None, 1)[0].lower() if text else ""
            if word == "@attribute":
                self._columns.append(self._attribute(text[len(word) :], number))
            elif word == "@data":
                return
            elif word and word != "@relation" and not word.startswith("%"):
                self._refuse(number, "a line of the header is no declaration", text)
        raise DataError(f"{self.name}: there is no @data line.", remedy="Add it before the rows.")

    def _attribute(self, text: str, number: int) -> Column:
        found = NAME.match(text)
        if found is None:
            self._refuse(number, "an attribute has no name", text)
        name, rest = plain(found[1]), text[found.end() :].strip()
        rest = uncommented(rest)
        if rest.startswith("{") and rest.endswith("}"):
            inner = rest[1:-1]
            values = [value for value, _ in self._split(inner, number)] if inner.strip() else []
            if len(set(values)) < len(values):
                self._refuse(number, f"attribute {name!r} declares a value twice", rest)
            return Column(name, "nominal", tuple(values), reason="as declared")
        kind, form = [*rest.split(None, 1), "", ""][:2]
        if kind.lower() == "date":
            self._formats[len(self._columns)] = self._format(form, number)
            return Column(name, "date", reason="as declared")
        if form or kind.lower() not in {*NUMERIC, "string"}:
            self._refuse(number, f"attribute {name!r} is of a kind that is not known", rest)
        numeric = kind.lower() in NUMERIC
        return Column(name, "numeric" if numeric else "text", reason="as declared")

    def _format(self, text: str, number: int) -> str:
        form = plain(text.strip()) or "yyyy-MM-dd'T'HH:mm:ss"
        fields = [found[0] for found in FIELD.finditer(form) if found[2]]
        made = [FIELDS.get(field, field) for field in fields]
        if not ISO.fullmatch(form) and (set(fields) - set(FIELDS) or len(set(made)) < len(made)):
            self._refuse(number, "a format of dates is not known", form)
        return form

    def _split(self, text: str, number: int) -> list[tuple[str, bool]]:
        """Return cells that commas separate, and which of them were quoted."""
        cells, at = [], 0
        while True:
            found = CELL.match(text, at)
            if found is None:
                self._refuse(number, "a quote is not closed, or text stands behind it", text[at:])
            cell = found[2].strip() if found[1] is None else plain(found[1])
            if found[1] is None and not cell:
                self._refuse(number, "a cell is empty", text)
            cells.append((cell, found[1] is not None))
            at = found.end()
            if not found[3]:
                return cells

    def blocks(self, rows: int, numbers: set[str]) -> Iterator[list[Cells]]:
        """Yield the columns of so many rows at a time."""
        del numbers
        for held in regridded(self._rows(), rows):
            yield [Texts.of(cells) for cells in zip(*held, strict=True)]

    def _rows(self) -> Iterator[list[str | None]]:
        with self.file.reading(), self.file.text() as text:
            lines = enumerate(text, 1)
            for _, line in lines:
                if line.strip()[:5].lower() == "@data":
                    break
            row = 0
            for number, line in lines:
                kept = uncommented(line.strip())
                if kept:
                    yield self._row(kept, number, row)
                    row += 1

    def _row(self, text: str, number: int, row: int) -> list[str | None]:
        if text.startswith("{"):
            found = self._sparse(text, number, row)
        elif not {"'", '"', "%"}.isdisjoint(text) or "," not in text:
            found = self._dense(text, number)
        else:
            found = [None if c == "?" else c for c in map(str.strip, text.split(","))]
            if "" in found:
                self._refuse(number, "a cell is empty", text, row)
        if len(found) != len(self.names):
            what = f"a row has {len(found)} cells, but {len(self.names)} attributes are declared"
            self._refuse(number, what, text, row)
        for place, form in self._formats.items():
            found[place] = self._date(found[place], form, number, row, place)
        return found

    def _dense(self, text: str, number: int) -> list[str | None]:
        if "," in text or len(self.names) == 1:
            cells = self._split(text, number)
        else:
            cells = self._blanks(text, number)
        return [None if cell == "?" and not quoted else cell for cell, quoted in cells]

    def _blanks(self, text: str, number: int) -> list[tuple[str, bool]]:
        """Return cells that blanks separate, and which of them were quoted."""
        cells, at = [], 0
        while at < len(text):
            found = BLANK.match(text, at)
            if found is None:
                self._refuse(number, "a quote is not closed, or text stands behind it", text[at:])
            cells.append((plain(found[1]), found[1][0] in "'\""))
            at = found.end()
        return cells

    def _sparse(self, text: str, number: int, row: int) -> list[str | None]:
        if not text.endswith("}"):
            self._refuse(number, "a sparse row is not closed", text, row)
        found: dict[int, str | None] = {}
        for cell, _ in self._sparse_cells(text[1:-1], number):
            place, _, value = cell.partition(" ")
            if not place.isdecimal() or int(place) >= len(self.names) or int(place) in found:
                self._refuse(number, "a sparse cell has no new attribute's number", cell, row)
            value = value.strip()
            found[int(place)] = None if value == "?" else plain(value)
        for place, absent in enumerate(self._absent):
            if place not in found and absent is None:
                what = f"a sparse row does not name {self.names[place]!r}, which has no zero"
                self._refuse(number, what, text, row)
        return [found.get(place, absent) for place, absent in enumerate(self._absent)]

    def _sparse_cells(self, text: str, number: int) -> list[tuple[str, bool]]:
        parts, at = [], 0
        while text[at:].strip():
            found = SPARSE.match(text, at)
            if found is None:
                self._refuse(number, "a sparse cell is not a number and a value", text[at:])
            parts.append((f"{found[1]} {found[2].strip()}", False))
            at = found.end()
        return parts

    def _date(self, cell: str | None, form: str, number: int, row: int, place: int) -> str | None:
        if cell is None or ISO.fullmatch(form):
            return cell
        try:
            return datetime.strptime(cell, strptime(form)).isoformat()  # noqa: DTZ007 (no zone)
        except ValueError:
            what = f"a date of {self.names[place]!r} is not written as {form}"
            self._refuse(number, what, cell, row)

    def _refuse(self, line: int, what: str, value: str, row: int | None = None) -> NoReturn:
        raise DataError(
            f"{self.name}, line {line}: {what}.",
            row=row,
            value=value[:80],
            remedy="Correct it; quote names and values that hold blanks, commas, braces or %.",
        )


def _absent(column: Column) -> str | None:
    if column.kind == "numeric":
        return "0"
    return column.values[0] if column.values else None


def read_arff(
    source: Any,
    schema: Schema | None = None,
    *,
    kinds: Mapping[str, Any] | str | None = None,
    encoding: str | None = None,
) -> Table:
    r"""Read an ARFF file into memory; :func:`scan_arff` streams it.

    Parameters
    ----------
    source : path or bytes
        The file; gzip, bzip2, xz and zip are opened.
    schema : Schema, optional
        What the columns are; as the file declares by default, nominal values in its order.
    kinds : mapping or path, optional
        What to change in the declared schema.
    encoding : str, optional
        How it is encoded; found by default.

    Examples
    --------
    >>> from learnable.data import read_arff
    >>> text = b"@relation r\n@attribute n numeric\n@attribute w {b, a}\n@data\n1, a\n{0 ?}\n"
    >>> table = read_arff(text)
    >>> table["n"], table["w"]
    (array([ 1., nan]), array([1, 0], dtype=int32))
    """
    return gathered(Arff(File(source, encoding)), schema, kinds)


def scan_arff(
    source: Any,
    schema: Schema | None = None,
    *,
    kinds: Mapping[str, Any] | str | None = None,
    encoding: str | None = None,
    rows: int | None = None,
) -> Stream:
    r"""Stream an ARFF file: tables of a fixed number of rows.

    Parameters
    ----------
    source : path or bytes
        The file.
    schema : Schema, optional
        What the columns are; as the file declares by default.
    kinds : mapping or path, optional
        What to change in the declared schema.
    encoding : str, optional
        How it is encoded; found by default.
    rows : int, optional
        Rows of a table.

    Examples
    --------
    >>> from learnable.data import scan_arff
    >>> text = b"@relation r\n@attribute n numeric\n@data\n1\n2\n3\n"
    >>> [table["n"].tolist() for table in scan_arff(text, rows=2)]
    [[1.0, 2.0], [3.0]]
    """
    return Stream(Arff(File(source, encoding)), schema, kinds=kinds, rows=rows)
