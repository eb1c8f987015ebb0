"""Typed columns: from what somebody gave to arrays that loops can use.

==================================  ==========================================  =========
kind                                kept as                                     missing
==================================  ==========================================  =========
numeric                             float64 (float32 stays float32)             NaN
nominal, ordinal, boolean           int32 codes of the values of the column     -1
date                                datetime64, microseconds                    NaT
text, identifier                    objects: strings                            None
==================================  ==========================================  =========

A cell that does not fit is named with its column, row and value; nothing is coerced silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.data.schema import Column
from learnable.data.texts import MISSING, Texts
from learnable.stats.arrays import frozen

Cells = NDArray[Any] | Texts
"""Numbers, truth values or dates by their type, or texts."""

_STAMP = np.dtype("datetime64[us]")
_DATE = re.compile(r"[+-]?\d{4,5}(-\d\d(-\d\d([T ]\d\d(:\d\d(:\d\d(\.\d{1,6})?)?)?)?)?)?", re.ASCII)


def typed(
    cells: Cells, column: Column, *, start: int = 0, unseen: dict[str, int] | None = None
) -> NDArray[Any]:
    """Return the cells of a column as its kind keeps them, read-only.

    Parameters
    ----------
    cells : array (n,) or Texts
        The cells.
    column : Column
        What they are.
    start : int
        Number of the first row, for messages.
    unseen : dict, optional
        Where to count texts that are not among the values of a coded column, which are missing
        then; without it such a cell is refused.

    Examples
    --------
    >>> from learnable.data import Column
    >>> from learnable.data.columns import typed
    >>> from learnable.data.texts import Texts
    >>> wind = Column("wind", "nominal", ("Strong", "Weak"))
    >>> typed(Texts.of(["Weak", None, "Strong"]), wind)
    array([ 1, -1,  0], dtype=int32)
    """
    made: NDArray[Any]
    if column.kind == "numeric":
        made = _numbers(cells, column, start)
    elif column.coded:
        made = _codes(as_texts(cells), column, start, unseen)
    elif column.kind == "date":
        made = _dates(cells, column, start)
    else:
        made = as_texts(cells).objects()
    return frozen(np.ascontiguousarray(made))


def as_texts(cells: Cells) -> Texts:
    """Return the cells by their texts.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data.columns import as_texts
    >>> as_texts(np.array([2.0, np.nan])).values
    ['2']
    """
    if isinstance(cells, Texts):
        return cells
    return Texts.of(cells if cells.dtype.kind == "O" else cells.tolist())


def _numbers(cells: Cells, column: Column, start: int) -> NDArray[Any]:
    if isinstance(cells, Texts) or cells.dtype.kind == "M":
        remedy = f'Correct it, or take the column as names: {{"{column.name}": "nominal"}}.'
        found = _each(as_texts(cells), _number, column, start, "number", remedy)
        return as_texts(cells).take(np.array(found, dtype=np.float64), np.nan)
    return cells if cells.dtype in (np.float64, np.float32) else cells.astype(np.float64)


def _number(text: str) -> float:
    if "_" in text:
        raise ValueError(text)
    return float(text)


def _dates(cells: Cells, column: Column, start: int) -> NDArray[Any]:
    if not isinstance(cells, Texts) and cells.dtype.kind == "M":
        return cells.astype(_STAMP)
    texts = as_texts(cells)
    remedy = f'Write it as 2026-01-31, or take the column as text: {{"{column.name}": "text"}}.'
    found = _each(texts, _date, column, start, "date", remedy)
    return texts.take(np.array(found, dtype=_STAMP), np.datetime64("NaT"))


def _date(text: str) -> np.datetime64:
    """Return a moment; NumPy alone would also take "now", and warn of zones."""
    if _DATE.fullmatch(text) is None:
        raise ValueError(text)
    return np.datetime64(text, "us")


def _each(
    texts: Texts,
    make: Callable[[str], Any],
    column: Column,
    start: int,
    wanted: str,
    remedy: str,
) -> list[Any]:
    """Make something of every text; name the first cell of which nothing can be made."""
    found = []
    for code, text in enumerate(texts.values):
        try:
            found.append(make(text))
        except ValueError:
            _refuse(column, start + texts.first(code), text, wanted, remedy)
    return found


def _codes(
    texts: Texts, column: Column, start: int, unseen: dict[str, int] | None
) -> NDArray[np.int32]:
    places = {value: code for code, value in enumerate(column.values)}
    found = np.array([places.get(text, MISSING) for text in texts.values], dtype=np.int32)
    strange = np.flatnonzero(found == MISSING)
    if len(strange) and unseen is None:
        code = int(strange[0])
        remedy = f"Its values are {', '.join(column.values) or 'none'}."
        wanted = f"value of this {column.kind} column"
        _refuse(column, start + texts.first(code), texts.values[code], wanted, remedy)
    if unseen is not None:
        counts = texts.counts()
        for code in strange.tolist():
            if counts[code]:
                text = texts.values[code]
                unseen[text] = unseen.get(text, 0) + int(counts[code])
    return texts.take(found, MISSING)


def _refuse(column: Column, row: int, value: str, wanted: str, remedy: str) -> NoReturn:
    raise DataError(
        f"A cell is no {wanted}.", column=column.name, row=row, value=value, remedy=remedy
    )
