"""Columns of text, compact: a code for each cell, and the different texts once.

Whatever is asked of a column of text, its kind, its numbers, its dates, is asked of the different
texts alone.

Cost: one look-up a cell; 4 n bytes and the different texts to keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.data.string_layout import first_and_places

MISSING = -1


class Texts(NamedTuple):
    """A column of text.

    Attributes
    ----------
    codes : array (n,) of int32
        Place of each cell among the values; -1 where it is missing.
    values : list of str
        The different texts, in order of first appearance.

    Examples
    --------
    >>> from learnable.data.texts import Texts
    >>> column = Texts.of(["b", None, "a", "b"])
    >>> column.codes, column.values
    (array([ 0, -1,  1,  0], dtype=int32), ['b', 'a'])
    """

    codes: NDArray[np.int32]
    values: list[str]

    @classmethod
    def of(cls, cells: Any) -> Texts:
        """Read cells of any kind by their texts (:func:`text_of`)."""
        if isinstance(cells, np.ndarray) and cells.dtype.kind == "O":
            found = first_and_places(cells)
            if found is not None:
                rows, places = found
                few = cls.of(cells[rows].tolist())
                return cls(few.codes[places], few.values)
        places: dict[str | None, int] = {None: MISSING}
        codes = np.empty(len(cells), dtype=np.int32)
        for row, cell in enumerate(cells):
            text = cell if cell.__class__ is str else text_of(cell)
            place = places.get(text)
            if place is None:
                place = places[text] = len(places) - 1
            codes[row] = place
        del places[None]
        return cls(codes, list(places))  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, found: NDArray[Any], missing: Any) -> NDArray[Any]:
        """Return what was found for each value, cell by cell."""
        return np.append(found, np.array([missing], dtype=found.dtype))[self.codes]

    def objects(self) -> NDArray[Any]:
        """Return the cells as strings and None."""
        values = np.empty(len(self.values) + 1, dtype=object)
        values[:-1] = self.values
        return values[self.codes]

    def counts(self) -> NDArray[np.int64]:
        """Return how many cells have each value."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.values))

    def present(self) -> list[str]:
        """Return the values that some cell has."""
        return [value for value, n in zip(self.values, self.counts(), strict=True) if n]

    def first(self, code: int) -> int:
        """Return the first row that has a value."""
        return int(np.argmax(self.codes == code))

    def joined(self, other: Texts) -> Texts:
        """Return the cells of both columns, one after the other."""
        places = {value: code for code, value in enumerate(self.values)}
        new = np.array([places.setdefault(v, len(places)) for v in other.values], dtype=np.int32)
        codes = np.concatenate([self.codes, Texts(other.codes, other.values).take(new, MISSING)])
        return Texts(codes.astype(np.int32), list(places))


def as_strings(values: Sequence[str] | NDArray[Any]) -> NDArray[Any]:
    r"""Return texts as an array of strings, or of objects where NumPy would drop characters.

    Its strings are filled up with zeros, so that those that end in one lose it.

    Examples
    --------
    >>> from learnable.data.texts import as_strings
    >>> as_strings(["a", "b"]).dtype.kind, as_strings(["a", "b\0"]).tolist()
    ('U', ['a', 'b\x00'])
    """
    cut = any(value.endswith("\0") for value in np.ravel(np.array(values, dtype=object)))
    return np.array(values, dtype=object if cut else np.str_)


def text_of(cell: Any) -> str | None:
    """Return the text by which a value is known: 1, 1.0 and "1" are one value.

    Examples
    --------
    >>> from learnable.data.texts import text_of
    >>> text_of(1.0), text_of(2.5), text_of(float("nan"))
    ('1', '2.5', None)
    """
    if isinstance(cell, str):
        return str(cell)
    text = str(cell)
    if text in {"None", "<NA>", "NaT", "nan"}:
        return None
    if isinstance(cell, (float, np.floating)) and float(cell).is_integer():
        return str(int(cell))
    return text
