"""Where a column of numbers is cut into intervals: four rules.

Equal width and equal frequency look at the column alone; k-means puts the edges half-way between
the means of neighbouring groups; the entropy rule cuts where the classes part, and stops where the
description of a cut would cost more than it saves (minimum description length).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.preprocessing.base import ROUNDING
from learnable.preprocessing.quantiles import quantiles
from learnable.stats.arrays import Floats

_TURNS = 300


class Cut(NamedTuple):
    """A cut that the entropy rule made, with what it gained and what it had to gain.

    Attributes
    ----------
    threshold : float
        Values below it go left, the others right.
    gain, needed : float
        Bits per row that it saves, and that its description costs.
    n : int
        Rows that were cut.
    """

    threshold: float
    gain: float
    needed: float
    n: int


def equal_width(low: float, high: float, bins: int) -> Floats:
    """Return edges at equal distances.

    Examples
    --------
    >>> from learnable.preprocessing.cuts import equal_width
    >>> equal_width(0.0, 4.0, 2)
    array([0., 2., 4.])
    """
    return np.linspace(low, high, bins + 1)


def equal_frequency(known: Floats, bins: int) -> Floats:
    """Return edges at quantiles; edges that lie (nearly) on each other are one.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.cuts import equal_frequency
    >>> equal_frequency(np.array([0.0, 1.0, 4.0, 10.0]), 2)
    array([ 0. ,  2.5, 10. ])
    """
    edges = quantiles(known, np.linspace(0.0, 1.0, bins + 1))
    least = ROUNDING * np.abs(edges).max()
    return edges[np.concatenate([[True], np.diff(edges) > least])]


def by_means(known: Floats, bins: int) -> Floats:
    """Return edges half-way between the means of groups, by Lloyd's rule from equal widths.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.cuts import by_means
    >>> by_means(np.array([0.0, 1.0, 9.0, 10.0]), 2)
    array([ 0.,  5., 10.])
    """
    ordered = np.sort(known)
    sums = np.concatenate([[0.0], np.cumsum(ordered - ordered[0])])
    edges = equal_width(ordered[0], ordered[-1], bins)
    means = (edges[1:] + edges[:-1]) / 2.0
    places = np.empty(0, np.intp)
    for _ in range(_TURNS):
        found = np.searchsorted(ordered, (means[1:] + means[:-1]) / 2.0)
        if np.array_equal(found, places):
            break
        places = found
        ends = np.concatenate([[0], places, [len(ordered)]])
        sizes = np.diff(ends)
        total = np.diff(sums[ends])
        means = np.where(sizes > 0, ordered[0] + total / np.maximum(sizes, 1), means)
        for empty in np.flatnonzero(sizes == 0):  # it goes on from the cell furthest from its mean
            near = means[np.searchsorted((means[1:] + means[:-1]) / 2.0, ordered)]
            means[empty] = ordered[int(np.abs(ordered - near).argmax())]
            means.sort()
    return np.concatenate([[ordered[0]], (means[1:] + means[:-1]) / 2.0, [ordered[-1]]])


def by_entropy(known: Floats, codes: NDArray[np.intp], k: int) -> tuple[Floats, list[Cut]]:
    """Return edges where the classes part, and the cuts that made them.

    A cut of N rows is kept if its gain exceeds ``(log2(N - 1) + D) / N``, where ``D = log2(3^k - 2)
    - (k H(S) - k1 H(S1) - k2 H(S2))`` and k, k1, k2 count the classes that are there.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.cuts import by_entropy
    >>> edges, cuts = by_entropy(np.arange(20.0), np.repeat([0, 1], 10), 2)
    >>> edges, cuts[0].gain
    (array([ 0. ,  9.5, 19. ]), 1.0)
    """
    values, place = np.unique(known, return_inverse=True)
    table = np.zeros((len(values), k))
    np.add.at(table, (place, codes), 1.0)
    sums = np.vstack([np.zeros(k), np.cumsum(table, axis=0)])
    cuts: list[Cut] = []
    waiting = [(0, len(values))]
    while waiting:
        start, stop = waiting.pop()
        found = _best_cut(values, sums, start, stop)
        if found is not None:
            at, cut = found
            cuts.append(cut)
            waiting += [(at, stop), (start, at)]
    inner = sorted(cut.threshold for cut in cuts)
    return np.array([values[0], *inner, values[-1]]), cuts


def _best_cut(values: Floats, sums: Floats, start: int, stop: int) -> tuple[int, Cut] | None:
    """Return the cut of most gain between two values, None if its description costs more."""
    if stop - start < 2:
        return None
    whole = sums[stop] - sums[start]
    left = sums[start + 1 : stop] - sums[start]
    right = whole - left
    n, sizes = whole.sum(), left.sum(axis=1)
    of_left, of_right, of_whole = _entropy(left), _entropy(right), float(_entropy(whole))
    gains = of_whole - (sizes * of_left + (n - sizes) * of_right) / n
    best = int(gains.argmax())
    k, k_left, k_right = (int((part > 0).sum()) for part in (whole, left[best], right[best]))
    saved = k * of_whole - k_left * of_left[best] - k_right * of_right[best]
    needed = (math.log2(n - 1) + math.log2(3.0**k - 2.0) - saved) / n
    if gains[best] <= needed:
        return None
    at = start + 1 + best
    threshold = float(values[at - 1] + (values[at] - values[at - 1]) / 2.0)
    return at, Cut(threshold, float(gains[best]), float(needed), int(n))


def _entropy(counts: Floats) -> Any:
    """Return the entropy in bits of counts along the last axis."""
    total = counts.sum(axis=-1, keepdims=True)
    share = counts / np.where(total > 0.0, total, 1.0)
    return -(share * np.log2(np.where(share > 0.0, share, 1.0))).sum(axis=-1)
