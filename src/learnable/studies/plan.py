"""The plan of a study: everything that is decided before anything is learned.

A plan is a value and a small TOML file that a person can read, change and run again. Its hash keys
what was found, so that results of one plan never mix with those of another.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from learnable.core.errors import ParameterError
from learnable.resampling import FoldPlan
from learnable.studies.asking import Problem, Wishes

VERSION = 1


@dataclass(frozen=True)
class Plan:
    """What a study does.

    Attributes
    ----------
    source : str
        The file (or what the table is called).
    wishes : Wishes
        What was stated about its columns.
    task : str
        "classification" or "regression".
    metric : str
        Name of the scorer; larger is better.
    rows : int
        Rows that are used.
    test_share : float
        Share of them set aside; 0 where another file is the test set.
    test_source : str
        That file, or empty.
    folds, repeats : int
        Folds of a repeat, and repeats.
    learners : tuple of str
        Who takes part, in this order.
    confidence : float
        Of intervals and verdicts.
    margin : float
        A difference in score that does not matter.
    seed : int
        What all draws begin with.
    budget : float
        Seconds the plan was made for; 0 for no limit.
    fingerprint : str
        Hash of the rows.
    costs : str
        File of a cost matrix, or empty.
    reasons : dict
        Why each of these was decided, a sentence each.

    Examples
    --------
    >>> from learnable.studies.asking import Wishes
    >>> from learnable.studies.plan import Plan
    >>> plan = Plan("a.csv", Wishes("y"), "regression", "r2", 100, 0.25, "", 10, 3, ("X",))
    >>> Plan.of_toml(plan.to_toml()) == plan
    True
    """

    source: str
    wishes: Wishes
    task: str
    metric: str
    rows: int
    test_share: float
    test_source: str
    folds: int
    repeats: int
    learners: tuple[str, ...]
    confidence: float = 0.95
    margin: float = 0.01
    seed: int = 0
    budget: float = 0.0
    fingerprint: str = ""
    costs: str = ""
    reasons: tuple[tuple[str, str], ...] = ()

    @property
    def hash(self) -> str:
        """A hash of all that decides the outcome."""
        facts = asdict(replace(self, reasons=(), source="", budget=0.0))
        facts["wishes"] = self.wishes._asdict()
        return sha256(json.dumps([VERSION, facts], sort_keys=True).encode()).hexdigest()

    def lines(self) -> list[str]:
        """Return the plan in six lines."""
        why = dict(self.reasons)
        aside = self.test_source or f"{self.test_share:.0%} of the rows"
        what = f"{self.wishes.target!r} from the other columns ({self.task})"
        lines = [
            ("Question", f"predict {what}", why.get("task", "")),
            ("Judged by", f"{self.metric}", why.get("metric", "")),
            ("Set aside", f"{aside}, asked once at the end", why.get("test", "")),
            ("Folds", f"{self.folds} folds, {self.repeats} times", why.get("folds", "")),
            ("Learners", ", ".join(self.learners), why.get("learners", "")),
            ("Budget", _time(self.budget) + f", seed {self.seed}", why.get("budget", "")),
        ]
        return [f"{name:<10} {told}" + (f" ({note})" if note else "") for name, told, note in lines]

    def to_toml(self) -> str:
        """Return the plan as the text of a TOML file."""
        lines = ["# A study's plan: change it and run it again.", f"version = {VERSION}"]
        why = dict(self.reasons)
        for field in fields(self):
            if field.name not in {"wishes", "reasons"}:
                note = f"  # {why[field.name]}" if why.get(field.name) else ""
                lines.append(f"{field.name} = {_toml(getattr(self, field.name))}{note}")
        lines.append("\n[wishes]")
        lines += [f"{name} = {_toml(value)}" for name, value in self.wishes._asdict().items()]
        lines.append("\n[reasons]")
        lines += [f"{_toml(name)} = {_toml(told)}" for name, told in self.reasons]
        return "\n".join(lines) + "\n"

    @classmethod
    def of_toml(cls, text: str) -> Plan:
        """Read the text of a plan; what it does not understand is refused."""
        try:
            found = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            msg = f"the plan is not TOML ({error})"
            raise ParameterError(msg) from error
        if found.pop("version", None) != VERSION:
            msg = f"the plan is of another version than {VERSION}"
            raise ParameterError(msg)
        wishes, reasons = found.pop("wishes", {}), found.pop("reasons", {})
        try:
            stated = Wishes(**{**wishes, "drop": tuple(wishes.get("drop", ()))})
            return cls(
                **{**found, "learners": tuple(found.get("learners", ()))},
                wishes=stated,
                reasons=tuple(reasons.items()),
            )
        except TypeError as error:
            msg = f"the plan holds what no plan holds, or lacks something ({error})"
            raise ParameterError(msg) from error

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """Read a plan from a file."""
        return cls.of_toml(Path(path).read_text(encoding="utf-8"))

    def test_rows(self, problem: Problem) -> tuple[Any, Any]:
        """Return which rows are learned from and which are set aside."""
        every = np.arange(problem.n)
        if not self.test_share:
            return every, every[:0]
        if problem.order is not None:
            order = np.argsort(problem.order, kind="stable")
            cut = problem.n - max(round(self.test_share * problem.n), 1)
            return np.sort(order[:cut]), np.sort(order[cut:])
        aside = FoldPlan(
            "hold-out", problem.n, seed=self.seed, share=self.test_share,
            classes=self._strata(problem), groups=problem.groups,
        )  # fmt: skip
        return next(iter(aside))

    def fold_plan(self, learned: Problem) -> FoldPlan:
        """Return the folds of the rows that are learned from."""
        if learned.order is not None:
            return FoldPlan("ordered", learned.n, folds=self.folds, order=learned.order)
        return FoldPlan(
            "k-fold", learned.n, folds=self.folds, repeats=self.repeats, seed=self.seed,
            classes=self._strata(learned), groups=learned.groups,
        )  # fmt: skip

    def _strata(self, problem: Problem) -> Any:
        return problem.y if self.task == "classification" else None


def _toml(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def _time(seconds: float) -> str:
    if not seconds:
        return "no limit"
    amount, unit = (seconds / 60, "minute") if seconds >= 60 else (seconds, "second")
    return f"{amount:g} {unit}" + ("" if amount == 1 else "s")
