"""What is asked and answered, apart from how it travels: rows in, answers and reasons out."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from learnable.calibration import Conformal
from learnable.core.errors import DataError, LearnableError
from learnable.data import Schema, Table
from learnable.estimator import explain, load
from learnable.studies.answering import answered, learned_columns

MOST_ROWS = 100
MOST_PARTS = 20
INSIDE = 0.9


@dataclass
class Service:
    """A model with the columns it learned from.

    Parameters
    ----------
    model : fitted learner or pipeline
        The model.
    schema : Schema
        Its columns.
    scores : tuple of arrays
        Scores of rows that the model never saw, for sets and intervals; none if there are none.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> from learnable.serve import Service
    >>> from learnable.studies import Options, Wishes, follow
    >>> from learnable.studies.answering import learned_columns
    >>> found = follow(load_play_tennis(as_frame=True).frame, Wishes("play"), Options(budget=1))
    >>> service = Service(found.model, learned_columns(found.model), ())
    >>> row = {"outlook": "Sunny", "temperature": "Cool", "humidity": "High", "wind": "Strong"}
    >>> service.answer([row])[0]["answer"] in ("Yes", "No")
    True
    """

    model: Any
    schema: Schema
    scores: tuple[Any, ...]

    def __post_init__(self) -> None:
        self._one_at_a_time = Lock()

    @classmethod
    def of(cls, path: str | Path) -> Service:
        """Load a model, and what a study wrote beside it."""
        model = load(path)
        schema = learned_columns(model)
        if schema is None:
            raise DataError(
                "The model does not tell which columns it learned from.",
                remedy="Fit it to a table or a data frame.",
            )
        beside = Path(path).with_name("results.json")
        found = json.loads(beside.read_text(encoding="utf-8")) if beside.exists() else {}
        scores = found.get("conformal")
        return cls(model, schema, (np.array(scores),) if scores else ())

    def answer(self, rows: Any) -> list[dict[str, Any]]:
        """Return the answer to each row, with chances, a set or an interval, and reasons.

        Parameters
        ----------
        rows : list of dict
            Cells by the names of the columns; a missing cell is null or left out.
        """
        table, unseen = self._table(rows)
        with self._one_at_a_time, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = answered(self.model, table)
            reasons = self._reasons(table)
            around = self._around(table)
        told = []
        for place, value in enumerate(found.answers.tolist()):
            one = {"answer": value, "unseen": unseen[place], "missing": self._missing(table, place)}
            if found.chances is not None:
                pairs = zip(found.classes, found.chances[place].tolist(), strict=True)
                one["chances"] = {str(label): chance for label, chance in pairs}
            told.append(one | around[place] | reasons[place])
        return told

    def _table(self, rows: Any) -> tuple[Table, list[dict[str, str]]]:
        """Return rows as a table, and the values of each that were never seen."""
        if not isinstance(rows, list) or not rows or not all(isinstance(r, dict) for r in rows):
            raise DataError("Rows are a list of objects.", remedy='Send {"rows": [{...}, ...]}.')
        if len(rows) > MOST_ROWS:
            raise DataError(f"{len(rows)} rows are too many.", remedy=f"Send at most {MOST_ROWS}.")
        names = self.schema.names
        for number, row in enumerate(rows):
            strange = sorted(set(map(str, row)) - set(names))
            if strange:
                raise DataError("A column is not known.", column=strange[0], row=number,
                                remedy=f"The columns are {', '.join(names[:20])}.")  # fmt: skip
        columns = {c.name: [_cell(row.get(c.name), c, i) for i, row in enumerate(rows)]
                   for c in self.schema}  # fmt: skip
        unseen = [
            {c.name: columns[c.name][i] for c in self.schema
             if c.coded and columns[c.name][i] is not None and columns[c.name][i] not in c.values}
            for i in range(len(rows))
        ]  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Table.conforming(columns, self.schema), unseen

    def _missing(self, table: Table, place: int) -> list[str]:
        return [name for name in table.columns if table.missing(name)[place]]

    def _reasons(self, table: Table) -> list[dict[str, Any]]:
        try:
            found = explain(self.model, table)
        except LearnableError:
            return [{} for _ in range(len(table))]
        return [
            {
                "summary": why.summary,
                "reasons": [
                    {"column": part.label, "value": _plain(part.value), "evidence": part.evidence,
                     "weight": float(part.weight)}
                    for part in sorted(why.parts, key=lambda part: -abs(part.weight))[:MOST_PARTS]
                ],
            }
            for why in found
        ]  # fmt: skip

    def _around(self, table: Table) -> list[dict[str, Any]]:
        """Return the prediction set or interval of each row, where there were rows to calibrate."""
        if not self.scores:
            return [{} for _ in range(len(table))]
        conformal = Conformal(self.model, self.scores)
        if hasattr(self.model, "predict_proba"):
            sets = conformal.sets(table, INSIDE).labels()
            return [{"set": [str(label) for label in one], "inside": INSIDE} for one in sets]
        ends = conformal.intervals(table, INSIDE)
        pairs = zip(ends.low.tolist(), ends.high.tolist(), strict=True)
        return [
            {"interval": [low, high] if np.isfinite(high - low) else None, "inside": INSIDE}
            for low, high in pairs
        ]


def _cell(value: Any, column: Any, row: int) -> Any:
    """Return a cell as its column keeps it, None where it is missing."""
    if value is None or value == "":
        return None
    if column.kind != "numeric":
        return str(value)
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not np.isfinite(number):
        raise DataError("A cell is not a finite number.", column=column.name, row=row,
                        value=str(value)[:50], remedy="Send a number, or null.")  # fmt: skip
    return number


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value if isinstance(value, (int, float, str, type(None))) else str(value)
