"""Compressed columns with their gaps: what is not stored is 0, and known."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.data.rows import refuse_cell
from learnable.impute.columns import Choose
from learnable.impute.fills import Rule, most_frequent
from learnable.preprocessing.cells import is_nan

_WHY = (
    "Imputation not possible when missing_values == 0 and input is sparse. Provide a dense array "
    "instead."
)


class Compressed:
    """Compressed columns of numbers.

    Parameters
    ----------
    matrix : CSC matrix
        The numbers.
    mark : number
        What stands for a missing cell, among those that are stored.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csc_matrix
    >>> from learnable.impute.compressed import Compressed
    >>> Compressed(csc_matrix([[1.0, np.nan], [0.0, 3.0]]), np.nan).counts()
    (array([0, 1]), 1)
    """

    def __init__(self, matrix: Any, mark: Any) -> None:
        if isinstance(mark, str):
            msg = (
                "'X' and 'missing_values' types are expected to be both numerical: missing_values "
                f"is {mark!r}."
            )
            raise ParameterError(msg)
        if not is_nan(mark) and mark == 0:
            raise DataError(_WHY, remedy="Pass X.toarray().")
        self.matrix, self.mark = matrix, mark
        self.n, self.d = matrix.shape
        self.names: tuple[str, ...] | None = None
        data = matrix.data
        self.stored_gaps = np.isnan(data) if mark is None or is_nan(mark) else data == mark

    @cached_property
    def _columns(self) -> NDArray[np.intp]:
        """The column of each stored cell."""
        return np.repeat(np.arange(self.d), np.diff(self.matrix.indptr))

    def call(self, names: tuple[str, ...]) -> None:
        """Give names to the columns."""
        self.names = names

    def refuse_wild(self) -> None:
        """Refuse infinity, and NaN where something else stands for missing cells."""
        data = self.matrix.data
        if data.dtype.kind != "f":
            return
        wild = ~np.isfinite(data) & ~(self.stored_gaps & np.isnan(data))
        if wild.any():
            place = int(np.argmax(wild))
            row = int(self.matrix.indices[place])
            refuse_cell(float(data[place]), row, int(self._columns[place]), self.names)

    def counts(self) -> tuple[NDArray[np.int64], int]:
        """Return how many cells each column misses, and how many rows miss one."""
        sums = np.concatenate([[0], np.cumsum(self.stored_gaps)])
        incomplete = np.zeros(self.n, bool)
        incomplete[self.matrix.indices[self.stored_gaps]] = True
        return np.diff(sums[self.matrix.indptr]), int(np.count_nonzero(incomplete))

    def fills(self, rule: Rule) -> NDArray[Any]:
        """Return the fill of each column; the cells that are not stored count as 0."""
        found = [self._fill(rule, j) for j in range(self.d)]
        return np.array(found)

    def _fill(self, rule: Rule, j: int) -> Any:
        inside = slice(*self.matrix.indptr[j : j + 2])
        cells = self.matrix.data[inside][~self.stored_gaps[inside]]
        known = self.n - int(self.stored_gaps[inside].sum())
        if rule.strategy == "constant" and (known or rule.keep_empty):
            return self._constant(rule)
        if not known:
            return 0 if rule.keep_empty else np.nan
        if rule.strategy == "mean":
            return float(cells.sum(dtype=np.float64)) / known
        zeros = known - len(cells)
        if rule.strategy == "median":
            return _median(cells, zeros)
        shown = np.concatenate([cells[cells != 0], np.zeros(1, cells.dtype)])
        often = most_frequent(shown[:-1], np.zeros(len(shown) - 1, bool))
        times, nothing = int((cells == often).sum()), zeros + int((cells == 0).sum())
        if times == nothing:
            return min(often, 0)
        return often if times > nothing else 0

    def _constant(self, rule: Rule) -> Any:
        if isinstance(rule.constant, str):
            msg = f"fill_value={rule.constant!r} cannot fill columns of numbers. Give a number."
            raise ParameterError(msg)
        return 0 if rule.constant is None else rule.constant

    def part(self, rows: NDArray[np.bool_]) -> Compressed:
        """Return some of the rows."""
        return Compressed(self.matrix.tocsr()[rows].tocsc(), self.mark)

    def check_like(self, statistics: NDArray[Any]) -> None:
        """Refuse numbers where text was learned from."""
        if statistics.dtype.kind == "O":
            raise DataError(
                "X holds numbers, but SimpleImputer learned from text.", remedy="Pass text."
            )

    def filled(self, kept: NDArray[np.intp], fills: list[Any]) -> Any:
        """Return the kept columns with one value in the gaps of each."""
        value = np.zeros(self.d, np.result_type(self.matrix.dtype, *map(type, fills)))
        value[kept] = fills
        return self._written(kept, value[self._columns[self.stored_gaps]])

    def filled_by(self, kept: NDArray[np.intp], choose: Choose) -> Any:
        """Return the kept columns with the gaps of each filled row by row."""
        rows, columns = self.matrix.indices[self.stored_gaps], self._columns[self.stored_gaps]
        values = np.zeros(len(rows))
        for j in kept.tolist():
            values[columns == j] = choose(j, rows[columns == j])
        return self._written(kept, values)

    def _written(self, kept: NDArray[np.intp], values: NDArray[Any]) -> Any:
        made = self.matrix.copy()
        if made.dtype.kind != "f":
            made = made.astype(np.result_type(made.dtype, values.dtype))
        made.data[self.stored_gaps] = values
        return made if len(kept) == self.d else made[:, kept]

    def with_marks(self, answer: Any, marked: NDArray[np.intp]) -> Any:
        """Return an answer with a column of truth values for each of some columns."""
        from scipy.sparse import hstack

        marks = self.matrix.copy()
        marks.data = self.stored_gaps.astype(answer.dtype)
        marks.eliminate_zeros()
        return hstack([answer, marks[:, marked]], format=answer.format)

    def row(self, i: int) -> tuple[list[Any], NDArray[np.bool_]]:
        """Return one row as plain values, and which of them are missing."""
        values = self.matrix[[i], :].toarray()[0]
        gaps = np.isnan(values) if is_nan(self.mark) else values == self.mark
        return values.tolist(), gaps


def _median(cells: NDArray[Any], zeros: int) -> float:
    """Return the median of cells and of as many zeros as are not stored."""
    ordered, n = np.sort(cells), len(cells) + zeros
    below = int(np.searchsorted(ordered, 0))

    def at(k: int) -> float:
        if below <= k < below + zeros:
            return 0.0
        return float(ordered[k if k < below else k - zeros])

    return (at((n - 1) // 2) + at(n // 2)) / 2.0
