"""What a column is filled with: its mean, its median, its most frequent value."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from learnable.core.errors import DataError
from learnable.core.fold import fold
from learnable.core.loaded import loaded
from learnable.data import Rows
from learnable.data.string_layout import known_gaps
from learnable.data.texts import Texts
from learnable.impute.gaps import is_numeric
from learnable.loops.ranks import longest_run
from learnable.preprocessing.cells import Cells, counted, is_nan, is_nothing
from learnable.preprocessing.quantiles import each_column, each_known
from learnable.preprocessing.standard import block_column_moments
from learnable.stats.arrays import frozen
from learnable.stats.column_moments import ColumnMoments

WITHIN = "_within_class"


def is_missing(column: Any, mark: Any) -> NDArray[np.bool_]:
    """Return which cells of a column are missing: None and NaN, or those that equal a mark.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.impute.fills import is_missing
    >>> is_missing(np.array([1, -9, 2]), -9)
    array([False,  True, False])
    """
    if mark is not None and not is_nan(mark):
        if isinstance(column, Texts):
            return np.array([mark == value for value in [*column.values, None]])[column.codes]
        return np.asarray(column == mark, dtype=bool)
    if isinstance(column, Texts):
        return np.asarray(column.codes < 0)
    if column.dtype.kind != "O":
        return np.isnan(column) if column.dtype.kind == "f" else np.zeros(len(column), bool)
    return _nothing(column, is_nothing if mark is not None else _is_none)


def _nothing(column: NDArray[Any], test: Any) -> NDArray[np.bool_]:
    """Return which objects are nothing; those that are neither string nor float are asked for."""
    missing, found = loaded("pandas", "NA"), None
    if test is is_nothing:
        found = known_gaps(column, (None,) if missing is None else (None, missing))
    if found is None:
        return np.array([test(cell) for cell in column.tolist()], dtype=bool)
    gaps = found == 1
    others = np.flatnonzero(found < 0)
    gaps[others] = [test(cell) for cell in column[others].tolist()]
    return gaps


def _is_none(cell: Any) -> bool:
    return cell is None


def means(holed: Any) -> list[float]:
    """Return the mean of the known cells of each column, NaN where none is known.

    Parameters
    ----------
    holed : array or list of arrays (columns)
        Numbers; a missing one is NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.impute.fills import means
    >>> means([np.array([1.0, 3.0, np.nan])])
    [2.0]
    """
    moments: ColumnMoments = fold(block_column_moments, ColumnMoments.merge, Rows(holed).blocks())
    return np.where(moments.weight == 0.0, np.nan, moments.mean).tolist()  # type: ignore[no-any-return]


def with_gaps(column: NDArray[Any], missing: NDArray[np.bool_]) -> NDArray[Any]:
    """Return the numbers of a column, NaN where one is missing."""
    numbers = column.astype(np.float64, copy=False)
    if missing.any() and not np.isnan(numbers[missing]).all():
        numbers = np.where(missing, np.nan, numbers)
    return numbers


def median(known: NDArray[Any]) -> float:
    """Return the median of some cells, NaN of none.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.impute.fills import median
    >>> median(np.array([1.0, 3.0, 9.0]))
    3.0
    """
    return float(np.median(known)) if len(known) else np.nan


def mode(known: NDArray[Any]) -> Any:
    """Return the number that stands most often in an array, the smallest one of several.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.impute.fills import mode
    >>> mode(np.array([3, 2, 1, 2, 3]))
    2
    """
    ordered = np.sort(known)
    return ordered[longest_run(frozen(ordered))].item() if len(ordered) else np.nan


def most_frequent(column: Any, missing: NDArray[np.bool_]) -> Any:
    """Return the value of most of the known cells, the smallest (or first) one of several.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.impute.fills import most_frequent
    >>> most_frequent(np.array(["b", "a", "b", "a"], dtype=object), np.zeros(4, bool))
    'a'
    """
    if isinstance(column, Texts):
        counts = np.bincount(column.codes[~missing], minlength=len(column.values))
        return column.values[int(counts.argmax())] if counts.any() else np.nan
    known = column[~missing] if missing.any() else column
    if not len(known):
        return np.nan
    if is_numeric(known):
        return mode(known)
    values, counts = counted(known)
    best = values[counts == counts.max()].tolist()
    return min(best, key=lambda v: (not isinstance(v, str), v)) if len(best) > 1 else best[0]


class Rule(NamedTuple):
    """How columns are filled.

    Attributes
    ----------
    strategy : {"mean", "median", "most_frequent", "constant"}
        What they are filled with.
    constant : object
        The constant, None for one that suits the column.
    mark : object
        What stands for a missing cell.
    keep_empty : bool
        Whether a column without a known cell is filled all the same.
    """

    strategy: str
    constant: Any
    mark: Any
    keep_empty: bool


def column_fills(rule: Rule, cells: Cells, missing: NDArray[np.bool_] | None) -> list[Any]:
    """Return the fill of each column, NaN for one that is left out.

    Parameters
    ----------
    rule : Rule
        How columns are filled.
    cells : Cells
        The columns.
    missing : array (d, n), optional
        Which cells are missing; None where NaN says so in an array of floats.

    Examples
    --------
    >>> import numpy as np
    >>> from learnable.impute.fills import Rule, column_fills
    >>> from learnable.preprocessing.cells import Cells
    >>> cells = Cells([np.array([1.0, np.nan, 3.0])], None, 3)
    >>> rule = Rule("median", None, np.nan, keep_empty=False)
    >>> column_fills(rule, cells, np.array([[False, True, False]]))
    [2.0]
    """
    numeric = [is_numeric(column) for column in cells.columns]
    gaps = np.isnan(cells.whole).T if missing is None else missing  # type: ignore[arg-type]
    if rule.strategy == "constant":
        found = [None if here.all() else _constant(rule, numeric, j, cells.name(j))
                 for j, here in enumerate(gaps)]  # fmt: skip
    elif rule.strategy == "most_frequent" and missing is None:
        found = each_known(mode, Rows(cells.whole))
    elif rule.strategy == "most_frequent":
        items = list(zip(cells.columns, gaps, strict=True))
        found = each_column(_most_frequent_of, items, cells.n)
    else:
        found = _averages(rule, cells, missing, numeric)
    whole = zip(found, gaps, strict=True)
    return [
        _of_empty(rule, numeric, j, cells.name(j)) if here.all() else value
        for j, (value, here) in enumerate(whole)
    ]


def _most_frequent_of(item: tuple[Any, NDArray[np.bool_]]) -> Any:
    return most_frequent(*item)


def _averages(
    rule: Rule, cells: Cells, missing: NDArray[np.bool_] | None, numeric: list[bool]
) -> list[Any]:
    """Return means or medians; of a nominal column of a table the most frequent value."""
    for j, column in enumerate(cells.columns):
        if not numeric[j] and not isinstance(column, Texts):
            raise DataError(
                f"Cannot use {rule.strategy} strategy with non-numeric data: the column is text.",
                column=cells.name(j),
                remedy='Choose strategy="most_frequent", or leave the column out.',
            )
    places = [j for j in range(cells.d) if numeric[j]]
    holed: Any = cells.whole
    if missing is not None:
        holed = [with_gaps(cells.columns[j], missing[j]) for j in places]
    found: dict[int, Any] = {}
    if places:
        average = means(holed) if rule.strategy == "mean" else each_known(median, Rows(holed))
        found = dict(zip(places, average, strict=True))
    return [
        found[j] if j in found else most_frequent(column, missing[j])  # type: ignore[index]
        for j, column in enumerate(cells.columns)
    ]


def _of_empty(rule: Rule, numeric: list[bool], j: int, name: Any) -> Any:
    if not rule.keep_empty:
        return np.nan
    if rule.strategy == "constant":
        return _constant(rule, numeric, j, name)
    return 0 if numeric[j] else "missing_value"


def _constant(rule: Rule, numeric: list[bool], j: int, name: Any) -> Any:
    if rule.constant is None:
        return 0 if numeric[j] else "missing_value"
    if all(numeric) and isinstance(rule.constant, str):
        raise DataError(
            f"fill_value={rule.constant!r} cannot fill a column of numbers.",
            column=name,
            remedy="Give a number.",
        )
    return rule.constant
