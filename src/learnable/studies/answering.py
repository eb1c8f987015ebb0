"""Asking a saved model about the rows of a file, as those who have the file only would."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError, ParameterError
from learnable.data import Schema, Table, read
from learnable.data.schema import Column
from learnable.estimator import load


class Answered(NamedTuple):
    """Answers to rows, and the chances of each class where the model gives them."""

    answers: NDArray[Any]
    chances: NDArray[np.float64] | None
    classes: tuple[Any, ...]


def load_model(beside: str, name: str) -> Any:
    """Load a model that lies beside a file.

    Parameters
    ----------
    beside : str
        A file in the same folder.
    name : str
        Name of the model's file.
    """
    return load(Path(beside).resolve().parent / name)


def learned_columns(model: Any) -> Schema | None:
    """Return the columns that a model learned from, as far as it tells.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> from learnable.studies import Options, Wishes, follow
    >>> from learnable.studies.answering import learned_columns
    >>> found = follow(load_iris(as_frame=True).frame, Wishes("species"), Options(budget=10.0))
    >>> learned_columns(found.model).names[0]
    'sepal length (cm)'
    """
    steps = getattr(model, "steps", None)
    first = model if steps is None else steps[0][1]
    schema = getattr(first, "schema_", None)
    if schema is not None:
        return schema if isinstance(schema, Schema) else None
    names = getattr(first, "feature_names_in_", None)
    if names is None:
        return None
    known = {c.name: c for part in _parts(first) for c in getattr(part, "schema_", ())}
    return Schema(tuple(known.get(str(name), Column(str(name), "text")) for name in names))


def _parts(first: Any) -> list[Any]:
    return [part for _, part, _ in getattr(first, "transformers_", ()) if not isinstance(part, str)]


def rows_for(model: Any, source: Any) -> Table:
    """Return the rows of a file, by the columns that a model learned from.

    Parameters
    ----------
    model : fitted learner or pipeline
        The model.
    source : path, Table or data frame
        The rows; columns that the model does not know are left aside.
    """
    table = read(source) if isinstance(source, (str, Path)) else Table.of(source)
    schema = learned_columns(model)
    if schema is None:
        return table
    lost = [name for name in schema.names if name not in table.columns]
    if lost:
        raise DataError(
            f"The model learned from {len(schema)} columns, and {len(lost)} of them are not there.",
            column=lost[0],
            remedy="Add the columns under the names that were learned.",
        )
    return Table.conforming(table.only(schema.names), schema)


def answered(model: Any, rows: Table) -> Answered:
    """Return the answers of a model to rows.

    Parameters
    ----------
    model : fitted classifier or regressor, or pipeline
        The model.
    rows : Table
        As :func:`rows_for` returns them.
    """
    if not hasattr(model, "predict"):
        msg = f"a {type(model).__name__} gives no answers"
        raise ParameterError(msg)
    answers = np.asarray(model.predict(rows))
    if not hasattr(model, "predict_proba"):
        return Answered(answers, None, ())
    return Answered(answers, np.asarray(model.predict_proba(rows)), tuple(model.classes_.tolist()))


def answers(model: Any, path: str) -> Iterator[str]:
    """Yield a line of text for the answer to each row of a file.

    Parameters
    ----------
    model : fitted classifier or regressor, or pipeline
        The model.
    path : str
        The file.
    """
    found = answered(model, rows_for(model, path))
    for place, answer in enumerate(found.answers.tolist()):
        sure = "" if found.chances is None else f"  {found.chances[place].max():.3f}"
        yield f"{answer}{sure}"
