"""How model files keep the statistics that learners hold on to."""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.estimator.state import Floats, Integer, Integers, Statistic
from learnable.stats import Counts, Fingerprint, Moments, Triangle
from learnable.stats.fingerprint import SIZE

HEAVIEST = 1e100
"""The most that rows may weigh together, so that powers of weights stay in the range of floats."""


def check_unit(moments: Any) -> None:
    """Refuse moments whose columns are not kept in powers of two."""
    if not np.isin(np.frexp(moments.unit)[0], (0.0, 0.5)).all():
        msg = "a unit is neither 0 nor a power of two"
        raise ValueError(msg)


def _check_counts(counts: Counts) -> None:
    offsets = counts.offsets
    whole = len(offsets) and offsets[0] == 0 and offsets[-1] == counts.table.shape[1]
    if not whole or (offsets[:-1] > offsets[1:]).any():
        msg = "the offsets do not cut the table into columns"
        raise ValueError(msg)


def _check_fingerprint(fingerprint: Fingerprint) -> None:
    hashes = fingerprint.hashes
    if len(hashes) > SIZE or not (hashes[:-1] < hashes[1:]).all():
        msg = f"the hashes are more than {SIZE}, or do not ascend"
        raise ValueError(msg)
    if len(hashes) and int(hashes[-1]) > fingerprint.limit:
        msg = "a hash lies above the limit"
        raise ValueError(msg)


def _check_triangle(triangle: Triangle) -> None:
    check_unit(triangle)
    factor = triangle.factor
    k, p = factor.shape
    if k > p or factor[np.tril_indices(k, -1, p)].any() or (np.diagonal(factor) < 0.0).any():
        msg = "the factor is no upper triangle"
        raise ValueError(msg)


MOMENTS = Statistic(
    Moments,
    {
        "weight": Floats("K", low=0.0, high=HEAVIEST, dtype="float64"),
        "mean": Floats("K", "d", dtype="float64"),
        "scatter": Floats("K", "d", low=0.0, dtype="float64"),
        "unit": Floats("d", low=0.0, dtype="float64"),
    },
    check=check_unit,
)
"""Moments with a diagonal scatter, of K classes and d columns."""

TRIANGLE = Statistic(
    Triangle,
    {
        "weight": Floats(1, low=5e-324, high=HEAVIEST, dtype="float64"),
        "mean": Floats("w", dtype="float64"),
        "unit": Floats("w", low=0.0, dtype="float64"),
        "factor": Floats("?", "w", dtype="float64"),
    },
    check=_check_triangle,
)
"""A triangle of w columns."""

COUNTS = Statistic(
    Counts,
    {
        "weight": Floats("K", low=0.0, high=HEAVIEST, dtype="float64"),
        "table": Floats("K", "?", low=0.0, dtype="float64"),
        "offsets": Integers("?", low=0, dtype="int64"),
    },
    check=_check_counts,
)
"""Counts of K classes; that there are d + 1 offsets is the learner's to check."""

FINGERPRINT = Statistic(
    Fingerprint,
    {
        "hashes": Integers("_hashes", dtype="uint64"),
        "copies": Integers("_hashes", low=1, dtype="int64"),
        "limit": Integer(low=0),
        "rows": Integer(low=0),
    },
    check=_check_fingerprint,
)

SOME_FINGERPRINT = Statistic(
    Fingerprint, FINGERPRINT.fields, check=_check_fingerprint, optional=True
)
"""A fingerprint, where the rows have one."""
