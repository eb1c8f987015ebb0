"""Dealing rows out to folds: every function returns the number of the fold of each row.

Folds differ in size by one row at most (with groups: as little as dealing out the largest groups
first allows), and a fold holds each class in proportion, to within one row.

References
----------
.. [1] R. Kohavi: A study of cross-validation and bootstrap for accuracy estimation and model
   selection. IJCAI 1995.
.. [2] R. L. Graham: Bounds on multiprocessing timing anomalies. SIAM Journal on Applied Mathematics
   17, 1969.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Folds = NDArray[np.int32]
Codes = NDArray[Any]


def deal(n: int, folds: int, rng: np.random.Generator) -> Folds:
    """Deal out rows in random order.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.resampling.dealing import deal
    >>> np.bincount(deal(7, 3, np.random.default_rng(0))).tolist()
    [3, 2, 2]
    """
    found = np.empty(n, np.int32)
    found[rng.permutation(n)] = np.arange(n) % folds
    return found


def deal_by_class(classes: Codes, folds: int, rng: np.random.Generator) -> Folds:
    """Deal out each class in random order, one class going on where the one before ended.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.resampling.dealing import deal_by_class
    >>> y = np.array([0] * 6 + [1] * 3)
    >>> folds = deal_by_class(y, 3, np.random.default_rng(0))
    >>> [y[folds == f].tolist() for f in range(3)]
    [[0, 0, 1], [0, 0, 1], [0, 0, 1]]
    """
    shuffled = rng.permutation(len(classes))
    order = shuffled[np.argsort(classes[shuffled], kind="stable")]
    found = np.empty(len(classes), np.int32)
    found[order] = np.arange(len(classes)) % folds
    return found


def deal_groups(groups: Codes, folds: int, rng: np.random.Generator) -> Folds:
    """Deal out whole groups, the largest first, each to the fold that is smallest by then.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.resampling.dealing import deal_groups
    >>> folds = deal_groups(np.array([0, 0, 0, 1, 1, 2]), 2, np.random.default_rng(0))
    >>> sorted(np.bincount(folds).tolist())
    [3, 3]
    """
    sizes = np.bincount(groups)
    where, load = np.empty(len(sizes), np.int32), np.zeros(folds, np.int64)
    shuffled = rng.permutation(len(sizes))
    for group in shuffled[np.argsort(-sizes[shuffled], kind="stable")]:
        fold = int(load.argmin())
        where[group] = fold
        load[fold] += sizes[group]
    return where[groups]


def deal_groups_by_class(
    groups: Codes, classes: Codes, folds: int, rng: np.random.Generator
) -> Folds:
    """Deal out whole groups so that every fold holds the classes in proportion.

    The groups whose classes are spread least evenly go first; each goes where the sum over classes
    of the squared distance from the proportional share stays smallest.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.resampling.dealing import deal_groups_by_class
    >>> groups, y = np.arange(8) // 2, np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> folds = deal_groups_by_class(groups, y, 2, np.random.default_rng(0))
    >>> [y[folds == f].tolist() for f in range(2)]
    [[0, 0, 1, 1], [0, 0, 1, 1]]
    """
    table = np.zeros((groups.max() + 1, classes.max() + 1))
    np.add.at(table, (groups, classes), 1.0)
    share = table / np.maximum(table.sum(axis=0), 1.0)
    shuffled = rng.permutation(len(table))
    order = shuffled[np.argsort(-share[shuffled].std(axis=1), kind="stable")]
    where, load = np.empty(len(table), np.int32), np.zeros((folds, table.shape[1]))
    for group in order:
        uneven = [_unevenness(load, share[group], fold) for fold in range(folds)]
        fold = int(np.argmin(uneven))
        where[group] = fold
        load[fold] += share[group]
    return where[groups]


def _unevenness(load: NDArray[np.float64], more: NDArray[np.float64], fold: int) -> float:
    """Return how unevenly the classes would be spread if one fold got more."""
    after = load.copy()
    after[fold] += more
    return float(((after - after.mean(axis=0)) ** 2).sum())
