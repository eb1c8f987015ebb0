"""Running a plan: repeat by repeat, every fold kept as it ends; hopeless learners are dropped.

A learner is dropped only after whole repeats, by the scores alone: if it is worse than the leader
by more than the margin with a probability that leaves no hope. The clock decides nothing, so a run
that was cut off and resumed ends as one that was not.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from learnable.core.fold import runner
from learnable.evaluation import correlated_t
from learnable.studies.asking import Problem
from learnable.studies.contenders import Contender
from learnable.studies.ledger import Entry, Ledger
from learnable.studies.plan import Plan
from learnable.studies.tuning import Score, tuned

HOPELESS = 0.999
REPEATS_BEFORE = 2


class Watch(Protocol):
    """Whoever wants to know how far a study is.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.studies import Options, Wishes, follow
    >>> from learnable.studies.running import Silent
    >>> class Aloud(Silent):
    ...     def say(self, text):
    ...         print(text)
    >>> found = follow(
    ...     load_play_tennis(as_frame=True).frame, Wishes("play"), Options(budget=1), watch=Aloud()
    ... )
    reading the table
    asking the rows that were set aside
    """

    def begin(self, total: int, done: int) -> None:
        """Hear how many folds there are, and how many were there already."""

    def fold(self, entry: Entry) -> None:
        """Hear of a fold that ended."""

    def dropped(self, learner: str, repeat: int, chance: float) -> None:
        """Hear of a learner that was dropped."""

    def say(self, text: str) -> None:
        """Hear what is being done now."""


class Silent:
    """A watch that nobody looks at."""

    def begin(self, total: int, done: int) -> None:
        """Do nothing."""

    def fold(self, entry: Entry) -> None:
        """Do nothing."""

    def dropped(self, learner: str, repeat: int, chance: float) -> None:
        """Do nothing."""

    def say(self, text: str) -> None:
        """Do nothing."""


class Job(NamedTuple):
    """One learner on one fold."""

    contender: Contender
    fold: int
    train: NDArray[np.int64]
    test: NDArray[np.int64]


@dataclass
class Outcome:
    """What the folds said.

    Attributes
    ----------
    scores : dict of str to array
        The scores of each learner, fold by fold of the plan, as far as it went.
    entries : dict of str to list of Entry
        All that was kept of them.
    dropped : dict of str to (int, float)
        Who was dropped after which repeat, and the probability that it was worse.
    failed : dict of str to str
        Whose fit failed, and why.
    ratio : float
        Rows asked by rows learned from.
    repeats : int
        Whole repeats that ended.
    complete : bool
        Whether the plan came to its end.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.studies import Outcome
    >>> Outcome(scores={"a": np.array([0.7, 0.8]), "b": np.array([0.9, 0.9])}).standing()
    ['b', 'a']
    """

    scores: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    dropped: dict[str, tuple[int, float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    ratio: float = 0.1
    repeats: int = 0
    complete: bool = False

    def standing(self) -> list[str]:
        """Return who is left, best first."""
        left = [name for name in self.scores if name not in self.dropped | self.failed]
        return sorted(left, key=lambda name: -float(np.mean(self.scores[name])))


def run(
    plan: Plan,
    learned: Problem,
    taking_part: Sequence[Contender],
    score: Score,
    ledger: Ledger,
    watch: Watch,
    *,
    until: float = 0.0,
) -> Outcome:
    """Run a plan to its end, or until the time is up.

    Parameters
    ----------
    plan : Plan
        What to do.
    learned : Problem
        The rows that are not set aside.
    taking_part : sequence of Contender
        Who learns, in order.
    score : callable
        What is judged by.
    ledger : Ledger
        Where folds are kept; those that are there are not run again.
    watch : Watch
        Who hears of it.
    until : float, optional
        When (``time.monotonic``) no further repeat may begin; 0 for never.

    Returns
    -------
    Outcome
        Of whole repeats alone.
    """
    known, outcome = ledger.entries(), Outcome()
    splits = plan.fold_plan(learned)
    size = splits.folds_of_a_repeat
    watch.begin(len(splits) * len(taking_part), len(known))
    for repeat in range(plan.repeats):
        if until and time.monotonic() > until:
            return outcome
        numbered = [(repeat * size + k, *split) for k, split in enumerate(splits.repeat(repeat))]
        outcome.ratio = float(np.mean([len(test) / len(train) for _, train, test in numbered]))
        jobs = [
            Job(contender, *fold)
            for contender in taking_part
            if contender.name not in outcome.dropped | outcome.failed
            for fold in numbered
        ]
        todo = [job for job in jobs if (job.contender.name, job.fold) not in known]
        task = partial(one_fold, learned, score, plan.seed, ledger)
        for entry in runner()(task, todo):
            known[entry.learner, entry.fold] = entry
            watch.fold(entry)
        _add(outcome, jobs, known)
        outcome.repeats = repeat + 1
        if repeat + 1 >= REPEATS_BEFORE and repeat + 1 < plan.repeats:
            _drop(outcome, plan, taking_part, watch)
    outcome.complete = True
    return outcome


def one_fold(learned: Problem, score: Score, seed: int, ledger: Ledger, job: Job) -> Entry:
    """Learn from one part, ask the other, and keep what came of it."""
    contender, number = job.contender, job.fold
    begin = time.perf_counter()
    try:
        found = tuned(contender, learned.take(job.train), score, seed=seed)
        middle = time.perf_counter()
        asked = learned.take(job.test)
        points = float(score(found.model, asked.table, asked.y))
    except CancelledError:  # somebody ended the run, which says nothing about the learner
        raise
    except Exception as error:  # noqa: BLE001 (whatever a learner of anybody raises is reported)
        told = f"{type(error).__name__}: {error}"
        took = time.perf_counter() - begin
        entry = Entry(contender.name, number, float("nan"), took, 0.0, {}, 0.0, told)
    else:
        steps = getattr(found.model, "steps", None)
        learner = found.model if steps is None else steps[-1][1]
        entry = Entry(
            contender.name, number, points, middle - begin, time.perf_counter() - middle,
            found.parameters, float(contender.joining.bits(learner, len(job.train))), "",
        )  # fmt: skip
    ledger.keep(entry)
    return entry


def _add(outcome: Outcome, jobs: list[Job], known: dict[tuple[str, int], Entry]) -> None:
    """Add a whole repeat to what is known."""
    for job in jobs:
        name = job.contender.name
        entry = known[name, job.fold]
        outcome.entries.setdefault(name, []).append(entry)
        if not np.isfinite(entry.score):
            outcome.failed.setdefault(name, entry.complaint or "its score is not a number")
    for name, entries in outcome.entries.items():
        outcome.scores[name] = np.array([entry.score for entry in entries])


def _drop(outcome: Outcome, plan: Plan, taking_part: Sequence[Contender], watch: Watch) -> None:
    """Drop who is worse than the leader beyond hope; baselines stay."""
    order = outcome.standing()
    baselines = {c.name for c in taking_part if c.joining.baseline}
    for name in order[1:]:
        if name in baselines:
            continue
        chance = chance_of_more(
            outcome.scores[order[0]], outcome.scores[name], outcome.ratio, plan.margin
        )
        if chance >= HOPELESS:
            outcome.dropped[name] = (outcome.repeats, chance)
            watch.dropped(name, outcome.repeats, chance)


def chance_of_more(first: Any, second: Any, ratio: float, margin: float) -> float:
    """Return the probability that the first is better by more than the margin.

    Examples
    --------
    >>> from learnable.studies.running import chance_of_more
    >>> round(chance_of_more([0.9, 0.8, 0.9, 0.9], [0.7, 0.7, 0.6, 0.7], 1 / 3, 0.01), 3)
    0.972
    """
    gaps = np.asarray(first) - np.asarray(second)
    if len(gaps) < 2:
        return 0.5
    if np.ptp(gaps) == 0.0:
        return float(gaps[0] > margin)
    found = correlated_t(first, second, ratio=ratio, rope=margin)
    return float((found.probabilities or (0.5, 0.0, 0.5))[0])
