"""Columns and their gaps: what may stand for a missing cell, and how cells are picked and kept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.data import Block
from learnable.data.texts import Texts
from learnable.loops.filling import fill_missing
from learnable.preprocessing.cells import NAN, is_nan
from learnable.stats.arrays import Floats, frozen

NUMBERS = "biuf"


class Plain:
    """A number, text, NaN or None."""

    def accepts(self, value: Any) -> bool:
        """Whether it is one."""
        plain = (str, int, float, np.integer, np.floating)
        return value is None or is_nan(value) or isinstance(value, plain)

    def __str__(self) -> str:
        return "a number, text, NaN or None"


class Fill:
    """Fill a block (a class and no closure, so that a cluster can run it)."""

    def __init__(self, fills: Floats) -> None:
        self.fills = fills

    def __call__(self, block: Block, out: Floats) -> None:
        """Fill one block."""
        fill_missing(block.array(), frozen(self.fills), out)


def as_numbers(column: Any) -> Any:
    """Return a column of objects as numbers, if all of them are."""
    if isinstance(column, Texts) or column.dtype.kind != "O":
        return column
    try:
        return np.array([NAN if is_nan(cell) else cell for cell in column.tolist()], np.float64)
    except ValueError:
        return column
    except TypeError as error:
        # scikit-learn's contract wants a TypeError where a cell is no number at all.
        msg = f"A cell is neither: argument must be a string or a number ({error})."
        raise TypeError(msg) from error


def is_numeric(column: Any) -> bool:
    """Whether a column holds numbers by its type."""
    return not isinstance(column, Texts) and column.dtype.kind in NUMBERS


def within_range(X: NDArray[Any], *, gaps: bool) -> bool:
    """Whether no cell is infinite (nor missing, unless gaps are allowed)."""
    if X.dtype.kind != "f":
        return True
    return not (np.isinf(X).any() if gaps else not np.isfinite(X).all())


def picked(column: Any, rows: NDArray[np.bool_]) -> Any:
    """Return the cells of some rows."""
    if isinstance(column, Texts):
        return Texts(column.codes[rows], column.values)
    return column[rows]


def as_values(values: list[Any], kind: Any) -> NDArray[Any]:
    """Return values as an array of numbers of a kind, or of objects."""
    if kind.kind in NUMBERS:
        return np.array(values, dtype=kind)
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made


def place_of(labels: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the place of each class, one past the end for a class that was not learned."""
    place = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    return np.where(classes[place] == labels, place, len(classes))


def cell_of(column: Any, i: int) -> Any:
    """Return one cell as a plain value."""
    if isinstance(column, Texts):
        return None if column.codes[i] < 0 else column.values[column.codes[i]]
    cell = column[i]
    return cell.item() if isinstance(cell, np.generic) else cell
