"""``iterate``: the only training loop outside the compiled ones.

It alone owns the stopping rule, the trace and the progress of iterative learners. A step is one
turn, ``step(state) -> (state, info)``. ``info["gap"]`` is a certified distance to the optimum,
``info["change"]`` only the size of the last increment; never one under the other's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Generic, NamedTuple, TypeVar

from learnable.core.errors import ParameterError
from learnable.core.trace import emit

State = TypeVar("State")
Info = dict[str, Any]
Observer = Callable[["Turn"], Any]


class Turn(NamedTuple):
    """What an observer sees after each turn.

    Examples
    --------
    >>> from learnable.core import Turn
    >>> Turn("lloyd", number=3, most=300, state=None, info={"change": 0.1}).number
    3
    """

    step: str
    number: int
    most: int
    state: Any
    info: Info


class Run(NamedTuple, Generic[State]):
    """How an iteration ended.

    Attributes
    ----------
    state : object
        The last state.
    n_iter : int
        Turns made.
    converged : bool
        Whether the gap (or the change) came below the tolerance.
    info : dict
        What the last turn said of itself.

    Examples
    --------
    >>> from learnable.core import iterate
    >>> iterate(lambda x: (x / 2, {"change": x / 2}), 8.0, tol=1.0, max_iter=9)
    Run(state=1.0, n_iter=3, converged=True, info={'change': 1.0})
    """

    state: State
    n_iter: int
    converged: bool
    info: Info


_observers: ContextVar[tuple[Observer, ...]] = ContextVar("learnable_observers", default=())


@contextmanager
def observing(observer: Observer) -> Iterator[None]:
    """Show every turn of every learner in the block to ``observer``; a true answer stops it.

    Examples
    --------
    >>> import learnable
    >>> from learnable.cluster import KMeans
    >>> seen = []
    >>> with learnable.observing(lambda turn: seen.append(turn.number)):
    ...     model = KMeans(2, random_state=0).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> seen[0]
    1
    """
    token = _observers.set((*_observers.get(), observer))
    try:
        yield
    finally:
        _observers.reset(token)


def _wants_stop(turn: Turn, observe: Observer | None) -> bool:
    observers = (*_observers.get(), observe) if observe is not None else _observers.get()
    answers = [bool(observer(turn)) for observer in observers]  # all of them see the turn
    return any(answers)


def iterate(
    step: Callable[[State], tuple[State, Info]],
    state: State,
    *,
    tol: float,
    max_iter: int,
    observe: Observer | None = None,
    name: str = "step",
) -> Run[State]:
    """Apply ``step`` until its gap (certified) or change (an increment) is at most ``tol``.

    Parameters
    ----------
    step : callable
        One turn: ``step(state) -> (state, info)``; ``info`` holds ``gap`` or ``change``.
    state : object
        Where to begin.
    tol : float
        Tolerance.
    max_iter : int
        Turns at most.
    observe : callable, optional
        Sees each :class:`Turn`; a true answer stops the iteration.
    name : str
        What the trace calls the step.

    Returns
    -------
    Run
        The last state, the number of turns, whether it converged, the last info.

    Examples
    --------
    >>> from learnable.core import iterate
    >>> def newton(x):
    ...     new = (x + 2 / x) / 2
    ...     return new, {"change": abs(new - x)}
    >>> run = iterate(newton, 1.0, tol=1e-12, max_iter=50)
    >>> run.converged, round(run.state, 10)
    (True, 1.4142135624)
    """
    info: Info = {}
    for number in range(1, max_iter + 1):
        state, info = step(state)
        emit(name, number, **info)
        left = info.get("gap", info.get("change"))
        if left is None:
            msg = f"the step {name!r} says neither its gap nor its change"
            raise ParameterError(msg)
        stop = _wants_stop(Turn(name, number, max_iter, state, info), observe)
        if left <= tol or stop:
            return Run(state, number, bool(left <= tol), info)
    return Run(state, max_iter, False, info)
