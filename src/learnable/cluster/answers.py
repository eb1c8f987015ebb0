"""What fitted centres say of rows: labels, distances, the sum of squares."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from learnable.cluster.frame import Frame, Labels, Targets, grid_rows
from learnable.core.errors import DataError
from learnable.core.fold import fold, runner
from learnable.data import Block, Rows
from learnable.loops.cluster_sums import squares_to_all, squares_to_own
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen

_SMALL = 2.0**-520
"""A scale at which the square of no float leaves the range."""


class Assignment(NamedTuple):
    """Labels of rows, and their weighted squared distances summed, in the frame of the centres."""

    labels: tuple[Labels, ...]
    squares: float

    def merge(self, other: Assignment) -> Assignment:
        """Return the assignment of neighbouring blocks together."""
        return Assignment(self.labels + other.labels, self.squares + other.squares)


def targets_of(centres: Floats, dtype: np.dtype) -> Targets:
    """Make the centres of a fitted model ready, in a frame that they alone decide."""
    frame = Frame.around(centres)
    return Targets.of(frame, frame.inward(centres), dtype)


def assign(rows: Rows, centres: Floats, weight: Floats = NO_WEIGHTS) -> tuple[Labels, float]:
    """Return the nearest centre of each row, and the weighted sum of squared distances.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.cluster.answers import assign
    >>> from learnable.data import Rows
    >>> assign(Rows(np.array([[1.0], [2.0], [9.0]])), np.array([[1.0], [8.0]]))
    (array([0, 0, 1], dtype=int32), 2.0)
    """
    targets = targets_of(centres, rows.dtype)
    blocks = rows.blocks(weight=weight, rows=grid_rows(rows, len(centres)))
    found: Assignment = fold(partial(_assign_block, targets), Assignment.merge, blocks)
    inertia = targets.frame.area(found.squares)
    if not np.isfinite(inertia):
        raise DataError(
            "The squared distances leave the range of floats.",
            remedy="Rescale the columns (divide them by their largest value).",
        )
    return np.concatenate(found.labels), inertia


def _assign_block(targets: Targets, block: Block) -> Assignment:
    X = block.finite_array()
    labels = targets.nearest(X, frozen(np.arange(len(X), dtype=np.int32)))
    squares = squares_to_own(X, *targets.frame, targets.centres, frozen(labels))
    total = squares @ block.weight if len(block.weight) else squares.sum()
    return Assignment((labels,), float(total))


def labels_of(rows: Rows, centres: Floats) -> Labels:
    """Return the nearest centre of each row."""
    task = partial(_label_block, targets_of(centres, rows.dtype))
    return np.concatenate(list(runner()(task, rows.blocks(rows=grid_rows(rows, len(centres))))))


def _label_block(targets: Targets, block: Block) -> Labels:
    X = block.finite_array()
    return targets.nearest(X, frozen(np.arange(len(X), dtype=np.int32)))


def distances(rows: Rows, centres: Floats) -> Floats:
    """Return the distance of each row from every centre.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.cluster.answers import distances
    >>> from learnable.data import Rows
    >>> distances(Rows(np.array([[1.0, 0.0]])), np.array([[1.0, 0.0], [4.0, 4.0]]))
    array([[0., 5.]])
    """
    frame = Frame.around(centres)
    task = partial(_measure_block, frame, frozen(frame.inward(centres)))
    blocks = rows.blocks(rows=grid_rows(rows, len(centres)))
    return np.concatenate(list(runner()(task, blocks))).astype(rows.dtype, copy=False)


def _measure_block(frame: Frame, centres: Floats, block: Block) -> Floats:
    X = block.finite_array()
    squares: Floats = squares_to_all(X, *frame, centres)
    near = np.sqrt(squares, out=squares)
    near /= frame.scale
    if not np.isfinite(near.max()):
        far = ~np.isfinite(near).all(axis=1)
        shrunk = frozen(centres * (_SMALL / frame.scale))
        near[far] = np.sqrt(squares_to_all(frozen(X[far]), frame.origin, _SMALL, shrunk)) / _SMALL
    return near
