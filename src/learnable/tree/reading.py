"""What a tree reads: rows of numbers, or a table whose nominal columns become codes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.core.warning import warn
from learnable.data import Rows, Schema, Table, is_frame, is_sparse, read_rows
from learnable.data.reading import as_frame, column_names, native_names
from learnable.data.rows import refuse_cell
from learnable.data.texts import MISSING

_ALMOST_ALL = 0.9
_ENOUGH = 10


class Read(NamedTuple):
    """Rows of numbers, and for a table with nominal columns its schema."""

    rows: Rows
    schema: Schema | None


def read_training(X: Any, nominal: Any, learner: str) -> Read:
    """Read training rows.

    Parameters
    ----------
    X : array, data frame or Table
        The cells.
    nominal : "from_dtype", None, list of columns or mask
        Which columns are nominal.
    learner : str
        Its name, for messages.
    """
    stated = not (nominal is None or (isinstance(nominal, str) and nominal == "from_dtype"))
    if not stated and not has_texts(X):
        return Read(numeric_rows(X, learner), None)
    if is_sparse(X) or not all(np.shape(X)):
        return Read(read_rows(X, learner=learner), None)
    table = Table.of(X)
    if stated:
        names = _named(nominal, table.columns)
        table = table.changed(dict.fromkeys(names, "nominal"))
    _refuse_kinds(table, learner)
    _warn_of_identifiers(table)
    return Read(rows_of(table, _outer_names(X)), table.schema)


def read_rows_as(X: Any, schema: Schema | None, learner: str) -> Rows:
    """Read rows to be answered, in the codes of training."""
    if schema is None:
        if has_texts(X) and not isinstance(X, Table):
            return read_rows(X, learner=learner)
        return numeric_rows(X, learner)
    if is_frame(X) or isinstance(X, Table):
        return rows_of(Table.conforming(X, schema), _outer_names(X))
    found = Table.of(X)
    if found.shape[1] != len(schema):
        return Rows([np.empty(0)] * found.shape[1])
    named = dict(zip(schema.names, [found.labels(name) for name in found.columns], strict=True))
    return rows_of(Table.conforming(named, schema), None)


def numeric_rows(X: Any, learner: str) -> Rows:
    """Return rows of numbers."""
    return X.numbers(learner) if isinstance(X, Table) else read_rows(X, learner=learner)


def has_texts(X: Any) -> bool:
    """Whether some column of the rows is not of numbers."""
    if isinstance(X, Table):
        return any(column.kind != "numeric" for column in X.schema)
    if is_frame(X):
        kinds = as_frame(X).schema.values()
        return not all(kind.is_numeric() for kind in kinds)
    if is_sparse(X) or (isinstance(X, np.ndarray) and X.dtype.kind != "O"):
        return isinstance(X, np.ndarray) and X.dtype.kind == "U"
    try:
        cells = np.array(X, dtype=object)
    except ValueError:
        return False
    return cells.ndim == 2 and any(isinstance(cell, str) for cell in cells.flat)


def rows_of(table: Table, names: tuple[str, ...] | None) -> Rows:
    """Return a table as rows of floats: codes for nominal cells, NaN for missing ones."""
    columns = []
    for j, (column, array) in enumerate(zip(table.schema, table.arrays, strict=True)):
        if column.coded:
            columns.append(np.where(array == MISSING, np.nan, array.astype(np.float64)))
            continue
        if np.isinf(array).any():
            row = int(np.isinf(array).argmax())
            refuse_cell(array[row], row, j, table.columns)
        columns.append(array)
    return Rows(columns, names)


def sizes_of(schema: Schema | None, d: int) -> NDArray[np.int64]:
    """Return how many values each nominal column has, 0 for the others."""
    if schema is None:
        return np.zeros(d, np.int64)
    nominal = {"nominal", "boolean"}
    return np.array([max(len(c.values), 1) if c.kind in nominal else 0 for c in schema], np.int64)


def _outer_names(X: Any) -> tuple[str, ...] | None:
    if isinstance(X, Table):
        return tuple(X.columns)
    return column_names(native_names(X)) if is_frame(X) else None


def _named(nominal: Any, names: list[str]) -> list[str]:
    stated = np.asarray(nominal)
    if stated.dtype == bool and stated.shape == (len(names),):
        stated = np.flatnonzero(stated)
    if stated.ndim == 1 and stated.dtype.kind in "iu":
        if len(stated) and (stated.min() < 0 or stated.max() >= len(names)):
            msg = f"categorical_features names columns that are not there: {stated.tolist()}"
            raise ParameterError(msg)
        return [names[j] for j in stated]
    if stated.ndim == 1 and (stated.dtype.kind in "UO" or not stated.size):
        return [str(name) for name in stated]
    msg = (
        'categorical_features must be "from_dtype", None, a list of names or places of columns, '
        f"or a mask of {len(names)} truth values, not {nominal!r}"
    )
    raise ParameterError(msg)


def _refuse_kinds(table: Table, learner: str) -> None:
    for column in table.schema:
        if column.kind in {"date", "text", "identifier"}:
            raise DataError(
                f"{learner} takes numbers and names of values, and a column is {column.kind}.",
                column=column.name,
                remedy="Leave it out, or put TablePrep before the tree.",
            )


def _warn_of_identifiers(table: Table) -> None:
    for column in table.schema:
        if column.kind == "nominal" and len(column.values) >= max(_ALMOST_ALL * table.n, _ENOUGH):
            warn(
                f"Column {column.name!r} has {len(column.values)} values in {table.n} rows: it "
                "names the rows, and what is learned from it does not hold for others. Leave it "
                "out.",
            )
