"""Which rule of a list fires first.

Cost: the conditions of a row's rules up to the first that holds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learnable.core.compiler import loop


class FlatConditions(NamedTuple):
    """The conditions of all rules, end to end.

    Attributes
    ----------
    first : array of int32, one more than rules
        Where the conditions of a rule begin.
    column : array of int32
        The column that each asks.
    low, high : array of float64
        It holds for cells above ``low`` and up to ``high``.
    nominal : array of uint8
        1 where it holds for a set of codes instead.
    missing : array of uint8
        1 where it holds for a missing cell.
    table : array of int32, one more than conditions
        Where the codes of a condition begin.
    codes : array of int32
        Rising codes of each.
    """

    first: np.ndarray
    column: np.ndarray
    low: np.ndarray
    high: np.ndarray
    nominal: np.ndarray
    missing: np.ndarray
    table: np.ndarray
    codes: np.ndarray


@loop(fastmath=False)
def holds(rules, c, x):
    """Whether a condition holds for a cell."""
    if x != x:
        return rules.missing[c] == 1
    if rules.nominal[c]:
        for k in range(rules.table[c], rules.table[c + 1]):  # noqa: SIM110 (no generators here)
            if rules.codes[k] == np.int32(x):
                return True
        return False
    return rules.low[c] < x <= rules.high[c]


@loop(fastmath=False)
def first_firing(X, rules, which):
    """Write the first rule that fires for every row; their number where none does."""
    count = rules.first.shape[0] - 1
    for i in range(X.shape[0]):
        which[i] = count
        for r in range(count):
            fires = True
            for c in range(rules.first[r], rules.first[r + 1]):
                if not holds(rules, c, X[i, rules.column[c]]):
                    fires = False
                    break
            if fires:
                which[i] = r
                break


@loop(fastmath=False)
def condition_truths(X, rules, truths):
    """Write whether each condition holds for each row, a line a condition."""
    for c in range(rules.column.shape[0]):
        for i in range(X.shape[0]):
            truths[c, i] = holds(rules, c, X[i, rules.column[c]])
