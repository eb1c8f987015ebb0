"""Student's t: an estimate over its standard error, with p, critical region and interval.

References
----------
.. [1] Student: The probable error of a mean. Biometrika 6, 1908.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from learnable.evaluation.comparison import Comparison, sentence
from learnable.evaluation.measured import measured

PAIR = ("the first", "the second")


class Student(NamedTuple):
    """An estimate over its standard error, read against Student's t.

    Examples
    --------
    >>> from learnable.evaluation.student import Student
    >>> Student(1.0, 0.0, 0.5, 9.0, 0.95, "two-sided").statistic
    2.0
    """

    estimate: float
    null: float
    error: float
    df: float
    confidence: float
    alternative: str

    @property
    def statistic(self) -> float:
        """The estimate's distance from the null, in standard errors; 0 of 0 is no distance."""
        gap = self.estimate - self.null
        return gap / self.error if self.error > 0.0 else 0.0

    @property
    def p(self) -> float:
        """Chance of a statistic at least as far out."""
        from scipy.special import stdtr

        if self.alternative == "two-sided":
            return min(2.0 * float(stdtr(self.df, -abs(self.statistic))), 1.0)
        sign = -1.0 if self.alternative == "greater" else 1.0
        return float(stdtr(self.df, sign * self.statistic))

    @property
    def critical(self) -> tuple[float, float]:
        """Between these the null is kept."""
        from scipy.special import stdtrit

        tail = 1.0 - self.confidence
        if self.alternative == "two-sided":
            bound = -float(stdtrit(self.df, tail / 2.0))
            return -bound, bound
        bound = -float(stdtrit(self.df, tail))
        return (-math.inf, bound) if self.alternative == "greater" else (-bound, math.inf)

    @property
    def bounds(self) -> tuple[float, float]:
        """All nulls that would be kept, as differences from the null."""
        below, above = self.critical
        gap = self.estimate - self.null
        return (
            gap - above * self.error if above < math.inf else -math.inf,
            gap - below * self.error if below > -math.inf else math.inf,
        )

    def comparison(
        self,
        method: str,
        n: int,
        names: tuple[str, str],
        assumptions: tuple[str, ...],
        *,
        verb: str = "scores",
        notes: tuple[str, ...] = (),
    ) -> Comparison:
        """Return what the test found."""
        low, high = self.bounds
        gap = self.estimate - self.null
        text = sentence(names, gap, (low, high), self.p, self.confidence, verb)
        return Comparison(
            "approximate", method, self.statistic, self.p, gap, low, high, self.confidence, n,
            assumptions, text, (self.df,), self.alternative, self.critical,
            notes=(*notes, *measured(method)),
        )  # fmt: skip
