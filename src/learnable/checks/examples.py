"""Small tables that suit a learner, for its laws."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

ROWS, COLUMNS, CLASSES = 240, 4, 3


class Table(NamedTuple):
    """Rows and their answers (None where the learner takes none)."""

    X: Any
    y: Any


def example_table(learner: Any, n: int = ROWS, seed: int = 0) -> Table:
    """Draw a table: classes that overlap a little, in numbers or in codes as the learner takes.

    Examples
    --------
    >>> from learnable.checks import example_table
    >>> from learnable.naive_bayes import GaussianNB
    >>> X, y = example_table(GaussianNB())
    >>> X.shape, y.shape
    ((240, 4), (240,))
    """
    rng = np.random.default_rng(seed)
    y = rng.integers(0, CLASSES, n)
    X = rng.normal(size=(n, COLUMNS)) + 1.5 * y[:, None]
    if getattr(learner, "takes_strings", False):
        X = np.clip(np.floor(X), 0, 5)
    kind = getattr(learner, "kind", None)
    if kind == "classifier":
        return Table(X, np.array(["a", "b", "c"])[y])
    answers = X @ np.arange(1.0, COLUMNS + 1.0)
    if getattr(learner, "positive_answers", False):
        answers = np.abs(answers)
    return Table(X, answers if kind == "regressor" else None)
