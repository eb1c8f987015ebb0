"""The frame in which distances are computed, and centres made ready for it.

Distances do not change when everything is shifted, and scale with everything. So rows and centres
are read as ``(x - origin) * scale`` with a power of two as scale: data far from 0 lose no digits
to cancellation, and squares of very large or small numbers stay in the range of floats.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.data import Rows
from learnable.loops.clusters import STEP, nearest, nearest_with_bounds
from learnable.stats import Moments
from learnable.stats.arrays import Floats, frozen

Labels = NDArray[np.int32]
_PARTS = 16.0
_TILE_BYTES, _LINE_BYTES, _NARROWEST = 1 << 18, 2048, 64
_BLOCK_BYTES, _MOST_ROWS, _MOST_PRODUCTS = 1 << 20, 1 << 16, 1 << 31


def grid_rows(rows: Rows, k: int) -> int:
    """Rows a block: many against the sums of ``k`` clusters, few enough for a short call.

    Rows are read twice in a turn, scored and added up, so a block should stay in the cache.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.cluster.frame import grid_rows
    >>> from learnable.data import Rows
    >>> grid_rows(Rows(np.zeros((9, 32))), 64), grid_rows(Rows(np.zeros((9, 1000))), 1000)
    (4096, 2048)
    """
    cached = min(max(_BLOCK_BYTES // (rows.d * rows.dtype.itemsize), 16), _MOST_ROWS)
    wanted = max(1 << (cached.bit_length() - 1), 1 << (4 * k - 1).bit_length())
    longest = max(_MOST_PRODUCTS // (rows.d * k), 16)
    return min(wanted, 1 << (longest.bit_length() - 1))


def tile_width(d: int, dtype: np.dtype) -> int:
    """Rows a tile, so that it stays in the cache."""
    most = _TILE_BYTES // (d * dtype.itemsize)
    widest = _LINE_BYTES // dtype.itemsize
    return min(max(1 << max(most.bit_length() - 1, 0), _NARROWEST), widest)


class Frame(NamedTuple):
    """Where 0 lies and how long 1 is.

    The origin is a coarse number near the middle, so that cells of few digits (whole numbers,
    tenths) keep them when it is subtracted, and rows equally far from two centres stay so.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.cluster.frame import Frame
    >>> frame = Frame.around(np.array([[1e6], [1e6 + 8.0]]))
    >>> frame.origin, frame.scale, frame.inward(np.array([[1e6]]))
    (array([1000004.]), 0.125, array([[-0.5]]))
    """

    origin: Floats
    scale: float

    @classmethod
    def of_moments(cls, moments: Moments) -> Frame:
        """Return the frame of rows: their mean and the size of their spread."""
        return cls.near(moments.mean[0], float(moments.spread().max()))

    @classmethod
    def around(cls, centres: Floats) -> Frame:
        """Return the frame of centres, which a fitted model knows."""
        exact = centres.astype(np.float64)
        first = exact[0]
        middle = first + (exact - first).mean(axis=0)
        return cls.near(middle, float(np.abs(exact - middle).max()))

    @classmethod
    def near(cls, middle: Floats, size: float) -> Frame:
        """Return a frame near ``middle`` in which ``size`` is about 1."""
        scale = _unit(size)
        coarse = np.round(middle * (scale * _PARTS)) / (scale * _PARTS)
        return cls(frozen(np.where(np.isfinite(coarse), coarse, middle)), scale)

    def inward(self, points: Floats) -> Floats:
        """Return points in the frame."""
        return (points.astype(np.float64) - self.origin) * self.scale

    def outward(self, points: Floats) -> Floats:
        """Return points of the frame as they are outside."""
        return self.origin + points / self.scale

    def area(self, square: float) -> float:
        """Return a squared distance in the frame as it is outside; it may leave the range."""
        return square / self.scale / self.scale if math.isfinite(square) else square


def _unit(size: float) -> float:
    """Power of two that brings ``size`` near 1."""
    return 1.0 if size == 0.0 else math.ldexp(1.0, min(-math.frexp(size)[1], 1000))


class Targets(NamedTuple):
    """Centres made ready: exact, and padded in the kind of number of the rows."""

    frame: Frame
    centres: Floats
    padded: Floats
    half: Floats
    width: int
    slack: float
    reach: float

    @classmethod
    def of(cls, frame: Frame, centres: Floats, dtype: np.dtype) -> Targets:
        """Prepare centres that lie in the frame.

        The score of a row is off by some d + 8 units of rounding of the product of the lengths;
        ``slack`` is a bound on it.
        """
        k, d = centres.shape
        padded = np.zeros((-(-k // STEP) * STEP, -(-d // STEP) * STEP), dtype)
        padded[:k, :d] = centres
        half = np.full(len(padded), np.inf, dtype)
        squares = (centres**2).sum(axis=1)
        half[:k] = squares / 2
        return cls(
            frame,
            frozen(np.ascontiguousarray(centres)),
            frozen(padded),
            frozen(half),
            tile_width(padded.shape[1], dtype),
            4.0 * (d + 8) * float(np.finfo(dtype).eps),
            math.sqrt(squares.max()),
        )

    def nearest(self, X: Floats, rows: Labels) -> Labels:
        """Return the nearest centre of some rows of a block."""
        return nearest(
            X, rows, self.frame.origin, self.frame.scale, self.padded, self.half,
            self._width(len(rows)),
        )  # fmt: skip

    def nearest_with_bounds(self, X: Floats, rows: Labels) -> tuple[Labels, Floats, Floats]:
        """Return the nearest centre of some rows, and bounds on the first and second distance."""
        return nearest_with_bounds(
            X, rows, self.frame.origin, self.frame.scale, self.padded, self.half,
            self._width(len(rows)), self.slack, self.reach,
        )  # fmt: skip

    def _width(self, n: int) -> int:
        return min(self.width, max(1 << (n - 1).bit_length() if n else 0, _NARROWEST))
