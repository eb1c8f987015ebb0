"""Shifts: what k-means adds up, the rows of each cluster about a common origin.

    rows_c = rows of weight above 0      weight_c = sum w_i      sums_c = sum w_i (x_i - origin)

over the rows ``i`` of cluster ``c``. Differences are shifts too: a row that changes its cluster
counts -1 in the old one and +1 in the new one, so that a turn in which few rows move adds up few
rows. The centres are ``sums / weight`` about the origin.

Cost: 2 d additions a row that moved; k d numbers.

References
----------
.. [1] C. Ding, X. He: K-means clustering via principal component analysis. ICML 2004.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.events import EventBuffer
from learnable.loops.cluster_sums import settle
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen

Labels = NDArray[np.int32]


class Shifts(NamedTuple):
    """Rows, weight and centred sums of each cluster, or what one turn adds to them.

    Attributes
    ----------
    rows : array (k,) of int
        Rows of positive weight: exact, so that an empty cluster is known to be one.
    weight : array (k,)
        Their weight.
    sums : array (k, d)
        Weighted sums about the origin.
    changed : int
        Rows of positive weight that changed their cluster.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats import Shifts
    >>> X = np.array([[1.0], [3.0], [8.0]])
    >>> a = Shifts.of(X, np.array([0, 0, 1], np.int32), 2)
    >>> a.rows, a.means()
    (array([2, 1]), array([[2.],
           [8.]]))
    """

    rows: NDArray[np.int64]
    weight: Floats
    sums: Floats
    changed: int

    @classmethod
    def zero(cls, k: int, d: int) -> Shifts:
        """Return the shifts of no rows."""
        return cls(np.zeros(k, np.int64), np.zeros(k), np.zeros((k, d)), 0)

    @classmethod
    def of(
        cls,
        X: Floats,
        labels: Labels,
        k: int,
        weight: Floats = NO_WEIGHTS,
        origin: Floats | None = None,
        scale: float = 1.0,
    ) -> Shifts:
        """Summarise one block of labelled rows.

        Parameters
        ----------
        X : array (n, d)
            Rows.
        labels : array (n,) of int32
            Cluster of each row.
        k : int
            Number of clusters.
        weight : array (n,), optional
            Weight of each row.
        origin : array (d,), optional
            What is subtracted from each row; 0 by default.
        scale : float
            What each row is multiplied by afterwards.
        """
        rows = np.arange(len(X), dtype=np.int32)
        start = np.full(len(X), -1, np.int32)
        return cls.moving(X, rows, labels, start, k, weight, origin, scale)

    @classmethod
    def moving(
        cls,
        X: Floats,
        rows: Labels,
        found: Labels,
        labels: Labels,
        k: int,
        weight: Floats = NO_WEIGHTS,
        origin: Floats | None = None,
        scale: float = 1.0,
        *,
        start: int = 0,
        moves: EventBuffer | None = None,
    ) -> Shifts:
        """Give ``rows`` the labels ``found`` (written into ``labels``); return what that shifts.

        Parameters
        ----------
        X, k, weight, origin, scale
            As in :meth:`of`.
        rows : array (m,) of int32
            Which rows get a new label.
        found : array (m,) of int32
            Their new labels.
        labels : array (n,) of int32
            The label of each row, -1 for none so far; changed in place.
        start : int
            Number of the first row.
        moves : EventBuffer, optional
            Where to note rows that had another label: row, old and new label.
        """
        shifts = cls.zero(k, X.shape[1])
        origin = np.zeros(X.shape[1]) if origin is None else origin
        changed = settle(
            frozen(X), frozen(weight), frozen(origin), scale, frozen(rows), frozen(found),
            labels, shifts.rows, shifts.weight, shifts.sums, start,
            EventBuffer.of(0, 3) if moves is None else moves,
        )  # fmt: skip
        return shifts._replace(changed=int(changed))

    def merge(self, other: Shifts) -> Shifts:
        """Return the shifts of both sets of rows, or of one turn after the other."""
        return Shifts(
            self.rows + other.rows,
            self.weight + other.weight,
            self.sums + other.sums,
            self.changed + other.changed,
        )

    def minus(self, other: Shifts) -> Shifts:
        """Return the shifts without the other's (to rounding)."""
        return Shifts(
            self.rows - other.rows,
            self.weight - other.weight,
            self.sums - other.sums,
            self.changed - other.changed,
        )

    def means(self) -> Floats:
        """Return the mean of each cluster about the origin; 0 where there is no row."""
        weight = np.where(self.rows > 0, self.weight, 1.0)
        return np.where((self.rows > 0)[:, None], self.sums / weight[:, None], 0.0)

    def between(self) -> float:
        """Return the weighted squared distances of the means from the origin, summed."""
        return float((self.sums * self.means()).sum())
