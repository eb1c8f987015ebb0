"""How far: one line that says what learns and how much is done, after the first two seconds.

``fit`` never prints. Who wants to see something asks for it, in a terminal or a notebook.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TextIO, TypeVar

from learnable.core.iterate import Turn, observing
from learnable.core.trace import learner_here

Item = TypeVar("Item")
_line: ContextVar[Callable[[str], None] | None] = ContextVar("learnable_progress", default=None)


@contextmanager
def progress(
    stream: TextIO | None = None, *, after: float = 2.0, every: float = 0.2
) -> Iterator[None]:
    """Show how far the learners in the block are, on one line that is rewritten.

    Parameters
    ----------
    stream : text stream, optional
        Where to write; standard error by default.
    after : float, default=2.0
        Seconds that pass before anything is shown.
    every : float, default=0.2
        Seconds between two changes of the line.

    Examples
    --------
    >>> import sys
    >>> import learnable
    >>> from learnable.cluster import KMeans
    >>> with learnable.progress(sys.stdout):
    ...     model = KMeans(2, random_state=0).fit([[0.0], [1.0], [9.0], [10.0]])
    """
    out = sys.stderr if stream is None else stream
    begin, width, shown = monotonic(), 0, 0.0

    def show(text: str) -> None:
        nonlocal width, shown
        now = monotonic()
        if now - begin >= after and now - shown >= every:
            out.write(f"\r{text:<{width}}")
            out.flush()
            width, shown = len(text), now

    token = _line.set(show)
    try:
        with observing(lambda turn: show(_told(turn))):
            yield
    finally:
        _line.reset(token)
        if width:
            out.write("\r" + " " * width + "\r")
            out.flush()


def _told(turn: Turn) -> str:
    known = {name: value for name, value in turn.info.items() if isinstance(value, (int, float))}
    values = ", ".join(f"{name} {value:.6g}" for name, value in known.items())
    return f"{learner_here()}: {turn.step} {turn.number} of at most {turn.most}; {values}"


def counted(parts: Iterator[Item], total: int | None) -> Iterator[Item]:
    """Yield the parts of a fold; tell how many there were so far, if anybody wants to know."""
    show = _line.get()
    if show is None:
        yield from parts
        return
    of = f" of {total}" if total else ""
    for number, part in enumerate(parts, 1):
        yield part
        show(f"{learner_here() or 'fold'}: part {number}{of}")
