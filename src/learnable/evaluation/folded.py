"""Learners compared on one data set, by their scores on the folds of one plan."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from learnable.core.errors import DataError
from learnable.evaluation.comparison import Comparison
from learnable.evaluation.comparisons import Comparisons, by_holm, pairs_of
from learnable.evaluation.inputs import Floats, differences, table
from learnable.evaluation.t_tests import corrected_resampled_t
from learnable.resampling import FoldPlan

ENOUGH_ROWS = 30
_WHOLE = 1e-6
_CONSTANT = (
    "The difference is the same in every fold; its spread was taken to be half a row, the least "
    "that a fold could show."
)
_WHY = (
    "Folds share training rows, so the paired t test would see differences that are not there; "
    "the corrected one allows for that."
)


def compare_folds(
    scores: Any, plan: FoldPlan, *, confidence: float = 0.95, lower_is_better: bool = False
) -> Comparisons:
    """Compare scores on the folds of a plan by the corrected resampled t, adjusted by Holm.

    Examples
    --------
    >>> from learnable.evaluation.folded import compare_folds
    >>> from learnable.resampling import FoldPlan
    >>> scores = {"a": [.9, .8, .9, .85, .9], "b": [.7, .65, .7, .6, .75]}
    >>> compare_folds(scores, FoldPlan("k-fold", 200, folds=5)).pairs[0].told_apart
    True
    """
    if len(plan) < 2:
        raise DataError(
            "One fold has one difference: how much it varies cannot be known.",
            remedy=f'Take ten repeats of ten folds: FoldPlan("k-fold", {plan.n}, repeats=10).',
        )
    names, found = table(scores)
    if len(found) != len(plan):
        raise DataError(
            f"There are {len(found)} scores a learner, but the plan has {len(plan)} folds.",
            remedy="Give the scores of all folds, in the order of the plan.",
        )
    splits = list(plan)
    learned = np.array([len(np.unique(train)) for train, _ in splits])
    asked = np.array([len(test) for _, test in splits])
    ratio = float((asked / np.maximum(learned, 1)).mean())

    def test(i: int, j: int, each: float) -> Comparison:
        gaps = differences(found[:, i], found[:, j])
        constant = gaps[0] != 0.0 and np.ptp(gaps) == 0.0 and _counts(found[:, [i, j]], asked)
        if constant:
            gaps = gaps + _half_a_row(asked)
        made = corrected_resampled_t(gaps, ratio=ratio, confidence=each, names=(names[i], names[j]))
        return replace(made, notes=(*made.notes, _CONSTANT)) if constant else made

    places = pairs_of(names, None)
    pairs = by_holm(test, names, places, confidence)
    adjusted = "" if len(pairs) == 1 else ", adjusted by Holm"
    return Comparisons(
        f"{pairs[0].method}{adjusted}", _WHY, names, tuple(found.mean(axis=0).tolist()),
        "mean score", places, pairs, confidence, len(found), lower_is_better=lower_is_better,
        notes=(*_notes(plan, learned, asked), *(_CONSTANT,) * _noted(pairs)),
    )  # fmt: skip


def _noted(pairs: tuple[Comparison, ...]) -> bool:
    return any(_CONSTANT in pair.notes for pair in pairs)


def _counts(scores: Floats, asked: Any) -> bool:
    """Return whether scores are shares of the rows asked."""
    rows = scores * asked[:, None]
    return bool((np.abs(rows - np.round(rows)) < _WHOLE).all())


def _half_a_row(asked: Any) -> Floats:
    """Return half a row up and down by turns, on average nothing."""
    turns = np.where(np.arange(len(asked)) % 2, 0.5, -0.5) / asked
    return np.asarray(turns - turns.mean())


def _notes(plan: FoldPlan, learned: Any, asked: Any) -> tuple[str, ...]:
    size = f"{round(float(learned.mean()))} of the {plan.n} rows"
    notes = [f"What is compared is learning from {size}, as each fold does."]
    if asked.min() < ENOUGH_ROWS and plan.kind != "leave one out":
        notes.append(
            f"A fold asks {int(asked.min())} rows only; with fewer than {ENOUGH_ROWS} its score is "
            "coarse and its distribution far from normal."
        )
    if plan.kind in {"ordered", "bootstrap", "leave one out"}:
        notes.append(
            f"The correction was made for rows set aside at random; for a plan of kind "
            f"{plan.kind!r} its level is not known."
        )
    return tuple(notes)
