"""How often a new row lies outside of what was learned: one certificate for all that learn ends."""

from __future__ import annotations

from typing import Any

from learnable.core.certificate import Certificate
from learnable.core.errors import ParameterError
from learnable.data import Rows
from learnable.theory.statements import share_of_new_rows


def refuse_training_rows(what: str, role: str) -> None:
    """Refuse rows that were learned from: the ends are theirs, and none lies outside.

    Examples
    --------
    >>> from learnable.preprocessing.outside import refuse_training_rows
    >>> refuse_training_rows("The range is that", "test")
    """
    if role != "test":
        msg = (
            f"{what} of the training rows themselves. Give rows that were not learned from, with "
            'role="test"'
        )
        raise ParameterError(msg)


def share_outside(
    rows: Rows, low: Any, high: Any, *, quantity: str, told: str, confidence: float
) -> Certificate:
    """Certify how many new rows have a cell below ``low`` or above ``high``.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.data import Rows
    >>> from learnable.preprocessing.outside import share_outside
    >>> share_outside(
    ...     Rows(np.array([[0.5], [2.0]])), np.zeros(1), np.ones(1),
    ...     quantity="share", told="lie outside", confidence=0.95,
    ... ).value
    0.5
    """
    out = 0
    for block in rows.blocks():
        cells = block.array()
        out += int(((cells < low) | (cells > high)).any(axis=1).sum())
    return share_of_new_rows(out, rows.n, quantity=quantity, told=told, confidence=confidence)
