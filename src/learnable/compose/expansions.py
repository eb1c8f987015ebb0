"""Columns of each kind as columns of numbers, with the names that these get.

==========  ================================================================================
numeric     itself
boolean     0 and 1
ordinal     0, 1, 2, ... in the order of its values
nominal     an indicator for each value (no one for a missing cell), or codes
date        year, month, day, weekday (Monday is 0), or days since a stated day
text        nothing, or the numbers of its words and characters
identifier  nothing
==========  ================================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.data.schema import Column
from learnable.stats.arrays import Floats

PARTS = ("year", "month", "day", "weekday")


class Plan(NamedTuple):
    """How columns are expanded.

    Attributes
    ----------
    nominal : {"onehot", "ordinal"}
        Indicators, or codes.
    drop : {None, "first"}
        Whether the first value has no indicator.
    dates : {"parts", "days", "drop"}
        What becomes of dates.
    since : str
        The day that days are counted from.
    text : {"drop", "count"}
        What becomes of text.
    """

    nominal: str
    drop: str | None
    dates: str
    since: str
    text: str


def expanded_names(column: Column, plan: Plan) -> list[str]:
    """Return the names of the numbers that a column becomes; none if it is left out.

    Examples
    --------
    >>> from learnable.compose.expansions import Plan, expanded_names
    >>> from learnable.data import Column
    >>> plan = Plan("onehot", None, "parts", "1970-01-01", "drop")
    >>> expanded_names(Column("wind", "nominal", ("Weak", "Strong")), plan)
    ['wind_Weak', 'wind_Strong']
    """
    name = column.name
    if column.kind == "nominal" and plan.nominal == "onehot":
        return [f"{name}_{value}" for value in column.values[plan.drop is not None :]]
    if column.kind == "date":
        by_choice = {"parts": [f"{name}_{part}" for part in PARTS], "days": [f"{name}_days"]}
        return by_choice.get(plan.dates, [])
    if column.kind == "text":
        return [f"{name}_words", f"{name}_characters"] if plan.text == "count" else []
    return [] if column.kind == "identifier" else [name]


def expanded(column: Column, array: NDArray[Any], plan: Plan, out: Floats) -> None:
    """Write the numbers of a column into as many columns; what is missing becomes NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.compose.expansions import Plan, expanded
    >>> from learnable.data import Column
    >>> plan, out = Plan("onehot", None, "parts", "1970-01-01", "drop"), np.empty((2, 2))
    >>> expanded(Column("w", "nominal", ("a", "b")), np.array([1, -1], np.int32), plan, out)
    >>> out
    array([[0., 1.],
           [0., 0.]])
    """
    if not out.shape[1]:
        return
    if column.kind == "nominal" and plan.nominal == "onehot":
        first = int(plan.drop is not None)
        for place in range(out.shape[1]):
            out[:, place] = array == place + first
    elif column.coded:
        out[:, 0] = np.where(array < 0, np.nan, array)
    elif column.kind == "date":
        _dates(array, plan, out)
    elif column.kind == "text":
        _counts(array, out)
    else:
        out[:, 0] = array


def _dates(array: NDArray[Any], plan: Plan, out: Floats) -> None:
    gaps = np.isnat(array)
    days = np.where(gaps, np.datetime64(0, "D"), array.astype("datetime64[D]"))
    if plan.dates == "days":
        instant = (array - np.datetime64(plan.since, "us")) / np.timedelta64(1, "D")
        out[:, 0] = np.where(gaps, np.nan, instant)
        return
    months = days.astype("datetime64[M]")
    parts = (
        days.astype("datetime64[Y]").astype(int) + 1970,
        months.astype(int) % 12 + 1,
        (days - months.astype("datetime64[D]")).astype(int) + 1,
        (days.astype(int) + 3) % 7,
    )
    for place, part in enumerate(parts):
        out[:, place] = np.where(gaps, np.nan, part)


def _counts(array: NDArray[Any], out: Floats) -> None:
    measures: tuple[Callable[[str], int], ...] = (lambda cell: len(cell.split()), len)
    for place, measure in enumerate(measures):
        out[:, place] = [np.nan if cell is None else measure(cell) for cell in array.tolist()]
