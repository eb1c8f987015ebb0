"""Labels: classes in order, and the code of each row, without sorting the rows where it can be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.core.loaded import is_sparse, loaded
from learnable.core.warning import warn
from learnable.data.texts import as_strings
from learnable.loops.factorising import places_of_words
from learnable.loops.scanning import look_up, present
from learnable.stats.arrays import frozen

_SPAN = 1 << 20
_DROP = "Drop the rows without an answer."


def as_labels(y: Any, *, learner: str) -> NDArray[Any]:
    """Turn what a person passes as ``y`` into a one-dimensional array.

    Examples
    --------
    >>> from learnable.estimator.labels import as_labels
    >>> as_labels(["a", "b"], learner="this learner")
    array(['a', 'b'], dtype='<U1')
    """
    if y is None:
        raise DataError(
            f"{learner} requires y to be passed, but the target y is None.",
            remedy="Pass the answers as the second argument of fit.",
        )
    if is_sparse(y):
        msg = "Sparse data was passed for y, but dense data is required. Use '.toarray()'."
        raise TypeError(msg)
    array = y if isinstance(y, np.ndarray) else _array(y)
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        row = int(np.argwhere(np.ma.getmaskarray(array))[0][0])
        raise DataError("A label is masked.", row=row, remedy=_DROP)
    if array.ndim == 2 and array.shape[1] == 1:
        _warn_column()
        array = array[:, 0]
    if array.ndim != 1:
        raise DataError(
            f"y should be a 1d array, got an array of shape {array.shape} instead.",
            remedy="Give one answer a row.",
        )
    if array.dtype.kind == "c":
        raise DataError("Complex data not supported.", remedy="Give real answers.")
    return array.astype(object) if array.dtype.kind == "T" else array


def _array(y: Any) -> NDArray[Any]:
    """Convert, but never numbers or missing cells into their text, as NumPy does beside text."""
    try:
        array = np.asarray(y)
    except ValueError as error:
        raise DataError(
            "y should be a 1d array; its parts have different lengths.",
            remedy="Give one answer a row.",
        ) from error
    if array.dtype.kind == "U" and isinstance(y, (list, tuple)):
        objects = np.array(y, dtype=object)
        texts = all(isinstance(label, str) for label in objects.flat)
        return as_strings(objects) if texts else objects
    return array


def _warn_column() -> None:
    from sklearn.exceptions import DataConversionWarning

    warn(
        "A column-vector y was passed when a 1d array was expected. Change the shape of y to "
        "(n_samples,), for example using ravel().",
        DataConversionWarning,
    )


def encode(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Return the different labels in order and the code of each row.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.estimator.labels import encode
    >>> encode(np.array(["no", "yes", "no"]))
    (array(['no', 'yes'], dtype='<U3'), array([0, 1, 0], dtype=int32))
    """
    refuse_no_classes(y)
    if y.dtype.kind == "O":
        y = _numbers_or_same(y)
    if y.dtype.kind in "iub":
        return _encode_integers(y)
    if y.dtype.kind == "U" and y.dtype.isnative and y.dtype.itemsize:
        return _encode_text(y)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.int32)


def _encode_text(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Look every label up instead of sorting them all; only the different ones are sorted."""
    words = np.ascontiguousarray(y).view(np.uint32).reshape(len(y), -1)
    codes = np.empty(len(y), np.int32)
    names = y[places_of_words(frozen(words), codes)]
    order = np.argsort(names)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return names[order], place[codes]


def _numbers_or_same(y: NDArray[Any]) -> NDArray[Any]:
    """Return an array of numbers for objects that all are, if that loses nothing."""
    if not all(_kind_of(label) == "numbers" for label in y):
        return y
    made = np.array(y.tolist())
    return made if made.tolist() == y.tolist() else y


def _encode_integers(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int32]]:
    low, high = int(y.min()), int(y.max())
    if high - low >= max(_SPAN, 2 * len(y)) or high > np.iinfo(np.int64).max:
        classes, codes = np.unique(y, return_inverse=True)
        return classes, codes.astype(np.int32)
    values = frozen(np.ascontiguousarray(y, dtype=np.int64))
    seen = present(values, low, high - low + 1)
    classes = (np.flatnonzero(seen) + low).astype(y.dtype)
    place = (np.cumsum(seen) - 1).astype(np.int32)
    return classes, look_up(values, low, frozen(place))


def refuse_no_classes(y: NDArray[Any]) -> None:
    """Refuse answers that are missing, continuous, or of several kinds.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.estimator.labels import refuse_no_classes
    >>> refuse_no_classes(np.array([1.0, 2.0]))
    """
    if y.dtype.kind == "f":
        _refuse_continuous(y)
    elif y.dtype.kind == "O":
        _refuse_mixed(y)
    elif y.dtype.kind in "mM" and np.isnat(y).any():
        raise DataError("Input y contains NaT.", row=int(np.isnat(y).argmax()), remedy=_DROP)
    elif y.dtype.kind == "S":
        raise DataError("Labels are bytes.", remedy="Decode them into strings first.")


def _refuse_continuous(y: NDArray[Any]) -> None:
    bad = ~np.isfinite(y)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        what = "NaN" if np.isnan(y[row]) else "infinity"
        raise DataError(f"Input y contains {what}.", row=row, remedy=_DROP)
    if (y != np.floor(y)).any():
        _refuse_fraction(y, int(np.flatnonzero(y != np.floor(y))[0]))


def _refuse_fraction(y: NDArray[Any], row: int) -> None:
    raise DataError(
        "Unknown label type: continuous. A classifier needs discrete classes.",
        row=row,
        value=float(y[row]),
        remedy="Use a regressor, or discretise the answers first.",
    )


def _refuse_mixed(y: NDArray[Any]) -> None:
    nothing = loaded("pandas", "NA")
    for row, label in enumerate(y):
        if label is None or label is nothing or label != label:  # noqa: PLR0124
            raise DataError("Input y contains NaN or None.", row=row, remedy=_DROP)
        if isinstance(label, (float, np.floating)) and not float(label).is_integer():
            _refuse_fraction(y, row)
    kinds = {_kind_of(label) for label in y}
    if len(kinds) > 1:
        raise DataError(
            f"Unknown label type: y mixes {', '.join(sorted(kinds))}.",
            remedy="Give labels of one kind.",
        )


def _kind_of(label: Any) -> str:
    if isinstance(label, (int, float, np.number, np.bool_)):
        return "numbers"
    return "strings" if isinstance(label, str) else type(label).__name__


def encode_known(y: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int32]:
    """Return the code of each row among known classes; -1 where a label is not one of them.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.estimator.labels import encode_known
    >>> encode_known(np.array(["b", "z"]), np.array(["a", "b"]))
    array([ 1, -1], dtype=int32)
    """
    try:
        if y.dtype != classes.dtype and np.result_type(y, classes).kind != y.dtype.kind:
            y, classes = y.astype(object), classes.astype(object)
        place = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    except TypeError:  # labels that cannot be compared with the classes are none of them
        return np.full(len(y), -1, np.int32)
    return np.where(classes[place] == y, place, -1).astype(np.int32)
