"""Rule lists as flat arrays: what predicting uses and files keep."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.estimator.state import Floats, Integers, Statistic
from learnable.estimator.statistic_state import HEAVIEST
from learnable.loops.rule_fire import FlatConditions
from learnable.stats.arrays import frozen
from learnable.tree.wording import Condition


class Rules(NamedTuple):
    """Rules in the order in which they are tried.

    Attributes
    ----------
    first, column, low, high, nominal, missing, table, codes
        The conditions (:class:`~learnable.loops.rule_fire.FlatConditions`).
    answer : array (rules,) of int32
        Code of the class that a rule answers.
    counts : array (rules, K) of float64
        Weight of the training rows of each class for which it fired.

    Examples
    --------
    >>> from learnable.rules import RuleListClassifier
    >>> model = RuleListClassifier(rules=[("hot", [("x0", ">", 30)])], default="cold")
    >>> model.fit([[10.0], [35.0]], ["cold", "hot"]).rules_.counts.tolist()
    [[0.0, 1.0]]
    """

    first: NDArray[np.int32]
    column: NDArray[np.int32]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    nominal: NDArray[np.uint8]
    missing: NDArray[np.uint8]
    table: NDArray[np.int32]
    codes: NDArray[np.int32]
    answer: NDArray[np.int32]
    counts: NDArray[np.float64]

    @property
    def count(self) -> int:
        """How many rules."""
        return len(self.answer)

    def conditions(self, rule: int) -> list[Condition]:
        """Return the conditions of a rule."""
        return [self._condition(c) for c in range(self.first[rule], self.first[rule + 1])]

    def _condition(self, c: int) -> Condition:
        codes = tuple(self.codes[self.table[c] : self.table[c + 1]].tolist())
        return Condition(
            int(self.column[c]),
            float(self.low[c]),
            float(self.high[c]),
            codes if self.nominal[c] else None,
            bool(self.missing[c]),
        )

    def flat(self) -> FlatConditions:
        """Return what loops take."""
        return FlatConditions(*(frozen(array) for array in self[: len(FlatConditions._fields)]))


def rules_of(parts: list[tuple[list[Condition], int]], counts: Any) -> Rules:
    """Return rules, each its conditions and the code of its answer, as flat arrays."""
    every = [condition for conditions, _ in parts for condition in conditions]
    codes = [condition.codes or () for condition in every]
    return Rules(
        first=_ends([len(conditions) for conditions, _ in parts]),
        column=np.array([c.column for c in every], np.int32),
        low=np.array([c.low for c in every], np.float64),
        high=np.array([c.high for c in every], np.float64),
        nominal=np.array([c.codes is not None for c in every], np.uint8),
        missing=np.array([c.missing for c in every], np.uint8),
        table=_ends([len(each) for each in codes]),
        codes=np.array([code for each in codes for code in each], np.int32),
        answer=np.array([answer for _, answer in parts], np.int32),
        counts=np.asarray(counts, np.float64),
    )


def _ends(sizes: list[int]) -> NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(np.array(sizes, np.int64))]).astype(np.int32)


def check_rules(rules: Rules, sizes: NDArray[np.int64]) -> None:
    """Refuse arrays that are no rules over columns of these sizes (a model file may hold any)."""
    conditions = len(rules.column)
    sound = (
        len(rules.first) == rules.count + 1
        and len(rules.table) == conditions + 1
        and rules.first[0] == rules.table[0] == 0
        and rules.first[-1] == conditions
        and rules.table[-1] == len(rules.codes)
        and bool((np.diff(rules.first) >= 0).all() and (np.diff(rules.table) >= 0).all())
        and not np.isnan(rules.low).any()
        and not np.isnan(rules.high).any()
    )
    if not sound:
        raise DataError("The arrays of the rules contradict each other.")
    asked = sizes[rules.column]
    owner = np.repeat(asked, np.diff(rules.table))
    if ((asked > 0) != (rules.nominal == 1)).any() or (rules.codes >= owner).any():
        raise DataError("A rule asks for codes that its column does not have.")


RULES = Statistic(
    Rules,
    {
        "first": Integers("?", low=0, dtype="int32"),
        "column": Integers("?", low=0, below="d", dtype="int32"),
        "low": Floats("?", infinite=True, dtype="float64"),
        "high": Floats("?", infinite=True, dtype="float64"),
        "nominal": Integers("?", low=0, high=1, dtype="uint8"),
        "missing": Integers("?", low=0, high=1, dtype="uint8"),
        "table": Integers("?", low=0, dtype="int32"),
        "codes": Integers("?", low=0, dtype="int32"),
        "answer": Integers("R", low=0, below="K", dtype="int32"),
        "counts": Floats("R", "K", low=0.0, high=HEAVIEST, dtype="float64"),
    },
)
"""Rules over d columns that answer K classes."""
