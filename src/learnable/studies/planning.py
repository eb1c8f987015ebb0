"""Planning: metric, folds and learners, from the table, what was stated, and a budget.

The budget fixes the plan before anything is learned, by what each learner says it costs; the clock
never changes it. So every run of a plan ends the same.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.data import Table
from learnable.metrics import get_scorer
from learnable.studies.asking import UNEVEN, Problem
from learnable.studies.contenders import Contender, contenders
from learnable.studies.plan import Plan
from learnable.studies.tuning import INNER_FOLDS

MANY_ROWS = 5000
_SHARES = ((200, 0.25), (2000, 0.2))
_LEAST_SHARE = 0.2
_SCHEDULES = ((10, 10), (10, 5), (10, 3), (10, 2), (5, 2), (5, 1), (3, 1))
_THREADS = 1.5
_SPARE = 0.5
"""Share of a budget that folds may take; the rest is for refitting, explaining and writing."""


class Options(NamedTuple):
    """What a person states about a study beside its columns.

    Attributes
    ----------
    metric : str
        Name of a scorer; empty to choose.
    learners : tuple of str
        Who takes part; empty for all.
    budget : float
        Seconds; 0 for no limit.
    confidence : float
        Of intervals and verdicts.
    margin : float
        A difference in score that does not matter.
    seed : int
        What draws begin with.
    costs : str
        File of a cost matrix.

    Examples
    --------
    >>> from learnable.studies import Options
    >>> Options(budget=60.0).confidence
    0.95
    """

    metric: str = ""
    learners: tuple[str, ...] = ()
    budget: float = 120.0
    confidence: float = 0.95
    margin: float = 0.01
    seed: int = 0
    costs: str = ""


def make_plan(problem: Problem, options: Options, source: str, test_source: str = "") -> Plan:
    """Return the plan of a study.

    Parameters
    ----------
    problem : Problem
        What is asked.
    options : Options
        What was stated.
    source, test_source : str
        What the table is called, and that of the test rows if there is one.

    Examples
    --------
    >>> from learnable.data import Table
    >>> from learnable.datasets import load_iris
    >>> from learnable.studies.asking import Wishes, ask
    >>> from learnable.studies.planning import Options, make_plan
    >>> problem = ask(Table.of(load_iris(as_frame=True).frame), Wishes("species"))
    >>> plan = make_plan(problem, Options(), "iris")
    >>> plan.metric, plan.folds, plan.repeats, plan.test_share
    ('accuracy', 10, 10, 0.25)
    """
    metric, why_metric = _metric(problem, options)
    share, why_share = _share(problem, test_source)
    found, left = contenders(problem, options.learners, seed=options.seed)
    learned = round(problem.n * (1.0 - share))
    most, why_most = _most_folds(problem, learned)
    folds, repeats, taken, why = _within(problem, found, learned, most, options.budget)
    told = "; ".join(f"{title} is left out: {reason}" for title, reason in left.items())
    reasons = {
        "task": "the target " + ("holds names" if problem.classes else "is an amount"),
        "metric": why_metric,
        "test": why_share,
        "folds": "; ".join(filter(None, [why_most, why])),
        "learners": "fastest first" + (f"; {told}" if told else ""),
    }
    return Plan(
        source, problem.wishes, problem.task, metric, problem.n, share, test_source, folds,
        repeats, tuple(c.name for c in taken), options.confidence, options.margin, options.seed,
        options.budget, fingerprint(problem), options.costs, tuple(reasons.items()),
    )  # fmt: skip


def _metric(problem: Problem, options: Options) -> tuple[str, str]:
    if options.metric:
        get_scorer(options.metric)
        return options.metric, "as stated"
    if options.costs:
        return "cost", "what answers cost by the matrix, with the sign turned"
    if problem.task == "regression":
        return "r2", "the share of the variance that is explained"
    counts = np.unique(problem.y, return_counts=True)[1]
    if counts.min() / problem.n < UNEVEN / len(counts) * 2:
        return "balanced_accuracy", "the classes are uneven, and each counts alike"
    return "accuracy", "the share of right answers"


def _share(problem: Problem, test_source: str) -> tuple[float, str]:
    if test_source:
        return 0.0, "a file of its own"
    share = next((share for n, share in _SHARES if problem.n < n), _LEAST_SHARE)
    if problem.order is not None:
        return share, "the latest rows"
    if problem.groups is not None:
        return share, "whole groups"
    return share, "drawn at random" + (", classes in proportion" if problem.classes else "")


def _most_folds(problem: Problem, learned: int) -> tuple[int, str]:
    """Return how many folds can be dealt at most."""
    if problem.groups is not None:
        groups = len(np.unique(problem.groups))
        if groups < 4:
            raise DataError(
                f"There are {groups} groups only.",
                column=problem.wishes.group,
                remedy="Four are needed: to set one aside and to compare on the others.",
            )
        return min(10, int(groups * 0.7)), f"{groups} groups stay together"
    if problem.order is not None:
        return min(10, learned // 4), "the past is asked for what came next"
    if problem.classes:
        rarest = int(np.unique(problem.y, return_counts=True)[1].min() * learned / problem.n)
        if rarest < 10:
            return max(min(rarest, 10), 2), f"the rarest class has {rarest} rows to learn from"
    return min(10, learned // 2), ""


def _within(
    problem: Problem, found: list[Contender], learned: int, most: int, budget: float
) -> tuple[int, int, list[Contender], str]:
    """Return folds, repeats and learners that fit into the budget by what they say they cost."""
    schedules = [(min(folds, most), repeats) for folds, repeats in _SCHEDULES]
    if problem.order is not None:
        schedules = [(folds, 1) for folds, _ in schedules]
    if learned >= MANY_ROWS:
        schedules = [
            (folds, repeats) for folds, repeats in schedules if repeats <= 2 and folds <= 5
        ]
    if not budget:
        return *schedules[0], found, ""
    classes = len(problem.classes)
    for folds, repeats in schedules:
        if _seconds(found, learned, classes, folds) * repeats <= _SPARE * budget:
            return folds, repeats, found, ""
    folds, repeats = schedules[-1]
    taken = list(found)
    while len(taken) > 1 and _seconds(taken, learned, classes, folds) > _SPARE * budget:
        taken.pop()
    lost = ", ".join(c.joining.title for c in found[len(taken) :])
    return folds, repeats, taken, f"too slow for the budget: {lost}" if lost else ""


def _seconds(found: list[Contender], n: int, classes: int, folds: int) -> float:
    """Return roughly what a repeat takes."""
    total = 0.0
    for contender in found:
        times = 1 + (INNER_FOLDS * len(contender.tried) if len(contender.tried) > 1 else 0)
        total += contender.seconds(n, classes) * times * folds
    return total / _THREADS


def fingerprint(problem: Problem) -> str:
    """Return a hash of all cells that are learned from, of the answers and of the schema.

    Examples
    --------
    >>> from learnable.data import Table
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.studies.asking import Wishes, ask
    >>> from learnable.studies.planning import fingerprint
    >>> days = Table.of(load_play_tennis(as_frame=True).frame)
    >>> len(fingerprint(ask(days, Wishes("play"))))
    64
    """
    digest = sha256()
    for column, array in zip(problem.table.schema, problem.table.arrays, strict=True):
        digest.update(repr((column.name, column.kind, column.values)).encode())
        digest.update(_bytes(array))
    digest.update(_bytes(problem.y))
    return digest.hexdigest()


def _bytes(array: Any) -> bytes:
    if array.dtype.kind in "OU":
        return repr(array.tolist()).encode()
    return np.ascontiguousarray(array).tobytes()


def read_costs(path: str, classes: tuple[str, ...]) -> Any:
    """Read what each answer costs: a line a true class, a column an answer.

    Parameters
    ----------
    path : str
        A CSV file whose first column holds the true classes, and whose other columns are named
        like the answers.
    classes : tuple of str
        The classes, in the order of the matrix that is returned.
    """
    from learnable.data import read

    table = read(path)
    true, answers = table.columns[0], table.columns[1:]
    if set(map(str, table.labels(true).tolist())) != set(classes) or set(answers) != set(classes):
        msg = f"the cost matrix needs a line and a column for each of {', '.join(classes)}"
        raise ParameterError(msg)
    lines = [str(label) for label in table.labels(true).tolist()]
    matrix = np.column_stack([np.asarray(table[answer], dtype=float) for answer in classes])
    matrix = matrix[[lines.index(label) for label in classes]]
    if not np.isfinite(matrix).all():
        msg = "a cost is missing or infinite"
        raise ParameterError(msg)
    return matrix


def as_table(data: Any) -> Table:
    """Return data of any form as a table; a path is read.

    Examples
    --------
    >>> from learnable.studies.planning import as_table
    >>> len(as_table({"a": [1, 2]}))
    2
    """
    from pathlib import Path

    from learnable.data import read

    return read(data) if isinstance(data, (str, Path)) else Table.of(data)
