"""Shares of new rows that are promised by the rows a scaler learned from.

With ``n`` earlier rows and one more, all exchangeable, the chance that the new one is the odd one
out is bounded whatever their distribution (:mod:`learnable.theory.tolerance`); over several columns
the bounds add up (Bonferroni).

References
----------
.. [1] J. G. Saw, M. C. K. Yang, T. C. Mo: Chebyshev inequality with estimated mean and variance.
   The American Statistician 38, 1984.
.. [2] S. S. Wilks: Determination of sample sizes for setting tolerance limits. Annals of
   Mathematical Statistics 12, 1941.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from learnable.core.certificate import Certificate
from learnable.stats.arrays import Floats
from learnable.theory.statements import at_most, percent
from learnable.theory.tolerance import chebyshev_share, share_outside_range

EXCHANGEABLE = "the new row could as well have been any of the training rows (exchangeable)"
TRAINED = "the training rows are independent draws from where the model will be used"


def chance_of_far_cells(
    names: Sequence[str], weight: Floats, distance: float, confidence: float, *, even: bool
) -> Certificate:
    """Bound the chance that the next row has a cell far from the mean of its column.

    The bound is on the chance before the training rows are drawn, so it holds on average over
    them; it carries no confidence of its own.

    Parameters
    ----------
    names : sequence of str
        The columns.
    weight : array (d,)
        Training cells of each column.
    distance : float
        How far is far, in standard deviations by N.
    confidence : float
        Recorded, not used.
    even : bool
        Whether every training row had the weight 1; otherwise nothing can be promised.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.theory.shares import chance_of_far_cells
    >>> c = chance_of_far_cells(["a"], np.array([1000.0]), 3.0, 0.95, even=True)
    >>> c.kind, round(c.high, 4)
    ('in expectation', 0.1119)
    """
    each = [_far(int(n), distance) if even else 1.0 for n in weight]
    high = min(1.0, sum(each))
    beyond = f"more than {distance:g} standard deviations from the mean"
    average = "of new rows, on average over training sets, have"
    text = f"At most {at_most(high)} {average} a cell {beyond} of its column."
    if high == 1.0:
        text = "Nothing can be promised: "
        text += "too few rows for so many columns." if even else "the training rows had weights."

    def about(n: int, quantity: str, bound: float, sentence: str) -> Certificate:
        method = "Chebyshev inequality with estimated mean and variance"
        return Certificate(
            "in expectation", quantity, None, 0.0, bound, confidence, method, n,
            (EXCHANGEABLE,), sentence,
        )  # fmt: skip

    further = tuple(
        about(
            int(n),
            f"chance that {name} lies beyond {distance:g} standard deviations",
            bound,
            f"At most {at_most(bound)} {average} {name} {beyond}.",
        )
        for name, n, bound in zip(names, weight, each, strict=True)
        if bound < 1.0
    )
    quantity = f"chance of a cell beyond {distance:g} standard deviations"
    first = about(int(min(weight)), quantity, high, text)
    return Certificate(
        **{**vars(first), "method": first.method + ", union bound", "further": further}
    )


def _far(n: int, distance: float) -> float:
    """Turn standard deviations by N into those by N - 1, which the inequality is about."""
    return chebyshev_share(n, distance * math.sqrt((n - 1) / n)) if n > 1 else 1.0


def share_beyond_range(names: Sequence[str], count: Floats, confidence: float) -> Certificate:
    """Bound the share of new rows with a cell outside the range of its column in training.

    Parameters
    ----------
    names : sequence of str
        The columns.
    count : array (d,)
        Training cells of each column.
    confidence : float
        How often, at least, all statements are true at once.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.theory.shares import share_beyond_range
    >>> certificate = share_beyond_range(["a"], np.array([100]), 0.95)
    >>> certificate.kind, round(certificate.high, 4)
    ('guaranteed', 0.0466)
    """
    each = [share_outside_range(int(n), 1.0 - (1.0 - confidence) / len(count)) for n in count]
    high = min(1.0, sum(each))
    sure = f"With {percent(confidence)} confidence"
    text = (
        f"{sure}, at most {at_most(high)} of new rows have a cell outside the training range of "
        "its column."
    )
    if high == 1.0:
        text = "Nothing can be promised: too few rows for so many columns."

    def about(n: int, quantity: str, bound: float, sentence: str) -> Certificate:
        return Certificate(
            "guaranteed", quantity, None, 0.0, bound, confidence,
            "Wilks tolerance limits, union bound", n, (TRAINED,), sentence,
        )  # fmt: skip

    further = tuple(
        about(
            int(n),
            f"share of new rows with {name} outside its training range",
            bound,
            f"{sure} for all columns at once, at most {at_most(bound)} of new rows have {name} "
            "outside its training range.",
        )
        for name, n, bound in zip(names, count, each, strict=True)
        if bound < 1.0
    )
    first = about(int(min(count)), "share of new rows outside the training range", high, text)
    return Certificate(**{**vars(first), "further": further})
