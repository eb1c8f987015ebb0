"""Rows to learn from and rows to ask: of anything that holds rows.

References
----------
.. [1] R. Kohavi: A study of cross-validation and bootstrap for accuracy estimation and model
   selection. IJCAI 1995.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.data import Table, is_frame, is_sparse
from learnable.resampling import FoldPlan


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


def plan_of(
    cv: Any, X: Any, y: Any, groups: Any = None, *, classify: bool = False
) -> Iterable[tuple[Any, Any]]:
    """Return the splits that a ``cv`` argument names.

    Examples
    --------
    >>> from learnable.model_selection.splitting import plan_of
    >>> len(plan_of(3, [[0]] * 6, None))
    3
    """
    n = length(X)
    if isinstance(cv, FoldPlan):
        return cv.split(X)
    if cv is None or isinstance(cv, (int, np.integer)):
        folds = 5 if cv is None else int(cv)
        return FoldPlan("k-fold", n, folds=folds, classes=y if classify else None, groups=groups)
    return cv.split(X, y, groups) if hasattr(cv, "split") else cv


def rows_of(array: Any, places: NDArray[Any]) -> Any:
    """Return some rows of an array, frame, sparse matrix, table or list.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.model_selection.splitting import rows_of
    >>> rows_of(["a", "b", "c"], np.array([2, 0]))
    ['c', 'a']
    """
    if array is None:
        return None
    if is_sparse(array):
        return array.tocsr()[places]
    if is_frame(array):
        import narwhals.stable.v2 as nw

        made = nw.from_native(array, eager_only=True, allow_series=True)
        return made[places.tolist()].to_native()
    if isinstance(array, (np.ndarray, Table)):
        return array[places]
    return [array[place] for place in places.tolist()]


def length(X: Any) -> int:
    """Return the number of rows.

    Examples
    --------
    >>> from learnable.model_selection.splitting import length
    >>> length([1, 2])
    2
    """
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _share(test_size: Any, train_size: Any, n: int) -> float:
    if test_size is None and train_size is None:
        return 0.25
    size = test_size if test_size is not None else train_size
    share = size / n if isinstance(size, (int, np.integer)) else float(size)
    return share if test_size is not None else 1.0 - share
