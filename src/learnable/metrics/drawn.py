"""Compiled draws of the bootstrap for two kinds of measures: areas under curves, and means.

The areas under the ROC and the precision-recall curve are sums over the rows in order of their
scores, which are sorted once; the squared or absolute error, R^2, the correlation, the log loss and
the Brier score are functions of a few means. Draws have seeds of their own, so the result has the
same bits for any number of threads, and two predictions meet the same draws.

Cost: 2 to 12 nanoseconds a row and draw, shared among the threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.fold import runner
from learnable.loops.draws import drawn_areas, drawn_sums, weighted_area
from learnable.metrics.answers import coded
from learnable.metrics.bootstrap import Bootstrap, interval_of, left_out
from learnable.metrics.numbers import numbers
from learnable.metrics.positives import positive_label
from learnable.metrics.probabilities import each_brier, each_log_loss
from learnable.metrics.scores import scores
from learnable.stats.arrays import Floats, frozen

AREAS = {"roc_auc_score": False, "average_precision_score": True}
_BATCH = 20_000_000
Groups = NDArray[np.int32] | None
Columns = Callable[[Any, Any], Floats]


class Order(NamedTuple):
    """Rows in rising order of their scores: the unit, the class, and whether equal scores end."""

    rows: NDArray[np.int32]
    positive: NDArray[np.bool_]
    last: NDArray[np.bool_]

    @classmethod
    def of(cls, score: Floats, positive: NDArray[np.bool_], units: NDArray[np.int32]) -> Order:
        """Sort the rows."""
        order = np.argsort(score)
        last = np.append(np.diff(score[order]) != 0.0, True)
        return cls(*map(frozen, (units[order], positive[order], last)))


def drawn_area(
    name: str,
    y_true: Any,
    predictions: list[Any],
    groups: Groups,
    confidence: float,
    n_resamples: int,
    seed: int | None,
) -> tuple[Bootstrap, float] | None:
    """Return the interval of an area (or of a difference) and its value; None of other labels."""
    classes, codes = coded(y_true)
    if len(classes) != 2 or any(np.ndim(one) != 1 for one in predictions):
        return None
    label = classes[1] if name == "roc_auc_score" else positive_label(classes, 1)
    n = len(codes)
    units = np.arange(n, dtype=np.int32) if groups is None else groups
    count = int(units.max()) + 1
    sides = [Order.of(scores(one, n), classes[codes] == label, units) for one in predictions]
    precision = AREAS[name]

    def value(weight: Floats) -> float:
        found = [weighted_area(*side, frozen(weight), precision) for side in sides]
        return float(found[0] - sum(found[1:]))

    whole = value(np.ones(count))
    drawn = _batched(partial(_draw_areas, sides, count, precision), seed, n_resamples, n)
    left, times = left_out(value, np.ones(count), np.random.default_rng(seed))
    return interval_of(whole, drawn, left, times, confidence), whole


def _draw_areas(
    sides: list[Order], count: int, precision: bool, seeds: NDArray[np.uint64]
) -> Floats:
    found = [drawn_areas(*side, count, frozen(seeds), precision) for side in sides]
    return np.asarray(found[0] - sum(found[1:]))


def drawn_mean(
    name: str,
    y_true: Any,
    predictions: list[Any],
    groups: Groups,
    confidence: float,
    n_resamples: int,
    seed: int | None,
) -> tuple[Bootstrap, float] | None:
    """Return the interval of a function of means (or of a difference); None of several outputs."""
    if np.ndim(y_true) != 1:
        return None
    columns, finish = MEANS[name]
    made = [columns(y_true, one) for one in predictions]
    table = np.column_stack([np.ones(len(made[0])), *made])
    if groups is not None:
        table = np.column_stack([np.bincount(groups, weights=one) for one in table.T])
    width = made[0].shape[1]

    def value(sums: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            means = sums[..., 1:] / sums[..., :1]
            found = [finish(means[..., k : k + width]) for k in range(0, means.shape[-1], width)]
        return np.asarray(found[0] - sum(found[1:]))

    total = table.sum(axis=0)
    task = partial(drawn_sums, frozen(table))
    drawn = value(_batched(task, seed, n_resamples, len(table)))
    whole = float(value(total))
    left = value(total - table)
    return interval_of(whole, drawn, left, np.ones(len(table)), confidence), whole


def mean_intervals(
    table: Floats, confidence: float, n_resamples: int, seed: int | None
) -> list[tuple[float, float]]:
    """Return the bootstrap interval of the mean of each column of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.metrics.drawn import mean_intervals
    >>> ((low, high),) = mean_intervals(np.arange(30.0)[:, None], 0.95, 2000, 0)
    >>> round(low), round(high)
    (11, 18)
    """
    n = len(table)
    table = np.ascontiguousarray(table, dtype=np.float64)
    drawn = _batched(partial(drawn_sums, frozen(table)), seed, n_resamples, n) / n
    total = table.sum(axis=0)
    left = (total - table) / max(n - 1, 1)
    found = [
        interval_of(whole, of_draws, without, np.ones(n), confidence)
        for whole, of_draws, without in zip((total / n).tolist(), drawn.T, left.T, strict=True)
    ]
    return [(one.low, one.high) for one in found]


def _batched(task: Any, seed: int | None, n_resamples: int, n: int) -> Any:
    """Run the draws in batches that take part of a second."""
    seeds = np.random.SeedSequence(seed).generate_state(n_resamples, np.uint64)
    size = max(min(_BATCH // n, -(-n_resamples // 8)), 1)
    return np.concatenate(list(runner()(task, list(_cut(seeds, size)))))


def _cut(seeds: NDArray[np.uint64], size: int) -> Iterator[NDArray[np.uint64]]:
    for start in range(0, len(seeds), size):
        yield frozen(seeds[start : start + size])


def _squared(y_true: Any, y_pred: Any) -> Floats:
    found = numbers(y_true, y_pred)
    return np.asarray((found.true - found.predicted) ** 2)


def _absolute(y_true: Any, y_pred: Any) -> Floats:
    return np.sqrt(_squared(y_true, y_pred))


def _explained(y_true: Any, y_pred: Any) -> Floats:
    """Columns for R^2: squared residuals, answers about their mean, and their squares."""
    true = numbers(y_true, y_pred).true
    off = true - true.mean(axis=0)
    return np.column_stack([_squared(y_true, y_pred), off, off**2])


def _related(y_true: Any, y_pred: Any) -> Floats:
    """Columns for the correlation: both sides about their means, their squares and product."""
    found = numbers(y_true, y_pred)
    t, p = (side - side.mean(axis=0) for side in (found.true, found.predicted))
    return np.column_stack([t, p, t * t, p * p, t * p])


def _plain(means: Floats) -> Floats:
    return means[..., 0]


def _root(means: Floats) -> Floats:
    return np.sqrt(np.maximum(means[..., 0], 0.0))


def _r2(means: Floats) -> Floats:
    squares, off, spread = np.moveaxis(means, -1, 0)
    return 1.0 - squares / (spread - off**2)


def _correlation(means: Floats) -> Floats:
    t, p, tt, pp, tp = np.moveaxis(means, -1, 0)
    return (tp - t * p) / np.sqrt((tt - t * t) * (pp - p * p))


MEANS: dict[str, tuple[Columns, Callable[[Floats], Floats]]] = {
    "mean_squared_error": (_squared, _plain),
    "root_mean_squared_error": (_squared, _root),
    "mean_absolute_error": (_absolute, _plain),
    "r2_score": (_explained, _r2),
    "pearson": (_related, _correlation),
    "log_loss": (each_log_loss, _plain),
    "brier_score_loss": (each_brier, _plain),
}
"""What to average over the rows, and what the measure makes of the means."""
