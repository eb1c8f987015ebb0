"""Finding the layout of a delimited file from its first records.

Delimiter: the one that cuts all records into equally many cells (tab before semicolon, bar, comma,
space); quote: the one that encloses cells; decimal comma: where cells are numbers only with it;
header: a first record of names, over cells of another sort.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from learnable.core.errors import DataError, ParameterError
from learnable.data.files.layout import Layout, Record, records
from learnable.data.inference import DATE, NUMBER

SAMPLE = 1 << 18
"""Characters looked at."""
LOOKED = 200
"""Records looked at."""
MOST = 0.5
"""A delimiter cuts more than this share of the records into equally many cells."""
DELIMITERS = ("\t", ";", "|", ",", " ")

_COMMA = re.compile(r"\s*[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?\s*")
_POINT = re.compile(r"\s*[+-]?(\d+\.\d*|\.\d+)([eE][+-]?\d+)?\s*")
_SPECIAL = re.compile(r"""[,;|\t"'\r\n]|^\s|\s$|^\ufeff""")


def needs_quotes(cell: str, layout: Layout) -> bool:
    """Whether a text must be quoted to be read as it is, whatever delimiter is looked for.

    Examples
    --------
    >>> from learnable.data.files.layout import Layout
    >>> from learnable.data.files.sniffing import needs_quotes
    >>> needs_quotes("a b", Layout()), needs_quotes("NA", Layout())
    (False, True)
    """
    special = _SPECIAL.search(cell) is not None or layout.delimiter in cell
    return special or layout.quote in cell or cell in layout.missing


def sniffed(sample: str, stated: dict[str, Any], name: str = "") -> Layout:
    r"""Return the layout that a sample speaks for.

    Parameters
    ----------
    sample : str
        The first characters of the file.
    stated : dict
        What is known of it: fields of :class:`Layout`, None for what is not.
    name : str
        What the file is called in messages.

    Examples
    --------
    >>> from learnable.data.files.sniffing import sniffed
    >>> found = sniffed("city;km\nBonn;1,5\nUlm;2,5\n", {})
    >>> found.delimiter, found.decimal, found.header
    (';', ',', True)
    """
    known = {key: value for key, value in stated.items() if value is not None}
    usual = ";" if known.get("decimal") == "," else ","
    layout = Layout(**{"delimiter": usual, **known})
    _check(layout)
    lines = sample.splitlines(keepends=True) if "\r" not in sample else _lines(sample)
    if "delimiter" not in known:
        if "quote" not in known:
            layout = replace(layout, quote=_quote(sample))
        layout = replace(layout, delimiter=_delimiter(lines, layout))
    found, _ = _looked(lines, layout, name)
    if "quoted_missing" not in known:
        layout = replace(layout, quoted_missing=_all_quoted(found, layout))
    if "decimal" not in known and layout.delimiter != ",":
        layout = replace(layout, decimal=_decimal(found, layout))
    if "header" not in known and found:
        layout = replace(layout, header=_header([record.cells for record in found], layout))
    return layout


def _check(layout: Layout) -> None:
    for what, length in (("delimiter", {1}), ("quote", {0, 1}), ("escape", {0, 1})):
        character = getattr(layout, what)
        if len(character) not in length or character in {"\r", "\n"}:
            msg = f"{what} must be one character, not {character!r}"
            raise ParameterError(msg)
    if layout.decimal not in {".", ","} or layout.decimal == layout.delimiter:
        msg = f'decimal must be "." or "," and not the delimiter, not {layout.decimal!r}'
        raise ParameterError(msg)
    if layout.quote == layout.delimiter:
        msg = f"quote and delimiter must differ, both are {layout.quote!r}"
        raise ParameterError(msg)


def _lines(sample: str) -> list[str]:
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", sample)


def _looked(lines: list[str], layout: Layout, name: str = "") -> tuple[list[Record], bool]:
    """Return the first records, as many as can be read, and whether that is all of them."""
    found: list[Record] = []
    try:
        for record in records(lines, layout, name):
            found.append(record)
            if len(found) == LOOKED:
                break
    except DataError:
        return found, False
    return found, True


def _quote(sample: str) -> str:
    """Return the apostrophe if it encloses cells and no quotation mark stands in the sample."""
    if '"' in sample:
        return '"'
    enclosed = re.compile(r"(?:^|(?<=[,;|\t]))'[^'\r\n]*'(?=[,;|\t\r\n]|$)", re.MULTILINE)
    apostrophes = sample.count("'")
    inside = sum(1 for _ in enclosed.finditer(sample))
    return "'" if inside and 2 * inside >= 0.9 * apostrophes else '"'


def _delimiter(lines: list[str], layout: Layout) -> str:
    shares: dict[str, float] = {}
    for delimiter in DELIMITERS:
        if delimiter in {layout.quote, layout.decimal}:
            continue
        found, whole = _looked(lines, replace(layout, delimiter=delimiter))
        widths = Counter(len(record.cells) for record in found)
        if not widths or max(widths) == 1:
            continue
        if delimiter == " " and not _numbers(found):
            continue
        usual, times = max(widths.items(), key=lambda pair: (pair[1], pair[0]))
        if usual > 1:
            shares[delimiter] = times / (len(found) + (not whole))
    always = [delimiter for delimiter, share in shares.items() if share == 1]
    if always:
        return always[0]
    best = max(shares, key=lambda delimiter: shares[delimiter], default=layout.delimiter)
    return best if shares.get(best, 0) > MOST else layout.delimiter


def _numbers(found: list[Record]) -> bool:
    """Whether most cells are numbers: words alone are also set apart by spaces."""
    cells = [cell for record in found[1:] for cell in record.cells]
    return 2 * sum(1 for cell in cells if NUMBER.fullmatch(cell)) > len(cells)


def _all_quoted(found: list[Record], layout: Layout) -> bool:
    """Whether cells are quoted as a rule, not because they must be."""
    needless = False
    for record in found:
        quoted = set(record.quoted or ())
        for place, cell in enumerate(record.cells):
            if cell and place not in quoted:
                return False
            needless = needless or bool(cell and not needs_quotes(cell, layout))
    return needless


def _decimal(found: list[Record], layout: Layout) -> str:
    """Return the comma if some column is numbers only with it, and none has a point."""
    commas = False
    for column in _columns([record.cells for record in found[1:]]):
        if any(map(_POINT.fullmatch, column)):
            return "."
        if any(map(_COMMA.fullmatch, column)):
            known = [cell for cell in column if cell not in layout.missing]
            commas = commas or all(_COMMA.fullmatch(c) or NUMBER.fullmatch(c) for c in known)
    return "," if commas else "."


def _columns(rows: list[list[str]]) -> Iterator[tuple[str, ...]]:
    width = min(map(len, rows), default=0)
    return zip(*[row[:width] for row in rows], strict=True)


def _header(rows: list[list[str]], layout: Layout) -> bool:
    first, rest = rows[0], rows[1:]
    if any(_sort(cell, layout) == "value" for cell in first):
        return False
    known = [cell for cell in first if cell not in layout.missing]
    if not known or len(set(known)) < len(known):
        return bool(rest) and bool(known) and _differs(rows, layout)
    if not rest or _differs(rows, layout):
        return True
    columns = [set(column) for column in _columns(rest)]
    again = sum(cell in column for cell, column in zip(first, columns, strict=False))
    return again == 0


def _differs(rows: list[list[str]], layout: Layout) -> bool:
    """Whether some column holds numbers or dates under a first cell that is none."""
    return any(
        any(_sort(c, layout) == "value" for c in column)
        and all(_sort(c, layout) != "word" for c in column)
        for column in _columns(rows[1:])
    )


def _sort(cell: str, layout: Layout) -> str:
    if cell in layout.missing:
        return "missing"
    number = NUMBER.fullmatch(cell) or (layout.decimal == "," and _COMMA.fullmatch(cell))
    return "value" if number or DATE.fullmatch(cell) else "word"
