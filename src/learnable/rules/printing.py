"""Rules as text, SQL and Python; each says exactly what the model applies."""

from __future__ import annotations

import math
from typing import Any

from learnable.rules.flat import Rules
from learnable.tree.wording import Condition, number, told


class Printer:
    """Names for what rules are made of.

    Parameters
    ----------
    names : list of str
        The columns.
    schema : Schema or None
        What their codes stand for.
    classes : list
        The labels.
    """

    def __init__(self, names: list[str], schema: Any, classes: list[Any]) -> None:
        self.names, self.schema, self.classes = names, schema, classes

    def values(self, condition: Condition) -> list[str]:
        """Return the values that a nominal condition names."""
        known = self.schema.columns[condition.column].values
        return [known[code] for code in condition.codes or ()]

    # -------------------------------------------------------------------------------------- text

    def conjunction(self, conditions: list[Condition]) -> str:
        """Say the conditions of a rule."""
        return " and ".join(map(self._words, conditions)) or "every row"

    def _words(self, one: Condition) -> str:
        text = told(one, self.names, self.schema)
        return f"({text} or missing)" if one.missing and "missing" not in text else text

    def text(self, rules: Rules, default: int) -> str:
        """Return a line a rule, with how often it was right."""
        lines = []
        for r in range(rules.count):
            answer, counts = rules.answer[r], rules.counts[r]
            seen = f"{counts[answer]:.6g} of {counts.sum():.6g}"
            asked = self.conjunction(rules.conditions(r))
            lines.append(f"if {asked} then {self.classes[answer]}  ({seen})")
        return "\n".join([*lines, f"else {self.classes[default]}"])

    def dnf(self, rules: Rules, answer: int) -> str:
        """Return the conjunctions that answer a class, any of which suffices."""
        parts = [
            self.conjunction(rules.conditions(r))
            for r in range(rules.count)
            if rules.answer[r] == answer
        ]
        return " or\n".join(f"({part})" for part in parts) or "never"

    # --------------------------------------------------------------------------------------- SQL

    def sql(self, rules: Rules, default: int) -> str:
        """Return a CASE expression; NULL is a missing cell."""
        lines = [
            f"  WHEN {' AND '.join(map(self._sql, rules.conditions(r))) or '1 = 1'} "
            f"THEN {_quoted(self.classes[rules.answer[r]])}"
            for r in range(rules.count)
        ]
        if not lines:
            return _quoted(self.classes[default])
        return "\n".join(["CASE", *lines, f"  ELSE {_quoted(self.classes[default])}", "END"])

    def _sql(self, one: Condition) -> str:
        name = '"' + self.names[one.column].replace('"', '""') + '"'
        if one.codes is not None:
            known = self.schema.columns[one.column].values
            text = f"{name} IN ({', '.join(map(_quoted, self.values(one)))})"
            lost = f"{name} IS NULL OR {name} NOT IN ({', '.join(map(_quoted, known))})"
            return f"({text} OR {lost})" if one.missing else text
        parts = [f"{name} > {number(one.low)}"] if math.isfinite(one.low) else []
        parts += [f"{name} <= {number(one.high)}"] if math.isfinite(one.high) else []
        impossible = one.low > one.high or one.low == math.inf
        text = "1 = 0" if impossible else " AND ".join(parts) or f"{name} IS NOT NULL"
        return f"({text} OR {name} IS NULL)" if one.missing else text

    # ------------------------------------------------------------------------------------ Python

    def python(self, rules: Rules, default: int) -> str:
        """Return a function of a dictionary from columns to cells; None and NaN are missing."""
        lines = ["def predict(row):"]
        for r in range(rules.count):
            asked = " and ".join(map(self._python, rules.conditions(r))) or "True"
            lines += [f"    if {asked}:", f"        return {self.classes[rules.answer[r]]!r}"]
        return "\n".join([*lines, f"    return {self.classes[default]!r}", ""])

    def _python(self, one: Condition) -> str:
        cell = f"row[{self.names[one.column]!r}]"
        if one.codes is not None:
            known = set(self.schema.columns[one.column].values)
            text = f"{cell} in {set(self.values(one))!r}" if one.codes else "False"
            return f"({text} or {cell} not in {known!r})" if one.missing else f"({text})"
        low = f"{one.low!r} < " if math.isfinite(one.low) else ""
        high = f" <= {one.high!r}" if math.isfinite(one.high) else ""
        impossible = one.low > one.high or one.low == math.inf
        here = f"{cell} is not None and {cell} == {cell}"
        text = "False" if impossible else f"{here} and {low}{cell}{high}" if low or high else here
        lost = f"{cell} is None or {cell} != {cell}"
        return f"({lost} or {text})" if one.missing else f"({text})"


def _quoted(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)
