"""From the columns of a table to the numbers that have coefficients.

A numeric column stays as it is; true and false are 1 and 0; an ordinal column is the place of its
value. A nominal column becomes an indicator for each of its values but one, the reference, with
which the others are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from learnable.core.errors import DataError, ParameterError
from learnable.core.warning import warn
from learnable.data import Column, Rows, Table
from learnable.data.texts import MISSING
from learnable.estimator.learner import Learner, features_of
from learnable.stats.arrays import Floats


class References:
    """What a table of reference values may be: a mapping of column to value, or None."""

    def accepts(self, value: Any) -> bool:
        """Whether it is one."""
        return value is None or (
            isinstance(value, Mapping)
            and all(isinstance(part, str) for pair in value.items() for part in pair)
        )

    def __str__(self) -> str:
        return "a mapping of nominal columns to the values that serve as reference, or None"


def levels_of(column: Column, reference: Mapping[str, str] | None) -> list[int]:
    """Return the codes of a nominal column that get an indicator.

    Examples
    --------
    >>> from learnable.data import Column
    >>> from learnable.linear_model.design import levels_of
    >>> levels_of(Column("wind", "nominal", ("Strong", "Weak")), {"wind": "Weak"})
    [0]
    """
    stated = (reference or {}).get(column.name)
    if stated is None:
        return list(range(1, len(column.values)))
    if stated not in column.values:
        msg = (
            f"reference names the value {stated!r} of column {column.name!r}, which has "
            f"{', '.join(column.values[:10])}"
        )
        raise ParameterError(msg)
    return [code for code, value in enumerate(column.values) if value != stated]


class Design(Learner):
    """Reads tables with nominal columns; everything else as every learner does."""

    reference: Mapping[str, str] | None = None

    def _read(self, X: Any, *, reset: bool = False) -> Rows:
        if reset:
            vars(self).pop("schema_", None)
        if isinstance(X, Table) and reset and any(c.kind == "nominal" for c in X.schema):
            self.schema_ = X.schema.unexplained()
            self.n_features_in_ = len(X.schema)
            self.feature_names_in_ = np.array(X.columns, dtype=object)
            return self._expanded(X, reset=True)
        if vars(self).get("schema_") is not None:
            named = hasattr(X, "columns")
            if not named:
                X = dict(zip(self.schema_.names, np.asarray(X, dtype=object).T, strict=True))
            return self._expanded(Table.conforming(X, self.schema_), reset=False)
        return super()._read(X, reset=reset)

    def _comparable(self, X: Any) -> Rows:
        return self._read(features_of(self, X))

    def _expanded(self, table: Table, *, reset: bool) -> Rows:
        """Return the numbers of a table, column by column; nothing else is copied."""
        cells: list[Any] = []
        for column, array in zip(table.schema, table.arrays, strict=True):
            if column.kind not in {"numeric", "boolean", "ordinal", "nominal"}:
                raise DataError(
                    f"{type(self).__name__} takes numbers and names, and a column is "
                    f"{column.kind}.",
                    column=column.name,
                    remedy="Put TablePrep before it, or leave the column out.",
                )
            gaps = array == MISSING if column.coded else np.zeros(0, bool)
            if gaps.any() and (reset or column.kind != "nominal"):
                raise DataError(
                    "A cell is missing.",
                    column=column.name,
                    row=int(np.argmax(gaps)),
                    remedy="Impute it, or drop the row.",
                )
            if gaps.any():
                warn(
                    f"{int(gaps.sum())} missing cells of column {column.name!r} count as its "
                    "reference value."
                )
            if column.kind == "nominal":
                cells += [array == code for code in levels_of(column, self.reference)]
            else:
                cells.append(array)
        if not cells:
            raise DataError(
                "No column is left: each has one value alone.", remedy="Give more columns."
            )
        return Rows(cells, tuple(self._coefficient_names()))

    def _coefficient_names(self) -> list[str]:
        """Return the name of each number that has a coefficient."""
        schema = vars(self).get("schema_")
        if schema is None:
            return self._column_names()
        names: list[str] = []
        for column in schema:
            if column.kind == "nominal":
                codes = levels_of(column, self.reference)
                names += [f"{column.name}_{column.values[code]}" for code in codes]
            else:
                names.append(column.name)
        return names

    def _places(self) -> list[list[int]]:
        """Return the places of the numbers that each column became."""
        schema = vars(self).get("schema_")
        if schema is None:
            return [[j] for j in range(self.n_features_in_)]
        found, at = [], 0
        for column in schema:
            nominal = column.kind == "nominal"
            width = len(levels_of(column, self.reference)) if nominal else 1
            found.append(list(range(at, at + width)))
            at += width
        return found

    def _values(self, row: Floats) -> list[Any]:
        """Return the cells of a row as its columns hold them."""
        schema = vars(self).get("schema_")
        if schema is None:
            return row.tolist()
        values: list[Any] = []
        for column, mine in zip(schema, self._places(), strict=True):
            if column.kind != "nominal":
                values.append(float(row[mine[0]]))
                continue
            codes = levels_of(column, self.reference)
            kept = [code for code in range(len(column.values)) if code not in codes]
            shown = [code for code, place in zip(codes, mine, strict=True) if row[place]]
            values.append(column.values[(shown or kept)[0]])
        return values

    def _check_state(self) -> None:
        schema = vars(self).get("schema_")
        if schema is not None:
            learned = vars(self).get("feature_names_in_")
            if learned is None or list(learned) != schema.names:
                msg = "the columns are not those of the schema"
                raise DataError(msg)
            self._coefficient_names()
        super()._check_state()
