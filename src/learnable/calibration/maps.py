"""Maps from scores to probabilities, learned from rows that the model did not learn from.

===========  ==================================================================================
sigmoid      ``1 / (1 + exp(a f + b))``, by maximum likelihood with Platt's targets
             ``(N+ + 1) / (N+ + 2)`` and ``1 / (N- + 2)``, so that it stays finite
isotonic     the rising step function nearest by squares, straight between its steps
temperature  ``softmax(beta z)`` of log-odds (or of log-probabilities) of all classes
===========  ==================================================================================

The first two judge one class against the rest; the third all classes at once, and changes no
answer. Cost: a few passes over the rows; isotonic one sort.

References
----------
.. [1] J. Platt: Probabilistic outputs for support vector machines. Advances in Large Margin
   Classifiers 1999.
.. [2] B. Zadrozny, C. Elkan: Transforming classifier scores into accurate multiclass probability
   estimates. KDD 2002.
.. [3] C. Guo, G. Pleiss, Y. Sun, K. Q. Weinberger: On calibration of modern neural networks. ICML
   2017.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.iterate import iterate
from learnable.loops.calibrating import rising_steps, sigmoid_sums, temperature_sums
from learnable.loops.vector_math import exp, softmax
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen
from learnable.stats.ranking import Ranking

_TURNS, _TOLERANCE = 100, 1e-14
_HALVINGS = 40
_LEAST, _MOST = math.exp(-10.0), math.exp(10.0)
_EPS = 1e-12


class Sigmoid(NamedTuple):
    """Platt's map, ``1 / (1 + exp(slope f + offset))``.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.calibration.maps import Sigmoid
    >>> made = Sigmoid.of(np.array([-1.0, 1.0, -2.0, 2.0]), np.array([0, 1, 0, 1]) > 0, np.ones(4))
    >>> made.answer(np.array([-1.0, 1.0])).round(3)
    array([0.338, 0.662])
    """

    slope: float
    offset: float

    @classmethod
    def of(cls, score: Floats, positive: NDArray[np.bool_], weight: Floats) -> Sigmoid:
        """Learn the two numbers by Newton's method."""
        up, down = float(weight[positive].sum()), float(weight[~positive].sum())
        target = np.where(positive, (up + 1.0) / (up + 2.0), 1.0 / (down + 2.0))
        middle, spread = float(score.mean()), float(score.std())
        unit = spread if spread > 0.0 else 1.0
        given = tuple(frozen(a) for a in ((score - middle) / unit, target, weight))
        start = np.array([0.0, math.log((down + 1.0) / (up + 1.0))])

        def step(state: Floats) -> tuple[Floats, dict[str, float]]:
            return _newton(given, state)

        found = iterate(step, start, tol=_TOLERANCE, max_iter=_TURNS, name="sigmoid").state
        slope = float(found[0]) / unit
        return cls(slope, float(found[1]) - slope * middle)

    def answer(self, score: Floats) -> Floats:
        """Return the probability of each score."""
        z = self.slope * score + self.offset
        e = np.asarray(exp(-np.abs(z)))
        return np.where(z > 0.0, e / (1.0 + e), 1.0 / (1.0 + e))


def _newton(given: tuple[Floats, ...], state: Floats) -> tuple[Floats, dict[str, float]]:
    """Make one turn of Newton's method, halved until the loss does not rise."""
    loss, g, h, ss, so, oo = sigmoid_sums(*given, *state)
    ridge = 1e-12 * (ss + oo) + 1e-300
    ss, oo = ss + ridge, oo + ridge
    determinant = ss * oo - so * so
    if not determinant > 0.0:
        return state, {"loss": loss, "change": 0.0}
    direction = np.array([oo * g - so * h, ss * h - so * g]) / determinant
    gain = float(direction @ [g, h])
    size = 1.0
    for _ in range(_HALVINGS):
        new = state - size * direction
        if sigmoid_sums(*given, *new)[0] <= loss:
            return new, {"loss": loss, "change": gain / max(abs(loss), 1.0)}
        size *= 0.5
    return state, {"loss": loss, "change": 0.0}


class Isotonic(NamedTuple):
    """A rising map: values at some scores, straight between them, constant outside.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.calibration.maps import Isotonic
    >>> made = Isotonic.of(np.arange(4.0), np.array([0, 1, 0, 1]) > 0, np.ones(4))
    >>> made.answer(np.array([-1.0, 1.0, 2.5, 9.0]))
    array([0.  , 0.5 , 0.75, 1.  ])
    """

    at: Floats
    value: Floats

    @classmethod
    def of(cls, score: Floats, positive: NDArray[np.bool_], weight: Floats) -> Isotonic:
        """Pool the rows of equal scores, then neighbours that fall."""
        plain = bool((weight == 1.0).all())
        found = Ranking.of(score, positive, NO_WEIGHTS if plain else weight)
        mass = found.positive + found.negative
        mean = found.positive / mass
        steps = rising_steps(frozen(mean), frozen(mass))
        turn = np.diff(steps) != 0.0
        keep = np.append(True, turn) | np.append(turn, True)
        return cls(found.score[keep], np.clip(steps[keep], 0.0, 1.0))

    def answer(self, score: Floats) -> Floats:
        """Return the probability of each score."""
        return np.interp(score, self.at, self.value)


class Temperature(NamedTuple):
    """One number for all classes: ``softmax(inverse * logits)``.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.calibration.maps import Temperature
    >>> logits = np.array([[0.0, 4.0]] * 4)
    >>> made = Temperature.of(logits, np.array([1, 1, 1, 0], dtype=np.int32), np.ones(4))
    >>> made.answer(logits[:1]).round(3)
    array([[0.25, 0.75]])
    """

    inverse: float

    @classmethod
    def of(cls, logits: Floats, codes: NDArray[np.int32], weight: Floats) -> Temperature:
        """Find where the slope of the loss changes its sign; the loss has one valley."""
        given = frozen(np.ascontiguousarray(logits)), frozen(codes), frozen(weight)

        def step(state: tuple[float, float, float]) -> tuple[Any, dict[str, float]]:
            here, low, high = state
            loss, slope, curve = temperature_sums(*given, here)
            low, high = (here, high) if slope < 0.0 else (low, here)
            new = here - slope / curve if curve > 0.0 else low
            if not low < new < high:
                new = math.sqrt(low * high)
            return (new, low, high), {"loss": loss, "change": abs(new - here) / here}

        state = (1.0, _LEAST, _MOST)
        found = iterate(step, state, tol=_TOLERANCE, max_iter=_TURNS, name="temperature").state
        return cls(float(found[0]))

    def answer(self, logits: Floats) -> Floats:
        """Return the probabilities of all classes."""
        return np.asarray(softmax(np.ascontiguousarray(self.inverse * logits)))


def logits_of(scores: Floats, *, probable: bool) -> Floats:
    """Return log-odds of all classes, of scores ``(n,)`` of the second of two or ``(n, K)``.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.calibration.maps import logits_of
    >>> logits_of(np.array([2.0]), probable=False)
    array([[-2.,  2.]])
    """
    if scores.ndim == 1:
        rest = 1.0 - scores if probable else -scores
        scores = np.stack([rest, scores], axis=1)
    return np.log(scores + _EPS) if probable else scores
