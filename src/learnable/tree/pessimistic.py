"""Pessimistic pruning of release 8 of C4.5: errors that a leaf must be expected to make.

A leaf of weight ``N`` with ``E`` errors is expected to make ``U_CF(E, N)`` on as many new rows, the
upper limit of a confidence interval at the confidence factor. A subtree becomes a leaf, or is
replaced by its largest branch (subtree raising), where that is expected to make no more errors.

Cost: the rows of every node for each branch that is tried in its place.

References
----------
.. [1] J. R. Quinlan: C4.5, Programs for Machine Learning. Morgan Kaufmann 1993, chapter 4.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

_SLACK = 0.1


def added_errors(n: float, errors: float, factor: float) -> float:
    """Return how many errors more than on the training rows a leaf is expected to make.

    Parameters
    ----------
    n, errors : float
        Weight of the leaf, and of the rows of other classes.
    factor : float
        Confidence factor; small ones expect more errors.

    Examples
    --------
    >>> from learnable.tree.pessimistic import added_errors
    >>> round(added_errors(6, 0, 0.25), 3), round(added_errors(9, 0, 0.25), 3)
    (1.238, 1.285)
    """
    if errors < 1.0:
        none = n * (1.0 - factor ** (1.0 / n))
        if errors == 0.0:
            return none
        return none + errors * (added_errors(n, 1.0, factor) - none)
    if errors + 0.5 >= n:
        return max(n - errors, 0.0)
    z = NormalDist().inv_cdf(1.0 - factor)
    f = (errors + 0.5) / n
    root = sqrt(f / n - f * f / n + z * z / (4.0 * n * n))
    return (f + z * z / (2.0 * n) + z * root) / (1.0 + z * z / n) * n - errors


def expected_errors(counts, factor: float) -> float:  # noqa: ANN001
    """Return the errors that a leaf of these class weights must be expected to make."""
    total = float(counts.sum())
    if total <= 0.0:
        return 0.0
    wrong = total - float(counts.max())
    wrong = 0.0 if wrong < 1e-9 * total else wrong
    return wrong + added_errors(total, wrong, factor)
