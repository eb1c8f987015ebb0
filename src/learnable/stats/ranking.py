"""Ranking: the weight of positive and negative rows at every distinct score.

All that a score says about two classes: the ROC and the precision-recall curve, the areas under
them, and DeLong's variance are sums over it, exact with ties. Rankings of blocks merge.

Cost: n log n comparisons; 3 numbers a distinct score to keep.

References
----------
.. [1] D. Bamber: The area above the ordinal dominance graph and the area below the receiver
   operating characteristic graph. Journal of Mathematical Psychology 12, 1975.
.. [2] T. Fawcett: An introduction to ROC analysis. Pattern Recognition Letters 27, 2006.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.loops.areas import precision_area, roc_area
from learnable.loops.ranks import count_ranks, join_ranks, weigh_ranks
from learnable.stats.arrays import NO_WEIGHTS, Floats, frozen


class Ranking(NamedTuple):
    """Weight of both classes at each score.

    Attributes
    ----------
    score : array (m,)
        Distinct scores, rising.
    positive, negative : array (m,)
        Weight of the positive and the negative rows with this score.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.stats import Ranking
    >>> found = Ranking.of(np.array([0.2, 0.7, 0.7]), np.array([False, True, False]))
    >>> found.positive, found.negative, found.area()
    (array([0., 1.]), array([1., 1.]), 0.75)
    """

    score: Floats
    positive: Floats
    negative: Floats

    @classmethod
    def zero(cls) -> Ranking:
        """Return the ranking of no rows."""
        return cls(np.empty(0), np.empty(0), np.empty(0))

    @classmethod
    def of(cls, score: Floats, positive: NDArray[np.bool_], weight: Floats = NO_WEIGHTS) -> Ranking:
        """Summarise one block.

        Parameters
        ----------
        score : array (n,)
            Scores; none is NaN.
        positive : array (n,) of bool
            Which rows are positive.
        weight : array (n,), optional
            Weight of each row; those of weight 0 do not count.
        """
        score = np.asarray(score, dtype=np.float64)
        if not len(weight):
            sides = np.sort(score[positive]), np.sort(score[~positive])
            return cls(*count_ranks(frozen(sides[0]), frozen(sides[1])))
        there = np.flatnonzero(weight)
        order = there[np.argsort(score[there])]
        return cls(
            *weigh_ranks(frozen(score[order]), frozen(positive[order]), frozen(weight[order]))
        )

    def merge(self, other: Ranking) -> Ranking:
        """Return the ranking of both sets of rows."""
        return self._joined(other, 1.0)

    def minus(self, other: Ranking) -> Ranking:
        """Return the ranking of the rows that remain without the other's (to rounding)."""
        return self._joined(other, -1.0)

    @property
    def totals(self) -> tuple[float, float]:
        """Weight of all positive and of all negative rows."""
        return float(self.positive.sum()), float(self.negative.sum())

    def reversed(self) -> Ranking:
        """Return the ranking with the classes exchanged and the scores negated."""
        return Ranking(-self.score[::-1], self.negative[::-1], self.positive[::-1])

    def above(self) -> tuple[Floats, Floats]:
        """Return the weight of both classes at each score or above it, from the highest score."""
        return np.cumsum(self.positive[::-1]), np.cumsum(self.negative[::-1])

    def placements(self) -> tuple[Floats, Floats]:
        """Return for each score the share of negatives below, and of positives above, it.

        Half of those with the same score count as below or above.
        """
        up, down = self.totals
        below = np.cumsum(self.negative) - 0.5 * self.negative
        over = up - (np.cumsum(self.positive) - 0.5 * self.positive)
        with np.errstate(invalid="ignore"):
            return np.divide(below, down), np.divide(over, up)

    def area(self) -> float:
        """Return the chance that a positive row scores higher than a negative one.

        Ties count half. NaN where a class is missing.
        """
        return float(self._by(roc_area)[0])

    def placement_squares(self) -> tuple[float, float]:
        """Return the weighted squares of the placements of both classes about the area."""
        _, first, second = self._by(roc_area)
        return float(first), float(second)

    def average_precision(self) -> float:
        """Return the precision averaged over the steps of the recall; 0 of no positive rows."""
        return float(self._by(precision_area)[0])

    def precision_squares(self) -> float:
        """Return the squared derivatives of average precision by the weight of each row, summed."""
        return float(self._by(precision_area)[1])

    def _by(self, area: Any) -> Any:
        return area(*(frozen(np.ascontiguousarray(part)) for part in self[1:]))

    def _joined(self, other: Ranking, sign: float) -> Ranking:
        mine = [frozen(np.ascontiguousarray(part)) for part in self]
        theirs = [frozen(np.ascontiguousarray(part)) for part in other]
        return Ranking(*join_ranks(*mine, *theirs, sign))
