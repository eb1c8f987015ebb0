"""Quantiles of columns, each by selection or a sort, on as many threads as there are."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from learnable.core.fold import Threads, runner, serial
from learnable.data import Block, Rows
from learnable.loops.binning import lay_columns
from learnable.preprocessing.base import refuse_infinite
from learnable.stats.arrays import Floats

_WORTH = 1 << 15
_GROUP = 16
_PLACES = 6
_HALF = 0.5


def each_known(task: Any, rows: Rows, given: list[Any] | None = None) -> list[Any]:
    """Run a task on the known cells of every column; infinity is refused.

    Parameters
    ----------
    task : callable
        Takes the cells, or a pair of them and what was given for the column.
    rows : Rows
        The columns; a few at a time are laid end to end.
    given : list, optional
        One item for each column.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.preprocessing.quantiles import each_known
    >>> each_known(np.ndarray.tolist, Rows(np.array([[1.0, 5.0], [np.nan, 6.0]])))
    [[1.0], [5.0, 6.0]]
    """
    found: list[Any] = []
    for left in range(0, rows.d, _GROUP):
        right = min(left + _GROUP, rows.d)
        known = _known(rows, left, right)
        items = known if given is None else list(zip(known, given[left:right], strict=True))
        found += each_column(task, items, rows.n)
    return found


def _known(rows: Rows, left: int, right: int) -> list[Floats]:
    """Return the known cells of neighbouring columns, each in one piece."""
    columnar = isinstance(rows.cells, list)
    cells = rows.cells[left:right] if columnar else rows.cells[:, left:right]
    columns = np.empty((right - left, rows.n))
    run = runner() if rows.n > _WORTH else serial
    run = run if isinstance(run, Threads) else serial  # elsewhere no memory is in common
    gaps = np.zeros(right - left, np.int64)
    for infinite, missing in run(partial(_laid, columns), Rows(cells, None, rows.dtype).blocks()):
        if infinite:
            refuse_infinite(rows.array(), 0, rows.names)
        gaps += missing
    whole = zip(columns, gaps.tolist(), strict=True)
    return [column[~np.isnan(column)] if missing else column for column, missing in whole]


def _laid(columns: Floats, block: Block) -> tuple[bool, Any]:
    gaps = np.zeros(len(columns), np.int64)
    return lay_columns(block.array(), columns, block.start, gaps), gaps


def each_column(task: Any, columns: list[Any], n: int) -> list[Any]:
    """Run a task on every column, on the pool where there is enough to do.

    Parameters
    ----------
    task : callable
        Takes a column.
    columns : list
        The columns.
    n : int
        Rows of each.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.quantiles import each_column
    >>> each_column(len, [np.zeros(2), np.zeros(3)], 3)
    [2, 3]
    """
    run = runner() if len(columns) > 1 and n > _WORTH else serial
    return list(run(task, columns))


def quantiles(known: Floats, shares: Floats) -> Floats:
    """Return quantiles of cells by linear interpolation; NaN where there is no cell.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.quantiles import quantiles
    >>> quantiles(np.array([3.0, 1.0, 2.0]), np.array([0.0, 0.25, 0.5]))
    array([1. , 1.5, 2. ])
    """
    if not len(known):
        return np.full(len(shares), np.nan)
    return _interpolated(_ordered(known, shares), len(known), shares, 0)


class Spread(NamedTuple):
    """Quantiles of a column, and what its furthest cell did to it.

    Attributes
    ----------
    low, middle, high : float
        The lower quantile, the median and the upper quantile.
    furthest : float
        The cell furthest from the median.
    sd, sd_without : float
        Standard deviation (by N) with and without that cell.
    range_without : float
        Distance of the two quantiles without that cell.
    """

    low: float
    middle: float
    high: float
    furthest: float
    sd: float
    sd_without: float
    range_without: float


def spread_of(shares: tuple[float, float], known: Floats) -> Spread:
    """Return the spread of the known cells of one column.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.quantiles import spread_of
    >>> found = spread_of((0.25, 0.75), np.array([1.0, 2.0, 3.0, 4.0, 5.0, 1000.0]))
    >>> [round(float(found[i]), 3) for i in (1, 3, 4, 5)]
    [3.5, 1000.0, 371.562, 1.414]
    """
    n = len(known)
    if not n:
        return Spread(*[np.nan] * 7)
    wanted = np.array([shares[0], 0.5, shares[1]])
    ordered = _ordered(known, wanted)
    low, middle, high = _interpolated(ordered, n, wanted, 0)
    least, most = ordered[0], ordered[n - 1]
    first = middle - least > most - middle
    furthest = least if first else most
    # Shifted to the median, so that a far origin costs no digits.
    shifted = known - middle
    mean, square = shifted.mean(), np.square(shifted).mean()
    sd = float(np.sqrt(max(square - mean * mean, 0.0)))
    if n == 1:
        return Spread(low, middle, high, furthest, sd, 0.0, 0.0)
    ends = _interpolated(ordered, n - 1, np.array(shares), int(first))
    gone = furthest - middle
    mean_without = (n * mean - gone) / (n - 1)
    rest = shifted[known != furthest]
    again = n - 1 - len(rest)  # more cells of the same value stay
    square = (np.square(rest - mean_without).sum() + again * (gone - mean_without) ** 2) / (n - 1)
    return Spread(low, middle, high, furthest, sd, float(np.sqrt(square)), float(ends[1] - ends[0]))


def _ordered(known: Floats, shares: Floats) -> Floats:
    """Return the cells with those that any of the quantiles needs in their places."""
    n = len(known)
    at = np.floor(shares * (n - 1)).astype(int)
    near = np.concatenate([[0, n - 1], *[at + step for step in (-1, 0, 1, 2)]])
    wanted = np.unique(near.clip(0, n - 1))
    # NumPy sorts with the processor's vectors, and selects place after place.
    return np.sort(known) if len(wanted) > _PLACES else np.partition(known, wanted)


def _interpolated(ordered: Floats, n: int, shares: Floats, start: int) -> Floats:
    place = shares * (n - 1)
    at = np.floor(place).astype(int)
    below, above = ordered[start + at], ordered[start + np.minimum(at + 1, n - 1)]
    part = place - at
    gap = above - below
    return np.where(part < _HALF, below + gap * part, above - gap * (1.0 - part))
