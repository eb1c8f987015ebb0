"""Minimising a smooth convex loss: Newton's steps with a held curvature, and L-BFGS.

Newton's steps end with the last digits right and cost a curvature each; one that still serves is
held for the next turn. L-BFGS keeps the last few gradients instead, and starts each of its steps
from a matrix that the rows bound their curvature with, so that it needs few turns.

References
----------
.. [1] J. Nocedal, S. J. Wright: Numerical Optimization. 2nd edition, Springer 2006, chapters 3, 7.
.. [2] R.-E. Fan et al., on trust regions and line searches for logistic regression; C.-J. Lin,
   R. C. Weng, S. S. Keerthi: Trust region Newton method for large-scale logistic regression.
   Journal of Machine Learning Research 9, 2008.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from learnable.core.iterate import Info, Run, iterate
from learnable.linear_model.logistic_loss import Loss, Problem
from learnable.stats.arrays import Floats

ENOUGH = 1e-20
"""Squared length of a Newton step, in the curvature and a unit of weight, that ends it."""

_SLOW = 0.05
_MEMORY = 12
_HALVINGS = 40


class Newton(NamedTuple):
    """Where Newton's steps stand."""

    theta: Floats
    loss: Loss
    factor: Any
    length: float


def factored(curvature: Floats) -> Any:
    """Return the Cholesky factor of a curvature, with as little added as makes it definite.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.linear_model.descending import factored
    >>> factored(np.diag([4.0, 0.0]))[0][0, 0].round(6)
    np.float64(2.0)
    """
    size = np.diagonal(curvature).max(initial=0.0) or 1.0
    added = 0.0
    while True:
        try:
            return cho_factor(curvature + added * size * np.eye(len(curvature)), check_finite=False)
        except LinAlgError:
            added = max(100.0 * added, 1e-14)


def newton_turn(problem: Problem, every: int, state: Newton) -> tuple[Newton, Info]:
    """Take one step, halved until the loss falls; look at the curvature anew where it is needed."""
    gradient = state.loss.gradient
    step = -cho_solve(state.factor, gradient.ravel(), check_finite=False).reshape(gradient.shape)
    slope = float((gradient * step).sum())
    length = max(-slope, 0.0) / problem.weight
    held = length < _SLOW * state.length or length < ENOUGH * 1e4
    share = 1.0
    for _ in range(_HALVINGS):
        theta = state.theta + share * step
        loss = problem.at(theta, curvature=not held, every=every)
        slack = 1e-13 * (abs(state.loss.value) + 1.0)
        if loss.value <= state.loss.value + 1e-4 * share * slope + slack:
            break
        share /= 2.0
        held = False
    factor = state.factor if loss.curvature is None else factored(loss.curvature)
    info = {"change": length, "loss": loss.value, "share": share, "held": held}
    return Newton(theta, loss, factor, length), info


def newton(
    problem: Problem, start: Floats, *, max_iter: int, every: int = 1, tol: float = ENOUGH
) -> Run[Newton]:
    """Minimise by Newton's steps.

    Parameters
    ----------
    problem : Problem
        What is minimised.
    start : array (lines, 1 + d)
        Where to begin.
    max_iter : int
        Steps at most.
    every : int
        Look at every so many rows alone.
    tol : float
        Squared length of a step, in the curvature and a unit of weight, that ends it.
    """
    loss = problem.at(start, curvature=True, every=every)
    state = Newton(start, loss, factored(loss.curvature), np.inf)  # type: ignore[arg-type]

    def turn(now: Newton) -> tuple[Newton, Info]:
        return newton_turn(problem, every, now)

    name = "newton" if every == 1 else f"newton on one row of {every}"
    return iterate(turn, state, tol=tol, max_iter=max_iter, name=name)


class Memory(NamedTuple):
    """Where L-BFGS stands: coefficients, loss, and the last steps with their gradients."""

    theta: Floats
    loss: Loss
    steps: tuple[Floats, ...]
    changes: tuple[Floats, ...]


def two_loops(state: Memory, precondition: Callable[[Floats], Floats]) -> Floats:
    """Return the direction of L-BFGS: minus an approximate inverse curvature times the gradient."""
    q = state.loss.gradient.copy()
    pairs = list(zip(state.steps, state.changes, strict=True))
    shares = []
    for s, y in reversed(pairs):
        share = float((s * q).sum() / (s * y).sum())
        q -= share * y
        shares.append(share)
    r = precondition(q)
    if pairs:
        s, y = pairs[-1]
        r *= float((s * y).sum() / (y * precondition(y)).sum())
    for (s, y), share in zip(pairs, reversed(shares), strict=True):
        r += (share - float((y * r).sum() / (s * y).sum())) * s
    return -r


def lbfgs_turn(
    problem: Problem, precondition: Callable[[Floats], Floats], state: Memory
) -> tuple[Memory, Info]:
    """Take one step, shortened until the loss falls enough."""
    direction = two_loops(state, precondition)
    slope = float((state.loss.gradient * direction).sum())
    if slope >= 0.0:
        state = state._replace(steps=(), changes=())
        direction = -precondition(state.loss.gradient)
        slope = float((state.loss.gradient * direction).sum())
    share = 1.0
    for _ in range(_HALVINGS):
        theta = state.theta + share * direction
        loss = problem.at(theta, curvature=False)
        rise = loss.value - state.loss.value
        if rise <= 1e-4 * share * slope + 1e-13 * (abs(state.loss.value) + 1.0):
            break
        # The least of the parabola through both losses and the slope.
        share *= float(np.clip(-slope * share / (2.0 * (rise - slope * share)), 0.1, 0.5))
    s, y = theta - state.theta, loss.gradient - state.loss.gradient
    steps, changes = state.steps, state.changes
    if (s * y).sum() > 1e-12 * np.sqrt((s**2).sum() * (y**2).sum()):
        steps, changes = (*steps, s)[-_MEMORY:], (*changes, y)[-_MEMORY:]
    change = float(np.abs(loss.gradient).max()) / problem.weight
    info = {"change": change, "loss": loss.value, "share": share}
    return Memory(theta, loss, steps, changes), info


def lbfgs(
    problem: Problem,
    start: Floats,
    precondition: Callable[[Floats], Floats],
    *,
    tol: float,
    max_iter: int,
) -> Run[Memory]:
    """Minimise by L-BFGS, until no derivative is larger than ``tol`` a unit of weight.

    Parameters
    ----------
    problem, start, max_iter
        As for :func:`newton`.
    precondition : callable
        An approximate inverse of the curvature.
    tol : float
        Largest derivative, a unit of weight, that ends it.
    """
    state = Memory(start, problem.at(start, curvature=False), (), ())

    def turn(now: Memory) -> tuple[Memory, Info]:
        return lbfgs_turn(problem, precondition, now)

    return iterate(turn, state, tol=tol, max_iter=max_iter, name="lbfgs")
