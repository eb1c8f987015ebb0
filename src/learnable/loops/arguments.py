"""From what a caller gives to what a loop takes: float arrays in rows, and room for the result.

Nothing is checked here: what NumPy cannot convert or write, NumPy refuses.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating[Any]]


def numbers(x: npt.ArrayLike) -> Array:
    """Return a read-only C-contiguous float32 or float64 array."""
    given = np.asarray(x)
    kind = np.float32 if given.dtype == np.float32 else np.float64
    view = given.astype(kind, order="C", casting="same_kind", copy=False).view()
    view.flags.writeable = False
    return view


def room(shape: tuple[int, ...], x: Array, out: Array | None) -> Array:
    """Return where a loop over x can write: ``out`` itself if that is safe, else new memory."""
    if out is None or out.shape != shape or out.dtype != x.dtype:
        return np.empty(shape, x.dtype)
    safe = out.flags.c_contiguous and out.flags.writeable and not _entangled(out, x)
    return out if safe else np.empty(shape, x.dtype)


def _entangled(out: Array, x: Array) -> bool:
    """Whether writing one entry may change another one that is still to be read."""
    if not np.may_share_memory(out, x):
        return False
    return out.shape != x.shape or out.ctypes.data != x.ctypes.data


def result(made: Array, out: Array | None) -> Any:
    """Return what was made, in ``out`` if that was given, a scalar for a scalar."""
    if out is None:
        return made if made.ndim else made[()]
    if out is not made:
        np.copyto(out, made)
    return out
