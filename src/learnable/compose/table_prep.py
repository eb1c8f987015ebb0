"""Any table as numbers: what a learner of numbers needs before it, learned inside the folds.

Every column is expanded by its kind (:mod:`learnable.compose.expansions`), missing numbers are
filled, and all are put on a common scale if that is wanted. Each number knows the column that it
comes from, so that explanations speak of the original columns.

Cost: one pass over the table and the w numbers of a row; a selection in each for medians.

References
----------
.. [1] M. Kuhn, K. Johnson: Feature Engineering and Selection. CRC Press 2019, chapters 5 and 8.
.. [2] D. Pyle: Data Preparation for Data Mining. Morgan Kaufmann 1999.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np

from learnable.compose.expansions import Plan, expanded, expanded_names
from learnable.core.certificate import Certificate
from learnable.core.errors import DataError
from learnable.core.explanation import Explanation, Part
from learnable.core.trace import emit, listening
from learnable.data import Rows, is_frame, read_rows
from learnable.data.reading import native_names
from learnable.data.rows import refuse_cell
from learnable.data.table import Table
from learnable.estimator.contract import TransformerContract, answers_in_chosen_form
from learnable.estimator.learner import Learner, answering, fitting
from learnable.estimator.params import Choice, Flag
from learnable.estimator.schema_state import Columns
from learnable.estimator.state import Count, Floats, Integer, Names
from learnable.preprocessing.affine import Lines
from learnable.preprocessing.base import Scaler, without_spread
from learnable.preprocessing.cells import Cells, read_cells
from learnable.preprocessing.quantiles import each_known, quantiles
from learnable.stats import arrays
from learnable.theory.statements import share_of_new_rows

QUARTILES = np.array([0.25, 0.5, 0.75])


class Day:
    """A day as ISO 8601 writes it."""

    def accepts(self, value: Any) -> bool:
        """Whether it is one."""
        try:
            return isinstance(value, str) and not np.isnat(np.datetime64(value, "D"))
        except ValueError:
            return False

    def __str__(self) -> str:
        return "a day such as 1970-01-01"


class TablePrep(TransformerContract, Learner):
    """Turn any table into the numbers that a learner of numbers takes.

    Parameters
    ----------
    impute : {"mean", "median", "zero", None}, default="median"
        What fills a missing number; None leaves it NaN.
    nominal : {"onehot", "ordinal"}, default="onehot"
        Nominal columns as indicators, or as codes.
    drop : {None, "first"}, default=None
        Whether the first value of a nominal column gets no indicator.
    dates : {"parts", "days", "drop"}, default="parts"
        Dates as year, month, day and weekday, as days since a day, or left out.
    since : str, default="1970-01-01"
        That day.
    text : {"drop", "count"}, default="drop"
        Text left out, or the numbers of its words and characters.
    scale : {None, "standard", "min-max", "robust"}, default=None
        Common scale of all numbers that are no indicators.
    indicators : bool, default=False
        Whether indicators are scaled too.

    Attributes
    ----------
    schema_ : Schema
        The columns learned from.
    dropped_ : dict
        Columns that are left out, with the reason.
    fill_, origin_, width_ : array (w,)
        What fills each number, and the line ``(x - origin) / width`` that scales it.
    n_samples_seen_ : int
        Training rows.
    incomplete_ : int
        Training rows that missed a number.
    n_features_in_, feature_names_in_
        Number and names of the columns.

    Notes
    -----
    Kinds of columns are those of the table, or inferred from the training rows. A nominal value
    that was never seen counts as missing, with one warning.

    References
    ----------
    M. Kuhn, K. Johnson: Feature Engineering and Selection. CRC Press 2019.

    Examples
    --------
    >>> from learnable.compose import TablePrep
    >>> from learnable.data import Table
    >>> days = Table.of({"wind": ["Weak", "Strong", None], "degrees": [21.0, None, 18.0]})
    >>> prep = TablePrep().fit(days)
    >>> prep.get_feature_names_out().tolist()
    ['wind_Strong', 'wind_Weak', 'degrees']
    >>> prep.transform(days).tolist()
    [[0.0, 1.0, 21.0], [1.0, 0.0, 19.5], [0.0, 0.0, 18.0]]
    """

    kind = "transformer"
    takes_strings = True
    allows_nan = True
    exempt: ClassVar[dict[str, str]] = {
        "units_do_not_matter": "numbers keep their units unless a scale is asked for",
    }
    parameters: ClassVar[dict[str, Any]] = {
        "impute": Choice("mean", "median", "zero", None),
        "nominal": Choice("onehot", "ordinal"),
        "drop": Choice(None, "first"),
        "dates": Choice("parts", "days", "drop"),
        "since": Day(),
        "text": Choice("drop", "count"),
        "scale": Choice(None, "standard", "min-max", "robust"),
        "indicators": Flag(),
    }
    fitted_state: ClassVar[dict[str, Any]] = {
        "n_features_in_": Count("d", low=1),
        "feature_names_in_": Names("d", optional=True),
        "schema_": Columns("d"),
        "fill_": Floats("w", nan=True, dtype="float64"),
        "origin_": Floats("w", dtype="float64"),
        "width_": Floats("w", low=5e-324, dtype="float64"),
        "n_samples_seen_": Integer(low=1),
        "incomplete_": Integer(low=0),
    }
    derived = ("dropped_",)

    def __init__(
        self,
        *,
        impute: str | None = "median",
        nominal: str = "onehot",
        drop: str | None = None,
        dates: str = "parts",
        since: str = "1970-01-01",
        text: str = "drop",
        scale: str | None = None,
        indicators: bool = False,
    ) -> None:
        self.impute = impute
        self.nominal = nominal
        self.drop = drop
        self.dates = dates
        self.since = since
        self.text = text
        self.scale = scale
        self.indicators = indicators

    @fitting
    def fit(self, X: Any, y: Any = None) -> TablePrep:  # noqa: ARG002 (the contract's signature)
        """Learn the columns, and what fills and scales them.

        Parameters
        ----------
        X : Table, data frame or array (n, d)
            Columns of any kind.
        y : None
            Ignored.
        """
        table = self._table(X)
        self.n_features_in_ = len(table.schema)
        vars(self).pop("feature_names_in_", None)
        if _is_named(X):
            self.feature_names_in_ = np.array(table.columns, dtype=object)
        self.schema_ = table.schema.unexplained()
        self._settle()
        numbers = self._numbers(table)
        self.n_samples_seen_ = len(table)
        self.incomplete_ = int(np.isnan(numbers).any(axis=1).sum())
        self._learn(numbers)
        self._derive()
        if listening():
            for column in self.schema_:
                made = expanded_names(column, self._plan)
                emit("column", column=column.name, kind=column.kind, numbers=made)
        return self

    def _table(self, X: Any) -> Table:
        """Return training rows of any form as a table."""
        if not _is_named(X):
            cells = self._array_cells(X)
            return Table.of({f"x{j}": column for j, column in enumerate(cells.columns)})
        if not all(X.shape):
            read_rows(np.empty(X.shape), learner=type(self).__name__)
        return Table.of(X)

    def _array_cells(self, X: Any) -> Cells:
        cells = read_cells(X, type(self).__name__)
        for j, column in enumerate(cells.columns):
            if column.dtype.kind == "f" and np.isinf(column).any():
                row = int(np.argmax(np.isinf(column)))
                refuse_cell(column[row], row, j, None)
        return cells

    def _settle(self) -> None:
        """Compute the names of the numbers, and where each comes from, of the schema."""
        self._plan = Plan(self.nominal, self.drop, self.dates, self.since, self.text)
        names = [expanded_names(column, self._plan) for column in self.schema_]
        self.dropped_ = {
            column.name: _why_dropped(column.kind)
            for column, made in zip(self.schema_, names, strict=True)
            if not made
        }
        self._names = [name for made in names for name in made]
        self._sources = [j for j, made in enumerate(names) for _ in made]

    def _derive(self) -> None:
        self._settle()
        self._lines = Lines.of(len(self._names), origin=self.origin_, width=self.width_)

    def _check_state(self) -> None:
        self._settle()
        learned = vars(self).get("feature_names_in_")
        if len(self._names) != len(self.fill_) or (
            learned is not None and list(learned) != self.schema_.names
        ):
            msg = "the columns are not those of the schema"
            raise DataError(msg)
        if self.incomplete_ > self.n_samples_seen_:
            msg = "more rows missed a number than there were"
            raise DataError(msg)
        super()._check_state()

    def _numbers(self, table: Table) -> arrays.Floats:
        """Return the numbers of all columns, NaN where one is missing; infinity is refused."""
        out = np.empty((len(table), len(self._names)))
        at = 0
        for j, (column, array) in enumerate(zip(table.schema, table.arrays, strict=True)):
            width = len(expanded_names(self.schema_.columns[j], self._plan))
            expanded(self.schema_.columns[j], array, self._plan, out[:, at : at + width])
            if column.kind == "numeric" and np.isinf(array).any():
                row = int(np.argmax(np.isinf(array)))
                names = table.columns if "feature_names_in_" in vars(self) else None
                refuse_cell(array[row], row, j, names)
            at += width
        return out

    def _learn(self, numbers: arrays.Floats) -> None:
        """Learn what fills and scales each number."""
        w = numbers.shape[1]
        rows = Rows(numbers)
        middles = np.array(each_known(_middles, rows)).reshape(w, 2)
        by_choice = {"mean": middles[:, 0], "median": middles[:, 1], "zero": np.zeros(w)}
        fill = by_choice.get(self.impute, np.full(w, np.nan))
        self.fill_ = fill if self.impute is None else np.nan_to_num(fill)
        self.origin_, self.width_ = np.zeros(w), np.ones(w)
        if self.scale is None or not w:
            return
        filled = Rows(np.where(np.isnan(numbers), self.fill_, numbers))
        origin, width = np.array(each_known(partial(_line, self.scale), filled)).T
        scaled = np.array([self.indicators or not self._is_indicator(j) for j in range(w)])
        self.origin_, self.width_ = np.where(scaled, origin, 0.0), np.where(scaled, width, 1.0)

    def _is_indicator(self, j: int) -> bool:
        kind = self.schema_.columns[self._sources[j]].kind
        return kind == "nominal" and self.nominal == "onehot"

    @property
    def _n_features_out(self) -> int:
        return len(self._names)

    @answers_in_chosen_form
    @answering
    def transform(self, X: Any) -> Any:
        """Return the numbers.

        Parameters
        ----------
        X : Table, data frame or array (n, d)
            Rows.
        """
        return self._answer(self._known(X))

    def _known(self, X: Any) -> Table:
        """Return rows as the table that was learned from knows them."""
        self._check_fitted()
        learned = vars(self).get("feature_names_in_")
        if _is_named(X) and learned is not None:
            names = tuple(map(str, _names(X)))
            if set(names) != set(learned):
                self._compare_columns(names, len(names))
            return Table.conforming(X, self.schema_)
        cells = self._array_cells(X)
        self._compare_columns(cells.names, cells.d)
        named = dict(zip(self.schema_.names, cells.columns, strict=True))
        return Table.conforming(named, self.schema_)

    def _answer(self, table: Table) -> arrays.Floats:
        numbers = self._numbers(table)
        gaps = np.isnan(numbers)
        if gaps.any():
            numbers = np.where(gaps, self.fill_, numbers)
        return self._lines.map(Rows(numbers)) if self.scale is not None else numbers

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the numbers.

        Parameters
        ----------
        input_features : array of str, optional
            Names for columns that had none; otherwise they must be those of ``fit``.
        """
        self._check_fitted()
        given = Scaler.get_feature_names_out(self, input_features)
        made = [
            str(given[j]) + name.removeprefix(self.schema_.columns[j].name)
            for name, j in zip(self._names, self._sources, strict=True)
        ]
        return np.array(made, dtype=object)

    def sources_out(self) -> list[int]:
        """Return the number of the column that each number comes from."""
        self._check_fitted()
        return list(self._sources)

    @answering
    def _explain(self, X: Any) -> list[Explanation]:
        table = self._known(X)
        numbers, answer = self._numbers(table), self._answer(table)
        return [self._reasons(table, numbers[i], answer[i], i) for i in range(len(table))]

    def _reasons(self, table: Table, numbers: Any, answer: Any, i: int) -> Explanation:
        """Say what became of each column of a row."""
        parts = []
        for j, column in enumerate(self.schema_):
            mine = [place for place, source in enumerate(self._sources) if source == j]
            cell = table.labels(column.name)[i]
            value = cell.item() if isinstance(cell, np.generic) else cell
            gaps = [place for place in mine if np.isnan(numbers[place])]
            told = ", ".join(f"{self._names[place]} = {answer[place]:.6g}" for place in mine)
            told = f"left out: {self.dropped_[column.name]}" if not mine else told
            told += " (filled)" if gaps else ""
            parts.append(Part(column.name, value, told, float(len(gaps))))
        score = float(sum(part.weight for part in parts))
        told = f"{len(parts)} columns became {len(answer)} numbers, {score:.0f} of them filled."
        unit = "numbers filled"
        return Explanation(tuple(answer.tolist()), "contributions", tuple(parts), score, unit, told)

    @answering
    def _certify(self, X: Any, y: Any, role: str, confidence: float) -> Certificate:  # noqa: ARG002 (the contract's signature)
        count, n = self.incomplete_, self.n_samples_seen_
        if role == "test":
            numbers = self._numbers(self._known(X))
            count, n = int(np.isnan(numbers).any(axis=1).sum()), len(numbers)
        return share_of_new_rows(
            count,
            n,
            quantity="share of new rows with a missing number",
            told="miss a number, which is filled",
            confidence=confidence,
        )


def _is_named(X: Any) -> bool:
    return is_frame(X) or isinstance(X, Table)


def _names(X: Any) -> list[Any]:
    return list(X.columns) if isinstance(X, Table) else native_names(X)


def _middles(column: arrays.Floats) -> tuple[float, float]:
    """Return mean and median, NaN where nothing is known."""
    return (float(column.mean()), float(np.median(column))) if len(column) else (np.nan, np.nan)


def _line(scale: str, column: arrays.Floats) -> tuple[float, float]:
    """Return origin and width of a column; a constant one keeps its width."""
    if not len(column):
        return 0.0, 1.0
    if scale == "standard":
        origin, width = float(column.mean()), float(column.std())
    elif scale == "min-max":
        origin, width = float(column.min()), float(column.max() - column.min())
    else:
        low, origin, high = map(float, quantiles(column, QUARTILES))
        width = high - low
    tiny = without_spread(np.array([width]), np.array([np.abs(column).max()]))[0]
    return origin, 1.0 if tiny else width


def _why_dropped(kind: str) -> str:
    reasons = {
        "identifier": "it names the row, so nothing can be learned from it",
        "text": 'text is left out (text="count" counts it)',
        "date": 'dates are left out (dates="parts" takes them)',
    }
    return reasons.get(kind, "it has no value that gets an indicator")
