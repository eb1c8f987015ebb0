"""Tallies: right and wrong, positive and negative, for each label; and how to average over labels.

=========================  =============================
precision                  ``TP / (TP + FP)``
recall, sensitivity        ``TP / (TP + FN)``
specificity                ``TN / (TN + FP)``
negative predictive value  ``TN / (TN + FN)``
F-beta                     ``(1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP)``
Jaccard                    ``TP / (TP + FP + FN)``
=========================  =============================

A rate whose denominator is 0 is undefined: nothing replaces it unless the caller says so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.metrics.answers import Answers, Indicators, undefined
from learnable.stats.arrays import Floats

AVERAGES = (None, "binary", "micro", "macro", "weighted", "samples")
MISSING = {
    "precision": "nothing was predicted as",
    "recall": "no row is",
    "specificity": "no row is other than",
    "negative predictive value": "nothing was predicted as other than",
    "f-score": "no row is, and nothing was predicted as",
    "jaccard": "no row is, and nothing was predicted as",
}


class Tallies(NamedTuple):
    """Weight of the true and false, positive and negative answers for each label (or row)."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats

    @classmethod
    def of_table(cls, table: Floats) -> Tallies:
        """Return the tallies of every class of a confusion table."""
        wrong = table - np.diag(np.diag(table))
        tp, fp, fn = np.diag(table).copy(), wrong.sum(axis=0), wrong.sum(axis=1)
        actual = table.sum(axis=1)
        others = _sum_of_others(actual)
        return cls(tp, fp, fn, np.maximum(others - fp, 0.0))

    @classmethod
    def of_indicators(cls, found: Indicators, axis: int = 0) -> Tallies:
        """Return the tallies of every label (``axis=0``) or of every row (``axis=1``)."""
        t, p = found.actual, found.predicted
        parts = (t & p, ~t & p, t & ~p, ~t & ~p)
        if len(found.weight) and axis == 0:
            return cls(*(found.weight @ part for part in parts))
        made = [part.sum(axis=axis).astype(np.float64) for part in parts]
        if len(found.weight):
            made = [part * found.weight for part in made]
        return cls(*made)

    def pooled(self) -> Tallies:
        """Return the sums over all labels, as one label."""
        return Tallies(*(np.array([part.sum()]) for part in self))

    def at(self, index: NDArray[np.intp]) -> Tallies:
        """Return the tallies of some labels."""
        return Tallies(*(part[index] for part in self))

    def rate(self, name: str, beta: float = 1.0) -> Floats:
        """Return a rate of each label; NaN where it is undefined."""
        above, below = self._fraction(name, beta)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(below > 0.0, above / below, np.nan)

    @property
    def actual(self) -> Floats:
        """Weight of the rows that have the label."""
        return self.tp + self.fn

    def _fraction(self, name: str, beta: float) -> tuple[Floats, Floats]:
        tp, fp, fn, tn = self
        if name == "f-score":
            if np.isposinf(beta):
                return tp, tp + fn
            b2 = beta * beta
            return (1.0 + b2) * tp, (1.0 + b2) * tp + b2 * fn + fp
        fractions = {
            "precision": (tp, tp + fp),
            "recall": (tp, tp + fn),
            "specificity": (tn, tn + fp),
            "negative predictive value": (tn, tn + fn),
            "jaccard": (tp, tp + fp + fn),
        }
        return fractions[name]


class Judged(NamedTuple):
    """Tallies of the labels that were asked for, with their names and how to average."""

    tallies: Tallies
    names: list[Any]
    average: str | None
    weight: Floats

    def value(self, name: str, zero_division: Any, beta: float = 1.0, *, warn: bool = True) -> Any:
        """Return one rate: of each label, or averaged."""
        why = "it has no denominator in" if self.average == "samples" else MISSING[name]
        rate = self.tallies.rate(name, beta)
        rate = filled(rate, zero_division, name, why, self.names, warn=warn)
        if self.average is None:
            return rate
        if self.average in ("binary", "micro"):
            return float(rate[0])
        share = self.tallies.actual if self.average == "weighted" else self.weight
        return mean_of_defined(rate, share)


def judge(found: Answers | Indicators, labels: Any, pos_label: Any, average: str | None) -> Judged:
    """Tally the labels that the averaging asks for."""
    if average not in AVERAGES:
        msg = f"average has to be one of {AVERAGES}, not {average!r}"
        raise ParameterError(msg)
    empty = np.empty(0)
    if isinstance(found, Indicators):
        return _judge_indicators(found, labels, average)
    if average == "samples":
        msg = "average='samples' is for several answers a row."
        raise DataError(msg, remedy="Use 'macro', 'micro' or 'weighted'.")
    names = _asked(found.classes, labels, pos_label, average)
    tallies = tallies_of(found.table(), found.classes, names)
    if average == "micro":
        return Judged(tallies.pooled(), ["any label"], average, empty)
    return Judged(tallies, names, average, empty)


def tallies_of(table: Floats, classes: NDArray[Any], names: list[Any]) -> Tallies:
    """Return the tallies of named labels; one that never occurs has only negatives."""
    place = {label: i for i, label in enumerate(classes.tolist())}
    index = np.array([place.get(name, len(classes)) for name in names], dtype=np.intp)
    every = Tallies.of_table(np.pad(table, (0, 1)))
    return every.at(index)


def _asked(classes: NDArray[Any], labels: Any, pos_label: Any, average: str | None) -> list[Any]:
    present: list[Any] = classes.tolist()
    if average != "binary":
        return present if labels is None else np.asarray(labels).tolist()
    if len(present) > 2:
        msg = "Target is multiclass but average='binary'."
        raise DataError(msg, remedy="Choose another average: None, 'micro', 'macro', 'weighted'.")
    if pos_label not in present and len(present) == 2:
        msg = f"pos_label={pos_label!r} is not a valid label: the labels are {present}."
        raise DataError(msg, remedy="Name the positive label.")
    return [pos_label]


def _judge_indicators(found: Indicators, labels: Any, average: str | None) -> Judged:
    empty = np.empty(0)
    if average == "binary":
        msg = "Target is multilabel-indicator but average='binary'."
        raise DataError(msg, remedy="Choose another average: None, 'micro', 'macro', 'samples'.")
    if labels is not None:
        index = column_index(labels, found.actual.shape[1])
        found = found._replace(actual=found.actual[:, index], predicted=found.predicted[:, index])
    if average == "samples":
        rows = found._replace(weight=empty)
        tallies = Tallies.of_indicators(rows, axis=1)
        return Judged(tallies, [f"row {i}" for i in range(len(tallies.tp))], average, found.weight)
    tallies = Tallies.of_indicators(found)
    if average == "micro":
        return Judged(tallies.pooled(), ["any label"], average, empty)
    return Judged(tallies, list(range(len(tallies.tp))), average, empty)


def column_index(labels: Any, width: int) -> NDArray[np.intp]:
    """Check the numbers of label columns."""
    index = np.asarray(labels, dtype=np.intp)
    if len(index) and (index.min() < 0 or index.max() >= width):
        msg = f"All labels must be in [0, {width}) where y has several answers a row."
        raise DataError(msg, remedy="Give the numbers of columns.")
    return index


def replacement(zero_division: Any) -> float:
    """Return what stands for an undefined rate."""
    if isinstance(zero_division, str):
        if zero_division != "warn":
            msg = f"zero_division must be 'warn', 0, 1 or nan, not {zero_division!r}"
            raise ParameterError(msg)
        return 0.0
    if zero_division in (0, 1) or np.isnan(zero_division):
        return float(zero_division)
    msg = f"zero_division must be 'warn', 0, 1 or nan, not {zero_division!r}"
    raise ParameterError(msg)


def filled(
    rate: Floats, zero_division: Any, name: str, why: str, names: list[Any], *, warn: bool
) -> Floats:
    """Replace undefined rates, and say so where the caller has not chosen by what."""
    value = replacement(zero_division)
    gaps = np.isnan(rate)
    if gaps.any() and warn and isinstance(zero_division, str):
        some = [str(names[i]) for i in np.flatnonzero(gaps)[:5]]
        more = int(gaps.sum()) - len(some)
        undefined(
            f"{name.capitalize()} is ill-defined and set to {value}: {why} {', '.join(some)}"
            f"{f' and {more} more' if more else ''}. Use `zero_division` to choose another value."
        )
    return np.where(gaps, value, rate)


def mean_of_defined(rate: Floats, weight: Floats) -> float:
    """Return the mean over the defined rates; equal weights where they add up to 0."""
    there = ~np.isnan(rate)
    if not there.any():
        return float("nan")
    if not len(weight):
        return float(rate[there].mean())
    share = weight[there]
    return float(np.average(rate[there], weights=share) if share.sum() else rate[there].mean())


def _sum_of_others(values: Floats) -> Floats:
    """Return for each entry the sum of all others, exactly 0 where all others are 0."""
    before = np.concatenate([[0.0], np.cumsum(values)[:-1]])
    after = np.concatenate([np.cumsum(values[::-1])[::-1][1:], [0.0]])
    return before + after
