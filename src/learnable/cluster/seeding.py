"""Where k-means begins: greedy k-means++, random rows, given centres, or a function.

k-means++ draws each next centre among the rows with a chance proportional to the squared distance
to the nearest centre so far. The greedy form draws ``2 + log k`` candidates and keeps the one that
lowers the sum of squared distances most. A row is drawn in two steps, its block and then the row
within it, so that one fold a centre is enough and nothing of the size of candidates times rows is
kept.

References
----------
.. [1] D. Arthur, S. Vassilvitskii: k-means++: the advantages of careful seeding. SODA 2007.
.. [2] C. Grunau, A. Ozudogru, V. Rozhon, J. Tetek: A nearly tight analysis of greedy k-means++.
   SODA 2023.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from learnable.cluster.frame import Frame
from learnable.cluster.problem import Problem
from learnable.core.errors import DataError
from learnable.core.fold import fold
from learnable.data import Block, Rows
from learnable.loops.cluster_sums import squares_to_all
from learnable.stats.arrays import Floats, frozen


class Starts:
    """Words, a function or an array: what ``init`` may be."""

    words = ("k-means++", "random")

    def accepts(self, value: Any) -> bool:
        """Whether centres can be had from the value."""
        if isinstance(value, str):
            return value in self.words
        return callable(value) or hasattr(value, "__array__") or isinstance(value, (list, tuple))

    def __str__(self) -> str:
        return "'k-means++', 'random', a function, or an array with one centre a row"


def runs_wanted(init: Any, n_init: Any) -> int:
    """Return how many times to start.

    Examples
    --------
    >>> from learnable.cluster.seeding import runs_wanted
    >>> runs_wanted("k-means++", "auto"), runs_wanted("random", "auto"), runs_wanted([[0.0]], 7)
    (1, 10, 1)
    """
    if not isinstance(init, str) and not callable(init):
        return 1
    if n_init == "auto":
        return 1 if isinstance(init, str) and init == "k-means++" else 10
    return int(n_init)


def first_centres(
    problem: Problem, rows: Rows, weight: Floats, init: Any, rng: np.random.Generator
) -> Floats:
    """Return the centres to begin with, in the frame of the problem."""
    if isinstance(init, str):
        draw = plus_plus if init == "k-means++" else random_rows
        return draw(problem, rows, weight, rng)
    if callable(init):
        state = np.random.RandomState(rng.integers(2**31))
        init = init(rows.array(), problem.k, random_state=state)
    return problem.frame.inward(checked_centres(init, problem.k, rows.d))


def checked_centres(init: Any, k: int, d: int) -> Floats:
    """Return given centres as an array, or refuse their shape or a cell."""
    centres = np.asarray(init, dtype=np.float64)
    if centres.ndim != 2 or len(centres) != k:
        raise DataError(
            f"The shape of the initial centers {centres.shape} does not match the number of "
            f"clusters {k}.",
            remedy="Give one centre a row.",
        )
    if centres.shape[1] != d:
        raise DataError(
            f"The shape of the initial centers {centres.shape} does not match the number of "
            f"features of the data {d}.",
            remedy="Give one column a feature.",
        )
    if not np.isfinite(centres).all():
        row, column = map(int, np.argwhere(~np.isfinite(centres))[0])
        raise DataError(
            "The initial centers hold NaN or infinity.", row=row, column=column,
            remedy="Give finite centres.",
        )  # fmt: skip
    return centres


def random_rows(problem: Problem, rows: Rows, weight: Floats, rng: np.random.Generator) -> Floats:
    """Draw rows, each once, in proportion to their weights."""
    share = weight / weight.sum() if len(weight) else None
    drawn = rng.choice(rows.n, problem.k, replace=False, p=share)
    return problem.frame.inward(np.stack([rows.row(int(i)) for i in drawn]))


class _Seen(NamedTuple):
    """What a fold found: squared distances block by block, potentials block by candidate."""

    closest: tuple[Floats | None, ...]
    potential: Floats

    def merge(self, other: _Seen) -> _Seen:
        return _Seen(
            self.closest + other.closest, np.concatenate([self.potential, other.potential])
        )


def plus_plus(problem: Problem, rows: Rows, weight: Floats, rng: np.random.Generator) -> Floats:
    """Draw centres by greedy k-means++."""
    trials = 2 + int(math.log(problem.k))
    newest = problem.frame.inward(rows.row(_by_weight(rows.n, weight, rng))[None])
    centres = [newest]
    seen = _look(problem, tuple(None for _ in problem.blocks), None, newest)
    share = seen.potential[:, 0]
    while len(centres) < problem.k:
        drawn = [_draw(problem, seen.closest, share, newest, rng) for _ in range(trials)]
        places = [_by_weight(rows.n, weight, rng) if i is None else i for i in drawn]
        candidates = problem.frame.inward(np.stack([rows.row(i) for i in places]))
        seen = _look(problem, seen.closest, newest, candidates)
        best = int(seen.potential.sum(axis=0).argmin())
        newest, share = candidates[best : best + 1], seen.potential[:, best]
        centres.append(newest)
    return np.concatenate(centres)


def _look(problem: Problem, closest: Any, newest: Floats | None, candidates: Floats) -> _Seen:
    of = partial(_look_at_block, problem.frame, newest, frozen(candidates))
    found: _Seen = fold(of, _Seen.merge, list(zip(problem.blocks, closest, strict=True)))
    return found


def _look_at_block(
    frame: Frame, newest: Floats | None, candidates: Floats, item: tuple[Block, Floats | None]
) -> _Seen:
    block, closest = item
    X = block.array()
    points = candidates if newest is None else np.concatenate([newest, candidates])
    squares = squares_to_all(X, *frame, frozen(points))
    if newest is not None:
        closest = squares[:, 0] if closest is None else np.minimum(squares[:, 0], closest)
        squares = np.minimum(squares[:, 1:], closest[:, None])
    lowered = block.weight @ squares if len(block.weight) else squares.sum(axis=0)
    return _Seen((closest,), lowered[None])


def _chances(problem: Problem, closest: Floats | None, newest: Floats, block: Block) -> Floats:
    """Return the weighted squared distance of each row of a block to the nearest centre."""
    squares = squares_to_all(block.array(), *problem.frame, frozen(newest))[:, 0]
    if closest is not None:
        squares = np.minimum(squares, closest)
    return squares * block.weight if len(block.weight) else squares


def _draw(
    problem: Problem,
    closest: tuple[Floats | None, ...],
    share: Floats,
    newest: Floats,
    rng: np.random.Generator,
) -> int | None:
    """Draw a row in proportion to its potential; None if every row lies on a centre."""
    u = rng.random()
    sums = np.cumsum(share)
    if not sums[-1] > 0.0:
        return None
    b = _place(sums, u * sums[-1])
    block = problem.blocks[b]
    within = np.cumsum(_chances(problem, closest[b], newest, block))
    rest = u * sums[-1] - (sums[b - 1] if b else 0.0)
    return block.start + _place(within, rest)


def _by_weight(n: int, weight: Floats, rng: np.random.Generator) -> int:
    u = rng.random()
    if not len(weight):
        return min(int(u * n), n - 1)
    return _place(np.cumsum(weight), u * weight.sum())


def _place(sums: Floats, value: float) -> int:
    """Return the first place whose running sum exceeds ``value``, but none of chance 0."""
    last = int(np.searchsorted(sums, sums[-1], side="left"))
    return min(int(np.searchsorted(sums, value, side="right")), last)
