"""What tests are given, checked once: samples, pairs, tables of scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError

Floats = NDArray[np.float64]


def sample(values: Any, least: int, what: str = "values") -> Floats:
    """Return finite numbers, at least so many.

    Examples
    --------
    >>> from learnable.evaluation.inputs import sample
    >>> sample([1, 2], 2)
    array([1., 2.])
    """
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"The {what} are not all numbers.", remedy="Give numbers.") from error
    if found.ndim != 1:
        raise DataError(
            f"The {what} have {found.ndim} dimensions.", remedy="Give them as one row of numbers."
        )
    if not np.isfinite(found).all():
        row = int(np.argmin(np.isfinite(found)))
        raise DataError(
            f"The {what} hold a value that is not finite.",
            row=row,
            value=float(found[row]),
            remedy="Find out why that score is missing; leaving it out would break the pairs.",
        )
    if len(found) < least:
        raise DataError(
            f"There are {len(found)} {what}, too few to say anything.",
            remedy=f"Give {least} or more.",
        )
    return found


def differences(first: Any, second: Any, least: int = 2) -> Floats:
    """Return first minus second; first alone are the differences themselves.

    Examples
    --------
    >>> from learnable.evaluation.inputs import differences
    >>> differences([3.0, 2.0], [1.0, 1.0])
    array([2., 1.])
    """
    if second is None:
        return steady(sample(first, least, "differences"))
    left, right = sample(first, least, "first scores"), sample(second, least, "second scores")
    if len(left) != len(right):
        raise DataError(
            f"There are {len(left)} first scores and {len(right)} second ones.",
            remedy="Give scores in pairs: of the same folds, rows or data sets, in the same order.",
        )
    return steady(left - right, max(float(np.abs(side).max()) for side in (left, right)))


def steady(gaps: Floats, scale: float = 0.0) -> Floats:
    """Return differences without the rounding of the subtraction, so that equal ones are ties.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.evaluation.inputs import steady
    >>> gaps = np.array([0.9 - 0.8, 0.8 - 0.7])
    >>> bool(gaps[0] == gaps[1]), bool(np.ptp(steady(gaps, 0.9)) == 0.0)
    (False, True)
    """
    scale = max(scale, float(np.abs(gaps).max(initial=0.0)))
    if scale == 0.0:
        return gaps
    unit = 2.0 ** (np.ceil(np.log2(scale)) - 44.0)
    return np.round(gaps / unit) * unit if unit > 0.0 else gaps


def table(scores: Any, names: Any = None) -> tuple[tuple[str, ...], Floats]:
    """Return the names of learners and their scores, a row a data set, a column a learner.

    A mapping from names to columns will do, or to mappings from data sets to scores; so will a
    frame, or an array with ``names``.

    Examples
    --------
    >>> from learnable.evaluation.inputs import table
    >>> names, found = table({"a": {"iris": 0.9, "wine": 0.8}, "b": {"wine": 0.7, "iris": 0.6}})
    >>> names, found.tolist()
    (('a', 'b'), [[0.9, 0.6], [0.8, 0.7]])
    """
    if hasattr(scores, "columns") and not isinstance(scores, Mapping):
        scores = {str(name): np.asarray(scores[name]) for name in scores.columns}
    if isinstance(scores, Mapping):
        given, columns = _columns(scores)
        names = given if names is None else names
    else:
        found = np.asarray(scores, dtype=np.float64)
        if found.ndim != 2:
            raise DataError(
                f"The scores have {found.ndim} dimensions.",
                remedy="Give a table: a row a data set, a column a learner.",
            )
        columns = list(found.T)
    names = _names(names, len(columns))
    checked = [sample(c, 1, f"scores of {n}") for n, c in zip(names, columns, strict=True)]
    lengths = {len(column) for column in checked}
    if len(lengths) > 1:
        raise DataError(
            f"The learners have different numbers of scores: {sorted(lengths)}.",
            remedy="Score every learner on the same data sets.",
        )
    return names, np.column_stack(checked)


def _columns(scores: Mapping[Any, Any]) -> tuple[tuple[str, ...], list[Any]]:
    names = tuple(str(name) for name in scores)
    columns = list(scores.values())
    if not columns or not isinstance(columns[0], Mapping):
        return names, columns
    sets = list(columns[0])
    for name, column in zip(names, columns, strict=True):
        if not isinstance(column, Mapping) or set(column) != set(sets):
            raise DataError(
                f"{name!r} is not scored on the same data sets as {names[0]!r}.",
                remedy="Score every learner on the same data sets.",
            )
    return names, [[column[one] for one in sets] for column in columns]


def _names(names: Any, count: int) -> tuple[str, ...]:
    if count < 2:
        raise DataError(
            f"There is nothing to compare with: {count} learner(s).",
            remedy="Give two or more; a DummyClassifier or DummyRegressor is a fair baseline.",
        )
    found = (
        tuple(f"learner {number}" for number in range(1, count + 1))
        if names is None
        else tuple(str(name) for name in names)
    )
    if len(found) != count or len(set(found)) != count:
        raise DataError(
            f"{len(found)} names for {count} learners, {len(set(found))} of them different.",
            remedy="Give every learner a name of its own.",
        )
    return found
