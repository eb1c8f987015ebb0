"""Indicators from the places of the ones, as an array or compressed."""

from __future__ import annotations

from typing import Any

import numpy as np


def spread_out(places: Any, width: int, dtype: Any) -> Any:
    """Return an array with a 1 at some places of each row (-1: none).

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.indicators import spread_out
    >>> spread_out(np.array([[0, 2], [1, -1]], dtype=np.int32), 3, int)
    array([[1, 0, 1],
           [0, 1, 0]])
    """
    out = np.zeros((len(places), width), dtype)
    flat = out.reshape(-1)
    starts = np.arange(len(places), dtype=np.int64) * width
    for j in range(places.shape[1]):
        column = places[:, j]
        there = column >= 0
        if there.all():
            flat[starts + column] = 1
        else:
            flat[(starts + column)[there]] = 1
    return out


def compressed(places: Any, width: int, dtype: Any) -> Any:
    """Return the same as a compressed matrix; the places of a row ascend.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.preprocessing.indicators import compressed
    >>> compressed(np.array([[0, 2], [1, -1]], dtype=np.int32), 3, int).toarray()
    array([[1, 0, 1],
           [0, 1, 0]])
    """
    from scipy.sparse import csr_matrix

    n, d = places.shape
    there = places >= 0
    if there.all():
        indices, ends = places.reshape(-1), np.arange(0, n * d + 1, max(d, 1), dtype=np.int32)
    else:
        indices = places[there]
        ends = np.zeros(n + 1, np.int32)
        np.cumsum(there.sum(axis=1), out=ends[1:])
    made = csr_matrix((np.ones(len(indices), dtype), indices, ends), shape=(n, width))
    made.has_sorted_indices = made.has_canonical_format = True
    return made
