"""What columns are compared by, where it is not the gain itself.

    gain ratio = gain / split information

The split information is the entropy of the sizes of the branches.

Only columns of at least the average gain take part (Quinlan's guard): a column that divides off a
few rows would otherwise win by its small split information. Missing cells count as a branch.

References
----------
.. [1] J. R. Quinlan: C4.5, Programs for Machine Learning. Morgan Kaufmann 1993, section 2.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.loops.tree_search import Found
from learnable.stats.arrays import Floats

_NEAR = 1e-3


def split_information(found: Found, weight: Floats) -> Floats:
    """Return the bits that say which branch a row takes, times the weight of the node."""
    total = weight[:, None]
    right = found.known - found.left
    two_ways = _times_log(found.left) + _times_log(right)
    branches = np.where(found.info != 0.0, found.info, two_ways)
    return _times_log(total) - branches - _times_log(total - found.known)


def by_ratio(gain: Floats, found: Found, weight: Floats) -> Floats:
    """Return the gain ratio of every column that gains at least as much as the average.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.tree import DecisionTreeClassifier
    >>> X, y = load_play_tennis(return_X_y=True)
    >>> tree = DecisionTreeClassifier(criterion="gain_ratio", nominal="multiway").fit(X, y)
    >>> tree.get_n_leaves()
    5
    """
    useful = gain > 1e-10 * weight[:, None]
    count = useful.sum(axis=1, keepdims=True)
    mean = np.where(useful, gain, 0.0).sum(axis=1, keepdims=True) / np.maximum(count, 1)
    info = split_information(found, weight)
    fair = useful & (gain >= mean - _NEAR * weight[:, None]) & (info > 1e-10 * weight[:, None])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(fair, gain / info, -np.inf)
    return ratio * weight[:, None]


def _times_log(w: Any) -> Any:
    safe = np.where(w > 0.0, w, 1.0)
    return safe * np.log2(safe)
