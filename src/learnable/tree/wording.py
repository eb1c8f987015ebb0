"""Conditions in words: what a branch of a node asks, and the way to a node."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learnable.data import Schema
from learnable.tree.structure import Nodes

_MANY = 6


class Condition(NamedTuple):
    """What a branch asks of one column.

    Attributes
    ----------
    column : int
        Its number.
    low, high : float
        The cell is above ``low`` and at most ``high``.
    codes : tuple of int or None
        Or it is one of these codes.
    missing : bool
        Whether a missing cell takes the branch too.
    """

    column: int
    low: float
    high: float
    codes: tuple[int, ...] | None
    missing: bool


def condition(nodes: Nodes, node: int, branch: int) -> Condition:
    """Return what leads from a node into one of its branches."""
    column, missing = int(nodes.column[node]), bool(nodes.missing[node] == branch)
    if nodes.nominal[node]:
        return Condition(column, -np.inf, np.inf, tuple(nodes.codes_of(node, branch)), missing)
    threshold = float(nodes.threshold[node])
    if branch == 0:
        return Condition(column, -np.inf, threshold, None, missing)
    if branch == 1:
        return Condition(column, threshold, np.inf, None, missing)
    return Condition(column, np.inf, -np.inf, None, missing)


def told(asked: Condition, names: list[str], schema: Schema | None) -> str:
    """Say a condition in words.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.tree.wording import Condition, told
    >>> told(Condition(0, 2.5, np.inf, None, False), ["age"], None)
    'age > 2.5'
    """
    name = names[asked.column]
    if asked.codes is not None:
        return _told_codes(name, [value_of(asked.column, c, schema) for c in asked.codes])
    if asked.low > asked.high or asked.low == np.inf:
        return f"{name} is missing"
    if asked.low == -np.inf:
        return f"{name} is known" if asked.high == np.inf else f"{name} <= {number(asked.high)}"
    if asked.high == np.inf:
        return f"{name} > {number(asked.low)}"
    return f"{number(asked.low)} < {name} <= {number(asked.high)}"


def _told_codes(name: str, values: list[str]) -> str:
    if len(values) == 1:
        return f"{name} = {values[0]}"
    shown = ", ".join(values[:_MANY]) + (", ..." if len(values) > _MANY else "")
    return f"{name} in {{{shown}}}" if values else f"{name} is missing"


def value_of(column: int, code: int, schema: Schema | None) -> str:
    """Return what a code stands for."""
    return str(code) if schema is None else schema.columns[column].values[code]


def number(value: float) -> str:
    """Write a number so that it reads back as itself."""
    return repr(float(value)).removesuffix(".0")
