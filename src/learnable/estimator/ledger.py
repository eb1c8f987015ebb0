"""The ledger of a model file: which arrays it holds, and what reading it may cost.

A :class:`Writer` numbers the arrays while the document is made; a :class:`Reader` hands each of
them out once. What must be copied out (text) is counted against an allowance before it is
allocated, so that a small file cannot ask for much memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, Final, NamedTuple

import numpy as np

DTYPES: Final = {
    np.dtype(code).name: np.dtype(code).newbyteorder("<")
    for code in ("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?")
}
ALLOWANCE: Final = 24_000_000
_MAX_AXES: Final = 8
_MAX_EMPTY: Final = 1 << 20
_MAX_NESTING: Final = 16


class Refused(ValueError):  # noqa: N818
    """A value that cannot be stored, or a stored one that cannot be right."""

    def __init__(self, message: str, place: str = "") -> None:
        self.message, self.place = message, place
        super().__init__(f"{place}: {message}" if place else message)


class Content(NamedTuple):
    """What a model file holds: the document, the arrays, and its size in bytes."""

    document: dict[str, Any]
    arrays: list[np.ndarray]
    size: int


class _Nesting:
    """Counts how deep values lie in each other."""

    depth = 0

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Go one level down, unless it is too deep (or circular)."""
        if self.depth >= _MAX_NESTING:
            msg = f"it is nested more than {_MAX_NESTING} levels deep"
            raise Refused(msg)
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


class Writer(_Nesting):
    """Collects the arrays while a document is made."""

    def __init__(self) -> None:
        self.arrays: list[np.ndarray] = []
        self.bytes = 0
        self.text = 0

    def put(self, array: np.ndarray) -> dict[str, int]:
        """Take an array and return the node that names it."""
        if array.dtype.name not in DTYPES or isinstance(array, np.ma.MaskedArray):
            msg = f"arrays of {array.dtype.name} cannot be stored"
            raise Refused(msg)
        if not is_shape(array.shape):
            msg = f"arrays of shape {array.shape} cannot be stored"
            raise Refused(msg)
        self.arrays.append(array)
        self.bytes += array.nbytes
        return {"array": len(self.arrays) - 1}

    def put_learner(self, learner: Any) -> Any:
        """Return the node of a learner (see :mod:`learnable.estimator.persistence`)."""
        msg = f"{type(learner).__name__} cannot be stored here"
        raise Refused(msg)

    put_record = put_learner

    def trial(self) -> Writer:
        """Return a writer that goes on from here, and that may be forgotten."""
        other = copy(self)
        other.arrays = list(self.arrays)
        return other

    def adopt(self, trial: Writer) -> None:
        """Keep what a trial wrote."""
        self.__dict__.update(trial.__dict__)

    def spend(self, size: int) -> None:
        """Count what a reader will have to copy out."""
        self.text += size

    def finish(self) -> None:
        """Refuse what a reader would refuse."""
        if self.text > self.bytes + ALLOWANCE:
            msg = f"its text would take {self.text} bytes, too much for a file of {self.bytes}"
            raise Refused(msg)


class Reader(_Nesting):
    """Hands out each array of a file once, and keeps account of the memory."""

    def __init__(self, content: Content) -> None:
        self._arrays: dict[int, np.ndarray] = dict(enumerate(content.arrays))
        self._left = content.size + ALLOWANCE

    def take(self, node: Any) -> np.ndarray:
        """Return the array that a node names."""
        number = keys(node, "array")["array"]
        array = self._arrays.pop(number, None) if type(number) is int else None
        if array is None:
            msg = f"there is no array {shown(number)} left"
            raise Refused(msg)
        return array

    def take_learner(self, node: Any) -> Any:
        """Return the learner of a node (see :mod:`learnable.estimator.persistence`)."""
        msg = f"no learner is wanted here ({shown(node)})"
        raise Refused(msg)

    take_record = take_learner

    def spend(self, size: int) -> None:
        """Take bytes from the allowance before they are allocated."""
        self._left -= size
        if self._left < 0:
            msg = f"its parts would take {size} bytes of memory, more than such a file may"
            raise Refused(msg)

    def finish(self) -> None:
        """Refuse a file that holds arrays which nothing names."""
        if self._arrays:
            msg = f"the array {min(self._arrays)} belongs to nothing"
            raise Refused(msg)


def keys(node: Any, *names: str) -> dict[str, Any]:
    """Return the node if it is an object with exactly these keys."""
    if type(node) is not dict or node.keys() != set(names):
        msg = f"an object with {', '.join(names)} is wanted, not {shown(node)}"
        raise Refused(msg)
    return node


@contextmanager
def told(place: str) -> Iterator[None]:
    """Say where in the model something was refused."""
    try:
        yield
    except Refused as error:
        dot = "." if error.place and not error.place.startswith("[") else ""
        raise Refused(error.message, f"{place}{dot}{error.place}") from None


def shown(value: Any) -> str:
    """Return a short ASCII form of anything, for messages."""
    words = type(value).__name__ if isinstance(value, (dict, list)) else ascii(value)
    return words if len(words) <= 60 else f"{words[:57]}..."


def is_shape(shape: tuple[Any, ...]) -> bool:
    """Tell whether a shape may stand in a file; an empty array cannot claim huge sides."""
    if len(shape) > _MAX_AXES or not all(type(side) is int and side >= 0 for side in shape):
        return False
    return 0 not in shape or math.prod(side for side in shape if side) <= _MAX_EMPTY
