"""From rows to distinct cells of answers, so that the bootstrap draws counts.

Rows with the same answers (and group) are one cell with a count; a measure that takes weights is
asked on the cells. One that does not is asked on repeated rows.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.metrics.bootstrap import Bootstrap, Weighted, bca
from learnable.metrics.drawn import AREAS, MEANS, drawn_area, drawn_mean
from learnable.stats.arrays import Floats


def bootstrapped(
    function: Callable[..., Any],
    y_true: Any,
    predictions: list[Any],
    options: dict[str, Any],
    *,
    confidence: float,
    n_resamples: int,
    seed: int | None,
    groups: Any = None,
) -> tuple[Bootstrap, float, int]:
    """Return the interval of a measure (or of a difference), its value and the number of rows."""
    if n_resamples < 1:
        msg = f"n_resamples must be 1 or more, not {n_resamples!r}"
        raise ParameterError(msg)
    columns = [np.asarray(column) for column in (y_true, *predictions)]
    n = len(columns[0])
    if any(len(column) != n for column in columns) or n == 0:
        msg = "The answers and predictions have different numbers of rows, or none."
        raise DataError(msg, remedy="Give one prediction for each answer.")
    member = None if groups is None else _codes(np.asarray(groups))
    if member is not None and len(member) != n:
        raise DataError("There is not one group a row.", remedy="Give the group of each row.")
    name = getattr(function, "__name__", "")
    quick = {**dict.fromkeys(AREAS, drawn_area), **dict.fromkeys(MEANS, drawn_mean)}.get(name)
    if quick is not None and not options and function.__module__.startswith("learnable.metrics."):
        made = quick(name, y_true, predictions, member, confidence, n_resamples, seed)
        if made is not None:
            return *made, n
    first, counts = _cells(columns if member is None else [*columns, member])
    cells = [column[first] for column in columns]
    measure = _measure(function, cells, options)
    value = measure(counts)
    found = bca(
        measure, counts, confidence, n_resamples=n_resamples, seed=seed,
        groups=None if member is None else member[first],
    )  # fmt: skip
    return found, value, n


def _measure(
    function: Callable[..., Any], cells: list[NDArray[Any]], options: dict[str, Any]
) -> Weighted:
    """Return the measure of the first predictions (less that of the second) at given counts."""
    weighted = "sample_weight" in inspect.signature(function).parameters

    def one(predicted: NDArray[Any], counts: Floats) -> float:
        if weighted:
            there = counts > 0.0
            weight = counts[there]
            return float(
                function(cells[0][there], predicted[there], sample_weight=weight, **options)
            )
        rows = np.repeat(np.arange(len(counts)), counts.astype(np.int64))
        return float(function(cells[0][rows], predicted[rows], **options))

    def measure(counts: Floats) -> float:
        try:
            found = [one(predicted, counts) for predicted in cells[1:]]
        except ValueError:
            if counts.min() > 0.0:  # the rows as they are: the measure refuses them
                raise
            return float("nan")
        return found[0] - sum(found[1:])

    return measure


def _cells(columns: list[NDArray[Any]]) -> tuple[NDArray[np.intp], Floats]:
    """Return a row of each distinct combination, and how many rows it stands for."""
    n = len(columns[0])
    if any(column.ndim > 1 for column in columns):
        return np.arange(n), np.ones(n)
    code = np.zeros(n, np.int64)
    for column in columns:
        each = _codes(column).astype(np.int64)
        _, code = np.unique(code * (int(each.max()) + 1) + each, return_inverse=True)
    _, first, counts = np.unique(code, return_index=True, return_counts=True)
    return first, counts.astype(np.float64)


def _codes(column: NDArray[Any]) -> NDArray[np.int32]:
    return np.unique(column, return_inverse=True)[1].astype(np.int32)
