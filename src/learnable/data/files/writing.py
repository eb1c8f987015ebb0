"""Writing tables: delimited text, ARFF and Parquet, so that reading gives the same table again.

Numbers are written with the fewest digits that give the same double back.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.data.files.layout import Layout
from learnable.data.files.sniffing import needs_quotes
from learnable.data.schema import Column
from learnable.data.table import Table

PART = 8192
"""Rows that are made into text at a time."""


def write_csv(table: Any, path: str | Path, *, delimiter: str = ",") -> None:
    r"""Write a table as delimited text in UTF-8, with a header; ``.gz`` is compressed.

    Missing cells are empty (``NA`` where there is one column alone); texts that would be read as
    something else are quoted.

    Parameters
    ----------
    table : Table or whatever makes one
        The rows.
    path : path
        Where to.
    delimiter : str
        What stands between cells.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learnable.data import Table, write_csv
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "winds.csv"
    >>> write_csv(Table.of({"wind": ["Weak", "a,b", None], "n": [1.5, 2.0, 3.0]}), file)
    >>> file.read_text()
    'wind,n\nWeak,1.5\n"a,b",2.0\n,3.0\n'
    """
    made = Table.of(table)
    if len(delimiter) != 1 or delimiter in '"\r\n' or delimiter.isalnum():
        msg = f"delimiter must be one character that no number holds, not {delimiter!r}"
        raise ParameterError(msg)
    layout = Layout(delimiter=delimiter)
    missing = "NA" if len(made.columns) == 1 else ""

    def quoted(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if needs_quotes(text, layout) else text

    with _created(path) as file:
        file.write(delimiter.join(map(quoted, made.columns)) + "\n")
        for rows in _text_rows(made, quoted, missing):
            file.writelines(delimiter.join(row) + "\n" for row in rows)


def write_arff(table: Any, path: str | Path, *, relation: str = "data") -> None:
    """Write a table as ARFF in UTF-8; ``.gz`` is compressed.

    Nominal, ordinal and boolean columns are declared with their values in order; texts and
    identifiers as strings. What ARFF does not know, roles and the other kinds, is left out: state
    the schema when you read.

    Parameters
    ----------
    table : Table or whatever makes one
        The rows.
    path : path
        Where to.
    relation : str
        What the relation is called.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from learnable.data import Table, write_arff
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "winds.arff"
    >>> write_arff(Table.of({"wind": ["Weak", "Strong", None]}), file, relation="winds")
    >>> print(file.read_text())
    @relation winds
    @attribute wind {Strong,Weak}
    @data
    Weak
    Strong
    ?
    <BLANKLINE>
    """
    made = Table.of(table)
    with _created(path) as file:
        file.write(f"@relation {_arff_text(relation)}\n")
        for column, array in zip(made.schema, made.arrays, strict=True):
            file.write(f"@attribute {_arff_text(column.name)} {_declared(column, array)}\n")
        file.write("@data\n")
        for rows in _text_rows(made, _arff_text, "?"):
            file.writelines(",".join(row) + "\n" for row in rows)


@contextmanager
def _created(path: str | Path) -> Iterator[TextIO]:
    name = Path(path)
    opened = gzip.open if name.suffix == ".gz" else open
    try:
        with opened(name, "wt", encoding="utf-8", newline="") as file:
            yield file  # type: ignore[misc]
    except UnicodeEncodeError as error:
        raise DataError(
            "A name or text holds half of a surrogate pair, which no file can hold.",
            value=error.object[error.start : error.end],
            remedy="Take it out.",
        ) from error
    except OSError as error:
        msg = f"{name}: cannot be written ({error.strerror})"
        raise ParameterError(msg) from error


def _text_rows(
    table: Table, quoted: Callable[[str], str], missing: str
) -> Iterator[Iterator[tuple[str, ...]]]:
    for start in range(0, table.n, PART):
        part = table.rows(start, start + PART)
        columns = [
            _texts(column, array, quoted, missing)
            for column, array in zip(part.schema, part.arrays, strict=True)
        ]
        yield zip(*columns, strict=True)


def _texts(
    column: Column, array: NDArray[Any], quoted: Callable[[str], str], missing: str
) -> list[str]:
    if column.kind == "numeric":
        return [missing if cell != cell else repr(cell) for cell in array.tolist()]  # noqa: PLR0124 (NaN)
    if column.coded:
        values = [*map(quoted, column.values), missing]
        return [values[code] for code in array.tolist()]
    if column.kind == "date":
        return [missing if text == "NaT" else text for text in _date_texts(array)]
    return [missing if cell is None else quoted(cell) for cell in array.tolist()]


def _date_texts(array: NDArray[Any]) -> list[str]:
    texts: list[str] = np.datetime_as_string(array, unit="us").tolist()
    return [text.removesuffix(".000000") for text in texts]


_SPECIAL = set(" \t,{}%?'\"\\\r\n\0")


def _arff_text(text: str) -> str:
    if text and _SPECIAL.isdisjoint(text) and text.isprintable() and text[0] != "@":
        return text
    for plain, escaped in (
        ("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"), ("\0", "\\0")
    ):  # fmt: skip
        text = text.replace(plain, escaped)
    return f"'{text}'"


def _declared(column: Column, array: NDArray[Any]) -> str:
    if column.kind == "numeric":
        return "numeric"
    if column.coded:
        return "{" + ",".join(map(_arff_text, column.values)) + "}"
    if column.kind != "date":
        return "string"
    fraction = ".SSSSSS" if any("." in text for text in _date_texts(array)) else ""
    return f"date \"yyyy-MM-dd'T'HH:mm:ss{fraction}\""
