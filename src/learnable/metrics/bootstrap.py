"""The bootstrap: an interval of any measure by drawing the rows again (BCa).

Rows are not copied: a draw is how often each row, or each distinct cell of answers, occurs, and
the measure is asked with these counts as weights. Draws of cells are exactly draws of rows. The
interval takes quantiles of the drawn values at levels corrected for bias (``z0``) and for
skewness (``a``, by leaving out one row, or one of 200 random parts of many, in turn):

    level(z) = Phi(z0 + (z0 + z) / (1 - a (z0 + z)))

Cost: as many evaluations as draws, and as many again for the skewness as there are cells, 500 at
most.

References
----------
.. [1] B. Efron: Better bootstrap confidence intervals. JASA 82, 1987.
.. [2] T. J. DiCiccio, B. Efron: Bootstrap confidence intervals. Statistical Science 11, 1996.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.stats.arrays import Floats

_CELLS, _PARTS = 500, 200
Weighted = Callable[[Floats], float]


class Bootstrap(NamedTuple):
    """Values of a measure over draws.

    Attributes
    ----------
    low, high : float
        The interval.
    undefined : int
        Draws on which the measure had no value.
    constant : bool
        Whether every draw gave the same value, so that the interval tells nothing.
    """

    low: float
    high: float
    undefined: int
    constant: bool


def bca(
    measure: Weighted,
    counts: Floats,
    confidence: float = 0.95,
    *,
    n_resamples: int = 2000,
    seed: int | None = 0,
    groups: NDArray[np.int32] | None = None,
) -> Bootstrap:
    """Return the bias-corrected and accelerated bootstrap interval of a measure.

    Parameters
    ----------
    measure : callable
        Counts of the cells to value.
    counts : array (m,)
        How many rows each cell has.
    confidence : float
        Nominal coverage.
    n_resamples : int, default=2000
        Number of draws.
    seed : int or None
        Seed of the draws.
    groups : array (m,) of int32, optional
        Group of each cell; whole groups are drawn and left out.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.metrics.bootstrap import bca
    >>> x = np.arange(30.0)
    >>> found = bca(lambda w: float(w @ x / w.sum()), np.ones(30))
    >>> round(found.low), round(found.high)
    (11, 18)
    """
    rng = np.random.default_rng(seed)
    units = counts if groups is None else np.ones(int(groups.max()) + 1)

    def value(drawn: Floats) -> float:
        return measure(drawn if groups is None else drawn[groups] * counts)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = value(units)
        drawn = np.array([value(_draw(units, rng)) for _ in range(n_resamples)])
        left, times = left_out(value, units, rng)
    return interval_of(whole, drawn, left, times, confidence)


def interval_of(
    whole: float, drawn: Floats, left: Floats, times: Floats, confidence: float
) -> Bootstrap:
    """Return the interval, given the value of all rows, of draws, and without some rows each.

    Parameters
    ----------
    whole : float
        The value of the rows as they are.
    drawn : array (draws,)
        Values of draws; those that are not finite are left out and counted.
    left, times : array (m,)
        Values without a row (or a part of the rows), and for how many rows each stands.
    confidence : float
        Nominal coverage.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.metrics.bootstrap import interval_of
    >>> found = interval_of(0.5, np.linspace(0, 1, 101), np.array([0.4, 0.6]), np.ones(2), 0.8)
    >>> round(found.low, 2), round(found.high, 2)
    (0.1, 0.9)
    """
    good = drawn[np.isfinite(drawn)]
    undefined = len(drawn) - len(good)
    if not len(good) or np.ptp(good) == 0.0:
        return Bootstrap(whole, whole, undefined, True)
    there = np.isfinite(left)
    skewness = _acceleration(left[there], times[there])
    return Bootstrap(*_quantiles(good, whole, skewness, confidence), undefined, False)


def _draw(units: Floats, rng: np.random.Generator) -> Floats:
    n = int(units.sum())
    if n == len(units) and (units == 1.0).all():
        return np.bincount(rng.integers(0, n, n), minlength=n).astype(np.float64)
    return rng.multinomial(n, units / n).astype(np.float64)


def left_out(value: Weighted, units: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the values without each part of the units, and how many rows stand for each."""
    values, times = np.array([(value(rest), times) for rest, times in _rests(units, rng)]).T
    return values, times


def _rests(units: Floats, rng: np.random.Generator) -> Iterator[tuple[Floats, float]]:
    if len(units) <= _CELLS:
        for i in np.flatnonzero(units):
            rest = units.copy()
            rest[i] -= 1.0
            yield rest, units[i]
        return
    parts = rng.permutation(len(units)) % _PARTS
    for part in range(_PARTS):
        yield np.where(parts == part, 0.0, units), 1.0


def _acceleration(values: Floats, times: Floats) -> float:
    if not len(values):
        return 0.0
    gaps = np.average(values, weights=times) - values
    squares = float(times @ gaps**2)
    return float(times @ gaps**3) / (6.0 * squares**1.5) if squares > 0.0 else 0.0


def _quantiles(drawn: Floats, whole: float, a: float, confidence: float) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    below = (np.count_nonzero(drawn < whole) + 0.5 * np.count_nonzero(drawn == whole)) / len(drawn)
    bias = ndtri(np.clip(below, 0.5 / len(drawn), 1.0 - 0.5 / len(drawn)))
    tail = (1.0 - confidence) / 2.0
    z = bias + ndtri(np.array([tail, 1.0 - tail]))
    low, high = np.quantile(drawn, ndtr(bias + z / (1.0 - a * z)))
    return float(low), float(high)
