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

from learnable.cluster.frame import Targets
from learnable.cluster.problem import Problem
from learnable.cluster.refill import RowState, refill
from learnable.core.events import EventBuffer
from learnable.core.fold import fold
from learnable.core.trace import listening
from learnable.data import Block
from learnable.loops.cluster_sums import undecided
from learnable.stats import Shifts
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen

ANEW, MOVES = 16, 1024
_WORTH_WHILE, _LONGEST_WAIT = 0.8, 8
_SAFE = 1.0 + 1e-12


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
    """What one turn found: shifts, the state of the rows block by block, rows measured, moves."""

    shifts: Shifts
    rows: tuple[RowState, ...]
    measured: int
    moves: EventBuffer

    def merge(self, other: Outcome) -> Outcome:
        """Return the outcome of neighbouring blocks together."""
        return Outcome(
            self.shifts.merge(other.shifts),
            self.rows + other.rows,
            self.measured + other.measured,
            self.moves.merge(other.moves),
        )


def beginning(problem: Problem, centres: Floats, *, always: bool) -> Position:
    """Return the position before the first turn; ``always`` keeps bounds from the start."""
    nothing = tuple(RowState(np.full(block.n, -1, np.int32)) for block in problem.blocks)
    look = Look(bounds=always, used=False, wait=1, patience=1)
    zero = Shifts.zero(*centres.shape)
    return Position(centres, np.zeros(len(centres)), zero, nothing, look)


def take_turn(
    problem: Problem, position: Position, *, always: bool = False
) -> tuple[Position, dict[str, Any]]:
    """Make one turn: assign every row, move every centre, refill empty clusters."""
    turn = position.turn + 1
    targets = Targets.of(problem.frame, position.centres, problem.dtype)
    gap = half_gaps(position.centres) if position.look.used else NO_WEIGHTS
    whole = turn % ANEW == 0
    room = max(MOVES // len(problem.blocks), 1) if listening() else 0
    of = partial(
        _turn_of_block, targets, frozen(position.moved), frozen(gap), position.look, whole, room
    )
    found: Outcome = fold(of, Outcome.merge, list(zip(problem.blocks, position.rows, strict=True)))
    found.moves.tell("move", turn, row=int, old=int, new=int)
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
    room: int,
    item: tuple[Block, RowState],
) -> Outcome:
    block, before = item
    X, frame = block.array(), targets.frame
    labels, upper, lower = (part.copy() for part in before)
    rows = np.arange(len(X), dtype=np.int32)
    if look.used:
        rows = undecided(X, *frame, targets.centres, moved, gap, frozen(labels), upper, lower)
    rows = frozen(rows)
    if look.used:
        found, upper[rows], lower[rows] = targets.nearest_with_bounds(X, rows)
    elif look.bounds:
        found, upper, lower = targets.nearest_with_bounds(X, rows)
    else:
        found, upper, lower = targets.nearest(X, rows), NO_WEIGHTS, NO_WEIGHTS
    k, moves = len(targets.centres), EventBuffer.of(room, 3)
    shifts = Shifts.moving(
        X, rows, found, labels, k, block.weight, *frame, start=block.start, moves=moves
    )
    if whole:
        all_rows = Shifts.of(X, labels, k, block.weight, *frame)
        shifts = all_rows._replace(changed=shifts.changed)
    return Outcome(shifts, (RowState(labels, upper, lower),), len(rows), moves)


def half_gaps(centres: Floats) -> Floats:
    """Return half the distance of each centre to its nearest neighbour, rounded down."""
    squares = (centres**2).sum(axis=1)
    sums = squares[:, None] + squares
    doubt = 8.0 * (centres.shape[1] + 8) * np.finfo(np.float64).eps * sums
    apart = sums - 2.0 * (centres @ centres.T) - doubt
    np.fill_diagonal(apart, np.inf)
    return np.sqrt(np.maximum(apart.min(axis=1), 0.0)) / 2.0
