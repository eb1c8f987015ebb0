"""The logistic and the softmax loss of blocks of rows, with gradient and curvature.

Rows are taken in coordinates of their own, ``z = (1, (x - origin) / scale)``, in which the columns
are alike; sparse rows keep their zeros (the origin is 0). With coefficients ``theta`` (K or 1 lines
of 1 + d numbers) the loss is

    sum_i w_i l_i(theta z_i)  +  1/2 sum_kj penalty_j theta_kj**2

Cost: 4 n d K operations, and n d**2 for the curvature (K (K + 1) / 2 times that for K classes).

References
----------
.. [1] T. P. Minka: A comparison of numerical optimizers for logistic regression. 2003.
.. [2] D. Bohning: Multinomial logistic regression algorithm. Annals of the Institute of
   Statistical Mathematics 44, 1992.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from learnable.core.fold import fold
from learnable.data import Block
from learnable.loops import logistic as loops
from learnable.stats.arrays import Floats, frozen

_TILE_BYTES = 1 << 19
_NEAR = 1e3


class Loss(NamedTuple):
    """Loss, gradient, and curvature (None where it was not asked for) at some coefficients."""

    value: float
    gradient: Floats
    curvature: Floats | None

    def __add__(self, other: Loss) -> Loss:  # type: ignore[override]
        """Return the sum over both sets of rows."""
        curvature = None if self.curvature is None else self.curvature + other.curvature
        return Loss(self.value + other.value, self.gradient + other.gradient, curvature)


class Problem(NamedTuple):
    """What is minimised.

    Attributes
    ----------
    blocks : list of Block
        Rows with the code of their class, and weights.
    classes : int
        Number of classes; 2 have one line of coefficients.
    origin, scale : array (d,)
        Where 0 lies in each column, and what 1 is.
    penalty : array (1 + d,)
        Of each coefficient, the constant first.
    weight : float
        Sum of the weights.
    constant : bool
        Whether there is a constant.
    live : array (1 + d,)
        1, and 0 for columns that never vary, whose coefficients stay 0.
    """

    blocks: list[Block]
    classes: int
    origin: Floats
    scale: Floats
    penalty: Floats
    weight: float
    constant: bool
    live: Floats

    @property
    def lines(self) -> int:
        """Number of lines of coefficients."""
        return 1 if self.classes == 2 else self.classes

    def at(self, theta: Floats, *, curvature: bool, every: int = 1) -> Loss:
        """Return the loss of coefficients (lines, 1 + d); of every so many rows alone, if asked."""
        task = partial(_block_loss, self, theta, curvature, every)
        found: Loss = fold(task, _summed, self.blocks)
        return self._penalised(found, theta)

    def _penalised(self, found: Loss, theta: Floats) -> Loss:
        value = found.value + 0.5 * float((self.penalty * theta**2).sum())
        gradient = (found.gradient + self.penalty * theta) * self.live
        if not self.constant:
            gradient[:, 0] = 0.0
        curvature = found.curvature
        if curvature is not None:
            k, p = theta.shape
            curvature = curvature + np.diag(np.tile(self.penalty, k))
            if not self.constant:
                curvature[::p], curvature[:, ::p] = 0.0, 0.0
                curvature[np.arange(0, k * p, p), np.arange(0, k * p, p)] = 1.0
            if k > 1:
                curvature = curvature + self._tied(k, p)
        return Loss(value, gradient, curvature)

    def _tied(self, k: int, p: int) -> Floats:
        """Return the curvature that keeps sums over the classes at 0, which change no answer."""
        return np.asarray(np.kron(np.ones((k, k)), np.eye(p)) * (self.weight / (4.0 * k)))


def _summed(one: Loss, other: Loss) -> Loss:
    return one + other


def _cells(block: Block) -> Any:
    if isinstance(block.cells, (np.ndarray, list)):
        return block.array()
    return block.cells


def _block_loss(problem: Problem, theta: Floats, curvature: bool, every: int, block: Block) -> Loss:
    """Return the loss of one block (at module level, so that a cluster can run it)."""
    cells = _cells(block)
    codes, weight = block.codes, block.weight
    if every > 1:
        first = (-block.start) % every
        cells, codes = cells[first::every], np.ascontiguousarray(codes[first::every])
        weight = np.ascontiguousarray(weight[first::every])
    if not isinstance(cells, np.ndarray):
        return _sparse_loss(problem, theta, codes, weight, cells)
    if not curvature and (np.abs(problem.origin) < _NEAR * problem.scale).all():
        return _plain_loss(problem, theta, codes, weight, cells)
    n, d = cells.shape
    k, p = theta.shape
    total = Loss(0.0, np.zeros((k, p)), np.zeros((k * p, k * p)) if curvature else None)
    step = max(_TILE_BYTES // (8 * (d + 1)), 64)
    divisor = None if (problem.scale == 1.0).all() else problem.scale
    for start in range(0, n, step):
        some = slice(start, min(start + step, n))
        rows = np.empty((some.stop - start, p))
        rows[:, 0] = 1.0
        np.subtract(cells[some], problem.origin, out=rows[:, 1:])
        if divisor is not None:
            rows[:, 1:] /= divisor
        total += _tile_loss(theta, codes[some], weight[some], rows, curvature)
    return total


def _plain_loss(problem: Problem, theta: Floats, codes: Any, weight: Floats, cells: Any) -> Loss:
    """Return loss and gradient from the rows as they are: coefficients are carried over instead."""
    inner = theta[:, 1:] / problem.scale
    base = theta[:, 0] - inner @ problem.origin
    n, d = cells.shape
    value, sums, slopes = 0.0, np.zeros(len(theta)), np.zeros((len(theta), d))
    step = max(_TILE_BYTES // (8 * (d + 1)), 64)
    for start in range(0, n, step):
        some = slice(start, min(start + step, n))
        rows = cells[some].astype(np.float64, copy=False)
        part, residuals = _of_scores(rows @ inner.T + base, codes[some], weight[some])
        value += part
        sums += residuals.sum(axis=0)
        slopes += residuals.T @ rows
    gradient = np.empty_like(theta)
    gradient[:, 0] = sums
    gradient[:, 1:] = (slopes - sums[:, None] * problem.origin) / problem.scale
    return Loss(value, gradient, None)


def _of_scores(scores: Floats, codes: Any, weight: Floats) -> tuple[float, Floats]:
    """Return the loss and its derivatives by the scores."""
    n, k = scores.shape
    if k == 1:
        residual, bend = np.empty(n), np.empty(n)
        target = codes.astype(np.float64)
        line = np.ascontiguousarray(scores[:, 0])
        value = loops.binary(line, frozen(target), frozen(weight), residual, bend)
        return value, residual[:, None]
    residuals = np.empty((n, k))
    value = loops.softmax(np.ascontiguousarray(scores), frozen(codes), frozen(weight), residuals)
    return value, residuals


def _tile_loss(theta: Floats, codes: Any, weight: Floats, rows: Floats, curvature: bool) -> Loss:
    k, n = len(theta), len(rows)
    if k == 1:
        residual, bend = np.empty(n), np.empty(n)
        target = codes.astype(np.float64)
        value = loops.binary(rows @ theta[0], frozen(target), frozen(weight), residual, bend)
        gradient = (residual @ rows)[None]
        if not curvature:
            return Loss(value, gradient, None)
        rows *= np.sqrt(bend)[:, None]
        return Loss(value, gradient, rows.T @ rows)
    shares = rows @ theta.T
    residuals = np.empty((n, k))
    value = loops.softmax(shares, frozen(codes), frozen(weight), residuals)
    gradient = residuals.T @ rows
    return Loss(value, gradient, _bend(shares, weight, rows) if curvature else None)


def _bend(shares: Floats, weight: Floats, rows: Floats) -> Floats:
    """Return the curvature of the softmax loss, class by class."""
    k, p = shares.shape[1], rows.shape[1]
    out = np.empty((k, p, k, p))
    own = shares * weight[:, None] if len(weight) else shares
    for a in range(k):
        for b in range(a, k):
            bend = own[:, a] * (1.0 - shares[:, a]) if a == b else -own[:, a] * shares[:, b]
            part = (rows * bend[:, None]).T @ rows
            out[a, :, b] = part
            out[b, :, a] = part.T
    return out.reshape(k * p, k * p)


def _sparse_loss(problem: Problem, theta: Floats, codes: Any, weight: Floats, cells: Any) -> Loss:
    """Return the loss of sparse rows, whose zeros stay zeros."""
    inner = theta[:, 1:] / problem.scale
    if len(theta) == 1:
        scores = (cells @ inner[0] + theta[0, 0])[:, None]
    else:
        scores = cells @ np.ascontiguousarray(inner.T) + theta[:, 0]
    value, residuals = _of_scores(scores, codes, weight)
    gradient = np.empty_like(theta)
    gradient[:, 0] = residuals.sum(axis=0)
    slopes = (cells.T @ residuals[:, 0])[None] if len(theta) == 1 else (cells.T @ residuals).T
    gradient[:, 1:] = slopes / problem.scale
    return Loss(value, gradient, None)
