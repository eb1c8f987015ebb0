"""How model files keep the statistics of the scalers."""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.estimator.array_state import ArrayDeclaration
from learnable.estimator.dimensions import Dimensions
from learnable.estimator.ledger import Reader, Refused, Writer, keys, shown
from learnable.estimator.state import Flag, Floats, Integer, Integers, Statistic
from learnable.estimator.statistic_state import HEAVIEST, check_unit
from learnable.estimator.text_arrays import is_text, put_text, take_text
from learnable.estimator.values import put_value, take_value
from learnable.preprocessing.quantiles import Spread
from learnable.stats import Extent
from learnable.stats.column_moments import ColumnMoments
from learnable.stats.presence import Presence


def _check_extent(extent: Extent) -> None:
    empty = (extent.low == np.inf) & (extent.high == -np.inf)
    sound = np.isfinite(extent.low) & np.isfinite(extent.high) & (extent.low <= extent.high)
    if not (empty | sound).all():
        msg = "a smallest value lies above the largest"
        raise ValueError(msg)


COLUMN_MOMENTS = Statistic(
    ColumnMoments,
    {
        "weight": Floats("d", low=0.0, high=HEAVIEST, dtype="float64"),
        "mean": Floats("d", dtype="float64"),
        "scatter": Floats("d", low=0.0, dtype="float64"),
        "unit": Floats("d", low=0.0, dtype="float64"),
        "even": Flag(),
    },
    check=check_unit,
)
"""Moments of d columns, each with a weight of its own."""

EXTENT = Statistic(
    Extent,
    {
        "n": Integer(low=0),
        "low": Floats("d", infinite=True, dtype="float64"),
        "high": Floats("d", infinite=True, dtype="float64"),
    },
    check=_check_extent,
)
"""Smallest and largest value of d columns."""

PRESENCE = Statistic(Presence, {"cells": Integers("d", low=0, dtype="int64")})
"""Cells of d columns that are not missing."""


class Values(ArrayDeclaration):
    """Different values in any order: numbers, strings, or objects among which NaN and None may be.

    Examples
    --------
    >>> from learnable.estimator.state import Joined
    >>> from learnable.preprocessing.state import Values
    >>> fitted_state = {"categories_": Joined(Values(), length="d")}
    """

    _plain = (str, int, float, bool, type(None))

    def store(self, array: np.ndarray, writer: Writer) -> Any:
        """Return the node of an array."""
        if is_text(array):
            return put_text(array, writer)
        if array.dtype.kind != "O":
            return writer.put(array)
        return {"objects": [self._item(put_value(one, writer)) for one in array.tolist()]}

    def fetch(self, node: Any, reader: Reader) -> np.ndarray:
        """Return the array of a node, unchecked."""
        if type(node) is dict and "objects" in node:
            items = keys(node, "objects")["objects"]
            if type(items) is not list:
                msg = f"a list is wanted, not {shown(items)}"
                raise Refused(msg)
            made = np.empty(len(items), dtype=object)
            made[:] = [take_value(self._item(item), reader) for item in items]
            return made
        is_string = type(node) is dict and "text" in node
        return take_text(node, reader) if is_string else reader.take(node)

    def check(self, array: np.ndarray, _: Dimensions) -> None:
        """Refuse what is no line of values, or holds an infinite one."""
        if array.ndim != 1:
            msg = f"it has {array.ndim} axes, not 1"
            raise Refused(msg)
        if array.dtype.kind == "f" and np.isinf(array).any():
            msg = "it holds an infinite value"
            raise Refused(msg)

    def _item(self, node: Any) -> Any:
        if not (type(node) is dict and node == {"float": "nan"}) and type(node) not in self._plain:
            msg = f"a plain value is wanted, not {shown(node)}"
            raise Refused(msg)
        return node


def _check_spread(spread: Spread) -> None:
    known = ~np.isnan(spread.middle)
    ordered = (spread.low <= spread.middle) & (spread.middle <= spread.high)
    if not ordered[known].all() or any((np.isnan(field) == known).any() for field in spread):
        msg = "the quantiles of a column are not in order"
        raise ValueError(msg)


SPREAD = Statistic(
    Spread,
    {
        name: Floats(
            "d", nan=True, dtype="float64", low=0.0 if name.startswith(("sd", "r")) else None
        )
        for name in Spread._fields
    },
    check=_check_spread,
)
"""Quantiles of d columns, and what the furthest cell of each did."""
