"""Learners compared over several data sets, by a score on each."""

from __future__ import annotations

import math
from typing import Any

from learnable.core.errors import DataError
from learnable.evaluation.comparison import percent
from learnable.evaluation.comparisons import Comparisons
from learnable.evaluation.inputs import Floats, steady
from learnable.evaluation.post_hoc import holm

_WHY = (
    "Data sets differ in kind, so ranks of differences are compared and not their sizes; zeros "
    "are split, and p is exact. Each pair is tested by itself, because mean ranks change with "
    "the company."
)


def compare_over_sets(
    names: tuple[str, ...],
    scores: Floats,
    *,
    confidence: float = 0.95,
    lower_is_better: bool = False,
) -> Comparisons:
    """Compare scores, a row a data set, by Wilcoxon's signed ranks adjusted by Holm.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.evaluation.over_sets import compare_over_sets
    >>> ahead = np.array([.1, .2, .05, .12, .07, .15, .11])
    >>> compare_over_sets(("a", "b"), np.column_stack([ahead, 0 * ahead])).pairs[0].told_apart
    True
    """
    k = len(names)
    least = least_data_sets(k * (k - 1) // 2, confidence)
    if len(scores) < least:
        raise DataError(
            f"Over {len(scores)} data set(s) no outcome, however clear, could tell {k} learners "
            f"apart at {percent(confidence)}.",
            remedy=f"Give {least} data sets or more; or compare on one by the folds of a plan.",
        )
    found = holm(scores, names=names, higher_is_better=not lower_is_better, confidence=confidence)
    return _explained(found, scores)


def least_data_sets(pairs: int, confidence: float) -> int:
    """Return from how many data sets on Wilcoxon's test of so many pairs can find anything.

    The smallest two-sided p of n differences is ``2 / 2^n``; the first of m pairs must reach
    ``alpha / m``.

    Examples
    --------
    >>> from learnable.evaluation.over_sets import least_data_sets
    >>> least_data_sets(1, 0.95), least_data_sets(10, 0.95)
    (6, 9)
    """
    return math.ceil(1.0 + math.log2(pairs / (1.0 - confidence)) - 1e-9)


def _explained(found: Comparisons, scores: Floats) -> Comparisons:
    from dataclasses import replace

    notes: list[Any] = []
    for (i, j), _ in zip(found.places, found.pairs, strict=True):
        ties = int((steady(scores[:, i] - scores[:, j]) == 0.0).sum())
        if ties:
            pair = f"{found.names[i]} and {found.names[j]}"
            notes.append(f"{pair} score the same on {ties} of {len(scores)} data sets.")
    method = found.method if len(found.pairs) > 1 else found.pairs[0].method
    return replace(found, method=method, why=_WHY, notes=tuple(notes))
