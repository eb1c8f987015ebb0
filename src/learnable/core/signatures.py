"""Signatures stated ahead: from words such as ``"const real[:, ::1]"`` to the compiler's types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from learnable.core.errors import ParameterError

WORDS = re.compile(r"(const )?(\w+)(\[(?:(?::, )*::1|:)\])?")


def expand(name: str, ahead: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield the argument types of every stated signature, ``real`` as float64, then float32."""
    for items in ahead:
        if not isinstance(items, tuple):
            msg = f"{name}: a signature stated ahead must be a tuple, not {items!r}"
            raise ParameterError(msg)
        both = any(isinstance(item, str) and "real" in item for item in items)
        for width in ("float64", "float32") if both else ("",):
            yield tuple(_type_of(name, item, width) for item in items)


def _type_of(name: str, item: Any, width: str) -> Any:
    import numba

    if not isinstance(item, str):
        return numba.typeof(item.lowered() if hasattr(item, "lowered") else item)
    match = WORDS.fullmatch(item)
    const, word, axes = match.groups() if match else (None, "", None)
    scalar = getattr(numba.types, width if word == "real" else word, None)
    if not isinstance(scalar, numba.types.Type) or (const and not axes):
        msg = f'{name}: {item!r} is no type of the kind "float64" or "const real[:, ::1]"'
        raise ParameterError(msg)
    if not axes:
        return scalar
    layout = "C" if "::1" in axes else "A"
    return numba.types.Array(scalar, 1 + axes.count(","), layout, readonly=bool(const))
