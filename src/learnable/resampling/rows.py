"""Some rows of anything that holds rows, and the plan that a ``cv`` argument names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.data import Table, is_frame, is_sparse
from learnable.resampling.plan import FoldPlan


def plan_of(
    cv: Any, X: Any, y: Any, groups: Any = None, *, classify: bool = False
) -> Iterable[tuple[Any, Any]]:
    """Return the splits that a ``cv`` argument names.

    Examples
    --------
    >>> from learnable.resampling import plan_of
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
    >>> from learnable.resampling import rows_of
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
    >>> from learnable.resampling import length
    >>> length([1, 2])
    2
    """
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
