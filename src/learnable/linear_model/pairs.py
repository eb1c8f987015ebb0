"""Rows beside their answers, block by block, as least squares reads them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learnable.core.errors import DataError
from learnable.data import Block, Rows
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen


class Pair(NamedTuple):
    """A block of rows and their answers (n, m)."""

    block: Block
    answers: Floats


def pairs(rows: Rows, answers: Floats, weight: Floats = NO_WEIGHTS) -> list[Pair]:
    """Cut rows and answers into blocks on the grid.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.linear_model.pairs import pairs
    >>> len(pairs(Rows(np.zeros((5, 2))), np.zeros((5, 1))))
    1
    """
    blocks = rows.blocks(weight=weight)
    return [Pair(b, frozen(answers[b.start : b.start + b.n])) for b in blocks]


def side_by_side(pair: Pair) -> tuple[Floats, Floats]:
    """Return rows and answers as one array of floats, and the weights.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.linear_model.pairs import pairs, side_by_side
    >>> side_by_side(pairs(Rows(np.zeros((1, 2))), np.ones((1, 1)))[0])[0]
    array([[0., 0., 1.]])
    """
    X = pair.block.array()
    n, d = X.shape
    joined = np.empty((n, d + pair.answers.shape[1]))
    joined[:, :d], joined[:, d:] = X, pair.answers
    return joined, pair.block.weight


def refuse_overflow(pair: Pair) -> None:
    """Raise for a cell that is not finite, or for sums that leave the range of floats."""
    pair.block.refuse(pair.block.array())
    X, _ = side_by_side(pair)
    spread = X.max(axis=0) / 2 - X.min(axis=0) / 2
    j = int(spread.argmax())
    names = pair.block.names
    raise DataError(
        "The sums of a column leave the range of floats.",
        column="y" if j >= pair.block.array().shape[1] else j if names is None else names[j],
        remedy="Rescale it (divide by its largest value).",
    )
