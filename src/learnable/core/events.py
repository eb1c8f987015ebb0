"""Event buffers: what happens inside a compiled loop, kept until somebody can tell it.

A loop cannot call the trace. It writes numbers into a buffer of fixed size that its task owns
(:func:`learnable.loops.events.note`); the buffers of the blocks merge in block order, and the
learner hands them to the trace. A full buffer loses what comes later, counts it, and says so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.trace import emit


class EventBuffer(NamedTuple):
    """Room for events, each a row of numbers.

    Attributes
    ----------
    cells : array (capacity, width) of float64
        The events.
    offered : array (1,) of int64
        How many there were; those beyond the capacity are lost.

    Examples
    --------
    >>> import learnable
    >>> from learnable.core import EventBuffer
    >>> from learnable.loops.events import note
    >>> buffer = EventBuffer.of(2, 2)
    >>> for row in range(3):
    ...     note(buffer, (row, 0.5))
    >>> buffer.kept.tolist(), buffer.lost
    ([[0.0, 0.5], [1.0, 0.5]], 1)
    """

    cells: NDArray[np.float64]
    offered: NDArray[np.int64]

    @classmethod
    def of(cls, capacity: int, width: int) -> EventBuffer:
        """Return an empty buffer; one without capacity only counts."""
        return cls(np.zeros((capacity, width)), np.zeros(1, np.int64))

    @property
    def kept(self) -> NDArray[np.float64]:
        """The events that found room, in order."""
        return self.cells[: int(self.offered[0])]

    @property
    def lost(self) -> int:
        """How many found none."""
        return max(int(self.offered[0]) - len(self.cells), 0)

    def merge(self, other: EventBuffer) -> EventBuffer:
        """Return the events of neighbouring blocks together; what was lost stays lost."""
        cells = np.concatenate([self.kept, other.kept])
        return EventBuffer(cells, self.offered + other.offered)

    def tell(self, step: str, turn: int, **columns: Any) -> None:
        """Hand the events to the trace, one step each, and last how many were lost.

        Parameters
        ----------
        step : str
            What the trace calls them.
        turn : int
            In which turn they happened.
        **columns : callable
            What each number is called, and what makes a value of it (``row=int``).
        """
        for event in self.kept.tolist():
            named = zip(columns.items(), event, strict=True)
            emit(step, turn, **{name: made(number) for (name, made), number in named})
        if self.lost:
            emit(step, turn, lost=self.lost)
