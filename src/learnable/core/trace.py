"""How it learned: the steps that learners hand to whoever listens.

``with learnable.tracing() as trace:`` listens; nobody listening costs one look-up a turn. The
listener is a context variable, carried into the tasks of the pool. A task writes into a list of
its own, and the lists are joined in the order of the tasks, so that a trace never depends on the
number of threads.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, NamedTuple

from learnable.core.frames import as_frame


class Event(NamedTuple):
    """One step of one learner.

    Examples
    --------
    >>> from learnable.core import Event
    >>> Event("KMeans", "lloyd", 3, {"inertia": 2.5}).values["inertia"]
    2.5
    """

    learner: str
    step: str
    turn: int
    values: dict[str, Any]


class Trace:
    """What a block under :func:`tracing` recorded.

    Attributes
    ----------
    events : list of Event
        ``(learner, step, turn, values)`` in the order of learning.

    Examples
    --------
    >>> import learnable
    >>> from learnable.cluster import KMeans
    >>> with learnable.tracing() as trace:
    ...     model = KMeans(2, random_state=0).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> trace.steps()
    ['seed', 'lloyd', 'finish']
    """

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def steps(self) -> list[str]:
        """Names of the steps, each once, in order of first appearance."""
        return list(dict.fromkeys(event.step for event in self.events))

    def only(self, step: str | None = None, learner: str | None = None) -> Trace:
        """Return the events of one step or one learner as a trace of their own."""
        kept = Trace()
        kept.events = [
            event
            for event in self.events
            if step in {None, event.step} and learner in {None, event.learner}
        ]
        return kept

    def to_frame(self) -> Any:
        """Return a data frame, a line an event, a column a value."""
        names = dict.fromkeys(name for event in self.events for name in event.values)
        columns: dict[str, list[Any]] = {
            "learner": [event.learner for event in self.events],
            "step": [event.step for event in self.events],
            "turn": [event.turn for event in self.events],
        }
        for name in names:
            columns[name if name != "learner" else "learner_value"] = [
                event.values.get(name) for event in self.events
            ]
        return as_frame(columns)

    def to_text(self) -> str:
        """Return one line an event."""
        return "\n".join(
            f"{event.learner} {event.step} {event.turn}: "
            + ", ".join(f"{name}={_short(value)}" for name, value in event.values.items())
            for event in self.events
        )

    def to_html(self) -> str:
        """Return a table; everything that comes from the data is escaped."""
        rows = "".join(
            f"<tr><td>{html.escape(event.learner)}</td><td>{html.escape(event.step)}</td>"
            f"<td>{event.turn}</td><td>"
            + html.escape(", ".join(f"{k} = {_short(v)}" for k, v in event.values.items()))
            + "</td></tr>"
            for event in self.events
        )
        head = "<tr><th>learner</th><th>step</th><th>turn</th><th>values</th></tr>"
        return f'<table class="learnable-trace"><thead>{head}</thead><tbody>{rows}</tbody></table>'

    __str__ = to_text
    _repr_html_ = to_html

    def __repr__(self) -> str:
        return f"<Trace: {len(self.events)} events, steps {', '.join(self.steps()) or 'none'}>"


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value).replace("\n", " ")


_listener: ContextVar[list[Event] | None] = ContextVar("learnable_trace", default=None)
_learner: ContextVar[str] = ContextVar("learnable_learner", default="")


@contextmanager
def tracing() -> Iterator[Trace]:
    """Record every step of every learner that works inside the block.

    Examples
    --------
    >>> import learnable
    >>> from learnable.naive_bayes import GaussianNB
    >>> with learnable.tracing() as trace:
    ...     model = GaussianNB().fit([[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1])
    >>> print(trace.events[0].learner, trace.events[0].step)
    GaussianNB moments
    """
    trace = Trace()
    token = _listener.set(trace.events)
    try:
        yield trace
    finally:
        _listener.reset(token)


def listening() -> bool:
    """Whether anybody records; ask before computing something only a trace wants."""
    return _listener.get() is not None


def emit(step: str, turn: int = 0, **values: Any) -> None:
    """Hand one step to the trace, if there is one.

    Examples
    --------
    >>> import learnable
    >>> from learnable.core import emit
    >>> with learnable.tracing() as trace:
    ...     emit("split", 1, column="Outlook", gain=0.2467)
    >>> print(trace.to_text())
     split 1: column=Outlook, gain=0.2467
    """
    events = _listener.get()
    if events is not None:
        events.append(Event(_learner.get(), step, turn, values))


def learner_here() -> str:
    """Name the learner that is at work here, ``""`` if there is none."""
    return _learner.get()


@contextmanager
def learner_at_work(name: str) -> Iterator[None]:
    """Name the learner whose steps follow; inside another learner the names are joined."""
    outer = _learner.get()
    token = _learner.set(f"{outer}/{name}" if outer else name)
    try:
        yield
    finally:
        _learner.reset(token)


def recorder(task: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, list[Event]]]:
    """Return the task with a list of its own, for the learner that is at work here.

    The caller joins the lists in order by :func:`absorb`.
    """
    return partial(_recorded, task, _learner.get())


def _recorded(task: Callable[[Any], Any], name: str, item: Any) -> tuple[Any, list[Event]]:
    events: list[Event] = []
    listener, learner = _listener.set(events), _learner.set(name)
    try:
        return task(item), events
    finally:
        _listener.reset(listener)
        _learner.reset(learner)


def absorb(events: list[Event]) -> None:
    """Join the events of a task to the trace."""
    here = _listener.get()
    if here is not None:
        here.extend(events)
