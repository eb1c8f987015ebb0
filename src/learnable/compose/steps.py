"""The steps of a column transformer: which transformer, for which columns, and what it made."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from learnable.data import is_sparse
from learnable.data.table import Table
from learnable.estimator.params import Number

IDLE = ("drop", "passthrough")


class Fitted(NamedTuple):
    """A fitted transformer, the columns that it takes, and how many it makes.

    Attributes
    ----------
    name : str
        Its name.
    learner : object or {"drop", "passthrough"}
        The transformer.
    columns : array of int
        Numbers of its columns.
    single : bool
        Whether it takes one column in one dimension.
    """

    name: str
    learner: Any
    columns: Any
    single: bool


class Steps:
    """A list of (name, transformer, columns)."""

    def accepts(self, value: Any) -> bool:
        """Whether it is one."""
        return isinstance(value, (list, tuple)) and all(
            isinstance(step, (list, tuple)) and len(step) == 3 and _is_step(step[1])
            for step in value
        )

    def __str__(self) -> str:
        return "a list of (name, transformer, columns)"


class Weights:
    """None, or a mapping from names of transformers to numbers."""

    def accepts(self, value: Any) -> bool:
        """Whether it is one."""
        if value is None:
            return True
        number = Number()
        return isinstance(value, dict) and all(map(number.accepts, value.values()))

    def __str__(self) -> str:
        return "None, or a mapping from names of transformers to numbers"


class Rest:
    """What becomes of the other columns."""

    def accepts(self, value: Any) -> bool:
        """Whether it says so."""
        return _is_step(value)

    def __str__(self) -> str:
        return "a transformer, 'drop' or 'passthrough'"


def _is_step(step: Any) -> bool:
    if isinstance(step, str):
        return step in IDLE
    fits = hasattr(step, "fit") or hasattr(step, "fit_transform")
    return fits and hasattr(step, "transform") and not isinstance(step, type)


def fit_transformed(learner: Any, part: Any, y: Any) -> Any:
    """Fit a transformer and return what it makes of its columns."""
    if hasattr(learner, "fit_transform"):
        return learner.fit_transform(part, y)
    return learner.fit(part, y).transform(part)


def called(step: Any) -> str:
    """Return what a step is called by its kind."""
    return step if isinstance(step, str) else type(step).__name__


def plain(part: Any) -> Any:
    """Return columns as they are, as an array."""
    if isinstance(part, Table):
        return np.column_stack([part.labels(name) for name in part.columns])
    return part if is_sparse(part) else np.asarray(part)


def by_names(learner: Any, columns: list[int], width: int) -> list[int | None]:
    """Find the sources of a transformer by the names that it gives: marks that stay in them."""
    marks = [f"c{j}" for j in range(len(columns))]
    told = getattr(learner, "get_feature_names_out", None)
    if told is None or "feature_names_in_" in vars(learner):
        return [columns[0] if len(columns) == 1 else None] * width
    names = [str(name) for name in told(marks)]
    return [columns[marks.index(name)] if name in marks else None for name in names]
