"""One turn of Lloyd's method as one fold: rows to their nearest centres, centres to their means.

Turns differ only in how much they look at. A plain turn measures every row against every centre.
Once a turn has left bounds behind (Hamerly), the next ones measure only rows whose nearest centre
may have changed. Which kind is taken follows from the share of rows that bounds leave open, and
is the same for any number of threads; the bounds include all rounding, so the answers do not
depend on it.

What a turn adds up are differences: rows that change their cluster. Every sixteenth turn adds up
all rows anew, so that rounding cannot build up.

References
----------
.. [1] S. P. Lloyd: Least squares quantization in PCM. IEEE Transactions on Information Theory 28,
   1982.
.. [2] G. Hamerly: Making k-means even faster. SIAM International Conference on Data Mining 2010.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from learnable.cluster.frame import Frame, Labels, Targets
from learnable.core.fold import fold
from learnable.data import Block
from learnable.loops.cluster_sums import squares_to_own, undecided
from learnable.stats import Shifts
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen

ANEW = 16
_WORTH_WHILE, _LONGEST_WAIT = 0.8, 8
_SAFE = 1.0 + 1e-12


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


class RowState(NamedTuple):
    """What a turn remembers of the rows of a block: labels, and bounds where there are any."""

    labels: Labels
    upper: Floats = NO_WEIGHTS
    lower: Floats = NO_WEIGHTS


class Look(NamedTuple):
    """How much the next turn looks at: bounds made, bounds used, plain turns before new bounds."""

    bounds: bool
    used: bool
    wait: int
    patience: int

    def after(self, share: float, *, always: bool) -> Look:
        """Return how the turn after one looks that measured this share of the rows."""
        if self.used and share > _WORTH_WHILE and not always:
            wait = min(2 * self.wait, _LONGEST_WAIT)
            return Look(bounds=False, used=False, wait=wait, patience=wait)
        if self.bounds:
            return self._replace(used=True)
        return self._replace(patience=self.patience - 1, bounds=self.patience <= 1)


class Position(NamedTuple):
    """Where the centres are, how far they went, and what is known of the rows."""

    centres: Floats
    moved: Floats
    totals: Shifts
    rows: tuple[RowState, ...]
    look: Look
    turn: int = 0


class Outcome(NamedTuple):
    """What one turn found: shifts, the state of the rows block by block, rows measured."""

    shifts: Shifts
    rows: tuple[RowState, ...]
    measured: int

    def merge(self, other: Outcome) -> Outcome:
        """Return the outcome of neighbouring blocks together."""
        return Outcome(
            self.shifts.merge(other.shifts), self.rows + other.rows, self.measured + other.measured
        )


def beginning(problem: Problem, centres: Floats, *, always: bool) -> Position:
    """Return the position before the first turn; ``always`` keeps bounds from the start."""
    nothing = tuple(
        RowState(np.full(len(block_labels(block)), -1, np.int32)) for block in problem.blocks
    )
    look = Look(bounds=always, used=False, wait=1, patience=1)
    zero = Shifts.zero(*centres.shape)
    return Position(centres, np.zeros(len(centres)), zero, nothing, look)


def block_labels(block: Block) -> range:
    """Return the numbers of the rows of a block."""
    columnar = isinstance(block.cells, list)
    return range(len(block.cells[0]) if columnar else block.cells.shape[0])


def take_turn(
    problem: Problem, position: Position, *, always: bool = False
) -> tuple[Position, dict[str, Any]]:
    """Make one turn: assign every row, move every centre, refill empty clusters."""
    turn = position.turn + 1
    targets = Targets.of(problem.frame, position.centres, problem.dtype)
    gap = half_gaps(position.centres) if position.look.used else NO_WEIGHTS
    whole = turn % ANEW == 0
    of = partial(_turn_of_block, targets, frozen(position.moved), frozen(gap), position.look, whole)
    found: Outcome = fold(of, Outcome.merge, list(zip(problem.blocks, position.rows, strict=True)))
    changed = found.shifts.changed
    totals = found.shifts if whole or turn == 1 else position.totals.merge(found.shifts)
    totals, rows, repaired = refill(problem, targets, totals, found.rows)
    centres = position.centres
    if changed or repaired:
        centres = np.where((totals.rows > 0)[:, None], totals.means(), centres)
    moved = np.sqrt(((centres - position.centres) ** 2).sum(axis=1))
    look = position.look.after(found.measured / problem.rows, always=always)
    info = {
        "inertia": problem.frame.area(max(problem.square - totals.between(), 0.0)),
        "change": float((moved**2).sum()),
        "changed": changed,
        "repaired": repaired,
        "measured": found.measured,
    }
    return Position(centres, moved * _SAFE, totals, rows, look, turn), info


def _turn_of_block(
    targets: Targets,
    moved: Floats,
    gap: Floats,
    look: Look,
    whole: bool,
    item: tuple[Block, RowState],
) -> Outcome:
    block, before = item
    X, frame = block.array(), targets.frame
    labels, upper, lower = before.labels.copy(), before.upper, before.lower
    if look.used:
        upper, lower = upper.copy(), lower.copy()
        rows = undecided(
            X, *frame, targets.centres, moved, gap, frozen(labels), upper, lower
        )  # fmt: skip
    else:
        rows = np.arange(len(X), dtype=np.int32)
        upper, lower = (np.empty(len(X)), np.empty(len(X))) if look.bounds else (upper, lower)
    rows = frozen(rows)
    if look.bounds:
        found, upper[rows], lower[rows] = targets.nearest_with_bounds(X, rows)
    else:
        found = targets.nearest(X, rows)
    k = len(targets.centres)
    shifts = Shifts.moving(X, rows, found, labels, k, block.weight, *frame)
    if whole:
        all_rows = Shifts.of(X, labels, k, block.weight, *frame)
        shifts = all_rows._replace(changed=shifts.changed)
    return Outcome(shifts, (RowState(labels, upper, lower),), len(rows))


def half_gaps(centres: Floats) -> Floats:
    """Return half the distance of each centre to its nearest neighbour, rounded down."""
    squares = (centres**2).sum(axis=1)
    sums = squares[:, None] + squares
    doubt = 8.0 * (centres.shape[1] + 8) * np.finfo(np.float64).eps * sums
    apart = sums - 2.0 * (centres @ centres.T) - doubt
    np.fill_diagonal(apart, np.inf)
    return np.sqrt(np.maximum(apart.min(axis=1), 0.0)) / 2.0


class _Far(NamedTuple):
    """A row far from its centre."""

    square: float
    row: int
    label: int
    weight: float
    place: Floats


def refill(
    problem: Problem, targets: Targets, totals: Shifts, rows: tuple[RowState, ...]
) -> tuple[Shifts, tuple[RowState, ...], int]:
    """Give every empty cluster the row farthest from its own centre (the first of equals).

    A row that is alone in its cluster stays, and so does one that lies on its centre: with fewer
    distinct rows than clusters some clusters remain empty.
    """
    empty = np.flatnonzero(totals.rows == 0)
    if not len(empty):
        return totals, rows, 0
    count, weight, sums = totals.rows.copy(), totals.weight.copy(), totals.sums.copy()
    weight[empty], sums[empty] = 0.0, 0.0
    wanted = len(empty) + problem.k
    far = fold(
        partial(_farthest, targets, wanted),
        partial(_farther, wanted),
        list(zip(problem.blocks, rows, strict=True)),
    )
    taken: dict[int, int] = {}
    for one in far:
        if len(taken) == len(empty):
            break
        if count[one.label] > 1:
            to = int(empty[len(taken)])
            taken[one.row] = to
            for c, sign in ((to, 1), (one.label, -1)):
                count[c] += sign
                weight[c] += sign * one.weight
                sums[c] += sign * one.weight * one.place
    filled = Shifts(count, weight, sums, totals.changed)
    return filled, _relabelled(problem, rows, taken), len(taken)


def _farthest(targets: Targets, wanted: int, item: tuple[Block, RowState]) -> list[_Far]:
    block, state = item
    X = block.array()
    squares = squares_to_own(X, *targets.frame, targets.centres, frozen(state.labels))
    if len(block.weight):
        squares = np.where(block.weight > 0.0, squares, 0.0)
    order = np.argsort(-squares, kind="stable")[:wanted]
    return [
        _Far(
            float(squares[i]),
            block.start + int(i),
            int(state.labels[i]),
            float(block.weight[i]) if len(block.weight) else 1.0,
            targets.frame.inward(X[i]),
        )
        for i in order
        if squares[i] > 0.0
    ]


def _farther(wanted: int, left: list[_Far], right: list[_Far]) -> list[_Far]:
    return sorted([*left, *right], key=lambda one: (-one.square, one.row))[:wanted]


def _relabelled(
    problem: Problem, rows: tuple[RowState, ...], taken: dict[int, int]
) -> tuple[RowState, ...]:
    """Write the new labels of a few rows; their bounds are void."""
    changed = list(rows)
    starts = [block.start for block in problem.blocks]
    for row, label in taken.items():
        b = int(np.searchsorted(starts, row, side="right")) - 1
        state = RowState(*(part.copy() for part in changed[b]))
        state.labels[row - starts[b]] = label
        if len(state.lower):
            state.upper[row - starts[b]], state.lower[row - starts[b]] = np.inf, 0.0
        changed[b] = state
    return tuple(changed)
