"""The forms in which arrays reach the compiled loops: few types, so few compilations."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Array = TypeVar("Array", bound=NDArray[Any])


def frozen(array: Array) -> Array:
    """Return a read-only view, since the loops are compiled for read-only input alone.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats.arrays import frozen
    >>> frozen(np.zeros(2)).flags.writeable
    False
    """
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


NO_CODES: NDArray[np.int32] = frozen(np.empty(0, np.int32))
NO_WEIGHTS: NDArray[np.float64] = frozen(np.empty(0, np.float64))
