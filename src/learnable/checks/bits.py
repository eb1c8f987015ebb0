"""Comparing what learners hold and answer: bit by bit, or to a tolerance."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from learnable.core.errors import LearnableError


class LawBroken(LearnableError, AssertionError):  # noqa: N818 (the name says what happened)
    """A law does not hold; the message says which value differs from which.

    Examples
    --------
    >>> from learnable.checks import LawBroken
    >>> issubclass(LawBroken, AssertionError)
    True
    """


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the arrays and plain values inside lists, tuples, records and learners, with paths."""
    if isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from leaves(value[key], f"{path}[{key!r}]")
    elif isinstance(value, (list, tuple)):
        names = getattr(value, "_fields", range(len(value)))
        for name, item in zip(names, value, strict=True):
            yield from leaves(item, f"{path}.{name}")
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from leaves(getattr(value, field.name), f"{path}.{field.name}")
    elif hasattr(value, "get_params") and not isinstance(value, type):
        yield from leaves(vars(value), path)
    elif hasattr(value, "tocsr"):
        yield path, value.toarray()
    else:
        yield path, value


def same_bits(one: Any, other: Any, what: str) -> None:
    """Raise unless two values agree to the last bit (NaN equals NaN).

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.checks import same_bits
    >>> same_bits({"a": np.zeros(2)}, {"a": np.zeros(2)}, "copies")
    """
    for path, left, right in _pairs(one, other, what):
        if not _equal(left, right):
            msg = f"{what}: {path or 'the value'} differs: {left!r} and {right!r}"
            raise LawBroken(msg)


def close(one: Any, other: Any, tolerance: float, what: str, *, beside: Any = None) -> None:
    """Raise unless the numbers of two values agree to a share of the largest of them.

    ``beside`` is a third value of the same form, whose numbers count among the largest too (what
    was subtracted, say).

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.checks import close
    >>> close(np.ones(2), np.ones(2) + 1e-13, 1e-10, "rounding")
    """
    larger = dict(leaves(one if beside is None else beside))
    for path, left, right in _pairs(one, other, what):
        if isinstance(left, np.ndarray) and left.dtype.kind == "f" and left.shape == right.shape:
            finite = np.isfinite(left)
            size = max(np.abs(left[finite]).max(initial=0.0), np.abs(larger[path]).max(initial=0.0))
            apart = np.abs(left[finite] - right[finite]).max(initial=0.0)
            right_kind = np.array_equal(left[~finite], right[~finite], equal_nan=True)
            good = right_kind and apart <= tolerance * max(size, np.finfo(float).tiny)
        elif isinstance(left, (float, np.floating)):
            good = _equal(left, right) or abs(left - right) <= tolerance * abs(left)
        else:
            good = _equal(left, right)
        if not good:
            msg = f"{what}: {path or 'the value'} differs by more than {tolerance}"
            raise LawBroken(msg)


def _pairs(one: Any, other: Any, what: str) -> Iterator[tuple[str, Any, Any]]:
    left, right = dict(leaves(one)), dict(leaves(other))
    if left.keys() != right.keys():
        msg = f"{what}: only one of them has {', '.join(sorted(left.keys() ^ right.keys()))}"
        raise LawBroken(msg)
    for path, value in left.items():
        yield path, value, right[path]


def _equal(left: Any, right: Any) -> bool:
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        left, right = np.asarray(left), np.asarray(right)
        same_kind = left.dtype == right.dtype and left.shape == right.shape
        return same_kind and np.array_equal(left, right, equal_nan=left.dtype.kind == "f")
    if isinstance(left, float) and left != left:  # noqa: PLR0124
        return isinstance(right, float) and right != right  # noqa: PLR0124
    return type(left) is type(right) and (left is right or bool(left == right))
