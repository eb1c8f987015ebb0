"""The laws of statistics: what makes a fold right whoever runs it.

``zero`` is an identity on both sides; ``merge`` is associative and commutative to rounding; the
statistic of two blocks together is the merge of the two; ``minus`` undoes ``merge``; nothing is
changed in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from learnable.checks.bits import close, same_bits

ROUNDING = 1e-10


def check_statistic(
    of: Callable[..., Any],
    blocks: Sequence[Any],
    together: Callable[[Any, Any], Any],
    *,
    zero: Any = None,
    view: Callable[[Any], Any] = lambda statistic: statistic,
    tolerance: float = ROUNDING,
) -> None:
    """Raise :class:`LawBroken` unless a statistic obeys the laws on these blocks.

    Parameters
    ----------
    of : callable
        Block to statistic.
    blocks : sequence
        Three blocks or more.
    together : callable
        Two blocks to the block that holds the rows of both.
    zero : statistic, optional
        The statistic of no rows.
    view : callable, optional
        Statistic to what is compared, where one statistic can be written in several ways.
    tolerance : float
        Rounding allowed, relative to the largest number.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.checks import check_statistic
    >>> from learnable.stats import Moments
    >>> blocks = np.random.default_rng(0).normal(size=(3, 5, 2))
    >>> check_statistic(Moments.of, blocks, lambda a, b: np.concatenate([a, b]),
    ...                 zero=Moments.zero(1, 2))
    """
    parts = [of(block) for block in blocks]
    before = deepcopy(parts)
    a, b, c = parts[:3]

    def agree(one: Any, other: Any, what: str, beside: Any = None) -> None:
        close(
            view(one), view(other), tolerance, what, beside=None if beside is None else view(beside)
        )

    agree(a.merge(b).merge(c), a.merge(b.merge(c)), "merging in another order")
    agree(a.merge(b), b.merge(a), "merging from the other side")
    agree(of(together(*blocks[:2])), a.merge(b), "two blocks together and their merge")
    if zero is not None:
        same_bits(view(zero.merge(a)), view(a), "merging into the zero")
        same_bits(view(a.merge(zero)), view(a), "merging the zero")
    if hasattr(a, "minus"):
        merged = a.merge(b)
        agree(merged.minus(b), a, "minus after merge", merged)
    same_bits(parts, before, "the statistics before and after")
