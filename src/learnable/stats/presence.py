"""Presence: in how many rows each column holds a number.

Cost: one comparison a cell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.loops.scanning import all_finite
from learnable.stats.arrays import Floats, frozen


class Presence(NamedTuple):
    """How many cells of each column are there.

    Attributes
    ----------
    cells : array (d,) of int64
        Cells that are not missing.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats.presence import Presence
    >>> Presence.of(np.array([[1.0, np.nan], [3.0, 5.0]])).cells
    array([2, 1])
    """

    cells: NDArray[np.int64]

    @classmethod
    def zero(cls, d: int) -> Presence:
        """Return the presence in no rows."""
        return cls(np.zeros(d, np.int64))

    @classmethod
    def of(cls, X: Floats) -> Presence:
        """Summarise one block."""
        if all_finite(frozen(np.ascontiguousarray(X)).reshape(1, -1)):
            return cls(np.full(X.shape[1], len(X), np.int64))
        return cls(np.asarray(len(X) - np.isnan(X).sum(axis=0), dtype=np.int64))

    def merge(self, other: Presence) -> Presence:
        """Return the presence in both sets of rows."""
        return Presence(self.cells + other.cells)

    def minus(self, other: Presence) -> Presence:
        """Return the presence in the rows that remain without the other's."""
        return Presence(self.cells - other.cells)
