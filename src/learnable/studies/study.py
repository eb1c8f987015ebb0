"""The study: from a table to a verdict that a person can act on and defend.

Read, question, plan, set rows aside, compare by cross-validation, choose, refit, certify once on
the rows set aside, and write it down. Every step is a function of its own; here is their order.

References
----------
.. [1] C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52, 2003.
.. [2] J. Demsar: Statistical comparisons of classifiers over multiple data sets. JMLR 7, 2006.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from learnable.core.errors import DataError, LearnableError, ParameterError
from learnable.data import Table
from learnable.evaluation.comparisons import Comparisons
from learnable.evaluation.folded import compare_folds
from learnable.studies.asking import Problem, Wishes, ask
from learnable.studies.choosing import Choice, choose
from learnable.studies.contenders import Contender, contenders
from learnable.studies.ledger import Ledger
from learnable.studies.plan import Plan
from learnable.studies.planning import Options, as_table, fingerprint, make_plan
from learnable.studies.running import Outcome, Silent, Watch, run
from learnable.studies.scoring import score_of
from learnable.studies.sentences import headline
from learnable.studies.tuning import Score, Tuned, tuned
from learnable.studies.verdict import Verdict, reach_verdict

LEDGER = "study.sqlite"
PLAN = "plan.toml"
OVERTIME = 2.0
"""A study that takes so many times its budget ends after the repeat that runs, and says so."""


@dataclass(frozen=True)
class Study:
    """Everything that a study found.

    Attributes
    ----------
    plan : Plan
        What was decided beforehand.
    problem : Problem
        The table with its question.
    outcome : Outcome
        The scores of all folds.
    comparisons : Comparisons or None
        Every pair of learners, tested.
    choice : Choice or None
        Which one was taken, and why; None where none came through.
    model : fitted learner or None
        The chosen learner, fitted to all rows that were not set aside.
    verdict : Verdict or None
        What the rows set aside said about it.
    readable : fitted learner or None
        The simplest model that a person can follow, where it is another one.
    readable_title : str
        What that one is called.
    ended : str
        "complete", "budget" or "interrupted".
    warnings : tuple of str
        What learners warned of, and how often.
    seconds : float
        How long it took.
    learned_rows : int
        Rows that were not set aside.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.studies import Options, Wishes, follow
    >>> found = follow(load_play_tennis(as_frame=True).frame, Wishes("play"), Options(budget=1))
    >>> found.ended, found.learned_rows
    ('complete', 10)
    """

    plan: Plan
    problem: Problem
    outcome: Outcome
    comparisons: Comparisons | None
    choice: Choice | None
    model: Any
    verdict: Verdict | None
    readable: Any
    readable_title: str
    ended: str
    warnings: tuple[str, ...]
    seconds: float
    learned_rows: int

    @property
    def text(self) -> str:
        """The verdict in a few plain sentences."""
        return "\n".join(headline(self))

    def __str__(self) -> str:
        return self.text


def follow(
    data: Any,
    wishes: Wishes,
    options: Options,
    *,
    test: Any = None,
    out: str | Path | None = None,
    plan: Plan | str | Path | None = None,
    resume: bool = False,
    watch: Watch | None = None,
) -> Study:
    """Make a plan, or take one, and follow it.

    Parameters
    ----------
    data : path, Table, data frame or mapping of columns
        The table.
    wishes : Wishes
        What is stated about its columns.
    options : Options
        What is stated about the study.
    test : path, Table, data frame or mapping, optional
        Rows to certify on; some of the table's own are set aside by default.
    out : path, optional
        A folder for the plan and the folds as they end.
    plan : Plan or path, optional
        A plan to follow; it is made by default.
    resume : bool, default=False
        Go on with the plan and the folds that lie in ``out``.
    watch : Watch, optional
        Who hears how far it is.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.studies import Options, Wishes, follow
    >>> found = follow(load_play_tennis(as_frame=True).frame, Wishes("play"), Options(budget=20))
    >>> found.choice.proven
    False
    """
    begin = time.monotonic()
    watch = watch or Silent()
    folder = None if out is None else Path(out)
    if resume and folder is None:
        msg = "to resume, say where the study was written (out)"
        raise ParameterError(msg)
    stated = _stated_plan(plan, folder, resume=resume)
    wishes = stated.wishes if stated else wishes
    if not wishes.target:
        msg = "say which column to predict (target)"
        raise ParameterError(msg)
    watch.say("reading the table")
    problem = ask(as_table(data), wishes)
    settled = stated or make_plan(problem, options, _source(data), _source(test))
    _same_rows(settled, problem)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PLAN).write_text(settled.to_toml(), encoding="utf-8")
    learned, asked = _parts(settled, problem, test)
    return _followed(settled, problem, learned, asked, folder, watch, begin)


def _source(data: Any) -> str:
    """Return what a table is called."""
    if data is None:
        return ""
    return Path(data).name if isinstance(data, (str, Path)) else "a table"


def planned(data: Any, wishes: Wishes, options: Options, test: Any = None) -> tuple[Plan, Problem]:
    """Return the plan that a study would follow, and the problem it is for; nothing is learned.

    Parameters
    ----------
    data, wishes, options, test
        As for :func:`follow`.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.studies import Options, Wishes, planned
    >>> plan, _ = planned(load_iris(as_frame=True).frame, Wishes("species"), Options())
    >>> plan.task
    'classification'
    """
    problem = ask(as_table(data), wishes)
    return make_plan(problem, options, _source(data), _source(test)), problem


def _stated_plan(plan: Any, folder: Path | None, *, resume: bool) -> Plan | None:
    if isinstance(plan, Plan):
        return plan
    if plan is not None:
        return Plan.read(plan)
    if resume and folder is not None:
        if not (folder / PLAN).exists():
            msg = f"there is no {PLAN} in {folder}: nothing to resume"
            raise ParameterError(msg)
        return Plan.read(folder / PLAN)
    return None


def _same_rows(plan: Plan, problem: Problem) -> None:
    if plan.fingerprint and plan.fingerprint != fingerprint(problem):
        raise DataError(
            "The table is not the one that the plan was made for.",
            remedy="Use the same file, or leave out the fingerprint of the plan.",
        )


def _parts(plan: Plan, problem: Problem, test: Any) -> tuple[Problem, Problem]:
    """Return the rows to learn from and the rows set aside."""
    if test is not None:
        return problem, _test_problem(problem, as_table(test))
    learn, aside = plan.test_rows(problem)
    return problem.take(learn), problem.take(aside)


def _test_problem(problem: Problem, table: Table) -> Problem:
    """Return rows of another file as the problem knows its own."""
    target = problem.wishes.target
    kept = np.flatnonzero(~table.missing(target))
    known = Table.conforming(table.take(kept).only(problem.table.columns), problem.table.schema)
    cells = table.take(kept).labels(target)
    if problem.classes:
        numeric = table.schema[target].kind == "numeric"
        y = np.array([f"{v:g}" if numeric else str(v) for v in cells.tolist()])
        new = sorted(set(y.tolist()) - set(problem.classes))
        if new:
            raise DataError(
                "A class of the test rows was never learned.", column=target, value=new[0],
                remedy="Leave its rows out, or learn from some.",
            )  # fmt: skip
    else:
        y = np.asarray(cells, dtype=np.float64)
    return Problem(
        known, y, problem.task, problem.classes, None, None, None, kept, problem.wishes,
        problem.description, problem.findings,
    )  # fmt: skip


def _followed(
    plan: Plan, problem: Problem, learned: Problem, asked: Problem, folder: Path | None,
    watch: Watch, begin: float,
) -> Study:  # fmt: skip
    """Follow a plan to its end, or as far as it goes; a report can be made of either."""
    score = score_of(plan, problem.classes)
    taking_part = _taking_part(plan, learned)
    ledger = Ledger(":memory:" if folder is None else folder / LEDGER, plan.hash)
    until = begin + OVERTIME * plan.budget if plan.budget else 0.0
    with _counted_warnings() as heard:
        outcome, ended = _ran(plan, learned, taking_part, score, ledger, watch, until)
        choice = choose(plan, outcome, taking_part)
        model = verdict = readable = None
        title = ""
        if choice is not None:
            watch.say("asking the rows that were set aside")
            by_name = {contender.name: contender for contender in taking_part}
            found = tuned(by_name[choice.name], learned, score, seed=plan.seed)
            model = found.model
            verdict = reach_verdict(
                by_name[choice.name], found, learned, asked, score,
                confidence=plan.confidence, seed=plan.seed,
            )  # fmt: skip
            readable, title = _readable(choice, by_name, learned, score, plan)
    ledger.close()
    return Study(
        plan, problem, outcome, _compared(plan, learned, outcome, taking_part), choice, model,
        verdict, readable, title, ended, tuple(heard), time.monotonic() - begin, learned.n,
    )  # fmt: skip


def _taking_part(plan: Plan, learned: Problem) -> list[Contender]:
    found, _ = contenders(learned, plan.learners, seed=plan.seed)
    known = {contender.name: contender for contender in found}
    lost = [name for name in plan.learners if name not in known]
    if lost:
        msg = f"the plan names {lost[0]}, which does not suit this table"
        raise ParameterError(msg)
    return [known[name] for name in plan.learners]


def _ran(
    plan: Plan, learned: Problem, taking_part: list[Contender], score: Score, ledger: Ledger,
    watch: Watch, until: float,
) -> tuple[Outcome, str]:  # fmt: skip
    """Run the folds; an interrupt ends them, and what whole repeats say is kept."""
    try:
        outcome = run(plan, learned, taking_part, score, ledger, watch, until=until)
    except KeyboardInterrupt:
        watch.say("interrupted: writing what is known")
        return _known(plan, learned, taking_part, ledger), "interrupted"
    return outcome, "complete" if outcome.complete else "budget"


def _known(plan: Plan, learned: Problem, taking_part: list[Contender], ledger: Ledger) -> Outcome:
    """Return the outcome of the folds that every learner has finished, in the plan's order."""
    entries = ledger.entries()
    size = plan.fold_plan(learned).folds_of_a_repeat
    outcome = Outcome(ratio=1.0 / max(plan.folds - 1, 1))
    whole = [
        fold for fold in range(size * plan.repeats)
        if all((contender.name, fold) in entries for contender in taking_part)
    ]  # fmt: skip
    for contender in taking_part if whole else ():
        outcome.entries[contender.name] = [entries[contender.name, fold] for fold in whole]
        outcome.scores[contender.name] = np.array(
            [entry.score for entry in outcome.entries[contender.name]]
        )
        failed = [e.complaint for e in outcome.entries[contender.name] if e.complaint]
        if failed:
            outcome.failed[contender.name] = failed[0]
    outcome.repeats = len(whole) // size
    return outcome


def _readable(
    choice: Choice, by_name: dict[str, Contender], learned: Problem, score: Score, plan: Plan
) -> tuple[Any, str]:
    """Return the simplest model that a person can follow, if it is another one than the chosen."""
    lines = [
        line for line in choice.lines
        if line.readable and not line.baseline and not line.remark
    ]  # fmt: skip
    if not lines:
        return None, ""
    simplest = min(lines, key=lambda line: (line.bits, line.name))
    if simplest.name == choice.name:
        return None, ""
    found: Tuned = tuned(by_name[simplest.name], learned, score, seed=plan.seed)
    return found.model, simplest.title


def _compared(
    plan: Plan, learned: Problem, outcome: Outcome, taking_part: list[Contender]
) -> Comparisons | None:
    """Test every pair of those that saw all folds."""
    titles = {contender.name: contender.joining.title for contender in taking_part}
    splits = plan.fold_plan(learned)
    scores = {
        titles[name]: outcome.scores[name]
        for name in outcome.standing()
        if len(outcome.scores[name]) == len(splits)
    }
    if len(scores) < 2 or len(splits) < 2:
        return None
    try:
        return compare_folds(scores, splits, confidence=plan.confidence)
    except LearnableError:
        return None


@contextmanager
def _counted_warnings() -> Iterator[list[str]]:
    """Collect what learners warn of: each warning once, with how often it came."""
    heard: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield heard
        counts = Counter(str(one.message) for one in caught)
        heard += [text if n == 1 else f"{text} ({n} times)" for text, n in counts.items()]
