"""Who takes part: every learner that joins, with what a table needs before it can learn from it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from learnable.core.errors import ParameterError
from learnable.data.schema import Column, Schema
from learnable.estimator.joining import Joining
from learnable.estimator.registry import joining_learners
from learnable.studies.asking import Problem

MOST_WORDS = 20_000
MOST_TRIED = 16
DIRECTIONS = 50
PREPARING = {"codes": (2e-4, 4e-7), "numbers": (6e-5, 7e-8), "sparse numbers": (6e-5, 7e-8)}
"""Seconds that a column, and each of its cells, takes to be prepared."""
A_TEXT = 7e-5
"""Seconds that the words of one cell take to be counted and weighed."""
_TEXT = "text"


@dataclass(frozen=True)
class Contender:
    """A learner that takes part in a study.

    Attributes
    ----------
    name : str
        The name of its class.
    joining : Joining
        What it said about itself.
    tried : tuple of dict
        Parameters to choose among; the first ones are taken where nothing is tuned.
    schema : Schema
        The columns it learns from.
    """

    name: str
    joining: Joining
    tried: tuple[dict[str, Any], ...]
    schema: Schema

    def seconds(self, n: int, classes: int) -> float:
        """Return roughly what a fit to so many rows takes, with what prepares the columns."""
        d = len(self.schema)
        texts = sum(column.kind == _TEXT for column in self.schema)
        column, cell = PREPARING.get(self.joining.takes, (0.0, 0.0))
        preparing = d * (column + cell * n) + A_TEXT * texts * n * (column > 0.0)
        return preparing + self.joining.cost(n, d, classes)

    def make(self, parameters: dict[str, Any], seed: int) -> Any:
        """Return an unfitted learner, with what prepares the columns before it."""
        cls = joining_learners()[self.name]
        learner = cls(**parameters)
        if "random_state" in getattr(cls, "parameters", {}):
            learner.set_params(random_state=seed)
        steps = _preparation(self.joining, self.schema)
        if not steps:
            return learner
        from sklearn.pipeline import Pipeline

        return Pipeline([*steps, ("learner", learner)])


def contenders(
    problem: Problem, wanted: tuple[str, ...] = (), *, seed: int = 0
) -> tuple[list[Contender], dict[str, str]]:
    """Return who takes part, the fastest first, and why others do not.

    Parameters
    ----------
    problem : Problem
        What is asked.
    wanted : tuple of str
        Names of classes or titles; baselines take part besides. Empty for all.
    seed : int
        What draws of parameters begin with.

    Examples
    --------
    >>> from learnable.data import Table
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.studies.asking import Wishes, ask
    >>> from learnable.studies.contenders import contenders
    >>> problem = ask(Table.of(load_play_tennis(as_frame=True).frame), Wishes("play"))
    >>> found, _ = contenders(problem)
    >>> found[0].name
    'DummyClassifier'
    """
    known = joining_learners()
    unknown = [name for name in wanted if _named(name, known) is None]
    if unknown:
        msg = f"there is no learner {unknown[0]!r}; those that join are {', '.join(sorted(known))}"
        raise ParameterError(msg)
    chosen = {_named(name, known) for name in wanted} or set(known)
    found, left = [], {}
    for name, cls in known.items():
        joining = cls.joins
        if problem.task not in joining.tasks or (name not in chosen and not joining.baseline):
            continue
        why = _unsuited(joining, problem.table.schema)
        if why:
            left[joining.title] = why
        else:
            tried = grid(joining, seed)
            found.append(Contender(name, joining, tried, problem.table.schema))
    size = problem.n, len(problem.classes)
    found.sort(key=lambda c: (not c.joining.baseline, c.seconds(*size) * len(c.tried), c.name))
    return found, left


def _named(name: str, known: dict[str, Any]) -> str | None:
    for key, cls in known.items():
        if name.lower() in {key.lower(), cls.joins.title.lower()}:
            return key
    return None


def _unsuited(joining: Joining, schema: Schema) -> str:
    if joining.takes == "codes" and not any(_can_be_codes(column) for column in schema):
        return (
            f"it takes nominal columns or numbers cut into intervals, not {schema.columns[0].kind}"
        )
    return ""


def _can_be_codes(column: Column) -> bool:
    return column.coded or column.kind == "numeric"


def grid(joining: Joining, seed: int) -> tuple[dict[str, Any], ...]:
    """Return the combinations to try: all of them, or the first and a draw of the others.

    Examples
    --------
    >>> from learnable.naive_bayes import CategoricalNB
    >>> from learnable.studies.contenders import grid
    >>> grid(CategoricalNB.joins, 0)
    ({'alpha': 1.0}, {'alpha': 0.1}, {'alpha': 10.0})
    """
    names = list(joining.space)
    every = [dict(zip(names, values, strict=True)) for values in product(*joining.space.values())]
    if len(every) <= MOST_TRIED:
        return tuple(every)
    drawn = np.random.default_rng(seed).choice(
        np.arange(1, len(every)), MOST_TRIED - 1, replace=False
    )
    return (every[0], *(every[place] for place in np.sort(drawn).tolist()))


def _preparation(joining: Joining, schema: Schema) -> list[tuple[str, Any]]:
    """Return the steps that turn the table into what the learner takes."""
    if joining.takes == "anything":
        return []
    if joining.takes == "codes":
        return _as_codes(schema)
    from learnable.compose import TablePrep

    prep = TablePrep(scale="standard" if joining.scaled else None)
    texts = [column.name for column in schema if column.kind == _TEXT]
    if not texts:
        return [("columns", prep)]
    return _with_words(prep, texts, schema, sparse=joining.takes == "sparse numbers")


def _as_codes(schema: Schema) -> list[tuple[str, Any]]:
    """Return the steps that cut numbers where the classes part, and keep codes."""
    from learnable.compose import ColumnTransformer, TablePrep
    from learnable.preprocessing import Discretizer

    prep = TablePrep(impute=None, nominal="ordinal", dates="drop", text="drop")
    used = [column for column in schema if _can_be_codes(column)]
    numbers = [place for place, column in enumerate(used) if not column.coded]
    if not numbers:
        return [("columns", prep)]
    coded = [place for place, column in enumerate(used) if column.coded]
    cut = Discretizer(strategy="entropy", encode="ordinal")
    parts: list[tuple[str, Any, Any]] = [("numbers", cut, numbers)]
    if coded:
        parts.append(("codes", "passthrough", coded))
    return [("columns", prep), ("codes", ColumnTransformer(parts))]


def _with_words(
    prep: Any, texts: list[str], schema: Schema, *, sparse: bool
) -> list[tuple[str, Any]]:
    """Return steps that weigh the words of text columns beside the numbers of the others."""
    from learnable.compose import ColumnTransformer
    from learnable.decomposition import TruncatedSVD
    from learnable.feature_extraction.text import TfidfVectorizer

    others = [column.name for column in schema if column.kind != _TEXT]
    parts: list[tuple[str, Any, Any]] = [
        (name, TfidfVectorizer(max_features=MOST_WORDS, sublinear_tf=True), name) for name in texts
    ]
    if others:
        parts.append(("columns", prep, others))
    whole = ColumnTransformer(parts, sparse_threshold=1.0)
    if sparse:
        return [("columns", whole)]
    return [("columns", whole), ("directions", TruncatedSVD(DIRECTIONS, random_state=0))]
