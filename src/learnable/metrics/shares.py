"""Measures that are a share of counted rows: how many of how many."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from learnable.metrics.answers import Answers
from learnable.metrics.tallies import Tallies, judge

_RATES = {
    "precision_score": "precision",
    "recall_score": "recall",
    "specificity_score": "specificity",
    "negative_predictive_value": "negative predictive value",
}


class Share(NamedTuple):
    """``x`` of ``n`` rows, which are the ``given`` ones."""

    x: int
    n: int
    given: str


def share_of(name: str, found: Answers, options: dict[str, Any]) -> Share | None:
    """Return a measure as a share, None where it is none.

    Examples
    --------
    >>> from learnable.metrics.answers import answers
    >>> from learnable.metrics.shares import share_of
    >>> share_of("recall_score", answers([1, 1, 0], [1, 0, 0]), {})
    Share(x=1, n=2, given='the number of rows that are 1')
    """
    n = len(found.actual)
    right = int(np.count_nonzero(found.right()))
    if name == "accuracy_score":
        return Share(right, n, "")
    if name in ("zero_one_loss", "hamming_loss"):
        return Share(n - right, n, "")
    if name not in _RATES or options.get("average", "binary") != "binary":
        return None
    label = options.get("pos_label", 1)
    tallies = judge(found, None, label, "binary").tallies
    tp, fp, fn, tn = (int(part[0]) for part in Tallies(*tallies))
    return {
        "precision_score": Share(tp, tp + fp, f"the number of rows predicted as {label}"),
        "recall_score": Share(tp, tp + fn, f"the number of rows that are {label}"),
        "specificity_score": Share(tn, tn + fp, f"the number of rows that are not {label}"),
        "negative_predictive_value": Share(
            tn, tn + fn, f"the number of rows not predicted as {label}"
        ),
    }[name]
