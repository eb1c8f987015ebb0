"""How model files keep the statistics of the scalers."""

from __future__ import annotations

import numpy as np

from learnable.estimator.state import Flag, Floats, Integer, Integers, Statistic
from learnable.estimator.statistic_state import HEAVIEST, check_unit
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
