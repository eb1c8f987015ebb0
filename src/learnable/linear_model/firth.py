"""Firth's likelihood: coefficients that stay finite where classes are separated.

    maximise  l(theta) + 1/2 log det (Z'WZ),   W = diag(p (1 - p))

The added term is Jeffreys' prior; it takes the first-order bias off the coefficients. Its score is
that of the likelihood with ``y - p + h (1/2 - p)`` in place of ``y - p``, h the leverages of
``W^(1/2) Z``.

Cost: 3 n d**2 a turn.

References
----------
.. [1] D. Firth: Bias reduction of maximum likelihood estimates. Biometrika 80, 1993.
.. [2] G. Heinze, M. Schemper: A solution to the problem of separation in logistic regression.
   Statistics in Medicine 21, 2002.
"""

from __future__ import annotations

import operator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cho_solve, solve_triangular

from learnable.core.fold import fold
from learnable.core.iterate import Info, Run, iterate
from learnable.data import Block
from learnable.linear_model.descending import ENOUGH, factored
from learnable.linear_model.logistic_loss import Loss, Problem
from learnable.loops.vector_math import sigmoid
from learnable.stats.arrays import Floats


class Firth(NamedTuple):
    """Where Firth's steps stand: coefficients, penalised loss, score, factor of the information."""

    theta: Floats
    value: float
    score: Floats
    factor: Any


def _pull(problem: Problem, theta: Floats, inverse: Floats, block: Block) -> Floats:
    """Return what the leverages add to the score, of one block."""
    cells = block.array()
    rows = np.column_stack([np.ones(len(cells)), (cells - problem.origin) / problem.scale])
    p = sigmoid(rows @ theta[0])
    bend = p * (1.0 - p)
    leverage = bend * ((rows @ inverse) ** 2).sum(axis=1)
    pull = leverage * (0.5 - p)
    if len(block.weight):
        pull *= block.weight
    return pull @ rows


def penalised(problem: Problem, theta: Floats, held: int | None = None) -> Firth:
    """Return the penalised loss and score at some coefficients, one of which may be held."""
    loss: Loss = problem.at(theta, curvature=True)
    curvature = np.asarray(loss.curvature)
    factor = factored(curvature)
    value = loss.value - float(np.log(np.diagonal(factor[0])).sum())
    inverse = solve_triangular(factor[0], np.eye(len(curvature)), lower=factor[1])
    pull = fold(partial(_pull, problem, theta, inverse), operator.add, problem.blocks)
    score = -loss.gradient[0] + pull
    if not problem.constant:
        score[0] = 0.0
    if held is not None:
        score[held] = 0.0
        curvature[held], curvature[:, held], curvature[held, held] = 0.0, 0.0, 1.0
        factor = factored(curvature)
    return Firth(theta, value, score, factor)


def firth(problem: Problem, start: Floats, *, max_iter: int, held: int | None = None) -> Run[Firth]:
    """Maximise Firth's likelihood.

    Parameters
    ----------
    problem : Problem
        Rows of two classes, without a penalty.
    start : array (1, 1 + d)
        Where to begin.
    max_iter : int
        Steps at most.
    held : int, optional
        A coefficient that stays where it is.
    """

    def turn(state: Firth) -> tuple[Firth, Info]:
        step = cho_solve(state.factor, state.score, check_finite=False)
        longest = np.abs(step).max(initial=0.0)
        step /= max(longest / 5.0, 1.0)
        length = float(state.score @ step) / problem.weight
        share = 1.0
        for _ in range(30):
            found = penalised(problem, state.theta + share * step, held)
            if found.value <= state.value + 1e-12 * (abs(state.value) + 1.0):
                break
            share /= 2.0
        return found, {"change": max(length, 0.0), "loss": found.value}

    return iterate(
        turn, penalised(problem, start, held), tol=ENOUGH, max_iter=max_iter, name="firth"
    )
