"""Memory by its address, for loops over what holds no array: Python's strings.

Whoever reads says that something lies there, and keeps it alive.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic


@intrinsic
def word_at(typing: Any, address: Any) -> Any:  # noqa: ARG001 (Numba's contract)
    """Return the eight bytes at an address, a multiple of eight, as one number."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = context.get_value_type(signature.return_type).as_pointer()
        return builder.load(builder.inttoptr(arguments[0], pointer))

    return types.int64(types.int64), code
