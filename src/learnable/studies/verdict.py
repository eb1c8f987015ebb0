"""The verdict: the chosen model on the rows that were set aside, asked once, and why it answers so.

Nothing here decides anything: the choice is made before these rows are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.calibration import Conformal
from learnable.core.certificate import Certificate
from learnable.core.errors import LearnableError
from learnable.core.explanation import Explanation
from learnable.estimator.hooks import certify, explain
from learnable.inspection import permutation_importance
from learnable.inspection.importance import Importances
from learnable.metrics import ConfusionMatrix
from learnable.metrics.intervals import wilson
from learnable.model_selection import LearningCurve, learning_curve
from learnable.resampling import FoldPlan
from learnable.studies.asking import Problem
from learnable.studies.contenders import Contender
from learnable.studies.scoring import CostScorer
from learnable.studies.tuning import Score, Tuned

SHOWN_ROWS = 3
MOST_ASKED = 2000
MANY_COLUMNS = 60
BINS = 10
CURVE_SIZES = (0.1, 0.2, 0.4, 0.7, 1.0)
CURVE_FOLDS = 5
MANY_ROWS = 20_000
_LEAST_LEARNED = 10


class Shown(NamedTuple):
    """A row that is shown: where it stands, the truth, the answer, and why.

    Attributes
    ----------
    row : int
        Its number in the file (from 1; the header is not counted).
    truth, answer : object
        What is right, and what the model said.
    surprise : float
        How far off the answer was: the error, or one less the chance given to the truth.
    why : Explanation or None
        The reasons, where the model gives any.
    """

    row: int
    truth: Any
    answer: Any
    surprise: float
    why: Explanation | None


class Bin(NamedTuple):
    """One bin of chances: how often what was said came true, with an interval."""

    said: float
    came: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class Verdict:
    """What the rows set aside said about the chosen model.

    Attributes
    ----------
    score : float
        By the measure of the study.
    certificate : Certificate or None
        What can be promised; None where the model promises nothing.
    truth, answers : array (m,)
        Of the rows set aside.
    confusion : ConfusionMatrix or None
        Of a classification.
    bins : tuple of Bin
        Chances of the answers against how often they were right.
    typical, worst : tuple of Shown
        Rows answered as most are, and those answered worst.
    importances : Importances or None
        What each column is worth on these rows.
    curve : LearningCurve or None
        Scores by number of rows learned from.
    conformal : array
        Rising scores of the rows set aside, for prediction sets and intervals; empty if too many.
    notes : tuple of str
        What could not be done, and why.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.studies import Options, Wishes, follow
    >>> found = follow(load_play_tennis(as_frame=True).frame, Wishes("play"), Options(budget=1))
    >>> found.verdict.certificate.kind
    'guaranteed'
    """

    score: float
    certificate: Certificate | None
    truth: NDArray[Any]
    answers: NDArray[Any]
    confusion: ConfusionMatrix | None
    bins: tuple[Bin, ...]
    typical: tuple[Shown, ...]
    worst: tuple[Shown, ...]
    importances: Importances | None
    curve: LearningCurve | None
    conformal: NDArray[np.float64]
    notes: tuple[str, ...]


def reach_verdict(
    contender: Contender,
    found: Tuned,
    learned: Problem,
    asked: Problem,
    score: Score,
    *,
    confidence: float,
    seed: int,
) -> Verdict:
    """Ask the rows set aside.

    Parameters
    ----------
    contender : Contender
        Who was chosen.
    found : Tuned
        Its model, fitted to all rows learned from.
    learned, asked : Problem
        The rows learned from, and those set aside.
    score : callable
        What is judged by.
    confidence : float
        Of the certificate.
    seed : int
        What draws begin with.
    """
    notes: list[str] = []
    model = found.model
    answers = _answers(model, asked, score)
    surprise, sureness = _surprises(model, asked, answers)
    typical, worst = _places(asked, answers, surprise)
    return Verdict(
        float(score(model, asked.table, asked.y)),
        _certified(model, asked, confidence, notes),
        asked.y,
        answers,
        ConfusionMatrix.of(asked.y, answers) if asked.classes else None,
        _bins(asked.y == answers, sureness, confidence) if asked.classes else (),
        tuple(_shown(model, asked, i, answers, surprise, notes) for i in typical),
        tuple(_shown(model, asked, i, answers, surprise, notes) for i in worst),
        _importances(model, asked, confidence, seed, notes),
        _curve(contender, found, learned, score, seed, notes),
        _conformal(model, asked, notes),
        tuple(dict.fromkeys(notes)),
    )


def _answers(model: Any, asked: Problem, score: Score) -> NDArray[Any]:
    if isinstance(score, CostScorer):
        return score.answers(model, asked.table)
    return np.asarray(model.predict(asked.table))


def _surprises(
    model: Any, asked: Problem, answers: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far off each answer was, and the chance that the model gave to its answer."""
    nothing = np.full(len(answers), np.nan)
    if not asked.classes:
        return np.abs(np.asarray(answers, dtype=float) - asked.y), nothing
    if not hasattr(model, "predict_proba"):
        return (answers != asked.y).astype(float), nothing
    chances = np.asarray(model.predict_proba(asked.table), dtype=np.float64)
    labels = np.asarray(model.classes_)
    of_truth = (chances * (labels == asked.y[:, None])).sum(axis=1)
    of_answer = (chances * (labels == answers[:, None])).sum(axis=1)
    return 1.0 - of_truth, of_answer


def _places(
    asked: Problem, answers: NDArray[Any], surprise: NDArray[np.float64]
) -> tuple[list[int], list[int]]:
    """Return rows of middling surprise of the most frequent answers, and the worst ones."""
    order = np.argsort(-surprise, kind="stable")
    worst = order[:SHOWN_ROWS].tolist()
    if not asked.classes:
        middle = len(order) // 2
        return order[max(middle - 1, 0) : middle + 2].tolist(), worst
    typical = []
    for label in asked.classes[:SHOWN_ROWS]:
        right = np.flatnonzero((answers == label) & (asked.y == label))
        if len(right):
            by_surprise = right[np.argsort(surprise[right], kind="stable")]
            typical.append(int(by_surprise[len(right) // 2]))
    return typical, [i for i in worst if answers[i] != asked.y[i]]


def _shown(
    model: Any, asked: Problem, i: int, answers: Any, surprise: Any, notes: list[str]
) -> Shown:
    why = None
    try:
        why = explain(model, asked.table[i : i + 1])[0]
    except LearnableError as error:
        notes.append(f"No reasons for single answers: {error}")
    return Shown(
        int(asked.rows[i]) + 1, _plain(asked.y[i]), _plain(answers[i]), float(surprise[i]), why
    )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _bins(
    right: NDArray[np.bool_], chances: NDArray[np.float64], confidence: float
) -> tuple[Bin, ...]:
    """Return equal numbers of rows by rising chance."""
    if np.isnan(chances).any() or not len(chances):
        return ()
    order = np.argsort(chances, kind="stable")
    parts = np.array_split(order, min(BINS, max(len(order) // 10, 1)))
    found = []
    for part in parts:
        count = int(right[part].sum())
        low, high = wilson(count, len(part), confidence)
        found.append(Bin(float(chances[part].mean()), count / len(part), low, high, len(part)))
    return tuple(found)


def _certified(
    model: Any, asked: Problem, confidence: float, notes: list[str]
) -> Certificate | None:
    try:
        return certify(model, asked.table, asked.y, role="test", confidence=confidence)
    except LearnableError as error:
        notes.append(f"No certificate: {error}")
        return None


def _importances(
    model: Any, asked: Problem, confidence: float, seed: int, notes: list[str]
) -> Importances | None:
    width = len(asked.table.schema)
    if width > MANY_COLUMNS:
        notes.append(f"With {width} columns, what each one is worth was not measured.")
        return None
    some = asked if asked.n <= MOST_ASKED else asked.take(_draw(asked.n, MOST_ASKED, seed))
    return permutation_importance(
        model, some.table, some.y, confidence=confidence, random_state=seed
    )


def _conformal(model: Any, asked: Problem, notes: list[str]) -> NDArray[np.float64]:
    if not 0 < asked.n <= MANY_ROWS:
        return np.empty(0)
    try:
        return Conformal.of(model, asked.table, asked.y).scores[0]
    except LearnableError as error:
        notes.append(f"No prediction sets: {error}")
        return np.empty(0)


def _curve(
    contender: Contender, found: Tuned, learned: Problem, score: Score, seed: int, notes: list[str]
) -> LearningCurve | None:
    """Return scores by number of rows, with the parameters that were chosen."""
    if learned.order is not None or learned.groups is not None:
        notes.append("No learning curve: the rows are ordered or grouped.")
        return None
    some = learned if learned.n <= MANY_ROWS else learned.take(_draw(learned.n, MANY_ROWS, seed))
    classes = some.y if some.classes else None
    rarest = min(np.unique(some.y, return_counts=True)[1]) if some.classes else CURVE_FOLDS
    if rarest < CURVE_FOLDS:
        notes.append("No learning curve: a class has too few rows.")
        return None
    folds = FoldPlan("k-fold", some.n, folds=CURVE_FOLDS, seed=seed, classes=classes)
    most = some.n - -(-some.n // CURVE_FOLDS)
    sizes = sorted({max(round(share * most), _LEAST_LEARNED) for share in CURVE_SIZES})
    try:
        return learning_curve(
            contender.make(found.parameters, seed), some.table, some.y, cv=folds, scoring=score,
            train_sizes=[size for size in sizes if size <= most],
        )  # fmt: skip
    except LearnableError as error:
        notes.append(f"No learning curve: {error}")
        return None


def _draw(n: int, size: int, seed: int) -> NDArray[np.int64]:
    return np.sort(np.random.default_rng(seed).choice(n, size, replace=False))
