"""How this interpreter keeps strings in memory, found out by looking at some.

Columns of strings as objects are read where they lie, a hundred times faster than by calls to the
interpreter. Nothing is taken for granted: length, width and characters are looked for in strings
that are known, and where one does not lie there (another interpreter, another build), the column
is read by Python instead.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.loops.factorising import (
    LENGTH,
    TYPE,
    VALUE,
    WORD,
    count_places,
    missing_objects,
    places_of_objects,
)
from learnable.stats.arrays import frozen

Places = tuple[NDArray[np.int64], NDArray[np.int32]]
_STATE = 32
_SAMPLES = ("azx", "\xe0\xe9\xff", "\u20ac\u0101\u4e00", "\U0001f600\U00010348a")
_WIDTHS = (1, 1, 2, 4)
_FEW = 64
_BLOCK = 1 << 14


class _Addresses:
    """The addresses of the objects of a column, in its own memory."""

    def __init__(self, column: NDArray[Any]) -> None:
        self.column = column
        place = column.__array_interface__["data"]
        self.__array_interface__ = {
            "data": place, "shape": column.shape, "strides": column.strides, "typestr": "<i8",
            "version": 3,
        }  # fmt: skip


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _fresh(text: str) -> str:
    return "".join(list(text))


def _characters_at(text: str, width: int) -> int | None:
    """Return where the characters of a string lie in it, None where they are not found."""
    at = sys.getsizeof(text) - (len(text) + 1) * width
    codec = {1: "latin-1", 2: "utf-16", 4: "utf-32"}[width]
    raw = text.encode(codec if width == 1 else f"{codec}-le")
    return at if ctypes.string_at(id(text) + at, len(raw)) == raw else None


@cache
def string_layout() -> Any:
    """Return what the loops have to know of strings, None where they cannot read them.

    Examples
    --------
    >>> import sys
    >>> from learnable.data.string_layout import string_layout
    >>> layout = string_layout()
    >>> layout is None or int(layout[0]) == id(str)
    True
    """
    plain = sys.implementation.name == "cpython" and sys.byteorder == "little"
    if not plain or ctypes.sizeof(ctypes.c_void_p) != WORD:
        return None
    mask = _mask()
    found = [id(str), _STATE, mask]
    for text, width in zip(_SAMPLES, _WIDTHS, strict=True):
        one, other = _fresh(text), sys.intern(_fresh(text + text[-1]))
        at = _characters_at(one, width)
        if at is None or at % WORD or _word(id(one) + TYPE) != id(str):
            return None
        if [_word(id(s) + LENGTH) for s in (one, other)] != [len(one), len(other)]:
            return None
        kinds = {_state(s) & mask for s in (one, other, _fresh(text * 2))}
        if len(kinds) > 1:
            return None
        found += [*kinds, at]
    layout = frozen(np.array(found, np.int64))
    return layout if len(set(found[3::2])) == len(_SAMPLES) and _holds(layout) else None


def _mask() -> int:
    """Return the bits that tell how wide the characters are, and that they follow the head."""
    if sys.version_info < (3, 12):
        return 0xFC
    return 0x7C if sys.version_info < (3, 14) else 0x1F0000


def _state(text: str) -> int:
    return ctypes.c_uint32.from_address(id(text) + _STATE).value


def _holds(layout: Any) -> bool:
    """Whether strings of every width and length are told apart, and equal ones are not."""
    texts = [_fresh(s * n)[:n] for s in _SAMPLES for n in range(_FEW)]
    again = [*texts, *map(_fresh, texts), None, 1.5, None]
    column = np.empty(len(again), dtype=object)
    column[:] = again
    places: dict[Any, int] = {}
    expected = [places.setdefault(cell, len(places)) for cell in again]
    found = _placed(column, layout)
    return found is not None and found[1].tolist() == expected


def _blocks(column: NDArray[Any], layout: Any) -> Iterator[Places]:
    """Yield the rows and codes of each block; a block whose keys do not tell strings apart ends it.

    The codes lie in memory that the next block overwrites.
    """
    objects = frozen(np.asarray(_Addresses(column)))
    codes = np.empty(min(_BLOCK, len(column)), np.int32)
    for start in range(0, len(column), _BLOCK):
        part = objects[start : start + _BLOCK]
        first = places_of_objects(part, layout, codes[: len(part)])
        if not len(first):
            return
        yield first + start, codes[: len(part)]


def _placed(column: NDArray[Any], layout: Any) -> Places | None:
    codes, rows, at, count = np.empty(len(column), np.int32), [], 0, 0
    for first, found in _blocks(column, layout):
        np.add(found, np.int32(count), out=codes[at : at + len(found)])
        at, count = at + len(found), count + len(first)
        rows.append(first)
    return (_joined(rows), codes) if at == len(column) else None


def _joined(parts: list[Any]) -> Any:
    return np.concatenate([np.empty(0, np.int64), *parts])


def first_and_places(column: NDArray[Any]) -> Places | None:
    """Return rows that hold every different string (or object), and the place of each cell.

    A string may have several places: the column is read in blocks that stay in the processor's
    cache, and what is the same in two of them is for the caller to find. None where the strings of
    this interpreter cannot be read.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data.string_layout import first_and_places
    >>> first_and_places(np.array(["b", "a", "b", None], dtype=object))
    (array([0, 1, 3]), array([0, 1, 0, 2], dtype=int32))
    """
    layout = string_layout()
    return None if layout is None else _placed(column, layout)


def first_and_counts(column: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Return the same rows, and how many cells each of them stands for.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data.string_layout import first_and_counts
    >>> first_and_counts(np.array(["b", "a", "b", None], dtype=object))
    (array([0, 1, 3]), array([2, 1, 1]))
    """
    layout = string_layout()
    if layout is None:
        return None
    rows, counts, seen = [], [], 0
    for first, found in _blocks(column, layout):
        rows.append(first)
        counts.append(count_places(frozen(found), len(first)))
        seen += len(found)
    return (_joined(rows), _joined(counts)) if seen == len(column) else None


def known_gaps(column: NDArray[Any], nothing: tuple[Any, ...]) -> NDArray[np.int8] | None:
    """Return 1 where a cell is NaN or one of some objects, 0 for strings and other floats.

    -1 says that the cell is something else, and None that cells cannot be read where they lie.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data.string_layout import known_gaps
    >>> known_gaps(np.array(["b", None, float("nan"), 1.5, 1], dtype=object), (None,)).tolist()
    [0, 1, 1, 0, -1]
    """
    if string_layout() is None or not _floats_are_read():
        return None
    known = frozen(np.array([id(str), id(float), *map(id, nothing)], np.int64))
    out = np.empty(len(column), np.int8)
    objects = frozen(np.asarray(_Addresses(column)))
    for start in range(0, len(column), _BLOCK):
        missing_objects(objects[start : start + _BLOCK], known, out[start : start + _BLOCK])
    return out


@cache
def _floats_are_read() -> bool:
    """Whether a float holds its number where that is looked for."""
    number = float("1.5e-7")
    return ctypes.c_double.from_address(id(number) + VALUE).value == number
