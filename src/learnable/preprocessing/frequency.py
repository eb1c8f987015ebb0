"""Values that are rare share one place: which ones, and where the others stand then."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.preprocessing.cells import is_nan
from learnable.stats.arrays import frozen

RARE = "infrequent_sklearn"
"""The name of the place that rare values share, as scikit-learn calls it."""


class Grouping(NamedTuple):
    """Where the values of a column stand once the rare ones share a place.

    Attributes
    ----------
    places : array of int
        Place of each value.
    rare : array of int
        Which values share one; none if there is no such place.
    size : int
        How many places there are.
    """

    places: NDArray[np.int64]
    rare: NDArray[np.int64]
    size: int

    def names(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the value that each place is known by."""
        if not len(self.rare):
            return values
        kind = object if values.dtype.kind != "U" else f"U{max(len(RARE), values.itemsize // 4)}"
        names = np.empty(self.size, dtype=kind)
        names[self.places] = values
        names[self.places[self.rare[0]]] = RARE
        return names


def grouped(
    counts: NDArray[np.int64], n: int, least: Any, most: int | None, values: NDArray[Any] | None
) -> Grouping:
    """Let rare values share a place.

    Parameters
    ----------
    counts : array of int
        Rows of each value.
    n : int
        Rows in all.
    least : int or float, optional
        Values in fewer rows (a smaller share) are rare.
    most : int, optional
        Most places; the rarest values share one.
    values : array, optional
        The values; given, NaN (at the end) keeps a place of its own.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.frequency import grouped
    >>> grouped(np.array([5, 1, 2]), 8, 3, None, None)
    Grouping(places=array([0, 1, 1]), rare=array([1, 2]), size=2)
    """
    kept = len(counts)
    if values is not None:
        kept -= sum(map(is_nan, values[-1:].tolist()))
    shown = counts[:kept]
    rare = np.zeros(kept, bool)
    if least is not None:
        rare = shown < (least if isinstance(least, (int, np.integer)) else least * n)
    if most is not None and most < kept - rare.sum() + 1:
        rarest = np.argsort(shown, kind="stable")
        rare[rarest[: len(rarest) - (most - 1)]] = True
    if not rare.any():
        return _each_alone(len(counts))
    places = np.empty(len(counts), np.int64)
    common = np.flatnonzero(~rare)
    places[common] = np.arange(len(common))
    places[:kept][rare] = len(common)
    places[kept:] = len(common) + 1 + np.arange(len(counts) - kept)
    return Grouping(places, np.flatnonzero(rare), len(common) + 1 + len(counts) - kept)


@lru_cache(maxsize=64)
def _each_alone(size: int) -> Grouping:
    """Return the grouping without rare values: thousands of columns share a few of them."""
    return Grouping(frozen(np.arange(size)), frozen(np.empty(0, np.int64)), size)
