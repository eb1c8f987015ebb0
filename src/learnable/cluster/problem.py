"""The rows of a clustering laid on their grid, in the frame in which distances are computed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learnable.cluster.frame import Frame, grid_rows
from learnable.core.errors import DataError
from learnable.data import Block, Rows
from learnable.stats import Moments
from learnable.stats.arrays import Floats


class Problem(NamedTuple):
    """What is clustered, and where.

    Attributes
    ----------
    blocks : list of Block
        The rows with their weights.
    rows, k : int
        Number of rows and of clusters.
    frame : Frame
        In which all lengths are taken.
    variance, square : float
        Variances of the columns about their means, summed; weighted squared lengths, summed.
    dtype : dtype
        Kind of number of the rows.
    """

    blocks: list[Block]
    rows: int
    k: int
    frame: Frame
    variance: float
    square: float
    dtype: np.dtype


def enough_rows(n: int, weight: Floats, k: int) -> None:
    """Refuse fewer rows than clusters; rows of weight 0 are not there."""
    present = int(np.count_nonzero(weight)) if len(weight) else n
    if present < k:
        raise DataError(
            f"n_samples={present} should be >= n_clusters={k}.",
            remedy="Ask for fewer clusters, or give more rows (those of weight 0 do not count).",
        )


def laid_out(rows: Rows, weight: Floats, moments: Moments, k: int) -> Problem:
    """Lay the rows on the grid and find the frame in which distances are computed."""
    frame = Frame.of_moments(moments)
    blocks = rows.blocks(weight=weight, rows=grid_rows(rows, k))
    if len(weight):
        for block in blocks:
            if not block.weight.all():
                block.finite_array()  # the moments saw nothing of rows of weight 0
    variance = ((moments.spread()[0] * frame.scale) ** 2).sum()
    aside = (frame.inward(moments.mean) ** 2).sum()
    square = float(moments.weight[0] * (variance + aside))
    return Problem(blocks, rows.n, k, frame, float(variance), square, rows.dtype)
