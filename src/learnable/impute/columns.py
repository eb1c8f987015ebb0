"""Columns of any kind with their gaps: how many there are, what fills them, and the filled rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.core.fold import fold
from learnable.data import Block, Rows
from learnable.data.rows import refuse_cell
from learnable.data.texts import Texts
from learnable.impute.fills import Rule, column_fills, is_missing, with_gaps
from learnable.impute.gaps import NUMBERS, Fill, as_numbers, cell_of, is_numeric, picked
from learnable.loops.filling import count_missing
from learnable.loops.scanning import any_infinite
from learnable.preprocessing.base import filled
from learnable.preprocessing.cells import Cells, is_nan
from learnable.stats.arrays import frozen

Choose = Callable[[int, NDArray[np.intp]], Any]
"""What fills the gaps of a column in some rows: one value, or one for each."""


class Columns:
    """Columns, dense, of numbers or objects.

    Parameters
    ----------
    cells : Cells
        The columns.
    mark : object
        What stands for a missing cell.
    averaged : bool
        Whether a mean or a median is asked for: then objects that are numbers are taken as such.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.impute.columns import Columns
    >>> from learnable.preprocessing.cells import read_cells
    >>> holed = Columns(read_cells([[1.0, np.nan], [2.0, 3.0]], "it"), np.nan, averaged=True)
    >>> holed.counts()
    (array([0, 1]), 1)
    """

    def __init__(self, cells: Cells, mark: Any, *, averaged: bool) -> None:
        if averaged:
            columns = [as_numbers(column) for column in cells.columns]
            objects = cells.whole is not None and cells.whole.dtype.kind == "O"
            cells = cells._replace(columns=columns, whole=None if objects else cells.whole)
        self.cells, self.mark, self.averaged = cells, mark, averaged
        self.n, self.d = cells.n, cells.d
        self.numeric = [is_numeric(column) for column in cells.columns]

    @property
    def names(self) -> tuple[str, ...] | None:
        """Names of the columns."""
        return self.cells.names

    def call(self, names: tuple[str, ...]) -> None:
        """Give names to columns that came without."""
        if self.names is None:
            self.cells = self.cells._replace(names=names)

    @cached_property
    def plain(self) -> bool:
        """Whether NaN in an array of floats stands for the gaps: then loops find them."""
        whole = self.cells.whole
        return whole is not None and whole.dtype.kind == "f" and is_nan(self.mark)

    @cached_property
    def gaps(self) -> NDArray[np.bool_]:
        """Which cells are missing, a row for each column."""
        if self.plain:
            return np.isnan(self.cells.whole).T  # type: ignore[arg-type]
        return np.array([is_missing(column, self.mark) for column in self.cells.columns])

    def refuse_wild(self) -> None:
        """Refuse infinity, and NaN where something else stands for missing cells."""
        if all(self.numeric) and isinstance(self.mark, str):
            msg = (
                "'X' and 'missing_values' types are expected to be both numerical: missing_values "
                f"is {self.mark!r}."
            )
            raise ParameterError(msg)
        allowed = is_nan(self.mark)
        if self.plain and not fold(_infinite, max, self._blocks()):
            return
        for j, column in enumerate(self.cells.columns):
            if isinstance(column, Texts) or column.dtype.kind not in "fO":
                continue
            if column.dtype.kind == "O":
                wild = np.zeros(self.n, bool)
                if not allowed:
                    wild = np.array([is_nan(cell) for cell in column.tolist()], dtype=bool)
            else:
                wild = np.isinf(column) if allowed else ~np.isfinite(column)
            if wild.any():
                row = int(np.argmax(wild))
                refuse_cell(float(column[row]), row, j, self.names)

    def _blocks(self) -> list[Block]:
        """Return the array that the columns are in blocks."""
        whole: Any = self.cells.whole
        return Rows(whole, None, np.float32 if whole.dtype.itemsize < 8 else np.float64).blocks()

    def counts(self) -> tuple[NDArray[np.int64], int]:
        """Return how many cells each column misses, and how many rows miss one."""
        if self.plain:
            found = fold(_missing_of, np.add, self._blocks())
            return found[:-1], int(found[-1])
        return self.gaps.sum(axis=1, dtype=np.int64), int(np.any(self.gaps, axis=0).sum())

    def fills(self, rule: Rule) -> NDArray[Any]:
        """Return the fill of each column: numbers, or objects where a column is nominal."""
        fills = column_fills(rule, self.cells, None if self.plain else self.gaps)
        if all(self.numeric):
            return np.array(fills)
        made = np.empty(self.d, dtype=object)
        made[:] = fills
        return made

    def part(self, rows: NDArray[np.bool_]) -> Columns:
        """Return some of the rows."""
        columns = [picked(column, rows) for column in self.cells.columns]
        cells = Cells(columns, self.names, int(rows.sum()))
        return Columns(cells, self.mark, averaged=self.averaged)

    def check_like(self, statistics: NDArray[Any]) -> None:
        """Refuse text where numbers were learned from."""
        if not all(self.numeric) and statistics.dtype.kind in NUMBERS:
            j = self.numeric.index(False)
            raise DataError(
                "X holds text, but SimpleImputer learned from numbers.",
                column=self.cells.name(j),
                remedy="Pass numbers.",
            )

    def filled(self, kept: NDArray[np.intp], fills: list[Any]) -> NDArray[Any]:
        """Return the kept columns with one value in the gaps of each."""
        columns: list[Any] = [self.cells.columns[j] for j in kept]
        if not columns:
            return np.empty((self.n, 0))
        if not all(self.numeric) or any(isinstance(fill, str) for fill in fills):
            value = dict(zip(kept.tolist(), fills, strict=True))
            return self.filled_by(kept, lambda j, _: value[j])
        kind = np.result_type(*[column.dtype for column in columns])
        if kind.kind != "f" and self.averaged:
            kind = np.dtype(np.float64)
        if kind.kind != "f":
            pairs = zip(columns, kept, fills, strict=True)
            made = [np.where(self.gaps[j], value, column) for column, j, value in pairs]
            return np.column_stack(made).astype(np.result_type(kind, *[m.dtype for m in made]))
        kind = np.dtype(np.float32) if kind.itemsize < 8 else np.dtype(np.float64)
        whole = self.cells.whole if len(columns) == self.d else None
        if not is_nan(self.mark):
            columns, whole = [with_gaps(self.cells.columns[j], self.gaps[j]) for j in kept], None
        fill = frozen(np.array(fills).astype(kind))
        return filled(Fill(fill), Rows(columns if whole is None else whole, None, kind))

    def filled_by(self, kept: NDArray[np.intp], choose: Choose) -> NDArray[Any]:
        """Return the kept columns with the gaps of each filled row by row."""
        kinds = [self.cells.columns[j].dtype for j in kept]
        kind = np.result_type(np.float32, *kinds) if all(self.numeric) else np.dtype(object)
        whole = self.cells.whole
        at_once = whole is not None and whole.dtype == kind and len(kept) == self.d
        out = np.array(whole) if at_once else np.empty((self.n, len(kept)), kind)
        for place, j in enumerate(kept.tolist()):
            if not at_once:
                out[:, place] = self.cells.columns[j]
            rows = np.flatnonzero(self.gaps[j])
            out[rows, place] = choose(j, rows)
        return out

    def with_marks(self, answer: NDArray[Any], marked: NDArray[np.intp]) -> NDArray[Any]:
        """Return an answer with a column of truth values for each of some columns."""
        marks = np.column_stack([self.gaps[j] for j in marked])
        return np.hstack([answer, marks.astype(answer.dtype)])

    def row(self, i: int) -> tuple[list[Any], NDArray[np.bool_]]:
        """Return one row as plain values, and which of them are missing."""
        return [cell_of(column, i) for column in self.cells.columns], self.gaps[:, i]


def _infinite(block: Block) -> bool:
    return bool(any_infinite(block.array()))


def _missing_of(block: Block) -> NDArray[np.int64]:
    return np.append(*count_missing(block.array()))
