"""Empty clusters: each takes the row farthest from its own centre.

An empty cluster lowers the sum of squares by nothing; as a cluster of one row it does, by all of
that row's distance, so the sum still never rises. Of rows equally far the first is taken.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from learnable.cluster.frame import Labels, Targets
from learnable.cluster.problem import Problem
from learnable.core.fold import fold
from learnable.data import Block
from learnable.loops.cluster_sums import squares_to_own
from learnable.stats import Shifts
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen


class RowState(NamedTuple):
    """What a turn remembers of the rows of a block: labels, and bounds where there are any."""

    labels: Labels
    upper: Floats = NO_WEIGHTS
    lower: Floats = NO_WEIGHTS


class _Far(NamedTuple):
    """The rows farthest from their centres, farthest first."""

    squares: Floats
    rows: Labels

    def first(self, wanted: int) -> _Far:
        order = np.lexsort((self.rows, -self.squares))[:wanted]
        return _Far(self.squares[order], self.rows[order])


def refill(
    problem: Problem, targets: Targets, totals: Shifts, states: tuple[RowState, ...]
) -> tuple[Shifts, tuple[RowState, ...], int]:
    """Fill empty clusters; return the totals, the states of the rows and how many were filled.

    A row that is alone in its cluster stays, and so does one that lies on its centre: with fewer
    distinct rows than clusters some clusters remain empty.
    """
    empty = np.flatnonzero(totals.rows == 0)
    if not len(empty):
        return totals, states, 0
    wanted = len(empty) + problem.k  # at most k of the farthest rows are alone
    far: _Far = fold(
        partial(_farthest, targets, wanted),
        partial(_farther, wanted),
        list(zip(problem.blocks, states, strict=True)),
    )
    totals = Shifts(totals.rows.copy(), totals.weight.copy(), totals.sums.copy(), totals.changed)
    totals.weight[empty], totals.sums[empty] = 0.0, 0.0
    changed, left = list(states), list(empty)
    starts = [block.start for block in problem.blocks]
    for row in far.rows:
        b = int(np.searchsorted(starts, row, side="right")) - 1
        i = int(row) - starts[b]
        label = int(changed[b].labels[i])
        if left and totals.rows[label] > 1:
            to = int(left.pop(0))
            _move(totals, problem, b, i, label, to)
            changed[b] = _relabelled(changed[b], i, to)
    return totals, tuple(changed), len(empty) - len(left)


def _farthest(targets: Targets, wanted: int, item: tuple[Block, RowState]) -> _Far:
    block, state = item
    squares = squares_to_own(
        block.array(), *targets.frame, targets.centres, frozen(state.labels)
    )  # fmt: skip
    if len(block.weight):
        squares = np.where(block.weight > 0.0, squares, 0.0)
    least = np.partition(squares, -wanted)[-wanted] if wanted < len(squares) else 0.0
    rows = np.flatnonzero((squares >= least) & (squares > 0.0))
    return _Far(squares[rows], rows + block.start).first(wanted)


def _farther(wanted: int, left: _Far, right: _Far) -> _Far:
    return _Far(*map(np.concatenate, zip(left, right, strict=True))).first(wanted)


def _move(totals: Shifts, problem: Problem, b: int, i: int, label: int, to: int) -> None:
    """Move one row from its cluster to an empty one."""
    block = problem.blocks[b]
    weight = float(block.weight[i]) if len(block.weight) else 1.0
    place = problem.frame.inward(block.array()[i])
    for c, sign in ((to, 1), (label, -1)):
        totals.rows[c] += sign
        totals.weight[c] += sign * weight
        totals.sums[c] += sign * weight * place


def _relabelled(state: RowState, i: int, label: int) -> RowState:
    """Write the new label of one row; its bounds are void."""
    state = RowState(*(part.copy() for part in state))
    state.labels[i] = label
    if len(state.lower):
        state.upper[i], state.lower[i] = np.inf, 0.0
    return state
