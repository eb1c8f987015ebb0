"""Which of two classes is the positive one."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from learnable.core.errors import DataError

_USUAL = ({0, 1}, {-1, 1}, {0}, {1}, {-1})


def positive_label(classes: NDArray[Any], pos_label: Any = None) -> Any:
    """Return the positive class: the one named, 1 among zeros and ones, or the larger number.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.metrics.positives import positive_label
    >>> positive_label(np.array([-1, 1]))
    1
    """
    present = classes.tolist()
    if pos_label is not None:
        if pos_label not in present and len(present) == 2:
            msg = f"pos_label={pos_label!r} is not a valid label: it should be one of {present}"
            raise DataError(msg, remedy="Name one of the two classes.")
        return pos_label
    if classes.dtype.kind in "OUS":
        msg = f"y_true takes value in {set(present)} and pos_label is not specified"
        raise DataError(msg, remedy="Name the positive class in pos_label.")
    return 1 if set(present) in _USUAL else present[-1]
