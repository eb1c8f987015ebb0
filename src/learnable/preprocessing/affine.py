"""Every column by its own straight line: the pass behind the standard and the min-max scaler.

    y = (x - origin) / width * new_width + new_origin

Written so, and not as ``a x + b``, the end of a range goes to the end of the new one exactly and a
column far from 0 loses nothing.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from learnable.core.errors import DataError
from learnable.data import Block, Rows
from learnable.loops import scaling
from learnable.preprocessing.base import filled, refuse_infinite, tiled
from learnable.stats.arrays import Floats, frozen

UNCLIPPED = (-np.inf, np.inf)


class Lines(NamedTuple):
    """A straight line for each column.

    Attributes
    ----------
    origin, width, new_width, new_origin : array (d,)
        The four numbers of each column.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.preprocessing.affine import Lines
    >>> lines = Lines.of(2, origin=np.array([1.0, 2.0]), width=np.array([4.0, 1.0]))
    >>> lines.map(Rows(np.array([[3.0, 2.0]])))
    array([[0.5, 0. ]])
    >>> lines.inverse().map(Rows(np.array([[0.5, 0.0]])))
    array([[3., 2.]])
    """

    origin: Floats
    width: Floats
    new_width: Floats
    new_origin: Floats

    @classmethod
    def of(
        cls,
        d: int,
        *,
        origin: Any = 0.0,
        width: Any = 1.0,
        new_width: Any = 1.0,
        new_origin: Any = 0.0,
    ) -> Lines:
        """Make lines from numbers or vectors."""
        vectors = (origin, width, new_width, new_origin)
        return cls(*(frozen(np.array(np.broadcast_to(v, d), dtype=float)) for v in vectors))

    def inverse(self) -> Lines:
        """Return the lines that undo these."""
        return Lines(self.new_origin, self.new_width, self.width, self.origin)

    def map(
        self, rows: Rows, *, clip: tuple[float, float] = UNCLIPPED, in_place: bool = False
    ) -> Any:
        """Return the mapped rows; compressed rows stay compressed (their origins must be 0)."""
        if rows.sparse:
            return self._map_stored(rows)
        return filled(partial(_map_block, self, clip), rows, in_place=in_place)

    def _map_stored(self, rows: Rows) -> Any:
        out = rows.cells.astype(rows.dtype, copy=True)
        columns = frozen(out.indices.astype(np.int64))
        data = frozen(np.ascontiguousarray(rows.cells.data, dtype=rows.dtype))
        infinite = scaling.map_stored(data, columns, self.width, self.new_width, out.data)
        if infinite:
            p = int(np.flatnonzero(np.isinf(data))[0])
            row = int(np.searchsorted(out.indptr, p, side="right")) - 1
            refuse_infinite(data[p : p + 1, None], row, _only(rows.names, int(columns[p])))
        return out


def _only(names: Any, j: int) -> Any:
    return [names[j] if names is not None else j]


def _map_block(lines: Lines, clip: tuple[float, float], block: Block, out: Floats) -> None:
    X = block.array()
    infinite = False
    for part, place, vectors in tiled(X, out, list(lines)):
        infinite |= scaling.map_columns(part, *vectors, place)
        if clip != UNCLIPPED:
            scaling.clip_cells(place, *clip)
    if infinite:
        refuse_infinite(block.array(), block.start, block.names)
        raise DataError("A cell is infinite.", row=block.start)
