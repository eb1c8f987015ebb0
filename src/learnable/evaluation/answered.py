"""Models made elsewhere, compared by their answers to the same rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.evaluation.comparison import Comparison, percent
from learnable.evaluation.comparisons import Comparisons, by_holm, pairs_of
from learnable.evaluation.counted import mcnemar
from learnable.evaluation.inputs import Floats, sample
from learnable.evaluation.t_tests import paired_t
from learnable.metrics.answers import answers

TASKS = ("classification", "regression")
ENOUGH_ROWS = 30


def compare_answers(
    predictions: Mapping[str, Any], truth: Any, task: str | None, confidence: float = 0.95
) -> Comparisons:
    """Compare predictions by McNemar's test, of numbers by a paired t of squared errors.

    Examples
    --------
    >>> from learnable.evaluation.answered import compare_answers
    >>> truth = ["yes", "no"] * 20
    >>> found = compare_answers({"a": truth, "b": ["no"] * 40}, truth, None)
    >>> found.method, found.pairs[0].told_apart
    ('McNemar test (mid-p)', True)
    """
    if task is not None and task not in TASKS:
        msg = f"task must be one of {', '.join(TASKS)}, not {task!r}"
        raise ParameterError(msg)
    if (task or _task_of(truth)) == "regression":
        return _of_numbers(predictions, truth, confidence)
    return _of_classes(predictions, truth, confidence)


def _task_of(truth: Any) -> str:
    values = np.asarray(truth)
    if values.dtype.kind != "f" or not np.isfinite(values).all():
        return "classification"
    return "classification" if (values == np.round(values)).all() else "regression"


def _of_classes(predictions: Mapping[str, Any], truth: Any, confidence: float) -> Comparisons:
    right, notes = {}, []
    for name, given in predictions.items():
        judged = _judged(name, truth, given)
        right[name] = np.asarray(judged.right())
        unseen = set(np.unique(judged.predicted)) - set(np.unique(judged.actual))
        if unseen:
            labels = ", ".join(sorted(str(judged.classes[code]) for code in unseen))
            notes.append(f"{name} answers {labels}, which is the right answer to no row.")
    names, n = tuple(right), len(next(iter(right.values())))
    places = pairs_of(names, None)
    counts = {
        (i, j): (
            int((right[names[i]] & ~right[names[j]]).sum()),
            int((right[names[j]] & ~right[names[i]]).sum()),
        )
        for i, j in places
    }
    _refuse_too_few(max(sum(pair) for pair in counts.values()), len(places), n, confidence)

    def test(i: int, j: int, each: float) -> Comparison:
        return mcnemar(*counts[i, j], n, confidence=each, names=(names[i], names[j]))

    pairs = by_holm(test, names, places, confidence)
    adjusted = "" if len(pairs) == 1 else ", adjusted by Holm"
    return Comparisons(
        f"{pairs[0].method}{adjusted}",
        "All models answer the same rows, so only the rows count on which one is right and the "
        "other wrong.",
        names, tuple(float(one.mean()) for one in right.values()), "accuracy", places, pairs,
        confidence, n, notes=tuple(notes),
    )  # fmt: skip


def _judged(name: str, truth: Any, given: Any) -> Any:
    try:
        judged = answers(truth, given)
    except DataError as error:
        raise DataError(
            f"The predictions of {name!r} do not fit the truth: {error.message}",
            row=error.row, value=error.value, remedy=error.remedy,
        ) from error  # fmt: skip
    if not hasattr(judged, "classes"):
        raise DataError(
            "There are several answers a row.", remedy="Compare one column of answers at a time."
        )
    return judged


def _refuse_too_few(most: int, pairs: int, n: int, confidence: float) -> None:
    """Refuse if even the clearest outcome of so few disagreements, 1/2^m by mid-p, says nothing."""
    least = math.ceil(math.log2(pairs / (1.0 - confidence)) - 1e-9)
    if most >= least:
        return
    rows = (
        f"At this rate {math.ceil(n * least / most)} rows would have the {least} it takes."
        if most
        else f"Ask rows until {least} are answered right by one and wrong by the other."
    )
    raise DataError(
        f"On {most} of {n} rows at most is one model right and another wrong: no outcome of so "
        f"few could tell them apart at {percent(confidence)}.",
        remedy=rows,
    )


def _of_numbers(predictions: Mapping[str, Any], truth: Any, confidence: float) -> Comparisons:
    right = sample(truth, 1, "right answers")
    if len(right) < ENOUGH_ROWS:
        raise DataError(
            f"Squared errors of {len(right)} rows are too few for their average to be nearly "
            "normal.",
            remedy=f"Give {ENOUGH_ROWS} rows or more; or compare absolute errors by sign_test.",
        )
    errors: dict[str, Floats] = {}
    for name, given in predictions.items():
        found = sample(given, 1, f"predictions of {name}")
        if len(found) != len(right):
            raise DataError(
                f"There are {len(right)} right answers and {len(found)} predictions of {name!r}.",
                remedy="Give one prediction for each answer.",
            )
        errors[name] = (found - right) ** 2
    names = tuple(errors)
    places = pairs_of(names, None)

    def test(i: int, j: int, each: float) -> Comparison:
        return paired_t(errors[names[i]], errors[names[j]], confidence=each)

    called = tuple(f"the squared error of {name}" for name in names)
    pairs = by_holm(test, called, places, confidence, "is")
    adjusted = "" if len(pairs) == 1 else ", adjusted by Holm"
    return Comparisons(
        f"{pairs[0].method}{adjusted} of squared errors",
        "All models answer the same rows, which are independent once the models are made, so "
        "squared errors are compared row by row; the lower is the better.",
        names, tuple(float(one.mean()) for one in errors.values()), "mean squared error", places,
        pairs, confidence, len(right), lower_is_better=True,
    )  # fmt: skip
