"""Writing into an event buffer from inside a compiled loop."""

from __future__ import annotations

from numba import literal_unroll

from learnable.core.compiler import loop


@loop(inline=True)
def note(buffer, values):
    """Write one event, a tuple of numbers, if there is room; count it in any case."""
    at = buffer.offered[0]
    if at < buffer.cells.shape[0]:
        j = 0
        for value in literal_unroll(values):
            buffer.cells[at, j] = value
            j += 1  # noqa: SIM113 (the compiler unrolls tuples of mixed kinds without a counter)
    buffer.offered[0] = at + 1
