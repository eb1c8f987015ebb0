"""Residuals: what right and predicted numbers say about each other, for each output.

Means and centred sums of squares of the answers, the predictions and their difference: the mean
squared error, R^2, the explained variance and the correlation follow, and merge over blocks. There
is no ``minus``: what the largest residual would be without a row cannot be known.

Cost: 10 n m operations; 10 m numbers to keep, m outputs.

References
----------
.. [1] T. F. Chan, G. H. Golub, R. J. LeVeque: Algorithms for computing the sample variance.
   The American Statistician 37, 1983.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learnable.loops.residuals import residual_moments
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen

_TINY = float(np.finfo(np.float64).eps)


class Residuals(NamedTuple):
    """Moments of answers, predictions and residuals; each array has an entry an output.

    Attributes
    ----------
    n : int
        Rows.
    weight : float
        Their weight.
    mean_true, mean_pred, mean_residual : array (m,)
        Weighted means; a residual is the answer less the prediction.
    scatter_true, scatter_pred, scatter_residual, product : array (m,)
        Centred sums of squares, and of products of answer and prediction.
    absolute, relative : array (m,)
        Weighted sums of the absolute residual, as it is and divided by the absolute answer.
    largest : array (m,)
        The largest absolute residual.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats import Residuals
    >>> found = Residuals.of(np.array([[1.0], [3.0]]), np.array([[1.0], [2.0]]))
    >>> found.squared(), found.largest
    (array([0.5]), array([1.]))
    """

    n: int
    weight: float
    mean_true: Floats
    mean_pred: Floats
    mean_residual: Floats
    scatter_true: Floats
    scatter_pred: Floats
    scatter_residual: Floats
    product: Floats
    absolute: Floats
    relative: Floats
    largest: Floats

    @classmethod
    def zero(cls, m: int) -> Residuals:
        """Return the residuals of no rows."""
        none = np.zeros(m)
        return cls._from(0, 0.0, [none] * 3, [none] * 4, none, none, none)

    @classmethod
    def of(cls, true: Floats, predicted: Floats, weight: Floats = NO_WEIGHTS) -> Residuals:
        """Summarise one block.

        Parameters
        ----------
        true, predicted : array (n, m)
            Right and predicted numbers.
        weight : array (n,), optional
            Weight of each row.
        """
        found = np.column_stack(
            [
                residual_moments(
                    frozen(np.ascontiguousarray(true[:, j])),
                    frozen(np.ascontiguousarray(predicted[:, j])),
                    frozen(weight),
                    _TINY,
                )
                for j in range(true.shape[1])
            ]
        )
        total = float(found[0, 0]) if true.shape[1] else 0.0
        return cls._from(len(true), total, found[1:4], found[4:8], *found[8:])

    @classmethod
    def _from(
        cls,
        n: int,
        weight: float,
        means: Floats | list[Floats],
        sums: Floats | list[Floats],
        absolute: Floats,
        relative: Floats,
        largest: Floats,
    ) -> Residuals:
        t, p, r = means
        tt, pp, rr, tp = sums
        return cls(n, weight, t, p, r, tt, pp, rr, tp, absolute, relative, largest)

    def merge(self, other: Residuals) -> Residuals:
        """Return the residuals of both sets of rows."""
        n, weight = self.n + other.n, self.weight + other.weight
        share = other.weight / weight if weight else 0.0
        gaps = [b - a for a, b in zip(self[2:5], other[2:5], strict=True)]
        if share == 1.0:
            means = list(other[2:5])
        else:
            means = [a + gap * share for a, gap in zip(self[2:5], gaps, strict=True)]
        between = self.weight * share
        t, p, r = gaps
        steps = (t * t, p * p, r * r, t * p)
        sums = [
            a + b + step * between for a, b, step in zip(self[5:9], other[5:9], steps, strict=True)
        ]
        return Residuals._from(
            n,
            weight,
            means,
            sums,
            self.absolute + other.absolute,
            self.relative + other.relative,
            np.maximum(self.largest, other.largest),
        )

    def squared(self) -> Floats:
        """Return the mean squared residual of each output."""
        return np.asarray(self.scatter_residual / self.weight + self.mean_residual**2)
