"""Columns as the grower takes them: presorted entries, or codes of nominal values.

An exact search presorts a numeric column by its values, a binned one by at most ``max_bins``
quantiles, and stated thresholds are bins too: only cuts between different values, or bins, are
looked at. Where a column has no more values than bins, both searches are the same.

Cost: a radix sort a column, or a binary search a cell; 4 bytes a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.core.fold import Dask, Threads, runner
from learnable.data import Rows
from learnable.loops.tree_order import (
    ROW,
    bin_codes,
    merge_bins,
    order_bins,
    order_rows,
    rank_codes,
)
from learnable.loops.tree_search import MULTIWAY, ORDERED, SUBSET, Holes
from learnable.stats.arrays import Floats, frozen

_SMALL = (1 << 16) - 2
_WORTH = 1 << 17


def middle_of(low: Any, high: Any) -> Any:
    """Return the number half way, the lower one where rounding would reach the higher."""
    with np.errstate(over="ignore"):
        middle = low / 2.0 + high / 2.0
    return np.where((middle >= high) | ~np.isfinite(middle), low, middle)


class Columns(NamedTuple):
    """The columns of a table, ready to grow.

    Attributes
    ----------
    source : Rows
        The cells, codes of nominal ones as floats; NaN where missing.
    rows : array of int32
        Rows of positive weight.
    slot : array (d,) of int64
        Line of a column among the presorted ones, or minus one minus its line among the codes.
    entries, holes
        The presorted columns and their missing cells.
    edges : list
        The stated thresholds of the presorted columns, None where there are none.
    codes : array (coded columns, n)
        The codes; a missing cell has the code ``sizes[line]``.
    sizes, modes : array (coded columns,) of int64
        Number of codes, and how their groups are cut.
    values : list
        What the codes of ordered columns stand for, None for nominal ones.
    """

    source: Rows
    rows: NDArray[np.int32]
    slot: NDArray[np.int64]
    entries: NDArray[np.int32]
    holes: Holes
    edges: list[Floats | None]
    codes: NDArray[Any]
    sizes: NDArray[np.int64]
    modes: NDArray[np.int64]
    values: list[Floats | None]

    @property
    def d(self) -> int:
        """How many columns."""
        return len(self.slot)

    def lines(self, presorted: bool) -> NDArray[np.int64]:
        """Return the columns that stand in the lines of the entries, or of the codes."""
        where = self.slot >= 0 if presorted else self.slot < 0
        return np.flatnonzero(where)

    def cells(self, rows: NDArray[Any], columns: NDArray[Any]) -> Floats:
        """Return single cells."""
        if isinstance(self.source.cells, list):
            out = np.empty(len(rows))
            for j in np.unique(columns):
                out[columns == j] = self.source.cells[j][rows[columns == j]]
            return out
        return np.asarray(self.source.cells[rows, columns], dtype=np.float64)


def run_tasks(task: Callable[[Any], Any], items: list[Any], work: int) -> Iterator[Any]:
    """Run tasks that write into shared arrays, in threads where the work is worth it.

    A cluster would write into copies: there the threads of this process do the work.
    """
    run = runner()
    if work < _WORTH or len(items) <= 1:
        return map(task, items)
    return Threads()(task, items) if isinstance(run, Dask) or _foreign(run) else run(task, items)


def _foreign(run: Any) -> bool:
    from learnable.core.fold import serial

    return not isinstance(run, Threads) and run is not serial


def column_of(source: Rows, j: int) -> Floats:
    """Return a column as a C array of float64, after a check that no cell is infinite."""
    cells = source.cells[j] if isinstance(source.cells, list) else source.cells[:, j]
    values = np.ascontiguousarray(cells, dtype=np.float64)
    wrong = np.isinf(values)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise DataError(
            "Input X contains infinity or a value too large for its type.",
            column=source.names[j] if source.names is not None else j,
            row=row,
            value=float(values[row]),
            remedy="Correct or clip it.",
        )
    return frozen(values)


class _Made(NamedTuple):
    """One column: how many entries are known and the edges of its bins, or codes."""

    known: int = 0
    edges: Floats | None = None
    codes: NDArray[Any] | None = None
    size: int = 0
    values: Floats | None = None


def typed_columns(
    source: Rows,
    sizes: NDArray[np.int64],
    weight: Floats,
    *,
    nominal: str = "multiway",
    max_bins: int | None = None,
    thresholds: dict[int, Floats] | None = None,
    coded: bool = False,
) -> Columns:
    """Presort or code the columns of a table.

    Parameters
    ----------
    source : Rows
        The cells; those of nominal columns are codes.
    sizes : array (d,)
        How many values a nominal column has; 0 for a numeric one.
    weight : array (n,) or empty
        Weights; rows of weight 0 take no part.
    nominal : {"multiway", "subset"}
        How nominal columns are divided.
    max_bins : int, optional
        Presort numeric columns by quantiles; exact by default.
    thresholds : dict, optional
        Stated thresholds of some columns.
    coded : bool
        Code every column by rank, however many values it has.
    """
    whole = np.arange(source.n, dtype=np.int32)
    rows = frozen(np.flatnonzero(weight).astype(np.int32) if len(weight) else whole)
    stated = thresholds or {}
    numeric = sizes == 0
    entries = np.empty((0 if coded else int(numeric.sum()), len(rows)), np.int32)
    lines = np.cumsum(numeric) - 1

    def prepare(j: int) -> _Made:
        values = column_of(source, j)
        if sizes[j]:
            codes = np.where(np.isnan(values), sizes[j], values).astype(np.int32)
            return _Made(codes=codes, size=int(sizes[j]))
        line = np.empty(len(rows), np.int32) if coded else entries[lines[j]]
        if j in stated:
            return _binned(values, rows, stated[j], line)
        known = order_rows(values, rows, line)
        if max_bins:
            merge_bins(line, known, max_bins)
        return _ranked(values, line, known) if coded else _Made(known)

    made = list(run_tasks(prepare, list(range(source.d)), source.n * source.d))
    mode = {"multiway": MULTIWAY, "subset": SUBSET}[nominal]
    return _assembled(source, rows, made, entries, mode)


def _assembled(
    source: Rows, rows: NDArray[np.int32], made: list[_Made], entries: NDArray[np.int32], mode: int
) -> Columns:
    is_coded = np.array([one.codes is not None for one in made])
    slot = np.where(is_coded, -np.cumsum(is_coded), np.cumsum(~is_coded) - 1)
    sorts = [(j, one) for j, one in enumerate(made) if one.codes is None]
    holed = [(k, j) for k, (j, one) in enumerate(sorts) if one.known < len(rows)]
    line = np.full(len(sorts), -1, np.int64)
    cells = np.zeros((len(holed), source.n), np.bool_)
    for h, (k, j) in enumerate(holed):
        line[k] = h
        cells[h] = np.isnan(column_of(source, j))
    coded = [one for one in made if one.codes is not None]
    own = np.array([one.size for one in coded], np.int64)
    small = not len(own) or own.max() <= _SMALL
    codes = np.empty((len(coded), source.n), np.uint16 if small else np.int32)
    for k, one in enumerate(coded):
        codes[k] = one.codes
    return Columns(
        source, rows, slot, entries, Holes(frozen(line), frozen(cells)),
        [one.edges for _, one in sorts], codes, own,
        np.array([mode if one.values is None else ORDERED for one in coded], np.int64),
        [one.values for one in coded],
    )  # fmt: skip


def _ranked(values: Floats, line: NDArray[np.int32], known: int) -> _Made:
    codes = np.zeros(len(values), np.int32)
    size = rank_codes(frozen(line), known, codes)
    firsts = line[:known][line[:known] < 0] & ROW
    return _Made(codes=codes, size=size, values=values[firsts])


def _binned(values: Floats, rows: NDArray[np.int32], edges: Floats, line: Any) -> _Made:
    codes = np.empty(len(values), np.uint16)
    edges = frozen(np.ascontiguousarray(edges, dtype=np.float64))
    bin_codes(values, edges, codes)
    return _Made(order_bins(frozen(codes), rows, len(edges) + 1, line), edges)
