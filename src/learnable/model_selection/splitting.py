"""Rows to learn from and rows to ask: of anything that holds rows.

References
----------
.. [1] R. Kohavi: A study of cross-validation and bootstrap for accuracy estimation and model
   selection. IJCAI 1995.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.resampling import FoldPlan, length, rows_of


def train_test_split(
    *arrays: Any,
    test_size: Any = None,
    train_size: Any = None,
    random_state: int = 0,
    shuffle: bool = True,
    stratify: Any = None,
    groups: Any = None,
) -> list[Any]:
    """Set rows aside.

    Parameters
    ----------
    *arrays : arrays, frames, sparse matrices, tables or lists
        What to cut, all of the same length.
    test_size, train_size : float or int, optional
        Share or number of rows to set aside, or to learn from; a quarter is set aside by default.
    random_state : int, default=0
        What the draw begins with.
    shuffle : bool, default=True
        Draw; otherwise the last rows are set aside.
    stratify : array, optional
        Classes to set aside in proportion.
    groups : array, optional
        Groups that must not be torn apart.

    Returns
    -------
    list
        For each array what to learn from, and what was set aside.

    Examples
    --------
    >>> from learnable.model_selection import train_test_split
    >>> train, test = train_test_split(list(range(8)), test_size=0.25)
    >>> len(train), len(test)
    (6, 2)
    """
    lengths = {length(array) for array in arrays}
    if len(lengths) != 1:
        raise DataError(f"The arrays have different lengths: {sorted(lengths)}.")
    n = lengths.pop()
    share = _share(test_size, train_size, n)
    if shuffle:
        plan = FoldPlan(
            "hold-out", n, seed=random_state, share=share, classes=stratify, groups=groups
        )
        ((train, test),) = plan
    else:
        cut = n - max(round(share * n), 1)
        train, test = np.arange(cut), np.arange(cut, n)
    return [part for array in arrays for part in (rows_of(array, train), rows_of(array, test))]


def _share(test_size: Any, train_size: Any, n: int) -> float:
    if test_size is None and train_size is None:
        return 0.25
    size = test_size if test_size is not None else train_size
    share = size / n if isinstance(size, (int, np.integer)) else float(size)
    return share if test_size is not None else 1.0 - share
